"""What a function is to a template: one declaration, from which everything else follows.

    @function("upper", "func(string) string", "Upper-case letters.", '{{ upper "ab" }}', "AB")
    def upper(text): ...

The Go signature drives the checks of the arguments, the listing of functions and the reference page; the example
is a test. A `Table` is what a front offers its templates: groups of such functions, later groups before earlier
ones, and functions of its own, also with dotted names (`atmos.Component`).
"""

from __future__ import annotations

from itertools import chain

from plait.notations.gotemplate.values import (
    TYPE_NAMES,
    FunctionSpace,
    Int64,
    LazyList,
    LazyMap,
    Lists,
    NilList,
    NilMap,
    NilStringMap,
    NilStrings,
    StringMap,
    Strings,
    Uint32,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    Call = TypeVar("Call", bound=Callable[..., Any])

ANY, REFLECT, MAP = "interface {}", "reflect.Value", "map[string]interface {}"


class Type:
    """A parameter's type: what it takes as it is, and what nil is to it (None: nil does not fit)."""

    __slots__ = ("classes", "lazy_classes", "literal", "name", "zero")

    def __init__(self, name: str, *classes: type, literal: str = "", zero: Callable[[], Any] | None = None) -> None:
        self.name = name
        self.classes: frozenset[type] = frozenset(classes)  # what fits without a closer look
        self.lazy_classes: frozenset[type] = self.classes | ({LazyMap, LazyList} if name == ANY else set())
        self.literal = literal  # which literals fit, and the word for them in messages
        self.zero = zero

    def takes(self, value: Any) -> bool:
        return value.__class__ in self.classes or type_name(value) == self.name


TYPES = {
    kind.name: kind
    for kind in (
        Type("string", str, literal="string"),
        Type("bool", bool, literal="bool"),
        Type("int", int, literal="integer"),
        Type("int64", Int64, literal="integer"),
        Type("uint32", Uint32, literal="unsigned integer"),
        Type("float64", float, literal="float"),
        Type("complex128", complex, literal="complex"),
        Type(MAP, dict, zero=NilMap),
        Type("map[string]string", StringMap, zero=NilStringMap),
        Type("[]interface {}", list, zero=NilList),
        Type("[]string", Strings, zero=NilStrings),
        Type("[][]interface {}", Lists, zero=Lists),
        Type(ANY, *(cls for cls in TYPE_NAMES if cls not in (LazyMap, LazyList)), zero=lambda: None),
        Type(REFLECT, zero=lambda: None),
    )
}
_WRITTEN = {"any": ANY, "interface{}": ANY, "map[string]any": MAP, "[]any": "[]interface {}"}


def type_of(text: str) -> Type:
    """The type of a written name; unknown names are types of objects."""
    name = _WRITTEN.get(text, text)
    return TYPES.get(name) or Type(name)


class Signature:
    """`func(string, ...any) string`, taken apart."""

    __slots__ = ("first", "fixed", "rest", "result", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        inside, self.result = _split(text)
        names = [part.strip() for part in inside.split(",") if part.strip()]
        self.rest = type_of(names.pop()[3:]) if names and names[-1].startswith("...") else None
        self.fixed = tuple(type_of(name) for name in names)
        self.first = self.fixed[0] if self.fixed else self.rest or TYPES[ANY]

    def type_at(self, index: int) -> Type:
        if index < len(self.fixed):
            return self.fixed[index]
        assert self.rest is not None
        return self.rest

    def complaint(self, count: int) -> str:
        """Why this number of arguments is wrong; empty if it is right."""
        least = len(self.fixed)
        if self.rest is not None:
            return f"want at least {least} got {count}" if count < least else ""
        return f"want {least} got {count}" if count != least else ""


def _split(text: str) -> tuple[str, str]:
    """The arguments of a signature, and its result. No parameter is a function, so the first `)` ends them."""
    inside, found, result = text.removeprefix("func(").partition(")")
    if not found:
        raise ValueError(f"not a signature: {text}")
    return inside, result.strip()


PRICES = {
    **dict.fromkeys(("strings", "builtins", "reflection"), 4),
    **dict.fromkeys(("numbers", "encoding"), 8),
    "paths": 16,
    **dict.fromkeys(("lists", "dicts"), 12),
    "versions": 40,
    "dates": 30,
    "patterns": 40,
    "crypto": 60,
}
"""Steps for one call of a function, by its group; `PRICE` in the others."""
PRICE = 20
HEAVY = {
    **dict.fromkeys(("addf", "add1f", "subf", "mulf", "divf"), 20),
    "printf": 40,
    **dict.fromkeys(("snakecase", "kebabcase", "camelcase", "title", "untitle", "initials", "wrap", "wrapWith"), 40),
    **dict.fromkeys(("data.JSON", "data.JSONArray", "json", "jsonArray", "data.TOML", "toml"), 200),
    **dict.fromkeys(("toYaml", "fromYaml", "toYAML", "yaml", "yamlArray"), 200),
    **dict.fromkeys(("data.ToYAML", "data.YAML", "data.YAMLArray", "tmpl.Inline", "tmpl.Exec", "tpl"), 200),
    **dict.fromkeys(("genCAWithKey", "genSelfSignedCertWithKey", "genSignedCertWithKey", "crypto.WPAPSK"), 5_000),
    **dict.fromkeys(("bcrypt", "htpasswd", "crypto.Bcrypt"), 140_000),
    "derivePassword": 300_000,
    **dict.fromkeys(("crypto.RSAGenerateKey", "genCA", "genPrivateKey", "genSelfSignedCert", "genSignedCert"), 400_000),
}
"""Steps for one call of the functions that take much longer than others of their group."""
BY_LETTER = frozenset(
    (
        *("snakecase", "kebabcase", "camelcase", "title", "untitle", "initials", "swapcase", "shuffle", "wrap"),
        *("wrapWith", "substr", "trunc", "abbrev", "abbrevboth", "js", "html", "urlquery"),
        *("strings.Title", "strings.CamelCase", "strings.SnakeCase", "strings.KebabCase", "strings.Slug"),
        *("strings.WordWrap", "data.CSV", "data.CSVByRow", "data.CSVByColumn", "csv", "csvByRow", "csvByColumn"),
    )
)
"""Functions that look at every letter of a text: a letter is a step, where it is a 64th of one for others."""


def price(function: Function) -> int:
    """Steps for one call of a function, besides what it is charged for large arguments."""
    return HEAVY.get(function.name) or PRICES.get(function.group, PRICE)


class Function:
    """A function that templates may call.

    `lazy`: takes unopened data as it is; others get plain data. `context`: the first argument is the frame, through
    which it reaches the host and the budgets. `changes`: alters a map that it is given.
    """

    __slots__ = (
        "call", "changes", "context", "description", "example", "group", "lazy", "name", "output", "signature", "way",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        signature: str,
        description: str,
        example: str,
        output: str,
        call: Callable[..., Any],
        *,
        lazy: bool = False,
        context: bool = False,
        changes: bool = False,
    ) -> None:
        self.name = name
        self.signature = Signature(signature)
        self.description = description
        self.example = example
        self.output = output
        self.call = call
        self.lazy = lazy
        self.context = context
        self.changes = changes
        self.group = ""
        self.way: Callable[..., Any] | None = None
        """How it is called where the origin of values is traced, if that is special: see `tracing.WAYS`."""

    def named(self, name: str) -> Function:
        """The same function by another name."""
        return Function(
            name, self.signature.text, self.description, self.example.replace(self.name, name), self.output,
            self.call, lazy=self.lazy, context=self.context, changes=self.changes,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Function({self.name} {self.signature.text})"


def methods(*declared: tuple[str, str, str, Callable[..., Any]]) -> dict[str, Function]:
    """The methods of a kind of object: name, signature, what it does, and how. The object is the first argument."""
    made = {name: Function(name, signature, about, "", "", call) for name, signature, about, call in declared}
    for item in made.values():
        item.group = METHOD
    return made


METHOD = "method"
"""The group of methods."""


class FunctionGroup:
    """Functions that belong together: a chapter of the reference."""

    __slots__ = ("functions", "name", "title")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title
        self.functions: dict[str, Function] = {}

    def has_space(self, name: str) -> bool:
        """Whether there are functions `NAME.something`."""
        return any(other.startswith(f"{name}.") for other in self.functions)

    def function(
        self,
        names: str,
        signature: str,
        description: str,
        example: str,
        output: str,
        *,
        lazy: bool = False,
        context: bool = False,
        changes: bool = False,
    ) -> Callable[[Call], Call]:
        """Declare a function; several names, separated by spaces, are the same function."""

        def declare(call: Call) -> Call:
            first, *others = names.split()
            made = Function(
                first, signature, description, example, output, call, lazy=lazy, context=context, changes=changes
            )
            for item in (made, *(made.named(other) for other in others)):
                item.group = self.name
                self.functions[item.name] = item
            return call

        return declare


class Table:
    """The functions of one kind of template, by name.

    `groups` gives them one after the other, the group that wins over all others first. Each is loaded when a function
    is looked up that no earlier group has: most templates call none or few of hundreds.
    """

    __slots__ = ("_functions", "_groups", "_known", "_loaded", "_rest", "_spaces", "why_not")

    def __init__(
        self,
        groups: Callable[[], Iterable[FunctionGroup]] = tuple,
        why_not: Callable[[str], str] = lambda name: "",
        spaces: Callable[[str], Iterable[FunctionGroup]] = lambda name: (),
    ) -> None:
        self._groups = groups
        self._spaces = spaces
        """The groups that a namespace consists of, where that is known without loading any other."""
        self.why_not = why_not
        """Why a function is not here that other programs have; empty for all others."""
        self._loaded: list[FunctionGroup] = []
        self._rest: Iterator[FunctionGroup] | None = None
        self._functions: dict[str, Function] | None = None
        self._known: dict[str, Function | None] = {}
        """What was looked up."""

    @property
    def functions(self) -> dict[str, Function]:
        """All of them."""
        if self._functions is None:
            functions: dict[str, Function] = {}
            for group in reversed(list(self._each())):
                for item in group.functions.values():
                    _add(functions, item, self.why_not)
            self._functions = functions
        return self._functions

    def _each(self) -> Iterator[FunctionGroup]:
        """The groups, those that are loaded already first."""
        yield from self._loaded
        if self._rest is None:
            self._rest = iter(self._groups())
        for group in self._rest:
            self._loaded.append(group)
            yield group

    def changes(self, names: Iterable[str]) -> bool:
        """Whether one of these functions changes what it is given."""
        return any(item.changes for name in names if (item := self.get(name)) is not None)

    def with_functions(self, *functions: Function) -> Table:
        """This table and a few functions more."""
        more = FunctionGroup("more", "")
        more.functions = {item.name: item for item in functions}
        own = {item.name.partition(".")[0] for item in functions}
        spaces = self._spaces
        return Table(
            lambda: chain([more], self._groups()), self.why_not, lambda name: () if name in own else spaces(name)
        )

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def get(self, name: str) -> Function | None:
        if name not in self._known:
            self._known[name] = self._looked_up(name)
        return self._known[name]

    def _looked_up(self, name: str) -> Function | None:
        parts = [item for group in self._spaces(name) for item in group.functions.values()]
        if parts:
            found: dict[str, Function] = {}
            for item in parts:
                if item.name.startswith(f"{name}."):
                    _add(found, item, self.why_not)
            return found[name]
        for group in self._each():
            if group.has_space(name):
                break
            if name in group.functions:
                return group.functions[name]
        return self.functions.get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)


def _add(functions: dict[str, Function], item: Function, why_not: Callable[[str], str]) -> None:
    """A function under its name; one in a namespace beside the others there."""
    if "." not in item.name:
        functions[item.name] = item
        return
    space, _, member = item.name.partition(".")
    holder = functions.get(space)
    members = holder.call().members if holder is not None and holder.group == _NAMESPACE else {}
    functions[space] = _namespace(FunctionSpace(space, {**members, member: item}, why_not))


_NAMESPACE = "namespace"


def _namespace(space: FunctionSpace) -> Function:
    name = space.name
    made = Function(name, "func() namespace", f"Holds the functions {name}.*", "", "", lambda: space, lazy=True)
    made.group = _NAMESPACE
    return made
