"""Go's values in Python's types.

| Go                                | here |
|---|---|
| string, int, float64, bool        | str, int, float, bool |
| other integers, named types       | subclasses of int with a `go_type` |
| []interface {}, []string, []int   | list, Strings, Ints |
| map[string]interface {}           | dict |
| nil in an interface               | None |
| no value at all (a missing key)   | MISSING |
| structs and pointers with methods | Object |

Data may also be plait's own nodes. A `Reader` opens one node at a time, when the template looks at it, by
the `reveal` of the caller: a mapping or a list comes out as a `LazyMap` or `LazyList`, whose parts are opened
when they are asked for. This is the one place that knows nodes; `plain` gives finished data all the way down.
"""

from __future__ import annotations

from plait.core.meter import SLICE
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text
from plait.notations.gotemplate.errors import ContainsItself, Exhausted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, ClassVar

    from plait.core.meter import Meter

    Reveal = Callable[[Node], Node]
    Reads = frozenset[Any]
    """What stands for the places that a value was read from; whoever gives the data decides what that is."""


class NoValue:
    """No value: what a key that is not there gives."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<no value>"


MISSING = NoValue()

MAX_PARTS = 500_000
"""How many parts of one value are walked through, each as often as it is reached."""
FIRST_PARTS = 2_048
"""After so many parts of a value, whoever walks through them asks `parts_left` whether it has an end."""
PART = 1024
"""What it costs to open a part of a value, to copy it, and to write it, in bytes."""


LARGE = 512
"""Texts from this length on are charged when functions look at them."""


def endless() -> Exhausted:
    return Exhausted(f"the value has more than {MAX_PARTS} parts")


class GoType:
    """A value whose type Go calls something else than Python does."""

    __slots__ = ()
    go_type: ClassVar[str] = "struct {}"
    go_kind: ClassVar[str] = "struct"


class Traced(GoType):
    """A value of the data, with the reads that stand for it."""

    __slots__ = ("reads", "value")

    def __init__(self, value: Any, reads: Reads) -> None:
        self.value = value
        self.reads = reads

    def __bool__(self) -> bool:
        return is_true(self.value)

    def __repr__(self) -> str:
        return f"Traced({self.value!r})"


class GoText(GoType):
    """A value with a text of its own."""

    __slots__ = ()

    def go_string(self) -> str:
        """The text that it prints as."""
        raise NotImplementedError


class Int64(int, GoType):
    __slots__ = ()
    go_type = "int64"


class Int32(int, GoType):
    __slots__ = ()
    go_type = "int32"


class Uint8(int, GoType):
    __slots__ = ()
    go_type = "uint8"


class Uint32(int, GoType):
    __slots__ = ()
    go_type = "uint32"


class Uint64(int, GoType):
    __slots__ = ()
    go_type = "uint64"


class Strings(list, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "[]string"


class Ints(list, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "[]int"


class Int64s(list, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "[]int64"


class Floats(list, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "[]float64"


class Bools(list, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "[]bool"


class Lists(list, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "[][]interface {}"


class StringLists(list, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "[][]string"


TYPED_LISTS: tuple[type[GoType], ...] = (Strings, Ints, Int64s, Floats, Bools, Lists, StringLists)
"""The lists whose items are all of one type."""


class StringMap(dict, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "map[string]string"


class NilList(list, GoType):  # type: ignore[type-arg]
    """A list that nobody made: it is empty, and null in JSON."""

    __slots__ = ()
    go_type = "[]interface {}"


class NilStrings(Strings):
    __slots__ = ()


class NilMap(dict, GoType):  # type: ignore[type-arg]
    __slots__ = ()
    go_type = "map[string]interface {}"


class NilStringMap(StringMap):
    __slots__ = ()


class StructFields(dict, GoType):  # type: ignore[type-arg]
    """The fields of a struct as a map that is written in their order."""

    __slots__ = ()
    go_type = "map[string]interface {}"


_NIL = (NilList, NilStrings, NilMap, NilStringMap)


def is_nil(value: Any) -> bool:
    """Whether a list or map is Go's nil."""
    return value.__class__ in _NIL and not value


