"""Control keys: a map with `<<if`, `<<switch`, `<<type`, `<<for` or `<<merge` is replaced by what it gives.

A control looks at its fields through `Fields`; what it gives may be unfinished. Only what is chosen is evaluated.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import product

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Bound, Inherited, Key, ListNode, MapNode, Mark, Node, Scalar, equal, sorted_keys
from plait.core.scope import Place
from plait.core.struct import struct
from plait.core.walk import nodes_of
from plait.notations.dynaml.asking import kind_of
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.taking import INSERT, control_keys
from plait.report.catalog import BAD_CONTROL
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from plait.core.meter import Meter
    from plait.core.scope import Scope

    class Maker(Protocol):
        """What a stage does for a control."""

        def template(self, turn: object, body: Node, names: dict[str, Node]) -> Node:
            """A field as a template, evaluated with names; finished, a mark if it is undefined."""
            ...

        def fields(self, names: dict[str, Node]) -> tuple[dict[Key, Node], Place]:
            """The fields once more, and their place, where names that are nowhere else mean these."""
            ...

        def calls(self, function: Node, value: Node) -> bool:
            """Whether a lambda says yes to a value."""
            ...


@struct
class Fields:
    """The fields of a control, and what they give. `mapping` is the map as it is written."""

    kind: str
    mapping: MapNode
    entries: dict[Key, Node]
    base: Place
    scope: Scope
    maker: Maker

    @property
    def meter(self) -> Meter:
        return self.scope.meter

    def known(self, key: Key) -> Node:
        """A field, finished; a mark if it is undefined."""
        node, place = self.entries[key], self.base.child(key)
        found = self.scope.known(node, place)
        return found if isinstance(found, Mark) or not found.live else self.scope.finished(found, place)

    def given(self, key: Key) -> Node:
        """A field as the value of the control, and part of how it came about; a mark if there is none."""
        if key not in self.entries:
            return self.undefined()
        with suppress(Inherited):  # it fails again where it is asked for, unless a stub takes its place
            self.scope.known(self.entries[key], self.base.child(key))
        return self.entry(key)

    def entry(self, key: Key) -> Node:
        """A field, evaluated when it is asked for."""
        node = self.entries[key]
        return Bound(node, self.base.child(key)) if node.live else node

    def undefined(self) -> Mark:
        return Mark(self.scope.node.source, self.scope.node.at)

    def plain(self) -> list[Key]:
        """The fields that are no control keys."""
        return [key for key in self.entries if not (isinstance(key, str) and key.startswith(INSERT))]

    def wrong(self, issue: str, hint: str = "", key: str = "") -> PlaitError:
        """An error at one of the fields, or at the control key."""
        key = key or self.kind
        label = Label(self.mapping.key_origin(key), length=len(key))
        return BAD_CONTROL.error(label, issue=issue, hint=hint or f"for example: {EXAMPLES[self.kind]}")


@struct
class ControlKey:
    """A control: the options it takes, whether it takes plain fields, and which options are not evaluated first."""

    name: str
    options: tuple[str, ...]
    plain: bool
    about: str
    evaluate: Callable[[Fields], Node]
    templates: tuple[str, ...] = ()


def _if(fields: Fields) -> Node:
    test = fields.known("<<if")
    value = test.value if isinstance(test, Scalar) else test
    if value is not None and not isinstance(value, bool | Mark):
        raise fields.wrong("the condition of `<<if` must be a boolean or nil")
    return fields.given("<<then" if value is True else "<<else")


def _switch(fields: Fields) -> Node:
    value = fields.known("<<switch")
    if isinstance(value, Mark):
        return value
    if "<<cases" in fields.entries:
        return _cases(fields, value)
    if isinstance(value, Scalar) and value.value is None:
        return _default(fields, "nil")
    name = text_of(value)
    if name is None:
        raise fields.wrong("the value of `<<switch` must be a string")
    return fields.given(name) if name in fields.plain() else _default(fields, name)


def _default(fields: Fields, name: str) -> Node:
    if "<<default" not in fields.entries:
        known = [str(key) for key in fields.plain()]
        raise fields.wrong(f"no case for '{name}' and no `<<default`", did_you_mean(name, known))
    return fields.given("<<default")


def _cases(fields: Fields, value: Node) -> Node:
    node, place = fields.entries["<<cases"], fields.base.child("<<cases")
    cases = fields.scope.known(node, place) if node.live else node
    if not isinstance(cases, ListNode):
        raise fields.wrong("`<<cases` must be a list", CASES, "<<cases")
    for index, item in enumerate(cases.items):
        at = place.child(index)
        case = fields.scope.known(item, at) if item.live else item
        entries = case.entries if isinstance(case, MapNode) else {}
        if CASE.isdisjoint(entries):
            raise fields.wrong(f"case {index} requires 'case' or 'match' field", CASES, "<<cases")
        unknown = next((key for key in entries if key not in CASE and key != "value"), None)
        if unknown is not None:
            raise fields.wrong(f"case {index} has an unknown field '{unknown}'", CASES, "<<cases")
        if all(_fits(fields, word, entries[word], at, value) for word in sorted(CASE & entries.keys())):
            if "value" not in entries:
                return fields.undefined()
            return Bound(entries["value"], at.child("value")) if entries["value"].live else entries["value"]
    return _default(fields, "the value")


CASES = "a case is {case: VALUE, value: RESULT} or {match: LAMBDA, value: RESULT}"
CASE = frozenset({"case", "match"})


def _fits(fields: Fields, word: object, node: Node, place: Place, value: Node) -> bool:
    """Whether one condition of a case holds. A `match` that is no lambda is no condition."""
    at = place.child(word)  # type: ignore[arg-type]
    found = fields.scope.known(node, at) if node.live else node
    found = found if not found.live or isinstance(found, Mark) else fields.scope.finished(found, at)
    if isinstance(found, Mark):
        return False
    return equal(found, value) if word == "case" else fields.maker.calls(found, value)


def _type(fields: Fields) -> Node:
    kind = kind_of(fields.known("<<type"))
    return fields.given(kind) if kind in fields.plain() else _default(fields, kind)


@struct
class ControlRange:
    """One range of `<<for`: the name of its elements, that of their keys or indices, and both."""

    name: str
    index: str
    pairs: list[tuple[Node, Node]]


def _for(fields: Fields) -> Node:
    if "<<do" not in fields.mapping.entries:
        raise fields.wrong("`<<for` requires `<<do`")
    ranges = _ranges(fields)
    count = 1
    for each in ranges:
        count *= len(each.pairs)
    fields.meter.step(count * 8)
    by_key = "<<mapkey" in fields.mapping.entries
    items: list[Node] = []
    entries: dict[Key, Node] = {}
    for turn, chosen in enumerate(product(*(each.pairs for each in ranges))):
        names: dict[str, Node] = {}
        for each, (key, value) in zip(ranges, chosen, strict=True):
            names[each.name] = value
            names[each.index] = key
        if not by_key:
            made = fields.maker.template(("do", turn), fields.mapping.entries["<<do"], names)
            items += [] if isinstance(made, Mark) else [made]
            continue
        key_node = fields.maker.template(("key", turn), fields.mapping.entries["<<mapkey"], names)
        if isinstance(key_node, Mark) or (isinstance(key_node, Scalar) and key_node.value is None):
            continue
        word = text_of(key_node)
        if word is None:
            raise fields.wrong("`<<mapkey` must give a string", 'such as (( "vm" n ))', "<<mapkey")
        made = fields.maker.template(("do", turn), fields.mapping.entries["<<do"], names)
        if not isinstance(made, Mark):
            entries[word] = made
    node = fields.scope.node
    if by_key:
        return MapNode(entries, node.source, node.at, None, any(child.live for child in entries.values()))
    return ListNode(items, node.source, node.at, None, any(item.live for item in items))


def _ranges(fields: Fields) -> list[ControlRange]:
    found = fields.known("<<for")
    if isinstance(found, MapNode):
        named = [(str(key).rpartition(",")[::2], node) for key, node in found.entries.items()]
        ordered = sorted(
            ((name.strip(), index.strip(), node) for (index, name), node in named), key=lambda each: each[:2]
        )
    elif isinstance(found, ListNode):
        ordered = [_listed(fields, item) for item in found.items]
    else:
        raise fields.wrong("`<<for` must be a map of ranges, or a list of them")
    return [ControlRange(name, index or f"index-{name}", _pairs(fields, name, node)) for name, index, node in ordered]


def _listed(fields: Fields, item: Node) -> tuple[str, str, Node]:
    entries = item.entries if isinstance(item, MapNode) else {}
    name, index = text_of(entries.get("name")), text_of(entries.get("index"))
    if name is None or "values" not in entries or not set(entries) <= {"name", "values", "index"}:
        raise fields.wrong("a range of `<<for` has `name`, `values`, and maybe `index`")
    return name, index or "", entries["values"]


def _pairs(fields: Fields, name: str, node: Node) -> list[tuple[Node, Node]]:
    at = fields.scope.node
    if isinstance(node, ListNode):
        return [(Scalar(index, str(index), at.source, at.at), item) for index, item in enumerate(node.items)]
    if isinstance(node, MapNode):
        keys = [key for key in sorted_keys(node) if isinstance(key, str)]
        return [(Scalar(key, key, at.source, at.at), node.entries[key]) for key in keys]
    raise fields.wrong(f"the range '{name}' of `<<for` must be a list or a map")


def _merge(fields: Fields) -> Node:
    found = fields.known("<<merge")
    maps = found.items if isinstance(found, ListNode) else [found]
    over: dict[Key, Node] = {}
    for each in maps:
        if isinstance(each, MapNode):
            fields.meter.step(len(each.entries))
            over.update(each.entries)
        elif not isinstance(each, Mark) and not (isinstance(each, Scalar) and each.value is None):
            raise fields.wrong("`<<merge` must be a map or a list of maps")
    fields.entries, fields.base = fields.maker.fields({key: node for key, node in over.items() if isinstance(key, str)})
    entries = {**{key: fields.entry(key) for key in fields.plain()}, **over}
    node = fields.scope.node
    return MapNode(entries, node.source, node.at, None, any(child.live for child in entries.values()))


CONTROLS = {
    each.name: each
    for each in (
        ControlKey("<<if", ("<<then", "<<else"), False, "One of two values, by a condition.", _if),
        ControlKey(
            "<<switch", ("<<cases", "<<default"), True, "The field that a string names, or the case that fits.", _switch
        ),
        ControlKey("<<type", ("<<default",), True, "The field named like the kind of a value.", _type),
        ControlKey(
            "<<for",
            ("<<do", "<<mapkey"),
            False,
            "A list, or a map, of what is made for each combination of some ranges.",
            _for,
            ("<<do", "<<mapkey"),
        ),
        ControlKey("<<merge", (), True, "The other fields, with the entries of one or more maps over them.", _merge),
    )
}
"""The control keys. The reference page is made of this table."""
OPTIONS = {
    "<<then": "The value if the condition of `<<if` holds.",
    "<<else": "The value if it does not; without it, there is none.",
    "<<cases": "The cases of `<<switch`: maps of `case` (a value) or `match` (a lambda), and `value`.",
    "<<default": "The value if no field or case of `<<switch` or `<<type` fits.",
    "<<do": "What `<<for` makes each time.",
    "<<mapkey": "The key of what `<<for` makes: the result is a map.",
}
"""What stands beside control keys."""
EXAMPLES = {
    "<<if": "{<<if: (( a > 1 )), <<then: x, <<else: y}",
    "<<switch": "{<<switch: (( kind )), web: 80, db: 5432, <<default: 0}",
    "<<type": "{<<type: (( a )), string: a text, <<default: something else}",
    "<<for": '{<<for: {n: (( [1..3] ))}, <<do: (( "vm" n ))}',
    "<<merge": "{<<merge: (( defaults )), size: 1}",
}


def listing() -> list[dict[str, str]]:
    """The control keys and their options, for the editor."""
    rows = [{"signature": key, "about": each.about, "example": EXAMPLES[key]} for key, each in CONTROLS.items()]
    owners = {option: key for key, each in reversed(CONTROLS.items()) for option in each.options}
    options = [{"signature": key, "about": about, "example": EXAMPLES[owners[key]]} for key, about in OPTIONS.items()]
    return [*rows, *options]


def names_control(written: str) -> bool:
    """Whether a text may have a control key, which may be written with escapes."""
    return "\\" in written or any(key in written for key in CONTROLS)


def unused_controls(documents: list[Node], meter: Meter) -> list[tuple[MapNode, str]]:
    """The control keys in documents whose run has none, each with its map."""
    found: list[tuple[MapNode, str]] = []
    for document in documents:
        for node in nodes_of(document):
            meter.step()
            if isinstance(node, MapNode):
                found += [(node, key) for key in control_keys(node) if key in CONTROLS]
    return sorted(found, key=lambda each: each[0].at)


def chosen(mapping: MapNode, keys: list[str]) -> ControlKey:
    """The control of a map; an error where there is none, or more than one, or an option that does not belong to it."""
    label = Label(mapping.key_origin(keys[0]))
    for key in keys:
        if key not in CONTROLS and key not in OPTIONS:
            hint = did_you_mean(key, [*CONTROLS, *OPTIONS]) or f"there are {', '.join(CONTROLS)}"
            raise BAD_CONTROL.error(Label(mapping.key_origin(key)), issue=f"unknown control key `{key}`", hint=hint)
    found = [key for key in keys if key in CONTROLS]
    if len(found) != 1:
        issue = f"`{found[0]}` and `{found[1]}` in one map" if found else f"`{keys[0]}` without its control key"
        raise BAD_CONTROL.error(label, issue=issue, hint="a map has one control key")
    control = CONTROLS[found[0]]
    strange = next((key for key in keys if key != control.name and key not in control.options), None)
    if strange is not None:
        raise BAD_CONTROL.error(label, issue=f"`{strange}` does not belong to `{control.name}`")
    return control


def evaluated(control: ControlKey, fields: Fields) -> Node:
    """What a control gives; an error where it has fields that it does not take."""
    takes = control.plain and not (control.name == "<<switch" and "<<cases" in fields.mapping.entries)
    extra = [] if takes else fields.plain()
    if extra:
        label = Label(fields.mapping.key_origin(control.name))
        raise BAD_CONTROL.error(label, issue=f"`{extra[0]}` does not belong to `{control.name}`")
    return control.evaluate(fields)
