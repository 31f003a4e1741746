"""What a YAML function is (`!env NAME`): one declaration, the call of it in a file, and one evaluation of that call.

The configuration and the manifests each have a table of such functions; see `config/functions.py` and
`language/functions.py`.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label, NotKnown, OwnWords, PlaitError, remade
from plait.core.expression import Expression
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.plain import from_plain
from plait.core.source import MASK, Computed
from plait.fronts.stacks.session.arguments import Arguments, BadArguments, anything
from plait.fronts.stacks.session.nodes import leaf_texts
from plait.report.catalog import BAD_FUNCTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from plait.core.scope import Permit, Scope
    from plait.fronts.stacks.session.session import StackSession
    from plait.yaml.build import Reading

    class Written(Protocol):
        """The file that a function is written in, and how files that it includes are read."""

        @property
        def session(self) -> StackSession: ...

        file: str
        path: str

        @property
        def folders(self) -> tuple[str, ...]:
            """Where a path that begins with no dot is looked for, the first choice first."""
            ...

        def reading(self) -> Reading:
            """How an included document is read."""
            ...

        def text_node(self, scalar: Scalar) -> Node:
            """What an included text means: a template, or itself."""
            ...


class YamlFunction:
    """A tag that computes."""

    __slots__ = ("about", "arguments", "deferred", "early", "evaluate", "example", "read", "tag")

    def __init__(
        self,
        tag: str,
        arguments: str,
        about: str,
        example: str,
        read: Callable[[str], Arguments],
        evaluate: Callable[..., Node],
        *,
        deferred: bool = False,
        early: bool = False,
    ) -> None:
        self.tag = tag
        self.arguments = arguments
        self.about = about
        self.example = example
        self.read = read
        self.evaluate = evaluate
        """Takes an `Invocation`."""
        self.deferred = deferred
        """Whether Atmos defers it, too."""
        self.early = early
        """Whether it acts when a file is read, whatever `--process-functions` says."""

    @property
    def name(self) -> str:
        return self.tag[1:]

    def variant(
        self,
        evaluate: Callable[..., Node] | None = None,
        *,
        about: str = "",
        deferred: bool = False,
        early: bool = False,
    ) -> YamlFunction:
        """The same tag and arguments in another table, where it is evaluated in another way or at another time."""
        work = evaluate or self.evaluate
        return YamlFunction(
            self.tag,
            self.arguments,
            about or self.about,
            self.example,
            self.read,
            work,
            deferred=deferred,
            early=early,
        )


class FunctionCall(Expression):
    """A function in a file. The expressions of both tables build on it."""

    __slots__ = ("arguments", "function", "like_scalar", "node", "rest", "text")

    def __init__(self, function: YamlFunction, node: Node, rest: str) -> None:
        self.function = function
        self.node = node
        self.rest = rest
        self.like_scalar = not function.deferred and not function.early
        self.arguments: Arguments | None = None
        """The arguments, once they were read; they stay the same where nothing in them is rendered."""
        self.text = f"{function.tag} {rest}".rstrip() if not is_secret(node) else f"{function.tag} {MASK}"


def is_secret(node: Node) -> bool:
    return isinstance(node, Scalar) and bool(node.secret)


def rest_of(function: YamlFunction, node: Node) -> str:
    """What follows a tag: a text, or a list of words."""
    if isinstance(node, Scalar):
        return node.text.strip()
    if isinstance(node, ListNode) and all(isinstance(item, Scalar) for item in node.items):
        return " ".join(item.text for item in node.items if isinstance(item, Scalar))
    if function.read is anything:
        return ""
    raise BAD_FUNCTION.error(
        Label(node.origin),
        text=function.tag,
        why=f"{function.tag} takes {function.arguments or 'no arguments'}",
        hint=f"for example: {function.example}",
    )


def argument_label(call: FunctionCall, at: int) -> Label:
    """The place of an argument, as an offset in what follows the tag; the call itself where the text is not in the
    file as it is."""
    node = call.node
    text = node.source.text
    start = text.find(call.rest, node.at) if call.rest and not is_secret(node) else -1
    if start < 0 or "\n" in text[node.at : start]:
        return Label(node.origin, length=len(call.text))
    return Label.at(node.source, start + at)


def bad_arguments(call: FunctionCall) -> list[Diagnostic]:
    """What is wrong with the arguments of a call, without evaluating it."""
    function = call.function
    try:
        function.read(call.rest)
    except BadArguments as bad:
        why = f"{function.tag} {bad.message}"
        hint = f"for example: {function.example}"
        return [BAD_FUNCTION(argument_label(call, bad.at), text=call.text, why=why, hint=hint)]
    return []


class Invocation:
    """One evaluation of a call: its arguments, and the place it is seen from."""

    __slots__ = ("arguments", "call", "rest", "scope", "session", "written")

    def __init__(
        self, call: FunctionCall, rest: str, scope: Scope, written: Written, arguments: Arguments | None = None
    ) -> None:
        self.call = call
        self.rest = rest
        self.scope = scope
        self.written = written
        self.session = written.session
        try:
            self.arguments = arguments or call.function.read(rest)
        except BadArguments as bad:
            why = bad.message if bad.quotes else OwnWords(bad.message)
            raise self.bad(why, argument_label(call, bad.at) if rest == call.rest else None) from None

    # Errors

    def label(self) -> Label:
        return Label(self.call.node.origin, length=len(self.call.text))

    def bad(self, why: str, label: Label | None = None) -> PlaitError:
        """An error about the arguments."""
        function = self.call.function
        return BAD_FUNCTION.error(
            label or self.label(),
            text=self.call.text,
            why=OwnWords(f"{function.tag} {why}") if isinstance(why, OwnWords) else f"{function.tag} {why}",
            notes=(failed_at(self.scope, self.call.text),),
            hint=f"for example: {function.example}",
        )

    def placed(self, error: PlaitError) -> PlaitError:
        """An error that has no place yet, at this call; it keeps its code, so that it leads to its own page."""
        first = error.diagnostics[0]
        if first.labels:
            return error
        if isinstance(error, NotKnown):
            error.why = error.why or first.message
        message = f"failed to process YAML function at {path_of(self.scope, self.call.text)}: {first.message}"
        labels = (self.label(),)
        return remade(error, [Diagnostic(first.code, message, labels, first.notes, first.hint, first.severity)])

    # Values

    def of(self, value: object) -> Node:
        """Plain data as a node that this call made."""
        source, at = self.origin()
        return from_plain(value, source, at)

    def origin(self) -> tuple[Computed, int]:
        node = self.call.node
        return Computed(self.call.text, node.source, node.at), node.at

    def asked(self, capability: str, key: tuple[object, ...], question: Callable[[Permit], object]) -> object:
        """The answer to a question that takes no time, asked once in a run."""
        answer = self.scope.call(capability, key, lambda permit: answered(question, permit))
        assert isinstance(answer, Answer)
        return answer.plain

    def may_ask(self, capability: str) -> bool:
        """Whether the file that the call is written in has a capability."""
        self.session.project.trace.unfollow(capability)
        return self.session.project.guard.permits(capability, self.call.node.origin.source)

    def section(self, *path: str) -> Node | None:
        """A value of the component (or of the file, in a local) that the call is seen from; None where there is
        none."""
        root = self.scope.place.root
        place, node = root, root.node
        if isinstance(node, MapNode) and isinstance(first := node.entries.get(path[0]), MapNode) and not first.entries:
            return None
        for step in path:
            node = self.scope.known(node, place) if node is not None else None
            if not isinstance(node, MapNode):
                return None
            node, place = node.entries.get(step), place.child(step)
        return self.scope.finished(node, place) if node is not None else None

    def here(self, name: str) -> str:
        """A fact about the component that the call is seen from."""
        root = self.scope.place.root.node
        node = root.entries.get(name) if isinstance(root, MapNode) else None
        return str(node.value) if isinstance(node, Scalar) and node.value is not None else ""


class Answer(Scalar):
    """An answer from outside as plain data. The text of a secret one is all that must not be shown."""

    __slots__ = ("plain",)

    def __init__(self, plain: object, secret: bool = False) -> None:
        super().__init__(None, "\n".join(leaf_texts(plain)) if secret else "", secret=secret)
        self.plain = plain


def answered(question: Callable[[Permit], object], permit: Permit, secret: bool = False) -> Answer:
    """What a question gives; a secret too where what it read is masked."""
    found = question(permit)
    return Answer(found, secret or permit.conceals)


def path_of(scope: Scope, text: str) -> str:
    """Where a call is in the component, or the call itself where it has no place there."""
    return ".".join(str(step) for step in scope.place.path) or text


def failed_at(scope: Scope, text: str) -> str:
    return f"failed to process YAML function at {path_of(scope, text)}"
