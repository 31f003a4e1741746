"""What an expression is made of. Printing a tree gives the text that a report shows: one blank where people may write
many.

Operators of one priority are in one flat node, however many there are: `a b c d` is one `Concat` of four.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from plait.core.node import Value


class Term:
    """A piece of an expression. `at` is where it begins in the expression's text; `code` is what it is compiled to,
    once it is."""

    __slots__ = ("at", "code")
    at: int
    code: Any

    def parts(self) -> tuple[Term, ...]:
        """The pieces one level down."""
        return ()

    def __len__(self) -> int:
        return len(str(self))


class Literal(Term):
    """A text, a number, a boolean or nil. With a `slot`, the value is that of this slot in each text of the shape."""

    __slots__ = ("slot", "value")

    def __init__(self, at: int, value: Value) -> None:
        self.at = at
        self.value = value
        self.slot = -1

    def __str__(self) -> str:
        if isinstance(self.value, str):
            return '"' + self.value.replace('"', '\\"') + '"'
        if self.value is None:
            return "nil"
        if isinstance(self.value, float) and self.value.is_integer() and abs(self.value) < 1e21:
            return str(int(self.value))
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


class Undefined(Term):
    """`~~`: no value at all; what has it is left out."""

    __slots__ = ()

    def __init__(self, at: int) -> None:
        self.at = at

    def __str__(self) -> str:
        return "~~"


class RangeOf(Term):
    """`[1..3]`"""

    __slots__ = ("first", "last")

    def __init__(self, at: int, first: Term, last: Term) -> None:
        self.at = at
        self.first = first
        self.last = last

    def parts(self) -> tuple[Term, ...]:
        return (self.first, self.last)

    def __str__(self) -> str:
        return f"[{self.first}..{self.last}]"


class MapOf(Term):
    """`{ "a" = 1, $b = 2 }`"""

    __slots__ = ("entries",)

    def __init__(self, at: int, entries: tuple[tuple[Term, Term], ...]) -> None:
        self.at = at
        self.entries = entries

    def parts(self) -> tuple[Term, ...]:
        return tuple(part for entry in self.entries for part in entry)

    def __str__(self) -> str:
        return f"{{ {', '.join(f'{key} = {value}' for key, value in self.entries)} }}" if self.entries else "{ }"


class Reference(Term):
    """`a.b.[0]`, or `.a` from the root. A step to a list item is written `[0]`, in `steps` too. With a `slot`, the
    steps are those of this slot in each text of the shape."""

    __slots__ = ("rooted", "slot", "steps")

    def __init__(self, at: int, steps: tuple[str, ...], rooted: bool) -> None:
        self.at = at
        self.steps = steps
        self.rooted = rooted
        self.slot = -1

    def __str__(self) -> str:
        return ("." if self.rooted else "") + ".".join(self.steps)


class Dynamic(Term):
    """`a.[x].b`: a reference some of whose steps are computed. A computed one gives a name, an index or a list of
    both."""

    __slots__ = ("rooted", "steps")

    def __init__(self, at: int, steps: tuple[str | Term, ...], rooted: bool) -> None:
        self.at = at
        self.steps = steps
        self.rooted = rooted

    def parts(self) -> tuple[Term, ...]:
        return computed(self.steps)

    def __str__(self) -> str:
        return ("." if self.rooted else "") + written_steps(self.steps)


class Select(Term):
    """`(..).a.b`: steps into the value of any piece."""

    __slots__ = ("inner", "steps")

    def __init__(self, inner: Term, steps: tuple[str | Term, ...]) -> None:
        self.at = inner.at
        self.inner = inner
        self.steps = steps

    def parts(self) -> tuple[Term, ...]:
        return (self.inner, *computed(self.steps))

    def __str__(self) -> str:
        return f"{self.inner}.{written_steps(self.steps)}"


class Projection(Term):
    """`l.[*].f`, `l.[1..2]`, `l.[1..2].f`: steps into each element of a list, or into some of them."""

    __slots__ = ("first", "inner", "last", "rest", "steps", "whole")

    def __init__(
        self,
        inner: Term | None,
        whole: bool,
        first: Term | None,
        last: Term | None,
        steps: tuple[str | Term, ...],
        rest: Projection | None,
    ) -> None:
        self.at = 0 if inner is None else inner.at
        self.inner = inner
        """What is projected; None inside of another projection."""
        self.rest = rest
        """Another projection of each result."""
        self.whole = whole
        self.first = first
        self.last = last
        self.steps = steps

    def parts(self) -> tuple[Term, ...]:
        bounds = tuple(bound for bound in (self.first, self.last) if bound is not None)
        pieces = tuple(piece for piece in (self.inner, self.rest) if piece is not None)
        return (*pieces, *bounds, *computed(self.steps))

    def __str__(self) -> str:
        chosen = "*" if self.whole else f"{self.first or ''}..{self.last or ''}"
        steps = f".{written_steps(self.steps)}" if self.steps else ""
        return f"{'' if self.inner is None else self.inner}.[{chosen}]{steps}{'' if self.rest is None else self.rest}"


class TagReference(Term):
    """`tag::a.b`; without steps `tag::.`, the value itself."""

    __slots__ = ("steps", "tag")

    def __init__(self, at: int, tag: str, steps: tuple[str | Term, ...]) -> None:
        self.at = at
        self.tag = tag
        self.steps = steps

    def parts(self) -> tuple[Term, ...]:
        return computed(self.steps)

    def __str__(self) -> str:
        return f"{self.tag}::{written_steps(self.steps) or '.'}"


def computed(steps: tuple[str | Term, ...]) -> tuple[Term, ...]:
    """The steps that must be computed."""
    return tuple(step for step in steps if isinstance(step, Term))


def written_steps(steps: tuple[str | Term, ...]) -> str:
    return ".".join(step if isinstance(step, str) else f"[{step}]" for step in steps)


class Merge(Term):
    """`merge`, with a path a redirecting one; `replace`, `required` and `on KEY` change what it does.

    With `none`, nothing is merged here and below."""

    __slots__ = ("key", "none", "path", "replace", "required")

    def __init__(
        self, at: int, path: Reference | None, replace: bool, required: bool, key: str, none: bool = False
    ) -> None:
        self.at = at
        self.none = none
        self.path = path
        self.replace = replace
        self.required = required
        self.key = key

    @property
    def simple(self) -> bool:
        """Whether it is content with finding nothing after `<<:`."""
        return self.path is None and not self.replace and not self.required

    def __str__(self) -> str:
        words = ["merge", "none"] if self.none else ["merge"]
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
    """`f(a, b)`: a function of the table, or a lambda that a piece gives. `f*(a)` gives a function of the other
    parameters."""

    __slots__ = ("arguments", "curry", "name")

    def __init__(self, at: int, name: Term, arguments: tuple[Term, ...], curry: bool = False) -> None:
        self.at = at
        self.name = name
        self.arguments = arguments
        self.curry = curry

    @property
    def word(self) -> str:
        """The name of a function of the table, where it is one word."""
        name = self.name
        return name.steps[0] if isinstance(name, Reference) and len(name.steps) == 1 and not name.rooted else ""

    def parts(self) -> tuple[Term, ...]:
        return self.arguments if isinstance(self.name, Reference) else (self.name, *self.arguments)

    def __str__(self) -> str:
        return f"{self.name}{'*' if self.curry else ''}({', '.join(map(str, self.arguments))})"


class NamedArgument(Term):
    """`f(x=1)`: the argument for a parameter that is named, or numbered from 1."""

    __slots__ = ("name", "value")

    def __init__(self, at: int, name: str, value: Term) -> None:
        self.at = at
        self.name = name
        self.value = value

    def parts(self) -> tuple[Term, ...]:
        return (self.value,)

    def __str__(self) -> str:
        return f"{self.name}={self.value}"


class Each(Term):
    """`map[list|x|->..]`, `select{map|x|->..}`, `sum[list|start|s,x|->..]`, `catch[value|v,e|->..]`.

    `to` is a lambda that is written there, or a piece that gives one. `more` are what `sync[]` has besides.
    """

    __slots__ = ("braces", "kind", "more", "over", "start", "to")

    def __init__(
        self, at: int, kind: str, over: Term, start: Term | None, to: Term, braces: bool, more: tuple[Term, ...] = ()
    ) -> None:
        self.at = at
        self.kind = kind
        self.over = over
        self.start = start
        self.to = to
        self.braces = braces
        self.more = more

    @property
    def form(self) -> str:
        """What it is called in a message."""
        return self.kind + ("{}" if self.braces else "[]")

    def parts(self) -> tuple[Term, ...]:
        return (self.over, *(() if self.start is None else (self.start,)), self.to, *self.more)

    def __str__(self) -> str:
        start = "" if self.start is None else f"|{self.start}"
        to = str(self.to).removeprefix("lambda") if isinstance(self.to, Lambda) else f"|{self.to}"
        more = "".join(f"|{piece}" for piece in self.more)
        opens, closes = ("{", "}") if self.braces else ("[", "]")
        return f"{self.kind}{opens}{self.over}{start}{to}{more}{closes}"


class Lambda(Term):
    """`|x,y=2|->..`. `defaults` belong to the last names; with `rest`, the last one takes all arguments that are left.

    `second` is the value after the comma in `sync[v|x|->done,value]`.
    """

    __slots__ = ("defaults", "names", "rest", "second", "to")

    def __init__(
        self,
        at: int,
        names: tuple[str, ...],
        to: Term,
        defaults: tuple[Term, ...] = (),
        rest: bool = False,
        second: Term | None = None,
    ) -> None:
        self.at = at
        self.names = names
        self.to = to
        self.defaults = defaults
        self.rest = rest
        self.second = second

    def parts(self) -> tuple[Term, ...]:
        return (*self.defaults, self.to, *(() if self.second is None else (self.second,)))

    def __str__(self) -> str:
        second = "" if self.second is None else f",{self.second}"
        return f"lambda|{','.join(self.parameters())}|->{self.to}{second}"

    def parameters(self, given: tuple[object, ...] | None = None) -> list[str]:
        """The names with their defaults, as they are written or as values."""
        defaults = self.defaults if given is None else given
        plain = len(self.names) - len(defaults)
        shown = [*self.names[:plain]]
        shown += [f"{name}={value}" for name, value in zip(self.names[plain:], defaults, strict=True)]
        return [*shown[:-1], shown[-1] + "..."] if self.rest else shown


class Scoped(Term):
    """`( $x = 1, "y" = 2 ) ..`: names for what follows."""

    __slots__ = ("body", "names")

    def __init__(self, at: int, names: tuple[tuple[str, Term], ...], body: Term) -> None:
        self.at = at
        self.names = names
        self.body = body

    def parts(self) -> tuple[Term, ...]:
        return (*(value for _, value in self.names), self.body)

    def __str__(self) -> str:
        return f"({', '.join(f'{chr(34)}{name}{chr(34)} = {value}' for name, value in self.names)} ) {self.body}"


class Wrapper(Term):
    """A piece that holds one other. `wide` says that it prints as the successor of spiff prints it."""

    __slots__ = ("inner", "wide")
    shapes = ("{}", "{}")

    def __init__(self, at: int, inner: Term, wide: bool = False) -> None:
        self.at = at
        self.inner = inner
        self.wide = wide

    def parts(self) -> tuple[Term, ...]:
        return (self.inner,)

    def __str__(self) -> str:
        return self.shapes[self.wide].format(self.inner)


class Bracketed(Wrapper):
    """`( .. )`"""

    __slots__ = ()
    shapes = ("({})", "( {} )")


class Not(Wrapper):
    """`!a`"""

    __slots__ = ()
    shapes = ("!{}", "!({})")


class TemplateUse(Wrapper):
    """`*a`: a template, evaluated here."""

    __slots__ = ()
    shapes = ("*({})", "*({})")


class Spread(Wrapper):
    """`l...`: the elements of a list, each on its own."""

    __slots__ = ()
    shapes = ("{}...", "{}...")


class LambdaOf(Wrapper):
    """`lambda a`: a function that a piece gives, also as text."""

    __slots__ = ()
    shapes = ("lambda {}", "lambda {}")


class Marked(Term):
    """`&temporary`, `&tag:name` and their like, alone or before the value in brackets."""

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


class OrNil(Many):
    """`a // b`: the first that does not fail and is not nil."""

    __slots__ = ()
    sign = " // "


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
