"""What an expression is made of. Printing a tree gives the text that a report shows: one blank where people may write
many.

Operators of one priority are in one flat node, however many there are: `a b c d` is one `Concat` of four.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Value


class Term:
    """A piece of an expression. `at` is where it begins in the expression's text."""

    __slots__ = ("at",)
    at: int

    def parts(self) -> tuple[Term, ...]:
        """The pieces one level down."""
        return ()

    def __len__(self) -> int:
        return len(str(self))


class Literal(Term):
    """A text, an integer, a boolean or nil."""

    __slots__ = ("value",)

    def __init__(self, at: int, value: Value) -> None:
        self.at = at
        self.value = value

    def __str__(self) -> str:
        if isinstance(self.value, str):
            return '"' + self.value.replace('"', '\\"') + '"'
        if self.value is None:
            return "nil"
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


class ListOf(Term):
    """`[a, b]`"""

    __slots__ = ("items",)

    def __init__(self, at: int, items: tuple[Term, ...]) -> None:
        self.at = at
        self.items = items

    def parts(self) -> tuple[Term, ...]:
        return self.items

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


class Reference(Term):
    """`a.b.[0]`, or `.a` from the root. A step to a list item is written `[0]`, in `steps` too."""

    __slots__ = ("rooted", "steps")

    def __init__(self, at: int, steps: tuple[str, ...], rooted: bool) -> None:
        self.at = at
        self.steps = steps
        self.rooted = rooted

    def __str__(self) -> str:
        return ("." if self.rooted else "") + ".".join(self.steps)


class Merge(Term):
    """`merge`, with a path a redirecting one; `replace`, `required` and `on KEY` change what it does."""

    __slots__ = ("key", "path", "replace", "required")

    def __init__(self, at: int, path: Reference | None, replace: bool, required: bool, key: str) -> None:
        self.at = at
        self.path = path
        self.replace = replace
        self.required = required
        self.key = key

    @property
    def simple(self) -> bool:
        """Whether it is content with finding nothing after `<<:`."""
        return self.path is None and not self.replace and not self.required

    def __str__(self) -> str:
        words = ["merge"]
        words += ["replace"] if self.replace else []
        words += ["on", self.key] if self.key else []
        words += ["required"] if self.required else []
        words += [str(self.path)] if self.path is not None else []
        return " ".join(words)


class Auto(Term):
    """`auto`"""

    __slots__ = ()

    def __init__(self, at: int) -> None:
        self.at = at

    def __str__(self) -> str:
        return "auto"


class CallTerm(Term):
    """`f(a, b)`: a function of the table, or a lambda that a reference leads to."""

    __slots__ = ("arguments", "name")

    def __init__(self, at: int, name: Reference, arguments: tuple[Term, ...]) -> None:
        self.at = at
        self.name = name
        self.arguments = arguments

    def parts(self) -> tuple[Term, ...]:
        return self.arguments

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"


class Each(Term):
    """`map[list|x|->..]`, `select[list|x|->..]` and `sum[list|start|s,x|->..]`."""

    __slots__ = ("kind", "names", "over", "start", "to")

    def __init__(self, at: int, kind: str, over: Term, start: Term | None, names: tuple[str, ...], to: Term) -> None:
        self.at = at
        self.kind = kind
        self.over = over
        self.start = start
        self.names = names
        self.to = to

    def parts(self) -> tuple[Term, ...]:
        return (self.over, self.to) if self.start is None else (self.over, self.start, self.to)

    def __str__(self) -> str:
        start = "" if self.start is None else f"|{self.start}"
        return f"{self.kind}[{self.over}{start}|{','.join(self.names)}|->{self.to}]"


class Lambda(Term):
    """`|x,y|->..`"""

    __slots__ = ("names", "to")

    def __init__(self, at: int, names: tuple[str, ...], to: Term) -> None:
        self.at = at
        self.names = names
        self.to = to

    def parts(self) -> tuple[Term, ...]:
        return (self.to,)

    def __str__(self) -> str:
        return f"lambda|{','.join(self.names)}|->{self.to}"


class Wrapper(Term):
    """A piece that holds one other."""

    __slots__ = ("inner",)

    def __init__(self, at: int, inner: Term) -> None:
        self.at = at
        self.inner = inner

    def parts(self) -> tuple[Term, ...]:
        return (self.inner,)


class Bracketed(Wrapper):
    """`( .. )`"""

    __slots__ = ()

    def __str__(self) -> str:
        return f"({self.inner})"


class Not(Wrapper):
    """`!a`"""

    __slots__ = ()

    def __str__(self) -> str:
        return f"!{self.inner}"


class Marked(Term):
    """`&temporary`, `&local`, alone or before the value in brackets."""

    __slots__ = ("inner", "marks")

    def __init__(self, at: int, marks: tuple[str, ...], inner: Term | None) -> None:
        self.at = at
        self.marks = marks
        self.inner = inner

    def parts(self) -> tuple[Term, ...]:
        return () if self.inner is None else (self.inner,)

    def __str__(self) -> str:
        marks = " ".join(f"&{mark}" for mark in self.marks)
        return marks if self.inner is None else f"{marks} {self.inner}"


class Conditional(Term):
    """`a ? b : c`"""

    __slots__ = ("no", "test", "yes")

    def __init__(self, at: int, test: Term, yes: Term, no: Term) -> None:
        self.at = at
        self.test = test
        self.yes = yes
        self.no = no

    def parts(self) -> tuple[Term, ...]:
        return (self.test, self.yes, self.no)

    def __str__(self) -> str:
        return f"{self.test} ? {self.yes} : {self.no}"


class Many(Term):
    """Several pieces with one sign between them."""

    __slots__ = ("items",)
    sign = " "

    def __init__(self, items: tuple[Term, ...]) -> None:
        self.at = items[0].at
        self.items = items

    def parts(self) -> tuple[Term, ...]:
        return self.items

    def __str__(self) -> str:
        return self.sign.join(map(str, self.items))


class Or(Many):
    """`a || b`: the first that does not fail by itself."""

    __slots__ = ()
    sign = " || "


class Concat(Many):
    """`a b`"""

    __slots__ = ()


class Operations(Term):
    """Operators of one priority, from left to right: a first operand, then each sign with its operand."""

    __slots__ = ("first", "rest")

    def __init__(self, first: Term, rest: tuple[tuple[str, Term], ...]) -> None:
        self.at = first.at
        self.first = first
        self.rest = rest

    def parts(self) -> tuple[Term, ...]:
        return (self.first, *(operand for _, operand in self.rest))

    def __str__(self) -> str:
        return str(self.first) + "".join(f" {sign} {operand}" for sign, operand in self.rest)


def walk(tree: Term) -> Iterator[Term]:
    """A tree and everything in it."""
    stack = [tree]
    while stack:
        piece = stack.pop()
        yield piece
        stack.extend(piece.parts())
