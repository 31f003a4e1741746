"""What a text refers to, with the span of every name: one table of rules for each way in which a file is read.

A rule looks at one key or value and gives the names in it. The languages themselves are parsed by `notations`.
"""

from __future__ import annotations

import re
from itertools import islice

from plait.core.diagnostic import PlaitError
from plait.core.meter import Clock
from plait.core.path import Path, PathError, parse_path
from plait.core.steps import EACH
from plait.fronts.catalog import structure_of
from plait.fronts.structure import COMPONENT, FILE, INPUT, LOCAL
from plait.notations.directives.grammar import NAME, parse_directive
from plait.notations.dynaml import Dynaml, looks_like, read
from plait.notations.dynaml.tree import CallTerm, Marked, Reference, walk
from plait.notations.gotemplate import tree
from plait.notations.gotemplate.errors import ParseError
from plait.notations.gotemplate.parse import parse as parse_template
from plait.notations.query.grammar import parse_query
from plait.yaml.layout import NONE
from plait.yaml.places import Written, WrittenSpot, place_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.meter import Meter
    from plait.core.steps import Steps
    from plait.fronts.structure import FileStructure
    from plait.yaml.places import Span

    Rule = Callable[[WrittenSpot], Iterator["Mention"]]

ANCHOR = "anchor"
VALUE, SCOPED, QUERY, DIRECTIVE, MEMBER = "value", "scoped", "query", "directive", "member"
FUNCTION = "function"
"""What a mention names, beside what the structure of files knows. A `value` is a path from the root; a `scoped` one is
looked for from where it is written, outwards, as dynaml does; a `member` is one of another component."""


class Mention:
    """A name in a text: where it is, what kind of thing it names, and which."""

    __slots__ = ("around", "kind", "name", "path", "span", "spot", "stack", "type")

    def __init__(
        self, kind: str, name: str, span: Span, spot: WrittenSpot | None, path: Path = (), type: str = ""
    ) -> None:
        self.kind = kind
        self.name = name
        self.span = span
        self.around = span
        """The words that the name is part of, as in `.locals.NAME`."""
        self.spot = spot
        """The value that it is part of; None in a text that is rendered before it is read."""
        self.path = path
        self.type = type
        """Of a component: terraform, helmfile, ..."""
        self.stack = ""
        """Of a value of another component: the stack that is named; empty for the stack at hand."""

    @property
    def computed(self) -> bool:
        """Whether a template makes the name, so that it cannot be known from the text."""
        return "{{" in self.name or "((" in self.name

    def __repr__(self) -> str:
        return f"Mention({self.kind} {self.name})"


def mentions_of(written: Written, kind: str, meter: Meter) -> Steps[list[Mention]]:
    """Every name in a text, in the order of the text, found in small steps, within the time of one run."""
    found: list[Mention] = []
    spots, clock = written.walk(), Clock(meter.budgets.seconds)
    while some := list(islice(spots, EACH)):
        if clock.is_used_up:
            raise meter.overrun("seconds", clock.seconds)
        found += mentions_in(some, kind)
        yield
    return found


def mentions_in(spots: Iterable[WrittenSpot], kind: str) -> list[Mention]:
    """The names in some keys and values of a text."""
    rules = (*EVERYWHERE, structured(structure_of(kind)), *RULES.get(kind, ()))
    return [mention for spot in spots for rule in rules for mention in rule(spot)]


def template_mentions(text: str) -> list[Mention]:
    """The names in a text that is a template as a whole: what a pattern's file reads of its inputs."""
    return [
        Mention(INPUT, names[0], (at + 1, at + 1 + len(names[0])), None, names)
        for names, at, _ in fields_in(text)
        if names
    ]


def template_words(text: str) -> Iterator[tuple[Span, str]]:
    """The words of a text that is a template as a whole: paths of its data, variables and functions, each with what it
    is."""
    for names, at, words in fields_in(text):
        if names and text.startswith(words, at):
            yield (at, at + len(words)), "property"
    for node in _walked(text):
        if isinstance(node, tree.Identifier) and text.startswith(node.text, node.at):
            yield (node.at, node.at + len(node.text)), FUNCTION
        elif isinstance(node, tree.Variable) and node.names[0] != "$" and text.startswith(node.names[0], node.at):
            yield (node.at, node.at + len(node.names[0])), "variable"


# Every text


def _aliases(spot: WrittenSpot) -> Iterator[Mention]:
    alias = spot.alias
    if alias is not None:
        yield Mention(ANCHOR, alias, (spot.at + 1, spot.at + 1 + len(alias)), spot)


def _functions(spot: WrittenSpot) -> Iterator[Mention]:
    """The tag of a value."""
    if spot.tag.startswith("!"):
        start = spot.layout.text.find(spot.tag, spot.at)
        yield Mention(FUNCTION, spot.tag, (start, start + len(spot.tag)), spot)


# Tags