class Object(GoText):
    """A Go struct or pointer: fields and methods by name, and the text it prints as."""

    __slots__ = ()
    methods: ClassVar[dict[str, Any]] = {}
    """The functions that can be called on it, by name: declarations of `function.py`, which imports this file."""

    def field(self, name: str) -> Any:
        """The value of a field, or MISSING."""
        return MISSING

    def pairs(self) -> Iterator[tuple[Any, Any]] | None:
        """What `range` goes through: names and values; None for what is no map."""
        return None

    def fields(self) -> StructFields | None:
        """The fields of a struct; None for what is none."""
        return None

    def printed(self) -> dict[str, Any] | None:
        """The fields that it is printed with, or what is in a map; None for what has a text of its own."""
        return self.fields()

    def data(self) -> Any:
        """What JSON and YAML have for it."""
        return self.go_string()

    def each(self, change: Callable[[Any], Any]) -> Object:
        """The same, with each of its values changed."""
        return self

    def go_string(self) -> str:
        return "{}"


class FunctionSpace(Object):
    """What a dotted function hangs on: `atmos` in `atmos.Component`. `why_not` says why a function is not here that
    other programs have, by its whole name; empty for all others."""

    __slots__ = ("members", "name", "why_not")
    go_type = "namespace"

    def __init__(self, name: str, members: dict[str, Any], why_not: Callable[[str], str]) -> None:
        self.name = name
        self.members = members
        self.why_not = why_not

    @property
    def methods(self) -> dict[str, Any]:  # type: ignore[override]
        return self.members

    def go_string(self) -> str:
        return self.name


class LazyMap:
    """A mapping whose values are opened one by one. A template that changes it changes a copy of its own."""

    __slots__ = ("_known", "_reader", "changed", "node")
    go_type = "map[string]interface {}"

    def __init__(self, node: MapNode, reader: Reader) -> None:
        self.node = node
        self._reader = reader
        self._known: dict[str, Any] = {}
        self.changed: dict[str, Any] | None = None

    def __len__(self) -> int:
        return len(self.node.entries if self.changed is None else self.changed)

    def __contains__(self, key: object) -> bool:
        if self.changed is not None:
            return key in self.changed
        return key in self.node.entries or (isinstance(key, str) and self._by_text(key) is not None)

    def keys(self) -> list[str]:
        return [key_text(key) for key in self.node.entries] if self.changed is None else list(self.changed)

    def get(self, key: str) -> Any:
        """The value of a key, opened; MISSING where there is none."""
        if self.changed is not None:
            return self.changed.get(key, MISSING)
        known = self._known
        if key in known:
            return known[key]
        child = self.node.entries.get(key) or self._by_text(key)
        if child is None:
            return MISSING
        value = known[key] = self._reader.child(self, key, child)
        return value

    def _by_text(self, key: str) -> Node | None:
        """The value of a key that is not a string in the document: 1, true, null."""
        entries = self.node.entries
        odd = [name for name in entries if name.__class__ is not str]
        return next((entries[name] for name in odd if key_text(name) == key), None)

    def to_change(self) -> dict[str, Any]:
        """The copy that this template may change, and sees from now on."""
        if self.changed is None:
            self.changed = plain(self, self._reader)
        return self.changed


class LazyList:
    """A list whose items are opened one by one."""

    __slots__ = ("_known", "_reader", "node")
    go_type = "[]interface {}"

    def __init__(self, node: ListNode, reader: Reader) -> None:
        self.node = node
        self._reader = reader
        self._known: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self.node.items)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self.node.items)))

    def __getitem__(self, index: int) -> Any:
        known = self._known
        if index not in known:
            known[index] = self._reader.child(self, index, self.node.items[index])
        return known[index]


