"""The parsed template: nodes that know their place, and how Go prints them.

`str(node)` is Go's canonical text of a node; printing and parsing again gives an equal tree. Blocks nest without
bound in the text, so printing and walking use a stack of their own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar


class Delimiter(str):
    """Where an action opens or closes: printed as the template's own delimiters."""

    __slots__ = ()


OPENS, CLOSES = Delimiter("{{"), Delimiter("}}")


class TemplateNode:
    """A piece of a template. `at` is its character offset in the text."""

    __slots__ = ("at",)
    kind: ClassVar[str] = ""
    at: int

    def parts(self) -> tuple[TemplateNode | str, ...]:
        """What the node prints as: texts and further nodes, in order."""
        return ()

    def children(self) -> Iterator[TemplateNode]:
        """The nodes directly below."""
        return (part for part in self.parts() if isinstance(part, TemplateNode))

    def print(self, left: str = OPENS, right: str = CLOSES) -> str:
        """Go's canonical text of the node, with these delimiters."""
        out: list[str] = []
        stack: list[TemplateNode | str] = [self]
        while stack:
            part = stack.pop()
            if part is OPENS:
                out.append(left)
            elif part is CLOSES:
                out.append(right)
            elif isinstance(part, str):
                out.append(part)
            else:
                stack.extend(reversed(part.parts()))
        return "".join(out)

    def __str__(self) -> str:
        return self.print()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def walk(self) -> list[TemplateNode]:
        """This node and all below it, in the order of the text."""
        stack = [self]
        nodes: list[TemplateNode] = []
        while stack:
            node = stack.pop()
            nodes.append(node)
            stack.extend(reversed(list(node.children())))
        return nodes


class TextNode(TemplateNode):
    """A node that prints as one text."""

    __slots__ = ("text",)

    def __init__(self, at: int, text: str) -> None:
        self.at = at
        self.text = text

    def parts(self) -> tuple[TemplateNode | str, ...]:
        return (self.text,)


class PlainText(TextNode):
    """The text outside the actions."""

    __slots__ = ()
    kind = "text"


class Identifier(TextNode):
    """The name of a function."""

    __slots__ = ()
    kind = "identifier"


class Dot(TextNode):
    """The current value, `.`."""

    __slots__ = ()
    kind = "dot"


class Nil(TextNode):
    """The word `nil`."""

    __slots__ = ()
    kind = "nil"


class Bool(TextNode):
    """`true` or `false`."""

    __slots__ = ("value",)
    kind = "bool"

    def __init__(self, at: int, text: str) -> None:
        self.at = at
        self.text = text
        self.value = text == "true"


class String(TextNode):
    """A quoted text: `text` as written, `value` without its quotes."""

    __slots__ = ("value",)
    kind = "string"

    def __init__(self, at: int, text: str, value: str) -> None:
        self.at = at
        self.text = text
        self.value = value


class Number(TextNode):
    """A number and every type it can stand for; None for those it cannot."""

    __slots__ = ("as_complex", "as_float", "as_int", "as_uint")
    kind = "number"

    def __init__(self, at: int, text: str) -> None:
        self.at = at
        self.text = text
        self.as_int: int | None = None
        self.as_uint: int | None = None
        self.as_float: float | None = None
        self.as_complex: complex | None = None


class Field(TemplateNode):
    """`.a.b`: names looked up one after the other from the current value."""

    __slots__ = ("names",)
    kind = "field"

    def __init__(self, at: int, names: tuple[str, ...]) -> None:
        self.at = at
        self.names = names

    def parts(self) -> tuple[TemplateNode | str, ...]:
        return ("." + ".".join(self.names),)


class Variable(TemplateNode):
    """`$x.a.b`: a variable, and names looked up from its value. `names[0]` is the variable with its sign."""

    __slots__ = ("names",)
    kind = "variable"

    def __init__(self, at: int, names: tuple[str, ...]) -> None:
        self.at = at
        self.names = names

    def parts(self) -> tuple[TemplateNode | str, ...]:
        return (".".join(self.names),)


class FieldChain(TemplateNode):
    """`(...).a.b`: names looked up from the value of another node."""

    __slots__ = ("names", "node")
    kind = "chain"

    def __init__(self, at: int, node: TemplateNode, names: tuple[str, ...]) -> None:
        self.at = at
        self.node = node
        self.names = names

    def parts(self) -> tuple[TemplateNode | str, ...]:
        return (*_bracketed(self.node), "." + ".".join(self.names))


class PipeCommand(TemplateNode):
    """A function with its arguments, or a single value."""

    __slots__ = ("args",)
    kind = "command"

    def __init__(self, at: int, args: tuple[TemplateNode, ...]) -> None:
        self.at = at
        self.args = args

    def parts(self) -> tuple[TemplateNode | str, ...]:
        out: list[TemplateNode | str] = []
        for arg in self.args:
            if out:
                out.append(" ")
            out.extend(_bracketed(arg))
        return tuple(out)