def _words(spot: WrittenSpot) -> list[tuple[str, Span]]:
    """The words of a scalar with their places."""
    words: list[tuple[str, Span]] = []
    for match in re.finditer(r"\S+", spot.text or ""):
        place = place_in(spot, match.start(), match[0])
        if place is not None:
            words.append((match[0], place))
    return words


def _first_word(spot: WrittenSpot, tags: tuple[str, ...], kind: str, type: str = "") -> Iterator[Mention]:
    if spot.tag in tags and spot.is_scalar:
        for word, span in _words(spot)[:1]:
            yield Mention(kind, word, span, spot, type=type)


def _references(spot: WrittenSpot) -> Iterator[Mention]:
    for mention in _first_word(spot, ("!ref",), VALUE):
        try:
            mention.path = parse_path(mention.name)
        except PathError:
            continue
        yield mention


def _includes(spot: WrittenSpot) -> Iterator[Mention]:
    return _first_word(spot, ("!include", "!include.raw"), FILE)


def _outputs(spot: WrittenSpot) -> Iterator[Mention]:
    return _first_word(spot, ("!terraform.output", "!terraform.state"), COMPONENT, "terraform")


# Go templates


def fields_in(text: str) -> list[tuple[tuple[str, ...], int, str]]:
    """The chains of names that a template reads from its data: the names, where they begin, and how they are written.

    Nothing where it cannot be parsed.
    """
    fields: list[tuple[tuple[str, ...], int, str]] = []
    for node in _walked(text):
        if isinstance(node, tree.Field):
            fields.append((node.names, node.at, "." + ".".join(node.names)))
        elif isinstance(node, tree.Variable) and node.names[0] == "$" and len(node.names) > 1:
            fields.append((node.names[1:], node.at + 1, "." + ".".join(node.names[1:])))
    return fields


def _walked(text: str) -> list[tree.TemplateNode]:
    try:
        parsed = parse_template(text)
    except ParseError:
        return []
    return [node for block in (parsed.root, *parsed.defined.values()) for node in block.walk()]


def _templates(spot: WrittenSpot) -> Iterator[Mention]:
    """Locals, and values of the component, that a template of a manifest reads."""
    text = spot.text
    if text is None or "{{" not in text:
        return
    for names, at, words in fields_in(text):
        span = place_in(spot, at, words)
        if span is None:
            continue
        if names[0] == "locals" and len(names) > 1:
            start = span[0] + len(".locals.")
            mention = Mention(LOCAL, names[1], (start, start + len(names[1])), spot, names[1:])
            mention.around = span
            yield mention
        else:
            yield Mention(VALUE, ".".join(names), span, spot, names)
    yield from _called(spot, text)


def _called(spot: WrittenSpot, text: str) -> Iterator[Mention]:
    """The functions of a template, the component that `atmos.Component "NAME" STACK` asks, and what is read of it."""
    for node in _walked(text):
        if isinstance(node, tree.Identifier):
            span = place_in(spot, node.at, node.text)
            if span is not None:
                yield Mention(FUNCTION, node.text, span, spot)
        name = _asked(node)
        span = place_in(spot, name.at + 1, name.value) if name is not None else None
        if name is not None and span is not None:
            yield Mention(COMPONENT, name.value, span, spot, type="terraform")
        if isinstance(node, tree.FieldChain):
            yield from _member(spot, node)


def _asked(node: tree.TemplateNode) -> tree.String | None:
    """The name of the component that a command asks."""
    asks = isinstance(node, tree.PipeCommand) and str(node.args[0]) == "atmos.Component" and len(node.args) > 1
    name = node.args[1] if asks and isinstance(node, tree.PipeCommand) else None
    return name if isinstance(name, tree.String) else None


def _member(spot: WrittenSpot, chain: tree.FieldChain) -> Iterator[Mention]:
    """`.vars.y` after `(atmos.Component "NAME" STACK)`."""
    command = chain.node.commands[0] if isinstance(chain.node, tree.Pipe) and len(chain.node.commands) == 1 else None
    name = _asked(command) if command is not None else None
    span = place_in(spot, chain.at, "." + ".".join(chain.names))
    if name is None or span is None or command is None:
        return
    mention = Mention(MEMBER, name.value, span, spot, chain.names, type="terraform")
    stack = command.args[2] if len(command.args) > 2 else None
    mention.stack = stack.value if isinstance(stack, tree.String) else ""
    yield mention


# dynaml


def _dynaml(spot: WrittenSpot) -> Iterator[Mention]:
    text = spot.text
    if text is None or not looks_like(text):
        return
    expression = read(text)
    if not isinstance(expression, Dynaml):
        return
    for term in walk(expression.tree):
        if isinstance(term, Reference):
            words = str(term)
            span = place_in(spot, term.at + 2, words)
            if span is not None:
                kind = VALUE if term.rooted else SCOPED
                yield Mention(kind, words, span, spot, tuple(_step(step) for step in term.steps))
        elif isinstance(term, CallTerm):
            called = str(term.name)
            span = place_in(spot, term.at + 2, called)
            if span is not None:
                yield Mention(FUNCTION, called, span, spot)
        elif isinstance(term, Marked):
            yield from _marks(spot, text, term)