TYPE_NAMES: dict[type, str] = {
    str: "string", int: "int", bool: "bool", float: "float64", complex: "complex128", bytes: "[]uint8",
    list: "[]interface {}", dict: "map[string]interface {}", type(None): "<nil>",
    **{cls: cls.go_type for cls in (Int64, Int32, Uint8, Uint32, Uint64, StringMap)},
    **{cls: cls.go_type for cls in TYPED_LISTS},
    **{cls: cls.go_type for cls in (*_NIL, StructFields)},
    LazyMap: LazyMap.go_type, LazyList: LazyList.go_type,
}  # fmt: skip
"""The types a template can work with as they are; everything else is opened first."""


MAP_CLASSES = (dict, LazyMap)
LIST_CLASSES = (list, LazyList)


class Reader:
    """Opens what is in the data: nodes by `reveal`, foreign Python types as the nearest of Go's."""

    __slots__ = ("_opened", "heavy", "reveal")

    def __init__(self, reveal: Reveal | None = None) -> None:
        self.reveal = reveal
        self._opened: dict[int, tuple[Node, Any]] = {}
        self.heavy = False
        """Whether the template has to do with large values: functions are then charged for what they look at."""

    def open(self, value: Any) -> Any:
        if value.__class__ in TYPE_NAMES:
            return value
        if isinstance(value, Node):
            return self._node(value)
        return value if value is MISSING or isinstance(value, GoType) else adopt(value)

    def child(self, parent: LazyMap | LazyList, step: str | int, node: Node) -> Any:
        """A part of something lazy, opened."""
        return self.open(node)

    def missed(self, mapping: Any, name: str) -> None:
        """A map does not have a key that was asked for."""

    def _node(self, node: Node) -> Any:
        known = self._opened.get(id(node))
        if known is None:
            known = self._opened[id(node)] = (node, self._view(node))
        return known[1]

    def _view(self, node: Node) -> Any:
        return self.seen(self.reveal(node) if self.reveal is not None else node)

    def seen(self, node: Node) -> Any:
        """What a template sees of a known node."""
        if isinstance(node, Scalar):
            if len(node.text) > LARGE:
                self.heavy = True
            return node.value
        if isinstance(node, MapNode):
            return LazyMap(node, self)
        if isinstance(node, ListNode):
            return LazyList(node, self)
        raise TypeError(f"a {node.kind} has no value yet; `reveal` must give a known node")