class Pipe(TemplateNode):
    """Commands, each fed to the next, and the variables that take the result."""

    __slots__ = ("assigns", "commands", "declares")
    kind = "pipe"

    def __init__(
        self, at: int, declares: tuple[Variable, ...], assigns: bool, commands: tuple[PipeCommand, ...]
    ) -> None:
        self.at = at
        self.declares = declares
        self.assigns = assigns
        self.commands = commands

    def parts(self) -> tuple[TemplateNode | str, ...]:
        out: list[TemplateNode | str] = []
        if self.declares:
            out.append(", ".join(map(str, self.declares)))
            out.append(" = " if self.assigns else " := ")
        for index, command in enumerate(self.commands):
            if index:
                out.append(" | ")
            out.append(command)
        return tuple(out)


class Action(TemplateNode):
    """`{{ pipeline }}`: prints its value unless a variable takes it."""

    __slots__ = ("pipe",)
    kind = "action"

    def __init__(self, at: int, pipe: Pipe) -> None:
        self.at = at
        self.pipe = pipe

    def parts(self) -> tuple[TemplateNode | str, ...]:
        return (OPENS, self.pipe, CLOSES)


class Block(TemplateNode):
    """A run of text and actions."""

    __slots__ = ("nodes",)
    kind = "list"

    def __init__(self, at: int, nodes: tuple[TemplateNode, ...]) -> None:
        self.at = at
        self.nodes = nodes

    def parts(self) -> tuple[TemplateNode | str, ...]:
        return self.nodes

    def is_empty(self) -> bool:
        """Whether it holds nothing but space."""
        return all(isinstance(node, PlainText) and not node.text.strip() for node in self.nodes)


class Branch(TemplateNode):
    """`if`, `with` or `range` with its blocks."""

    __slots__ = ("body", "otherwise", "pipe")

    def __init__(self, at: int, pipe: Pipe, body: Block, otherwise: Block | None) -> None:
        self.at = at
        self.pipe = pipe
        self.body = body
        self.otherwise = otherwise

    def parts(self) -> tuple[TemplateNode | str, ...]:
        head: tuple[TemplateNode | str, ...] = (OPENS, f"{self.kind} ", self.pipe, CLOSES, self.body)
        if self.otherwise is None:
            return (*head, OPENS, "end", CLOSES)
        return (*head, OPENS, "else", CLOSES, self.otherwise, OPENS, "end", CLOSES)


class If(Branch):
    __slots__ = ()
    kind = "if"


class With(Branch):
    __slots__ = ()
    kind = "with"


class Range(Branch):
    __slots__ = ()
    kind = "range"


class TemplateCall(TemplateNode):
    """`{{template "name" pipeline}}`."""

    __slots__ = ("name", "pipe", "quoted")
    kind = "template"

    def __init__(self, at: int, name: str, quoted: str, pipe: Pipe | None) -> None:
        self.at = at
        self.name = name
        self.quoted = quoted
        self.pipe = pipe

    def parts(self) -> tuple[TemplateNode | str, ...]:
        if self.pipe is None:
            return (OPENS, f"template {self.quoted}", CLOSES)
        return (OPENS, f"template {self.quoted} ", self.pipe, CLOSES)


class Jump(TextNode):
    """`{{break}}` or `{{continue}}`."""

    __slots__ = ()

    def parts(self) -> tuple[TemplateNode | str, ...]:
        return (OPENS, self.text, CLOSES)


class Break(Jump):
    __slots__ = ()
    kind = "break"


class Continue(Jump):
    __slots__ = ()
    kind = "continue"


class ParsedTemplate:
    """A parsed text: its main block and the templates that it defines, by name."""

    __slots__ = ("defined", "delimiters", "functions", "name", "root", "text")

    def __init__(
        self,
        name: str,
        text: str,
        root: Block,
        defined: dict[str, Block],
        delimiters: tuple[str, str],
        functions: set[str],
    ) -> None:
        self.name = name
        self.text = text
        self.root = root
        self.defined = defined
        self.delimiters = delimiters
        self.functions = functions  # the names of those it calls

    def __str__(self) -> str:
        return self.root.print(*self.delimiters)

    def walk(self) -> list[TemplateNode]:
        """All nodes of all templates."""
        return [node for block in (self.root, *self.defined.values()) for node in block.walk()]


def _bracketed(node: TemplateNode) -> tuple[TemplateNode | str, ...]:
    return ("(", node, ")") if isinstance(node, Pipe) else (node,)
