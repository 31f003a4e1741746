"""A value computed from a secret is secret too, even in a text that is rendered before it is read as YAML.

Templates of such a text get plain data, so plait cannot trace how they use a secret. Therefore it renders the text a
second time with masks instead of secrets: every difference contains part of a secret. Names are shown everywhere, so a
name that contains a secret is an error.
"""

from __future__ import annotations

from plait.core.diagnostic import Label, OwnWords, PlaitError, masked, spellings
from plait.core.node import ListNode, MapNode, Node, Scalar, secrets_in
from plait.core.source import MASK
from plait.core.walk import nodes_of
from plait.report.catalog import SECRET_NAME
from plait.yaml.outline import key_steps
from plait.yaml.program import ALIAS, END, MAP, PROPS, SEQ, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.source import Source
    from plait.yaml.build import Reading


SHORTEST = 8
"""From which length a text in a key counts as a secret rather than an ordinary word."""


class Revealed:
    """Secrets of a run that became plain data."""

    def __init__(self) -> None:
        self.texts: set[str] = set()

    def add(self, made: Node) -> None:
        """Remember the secrets in a finished tree."""
        self.texts.update(secret.text for secret in secrets_in(made))

    def holds(self, value: object) -> bool:
        return bool(self.texts) and not isinstance(value, bool) and str(value) in self.texts

    def mentioned(self, text: str) -> bool:
        return any(secret in text for secret in self.texts)

    def masking(self, error: PlaitError) -> PlaitError:
        """The same error without secrets."""
        return masked(error, self.texts) if self.texts else error

    def masked(self, data: object) -> object:
        """The same data with a mask for every secret; the same object if there is none. Without recursion."""
        made: list[object] = [data]
        found = False
        work: list[tuple[list[object] | dict[object, object], object]] = [(made, 0)]
        while work and self.texts:
            target, key = work.pop()
            value = target[key]  # type: ignore[call-overload]
            if isinstance(value, dict):
                value = dict(value)
                work.extend((value, name) for name in value)
            elif isinstance(value, list):
                value = list(value)
                work.extend((value, index) for index in range(len(value)))
            elif value is not None and self.holds(value):
                value, found = MASK, True
            target[key] = value  # type: ignore[call-overload]
        return made[0] if found else data

    def public(self, what: str, data: object, render: Callable[[object], str], *labels: Label) -> str:
        """A name that is made of data; an error where a secret can be seen in it."""
        made, other = render(data), self.masked(data)
        if other is not data and render(other) != made:
            raise secret_name(what, *labels)
        return made


def public_value(node: Scalar, what: str) -> object:
    """The value of something that is shown everywhere; an error where it is a secret."""
    if node.secret:
        raise secret_name(what, Label(node.origin))
    return node.value


def check_keys(made: Node, secrets: set[str], label: Label) -> None:
    """Refuse data whose keys show a secret that it was made of. A short secret may be an ordinary name, too."""
    shown = {form for secret in secrets if len(secret) >= SHORTEST for form in spellings(secret)}
    for node in nodes_of(made) if shown else ():
        for key in node.entries if isinstance(node, MapNode) else ():
            if isinstance(key, str) and any(form in key for form in shown):
                raise secret_name("a key", label)


def secret_name(what: str, *labels: Label) -> PlaitError:
    return SECRET_NAME.error(
        *labels, what=OwnWords(what), hint=OwnWords("names are shown everywhere: use values that are not secret")
    )


def secret_steps(program: Program, other: Program | None, revealed: Revealed) -> Iterator[int]:
    """The steps of a document in which a secret can be seen: those with another text where it was rendered with masks.

    Where the two are not built alike, it is not known which they are: then all values, and the keys that only one has.
    """
    alike = other is not None and list(program.kinds) == list(other.kinds) and program.props == other.props
    keys = set(key_steps(program))
    common = {other.texts[index] for index in key_steps(other)} if other is not None else set()
    for index, (kind, text) in enumerate(zip(program.kinds, program.texts, strict=True)):
        if kind == END or kind & ~PROPS in (MAP, SEQ, ALIAS) or text is None:
            continue
        if alike and other is not None:
            shown = text != other.texts[index]
        elif index in keys:
            shown = text not in common if other is not None else revealed.mentioned(text)
        else:
            shown = True
        if shown:
            yield index


def seal(reading: Reading, program: Program, steps: Iterable[int], source: Source) -> None:
    """Read a document so that what some steps make is secret."""
    steps = set(steps)
    for index in key_steps(program):
        if index in steps:
            raise secret_name("a key", Label.at(source, program.ats[index]))
    places = {program.ats[index] for index in steps}
    usual, tagged = reading.marked, reading.tagged
    assert usual is not None
    assert tagged is not None

    def sealed(node: Node) -> Node:
        if not isinstance(node, Scalar) or node.secret or node.at not in places or node.source is not source:
            return node
        return node.but(secret=True)

    def text_scalar(scalar: Scalar) -> Node:
        made = sealed(scalar)
        assert isinstance(made, Scalar)
        return usual(made)

    def container(node: Node) -> Node:
        if isinstance(node, MapNode):
            node.entries.update({key: sealed(child) for key, child in node.entries.items()})
        elif isinstance(node, ListNode):
            node.items[:] = map(sealed, node.items)
        return node

    reading.markers = ("",)  # every text is looked at
    reading.marked = text_scalar
    reading.tagged = lambda tag, node: tagged(tag, sealed(node))
    reading.closed = container