def adopt(value: Any) -> Any:
    """A foreign Python object as the nearest Go value."""
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    makers: tuple[tuple[Any, Any], ...] = (
        (str, str),
        (int, int),
        (float, float),
        (Mapping, dict),
        (Sequence, list),
    )
    for kind, make in makers:
        if isinstance(value, kind):
            return make(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else str(value)


def plain(value: Any, reader: Reader | None = None, meter: Meter | None = None) -> Any:
    """The same data without anything lazy or foreign in it, all the way down. Many parts are charged to the meter."""
    if value.__class__ in TYPE_NAMES and value.__class__ not in _CONTAINERS:
        return value
    return _copied(value, (reader or Reader()).open, meter)


def parts_left(value: Any) -> int:
    """How many parts of a value may be walked through; an error where it contains itself, or has more parts than that
    when what is shared is counted each time. The one function that finds cycles in values, by identity."""
    counts: dict[int, int] = {}
    around: set[int] = set()
    kept = []  # an identity means nothing once its object is gone
    stack = [_container(value)]
    while stack:
        item = stack[-1]
        if item is None or id(item) in counts:
            stack.pop()
            continue
        below = [_container(child) for child in _below(item)]
        kept.append(below)
        if id(item) not in around:
            around.add(id(item))
            if any(id(child) in around for child in below if child is not None):
                raise ContainsItself("the value contains itself")
            stack += [child for child in below if child is not None and id(child) not in counts]
        if stack[-1] is item:
            stack.pop()
            around.discard(id(item))
            counts[id(item)] = 1 + sum(1 if child is None else counts[id(child)] for child in below)
            if counts[id(item)] > MAX_PARTS or len(counts) > MAX_PARTS:
                raise endless()
    return MAX_PARTS


def _container(value: Any) -> Any:
    """A value that may hold others, without what is known of its origin; None for any other."""
    value = value.value if value.__class__ is Traced else value
    return value if value.__class__ in _CONTAINERS or isinstance(value, Object) else None


def _below(value: Any) -> Iterable[Any]:
    """What a list, a map or an object holds."""
    if isinstance(value, Object):
        value = value.printed() or {}
    if value.__class__ is LazyMap:
        return [value.get(key) for key in value.keys()]  # noqa: SIM118
    return value.values() if isinstance(value, dict) else value


def copied(value: Any) -> Any:
    """The same data in lists and maps of its own; what is not opened stays so."""
    return _copied(value, _as_it_is)


def _as_it_is(value: Any) -> Any:
    return value


def _copied(value: Any, look: Callable[[Any], Any], meter: Meter | None = None) -> Any:
    """A copy of what `look` makes of each value, without recursion."""
    holder: list[Any] = [None]
    todo: list[tuple[Any, Any, Any]] = [(holder, 0, value)]
    left = FIRST_PARTS
    while todo:
        left -= 1
        if left < 0:
            left = parts_left(value)
        if meter is not None and not left % SLICE:
            meter.make(SLICE * PART)
        into, step, item = todo.pop()
        item = look(item)
        if look is not _as_it_is:
            item = _unwrapped(item)
        if isinstance(item, dict):
            copy: Any = item.__class__.fromkeys(item)
            todo.extend((copy, key, child) for key, child in item.items())
        elif isinstance(item, list):
            copy = item.__class__([None] * len(item))
            todo.extend((copy, index, child) for index, child in enumerate(item))
        else:
            copy = item
        into[step] = copy
    return holder[0]


def _unwrapped(value: Any) -> Any:
    """The content of a lazy map or list, each part opened from the place it is at."""
    if value.__class__ is LazyMap:
        return {key: value.get(key) for key in value.keys()}  # noqa: SIM118
    return list(value) if value.__class__ is LazyList else value


_CONTAINERS = frozenset((list, dict, LazyMap, LazyList, *TYPED_LISTS, StringMap, StructFields, *_NIL))


def is_lazy(value: Any) -> bool:
    return value.__class__ is LazyMap or value.__class__ is LazyList


def type_name(value: Any) -> str:
    """The name Go gives the type of a value."""
    name = TYPE_NAMES.get(value.__class__)
    return name or (value.go_type if isinstance(value, GoType) else value.__class__.__name__)


_KINDS: dict[type, str] = {
    **{cls: name for cls, name in TYPE_NAMES.items() if not name.startswith(("[", "m", "<"))},
    **dict.fromkeys((list, *TYPED_LISTS, NilList, NilStrings, LazyList, bytes), "slice"),
    **dict.fromkeys((dict, StringMap, StructFields, NilMap, NilStringMap, LazyMap), "map"),
    **dict.fromkeys((type(None), NoValue), "invalid"),
}


def kind_name(value: Any) -> str:
    """Go's kind of a value: what its type is made of."""
    return _KINDS.get(value.__class__) or (value.go_kind if isinstance(value, GoType) else "struct")


def is_true(value: Any) -> bool:
    """Go's truth: what is not zero and not empty."""
    cls = value.__class__
    if cls is bool or cls is str or cls is int or cls is float:
        return bool(value)
    return value is not None and value is not MISSING and bool(value)


def is_map(value: Any) -> bool:
    return isinstance(value, MAP_CLASSES)


def is_list(value: Any) -> bool:
    return isinstance(value, LIST_CLASSES)


def lookup(mapping: Any, key: str) -> Any:
    """The value of a key in a dict or a lazy map; MISSING where there is none."""
    if isinstance(mapping, LazyMap):
        return mapping.get(key)
    return mapping.get(key, MISSING)


def sort_key(key: Any) -> tuple[int, Any]:
    """The order in which Go prints and ranges over the keys of a map."""
    if isinstance(key, str):
        return (2, key)
    if isinstance(key, int | float):
        return (1, key) if key == key else (0, 0)
    return (0, 0) if key is None else (3, str(key))


def sorted_keys(mapping: Any) -> list[Any]:
    keys = mapping.keys()
    try:
        return sorted(keys)
    except TypeError:
        return sorted(keys, key=sort_key)
