"""A pattern's inputs: what each may be, its default, and how a bad value is reported.

A default may differ by environment: `default: {dev: 128, prod: 512}` for an input that is not a map itself.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.node import ListNode, MapNode, Node, Scalar, equal, key_text, tag_of, text
from plait.core.struct import struct
from plait.core.walk import nodes_of
from plait.regexp import Regexp
from plait.report.catalog import INPUT_INVALID, INPUT_MISSING, INPUT_UNKNOWN
from plait.report.near import did_you_mean
from plait.yaml.emit import Style, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@struct
class InputType:
    """A type of input: its name in messages, which values have it, and whether it is a scalar."""

    article: str
    fits: Callable[[Node], bool]
    scalar: bool = True


def _is(*types: type) -> Callable[[Node], bool]:
    return lambda node: isinstance(node, Scalar) and node.value.__class__ in types


KINDS = {
    "string": InputType("a string", _is(str)),
    "integer": InputType("a whole number", _is(int)),
    "number": InputType("a number", _is(int, float)),
    "boolean": InputType("true or false", _is(bool)),
    "list": InputType("a list", lambda node: isinstance(node, ListNode), scalar=False),
    "map": InputType("a map", lambda node: isinstance(node, MapNode), scalar=False),
}


class Input:
    """One input of a pattern, as it is declared."""

    __slots__ = (
        "default",
        "description",
        "enum",
        "example",
        "kind",
        "maximum",
        "minimum",
        "name",
        "pattern",
        "renamed_from",
        "required",
    )

    def __init__(self, name: str, kind: str = "string") -> None:
        self.name = name
        self.kind = kind
        self.description = ""
        self.example = ""
        self.required = False
        self.renamed_from: list[str] = []
        """The names that it had in earlier versions of the pattern."""
        self.default: Node | None = None
        self.enum: list[Node] = []
        self.pattern = ""
        self.minimum: float | None = None
        self.maximum: float | None = None

    @property
    def by_environment(self) -> bool:
        """Whether its default is a map from environments."""
        return KINDS[self.kind].scalar and isinstance(self.default, MapNode)

    def default_in(self, environment: str) -> Node | None:
        """Its value where none is given."""
        if not self.by_environment:
            return self.default
        assert isinstance(self.default, MapNode)
        return self.default.entries.get(environment, self.default.entries.get("default"))

    def read(self, node: Node) -> Node:
        """A value that was given, as this input takes it: for a text, a number is taken as it was written."""
        if (
            self.kind == "string"
            and isinstance(node, Scalar)
            and not isinstance(node.value, str)
            and node.value is not None
        ):
            return text(node.text, node.source, node.at)
        return node

    def complaint(self, node: Node) -> str:
        """Why a value does not fit; nothing where it does."""
        if not KINDS[self.kind].fits(node):
            return f"it must be {KINDS[self.kind].article}"
        if self.enum and not any(equal(node, choice) for choice in self.enum):
            return f"it must be one of {', '.join(typed_text(choice) for choice in self.enum)}"
        value = node.value if isinstance(node, Scalar) else None
        if self.pattern and (not isinstance(value, str) or not Regexp(self.pattern).found_in(value)):
            return f"it must match {self.pattern}"
        if self.minimum is not None and isinstance(value, int | float) and value < self.minimum:
            return f"it must be at least {self.minimum:g}"
        if self.maximum is not None and isinstance(value, int | float) and value > self.maximum:
            return f"it must be at most {self.maximum:g}"
        return ""

    @property
    def flag(self) -> str:
        return f"--{self.name}"

    @property
    def choices(self) -> list[str]:
        return [typed_text(choice) for choice in self.enum]

    @property
    def shown_default(self) -> str:
        """Its default on one line: `dev 128, prod 512` where it depends on the environment."""
        if self.by_environment and isinstance(self.default, MapNode):
            return ", ".join(f"{key_text(key)} {typed_text(node)}" for key, node in self.default.entries.items())
        return typed_text(self.default) if self.default is not None else ""

    @property
    def sample(self) -> str:
        """A value that fits, to show how it is written."""
        if self.example or self.enum:
            return self.example or typed_text(self.enum[0])
        default = self.default
        if self.by_environment and isinstance(default, MapNode):
            default = next(iter(default.entries.values()), None)
        return typed_text(default) if default is not None else "VALUE"

    @property
    def trial(self) -> Node:
        """A value to try the pattern with: the example, a choice, or something of the right kind."""
        if self.enum:
            return self.enum[0]
        samples = {"integer": Scalar(1, "1"), "number": Scalar(1, "1"), "boolean": Scalar(True, "true")}
        containers: dict[str, Node] = {"list": ListNode([]), "map": MapNode({})}
        return samples.get(self.kind) or containers.get(self.kind) or text(self.example or "sample")

    def probe(self, node: Node) -> Node:
        """Another value of the same kind, to see what depends on this input."""
        others = [choice for choice in self.enum if not equal(choice, node)]
        if others:
            return others[0]
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, bool):
            return Scalar(not value, str(not value).lower())
        if isinstance(value, int | float):
            return Scalar(value + 1, "")
        return text(f"{value}0") if isinstance(value, str) else node


def typed_text(node: Node) -> str:
    """A value as it is typed; an empty text as two quotes."""
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return node.value or '""'
    return flow(node, Style())


class Values:
    """The inputs of one run: each with its value, and how it was given (`set`, `flag`, `spec`, `remembered`, or
    `default`)."""

    def __init__(self, nodes: dict[str, Node], givers: dict[str, str]) -> None:
        self.nodes = nodes
        self.givers = givers


def resolve(inputs: dict[str, Input], given: Iterable[tuple[str, Node, str]], environment: str) -> Values:
    """The value of every input: what was given (the later wins), else its default. All complaints come at once."""
    nodes: dict[str, Node] = {}
    givers: dict[str, str] = {}
    troubles: list[Diagnostic] = []
    for name, node, giver in given:
        if name not in inputs:
            troubles.append(_unknown(name, node, inputs))
            continue
        nodes[name], givers[name] = inputs[name].read(node), giver
    where = nodes.get(environment) or (inputs[environment].default if environment in inputs else None)
    place = str(where.value) if isinstance(where, Scalar) else ""
    for name, declared in inputs.items():
        if name not in nodes and (default := declared.default_in(place)) is not None:
            nodes[name], givers[name] = default, "default"
        troubles += _check(declared, nodes.get(name))
    if troubles:
        raise Fault(*troubles)
    return Values({name: nodes[name] for name in inputs if name in nodes}, givers)


def _check(declared: Input, node: Node | None) -> list[Diagnostic]:
    if node is None:
        return [_missing(declared)] if declared.required else []
    why = declared.complaint(node)
    if not why:
        return []
    notes = (f"{declared.description}: {why}" if declared.description else why,)
    hint = f"for example: {declared.flag} {declared.sample}"
    return [INPUT_INVALID(Label(node.origin), name=declared.name, value=typed_text(node), notes=notes, hint=hint)]


def _missing(declared: Input) -> Diagnostic:
    notes = (declared.description,) if declared.description else ()
    choices = " or ".join(typed_text(choice) for choice in declared.enum)
    hint = f"give it: {declared.flag} {declared.sample}" + (f" ({choices})" if choices else "")
    return INPUT_MISSING(name=declared.name, notes=notes, hint=hint)


def _unknown(name: str, node: Node, inputs: dict[str, Input]) -> Diagnostic:
    renamed = [now for now, declared in inputs.items() if name in declared.renamed_from]
    hint = f"it was renamed to `{renamed[0]}`" if renamed else did_you_mean(name, inputs)
    return INPUT_UNKNOWN(Label(node.origin), name=name, hint=hint or f"it has: {', '.join(inputs)}")


def spec_inputs(documents: Iterable[Node]) -> list[tuple[str, Node, str]]:
    """The inputs that a spec file gives: a map, at its top or under `inputs`."""
    inputs: list[tuple[str, Node, str]] = []
    for document in documents:
        if isinstance(document, MapNode):
            inner = document.entries.get("inputs", document)
            entries = inner.entries.items() if isinstance(inner, MapNode) else ()
            inputs += [(key_text(key), node, "spec") for key, node in entries]
    wrong = [finding for name, node, _ in inputs for finding in _tagged(name, node)]
    if wrong:
        raise Fault(*wrong)
    return inputs


def _tagged(name: str, root: Node) -> Iterator[Diagnostic]:
    """Tags in a spec file: nothing would compute or mask the value, which would be what is written behind them."""
    for node in nodes_of(root):
        tag = tag_of(node) or ""
        if tag.startswith("!"):
            notes = (f"`{tag}` means nothing in a file of inputs",)
            yield INPUT_INVALID(Label(node.origin), name=name, value=tag, notes=notes, hint="write the value itself")