def _marks(spot: WrittenSpot, text: str, term: Marked) -> Iterator[Mention]:
    at = term.at + 2
    for mark in term.marks:
        word, colon, _ = mark.partition(":")
        at = text.find("&" + word, at)
        span = place_in(spot, at, "&" + word)
        if span is not None:
            yield Mention(FUNCTION, "&tag:NAME" if colon else "&" + word, span, spot)
        at += 1


def _control_keys(spot: WrittenSpot) -> Iterator[Mention]:
    """`<<if` and its like."""
    key = spot.path[-1] if spot.path and spot.key != NONE else ""
    if isinstance(key, str) and key[:2] == "<<" and key[2:].isalpha():
        yield Mention(FUNCTION, key, spot.key_span, spot)


def _step(step: str) -> str | int:
    """A step of dynaml: `[0]` is the first item of a list."""
    inner = step[1:-1] if step.startswith("[") else ""
    return int(inner) if inner.isdecimal() else step


# Documents with directives


def _directives(spot: WrittenSpot) -> Iterator[Mention]:
    key = spot.path[-1] if spot.path and spot.key != NONE else ""
    if not isinstance(key, str) or not key.startswith("+"):
        return
    try:
        directive = parse_directive(key)
    except PlaitError:
        return
    if directive is None:
        return
    start, end = spot.key_span
    if directive.anchor:
        at = spot.layout.text.find(directive.anchor, start, end)
        yield Mention(ANCHOR, directive.anchor, (at, at + len(directive.anchor)), spot, directive.path or ())
    elif directive.include:
        yield from _included(spot)
    else:
        yield Mention(DIRECTIVE, key, (start, end), spot, _pointed(spot.path, directive.up, directive.path))


def _pointed(path: Path, up: int, below: tuple[str, ...] | None) -> Path:
    """The path that a directive names: from the root, or from the map that holds it, some levels up."""
    base = path[: max(len(path) - up, 0)] if up else ()
    return (*base, *(below or ()))


def _included(spot: WrittenSpot) -> Iterator[Mention]:
    rows = [spot] if spot.is_scalar else [child for child in spot.below() if child.path[-1] == "file"]
    for row in rows:
        if row.is_scalar and row.text:
            start, end = row.layout.inner(row.value), row.layout.end(row.value)
            yield Mention(FILE, row.text, (start, end), row)


def _queries(spot: WrittenSpot) -> Iterator[Mention]:
    """`eval: ::a::b`, as far as it names keys."""
    key = spot.path[-1] if spot.path else ""
    if key not in ("eval", "ref", "get_nodes") or not spot.text:
        return
    try:
        segments = parse_query(spot.text)
    except PlaitError:
        return
    names: list[str] = []
    for segment in segments:
        if segment.filters or segment.test or segment.variable or (segment.special and segment.key != "."):
            break
        names.append(segment.key)
    start, end = spot.layout.inner(spot.value), spot.layout.end(spot.value)
    if names:
        kind = VALUE if names[0] == "" else QUERY
        yield Mention(kind, spot.text, (start, end), spot, tuple(name for name in names if name not in ("", ".")))


# The structure of a kind of file


def _whole(kind: str, spot: WrittenSpot, type: str = "") -> Mention:
    start, end = spot.layout.inner(spot.value), spot.layout.end(spot.value)
    quoted = spot.layout.text[start : start + 1] in ('"', "'")
    span = (start + 1, end - 1) if quoted else (start, end)
    return Mention(kind, spot.text or "", span, spot, type=type)


def structured(structure: FileStructure) -> Rule:
    """The names that values are by where they are."""

    def named(spot: WrittenSpot) -> Iterator[Mention]:
        names = structure.names(spot.path) if spot.text else None
        if names is not None:
            yield _whole(names[0], spot, names[1])

    return named


EVERYWHERE: tuple[Rule, ...] = (_aliases, _functions)
RULES: dict[str, tuple[Rule, ...]] = {
    "stacks": (_includes, _outputs, _templates),
    "layers": (_references, _includes, _dynaml, _templates),
    "files": (_references, _includes),
    "template": (_dynaml, _control_keys),
    "document": (_directives, _queries, _includes),
}


# Definitions


def anchor_span(spot: WrittenSpot) -> Span | None:
    """Where the anchor of a value is written, without its `&`."""
    anchor = spot.anchor
    if anchor is None:
        return None
    at = spot.layout.text.find(f"&{anchor}", spot.at)
    return (at + 1, at + 1 + len(anchor)) if at >= 0 else None


def named_span(spot: WrittenSpot) -> Span | None:
    """Where `+&: name` names the map that it is in."""
    if spot.path[-1:] != (NAME,) or not spot.text:
        return None
    return spot.layout.inner(spot.value), spot.layout.end(spot.value)
