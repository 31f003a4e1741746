"""The model of layers: `merged(layers, rules)` gives the documents that layers are merged to, or the errors.

Numbers in comments are the sentences of docs/explanation/semantics.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.model.reading import UNSET, List, Map, Ref, documents

TOO_DEEP = 60
"""A value that is nested deeper than any input of the tests: it contains itself."""

# What is wrong, by the code that plait reports it under
KINDS, KEY_MISSING, KEY_TWICE, NULL_OVER = "PL2001", "PL2002", "PL2003", "PL2006"
NOT_DEFINED, NOT_A_CONTAINER, CIRCULAR = "PL2101", "PL2102", "PL2104"
MIXED, SEVERAL, RESOURCE_TWICE, NO_SUCH = "PL2007", "PL2005", "PL3622", "PL1306"


class Problem(Exception):
    """A value that cannot be computed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Circle(Problem):
    """A value that needs itself: all the places on the way from it to itself."""

    def __init__(self, places: list[Place]) -> None:
        super().__init__(CIRCULAR)
        self.places = places


@dataclass
class Rules:
    """How to merge: list rules as (pattern, strategy), weakest level first (plait.yaml, policy file, flags)."""

    lists: list[list[tuple[str, str]]] = field(default_factory=list)
    kinds: str = "replace"
    nulls: str = "keep"
    documents: str = ""


def merged(layers: list[str], rules: Rules) -> list[Any] | set[str]:
    """The documents that the layers give, lowest layer first; or the codes of all errors."""
    try:
        groups = grouped([documents(text) for text in layers], rules)
        results = [Document(group, rules).result() for group in groups]
    except Problem as problem:
        return {problem.code}
    errors = {error for _, found in results for error in found}
    return errors or [value for value, _ in results]


# Which documents are merged with each other


def grouped(layers: list[list[Any]], rules: Rules) -> list[list[Any]]:
    """The documents that are merged with each other, lowest first."""
    everything = [document for layer in layers for document in layer]
    values = [document for document in everything if document is not UNSET and not isinstance(document, Ref)]
    if any(kind(document) != kind(values[0]) and not asks(document) for document in values[1:]):
        raise Problem(MIXED)  # L31
    how = rules.documents
    if how == "layers":
        return [everything]  # L32
    if how.isdigit():
        if any(1 < len(layer) < int(how) for layer in layers):
            raise Problem(NO_SUCH)
        return [[layer[int(how) - 1 if len(layer) > 1 else 0] for layer in layers if layer]]  # L34
    if everything and all(identity(document) for document in everything):
        return by_identity(layers)  # L35
    if how == "pair":
        count = max(map(len, layers))
        return [[layer[at] for layer in layers if at < len(layer)] for at in range(count)] or [[]]  # L33
    if any(len(layer) > 1 for layer in layers):
        raise Problem(SEVERAL)  # L36
    return [everything]


def identity(document: Any) -> tuple[str, str, str, str, str] | None:
    """API group, version, kind, namespace and name of a Kubernetes resource."""
    if not isinstance(document, Map):
        return None
    metadata = document.entries.get("metadata")
    about = metadata.entries if isinstance(metadata, Map) else {}
    own = document.entries
    fields = [own.get("apiVersion"), own.get("kind"), about.get("namespace"), about.get("name")]
    api, kind, namespace, name = (one if isinstance(one, str) else "" for one in fields)
    group, _, version = api.rpartition("/")
    return (group, version, kind, namespace, name) if kind and name else None


def by_identity(layers: list[list[Any]]) -> list[list[Any]]:
    """A resource belongs to the one of equal identity, else to the only one that differs in the version alone."""
    groups: list[tuple[Any, list[Any]]] = []
    for layer in layers:
        names = [identity(document) for document in layer]
        if len(set(names)) < len(names):
            raise Problem(RESOURCE_TWICE)  # L37
        for document, name in zip(layer, names, strict=True):
            same = [group for found, group in groups if found == name]
            near = [group for found, group in groups if found[:1] + found[2:] == name[:1] + name[2:]]
            if same or len(near) == 1:
                (same or near)[0].append(document)
            else:
                groups.append((name, [document]))
    return [group for _, group in groups]


# Places: what is merged, and looked at only when asked


@dataclass(eq=False)
class Place:
    """A place of the result: what each layer has there, lowest first, and the path to it.

    A step of the path is the set of names that a pattern may call it by.
    """

    parts: list[Any]
    path: tuple[tuple[Any, ...], ...]


class Document:
    """One merged document."""

    def __init__(self, parts: list[Any], rules: Rules) -> None:
        self.rules = rules
        self.patterns = [
            ((level, len(steps(pattern)), -wildcards(pattern), order), steps(pattern), rule)
            for level, rows in enumerate(rules.lists)
            for order, (pattern, rule) in enumerate(rows)
        ]
        if rules.nulls == "delete":
            parts = parts[:1] + [self.without_nulls(part, ()) for part in parts[1:]]
        self.root = Place(parts or [Map()], ())
        self.values: dict[Place, Any] = {}
        self.underway: list[Place] = []

    def result(self) -> tuple[Any, set[str]]:
        """The whole document, and the codes of what is wrong in it."""
        errors: set[str] = set()
        whole = self.whole(self.root, errors)
        return (Map() if whole is UNSET else whole), errors

    # Merging

    def value(self, place: Place) -> Any:
        """What is at a place: a scalar, UNSET, or a Map or List whose members are places."""
        if place not in self.values:
            if place in self.underway:
                raise Circle(self.underway[self.underway.index(place) :])  # L41
            self.underway.append(place)
            try:
                self.values[place] = self.merge(place)
            finally:
                self.underway.pop()
        return self.values[place]

    def merge(self, place: Place) -> Any:
        self.check_nulls(place)
        matter = self.what_matters(place)
        if self.rules.kinds == "error":
            self.check_kinds(place)
        top = matter[-1]
        if isinstance(top, Map):
            return self.maps(matter, place.path)
        if isinstance(top, List):
            return self.lists(matter, place.path)
        return top

    def what_matters(self, place: Place) -> list[Any]:
        """The highest parts that are of one kind, down to one that replaces what is below it."""
        matter: list[Any] = []
        for part in reversed(place.parts):
            node = self.known(part)
            if matter and (node is UNSET or kind(node) != kind(matter[0])):  # L4, L8
                break
            matter.insert(0, node)
            if self.replaces(node, place.path):
                break
        return matter

    def known(self, part: Any) -> Any:
        """A part, with a reference followed."""
        if isinstance(part, Ref):
            return self.value(self.find(part))  # L39
        return self.value(part) if isinstance(part, Place) else part

    def replaces(self, node: Any, path: tuple[Any, ...]) -> bool:
        if isinstance(node, Map):
            return node.alone  # L5
        return not isinstance(node, List) or self.rule(node, path) == "replace"  # L3, L11

    def maps(self, matter: list[Map], path: tuple[Any, ...]) -> Map:
        keys = dict.fromkeys(key for part in matter for key in part.entries)  # L2
        return Map(
            {
                key: Place([part.entries[key] for part in matter if key in part.entries], (*path, (key,)))
                for key in keys
            },
            matter[0].tag,
            matter[0].alone,
        )

    def lists(self, matter: list[List], path: tuple[Any, ...]) -> List:
        made = [Place([item], (*path, (at,))) for at, item in enumerate(matter[0].items)]
        for part in matter[1:]:
            made = self.over(made, part, self.rule(part, path), path)
        return List(made, matter[0].tag, matter[0].rule)

    def rule(self, node: List, path: tuple[Any, ...]) -> str:
        """The rule of a list: what it says itself, else the strongest pattern for its path, else `replace`."""
        if node.rule:
            return node.rule  # L21
        fitting = [(weight, rule) for weight, pattern, rule in self.patterns if fits(pattern, path)]
        return max(fitting)[1] if fitting else "replace"  # L22, L23

    def over(self, low: list[Place], part: List, rule: str, path: tuple[Any, ...]) -> list[Place]:
        """A list laid over another."""
        new = [Place([item], path) for item in part.items]
        if rule == "append":
            return low + new  # L12
        if rule == "prepend":
            return new + low  # L13
        if rule == "index":  # L14
            pairs = zip(low, part.items, strict=False)
            both = [Place([*below.parts, item], (*path, (at,))) for at, (below, item) in enumerate(pairs)]
            return both + low[len(both) :] + new[len(both) :]
        if rule == "set":  # L15
            made = list(low)
            for item in new:
                if not any(self.same(item, other) for other in made):
                    made.append(item)
            return made
        keys = rule.removeprefix("key:").split(",")  # L16
        below, above = self.by_key(low, keys), self.by_key(new, keys)
        made = []
        for at, (key, place) in enumerate(below.items()):
            item = above.pop(key, None)
            name = tuple((field.partition("=")[0], text(value)) for field, (_, value) in zip(keys, key, strict=True))
            made.append(place if item is None else Place([*place.parts, *item.parts], (*path, (at, name))))
        return made + list(above.values())

    def by_key(self, places: list[Place], keys: list[str]) -> dict[Any, Place]:
        """The items of a list by the type and value of their key fields."""
        found: dict[Any, Place] = {}
        for place in places:
            key = tuple(self.field(place, name) for name in keys)
            if key in found:
                raise Problem(KEY_TWICE)  # L18
            found[key] = place
        return found

    def field(self, place: Place, name: str) -> Any:
        """The type and the value of a key field; `name=DEFAULT` has a value where it is missing."""
        name, given, default = name.partition("=")
        item = self.value(place)
        inner = item.entries.get(name) if isinstance(item, Map) else None
        value = self.value(inner) if inner is not None else None
        if inner is None and given and isinstance(item, Map):
            return (str, default)
        if inner is None or value is UNSET or isinstance(value, Map | List):
            raise Problem(KEY_MISSING)  # L17
        return (type(value), value)

    def same(self, one: Place, other: Place) -> bool:
        """Whether two places hold equal data: types count, the order of keys does not."""
        wholes = []
        for place in (one, other):
            errors: set[str] = set()
            wholes.append(self.whole(place, errors))
            if errors:
                raise Problem(errors.pop())
        return equal(*wholes)

    # Null and other kinds

    def without_nulls(self, node: Any, path: tuple[Any, ...]) -> Any:
        """A layer in which null removes a key: in maps, and in maps inside of lists that are merged item by item."""
        if isinstance(node, Map):
            entries = {
                key: UNSET if child is None else self.without_nulls(child, (*path, (key,)))
                for key, child in node.entries.items()
            }
            return Map(entries, node.tag, node.alone)
        if isinstance(node, List) and self.rule(node, path).startswith(("key", "index")):
            items = [self.without_nulls(item, (*path, (at,))) for at, item in enumerate(node.items)]
            return List(items, node.tag, node.rule)
        return node

    def check_nulls(self, place: Place) -> None:
        """With `nulls: error`, that no null is over another value."""
        written = list(flat(place))
        if self.rules.nulls == "error" and written[-1] is None:
            below = next((part for part in reversed(written) if part is not None), UNSET)
            if below is not UNSET:
                raise Problem(NULL_OVER)  # L27

    def check_kinds(self, place: Place) -> None:
        """With `kinds: error`, that no value is over one of another kind. Null is of every kind."""
        low: Any = UNSET
        for part in place.parts:
            try:
                high = self.known(part)
            except Circle as circle:
                if place in circle.places:
                    raise  # L44
                high = UNSET
            except Problem:
                high = UNSET
            both = low is not UNSET and high is not UNSET and high is not None
            if both and kind(low) != kind(high) and not asks(high):
                raise Problem(KINDS)  # L6
            low = UNSET if high is None else high

    # References

    def find(self, ref: Ref) -> Place:
        """The place that a reference means, in the merged document."""
        place = self.root
        for step in steps(ref.path):
            node = self.value(place)
            if not isinstance(node, Map | List):
                raise Problem(NOT_A_CONTAINER if node is not UNSET else NOT_DEFINED)
            found = self.member(node, step)
            if found is not None and is_gone(found):
                self.value(found)  # it may be an error itself, L43
            if found is None or is_gone(found):
                raise Problem(NOT_DEFINED)  # L40
            place = found
        return place

    def member(self, node: Map | List, step: Any) -> Place | None:
        if isinstance(node, Map):
            return node.entries.get(step) if not isinstance(step, tuple) else None
        there = [item for item in node.items if not is_gone(item)]  # L42
        if isinstance(step, tuple):
            return next((item for item in there if self.is_meant(item, step)), None)
        number = int(step) if re.fullmatch("-?[0-9]+", str(step)) else len(there)
        return there[number] if -len(there) <= number < len(there) else None

    def is_meant(self, item: Place, wanted: tuple[tuple[str, str], ...]) -> bool:
        node = self.value(item)
        fields = [node.entries.get(name) if isinstance(node, Map) else None for name, _ in wanted]
        return all(
            field is not None and text(self.value(field)) == value
            for field, (_, value) in zip(fields, wanted, strict=True)
        )

    # The result

    def whole(self, place: Place, errors: set[str], depth: int = 0) -> Any:
        """A place with everything in it, without what is removed."""
        try:
            if depth > TOO_DEEP:
                raise Problem(CIRCULAR)  # L41
            node = self.value(place)
        except Problem as problem:
            errors.add(problem.code)
            return None
        if isinstance(node, Map):
            pairs = {key: self.whole(child, errors, depth + 1) for key, child in node.entries.items()}
            return Map({key: child for key, child in pairs.items() if child is not UNSET}, node.tag)
        if isinstance(node, List):
            items = [self.whole(item, errors, depth + 1) for item in node.items]
            return List([item for item in items if item is not UNSET], node.tag)
        return node


# Kinds, equality, paths


def flat(part: Any) -> Iterator[Any]:
    """What the layers have at a place, lowest first, as it is written."""
    for one in part.parts if isinstance(part, Place) else ():
        yield from flat(one) if isinstance(one, Place) else [one]


def is_gone(part: Any) -> bool:
    """Whether a place is removed: the highest layer that names it says so. What a reference gives is there."""
    return is_gone(part.parts[-1]) if isinstance(part, Place) else part is UNSET


def kind(node: Any) -> Any:
    """Values of one kind can be merged, or may be over each other under `kinds: error`."""
    return (type(node), node.tag) if isinstance(node, Map | List) else "scalar"


def asks(node: Any) -> bool:
    """Whether a container asks to replace what is below it."""
    return node.alone if isinstance(node, Map) else isinstance(node, List) and node.rule == "replace"


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, Map) and isinstance(other, Map):
        same_keys = one.tag == other.tag and one.entries.keys() == other.entries.keys()
        return same_keys and all(equal(one.entries[key], other.entries[key]) for key in one.entries)
    if isinstance(one, List) and isinstance(other, List):
        return one.tag == other.tag and len(one.items) == len(other.items) and all(map(equal, one.items, other.items))
    return type(one) is type(other) and bool(one == other)


def text(value: Any) -> str:
    """A scalar as a path writes it."""
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


def steps(path: str) -> list[Any]:
    """`a.b[0].c[name=x]` as `a`, `b`, 0, `c`, (("name", "x"),)."""
    found: list[Any] = []
    for name, inner in re.findall(r"([^.\[\]]+)|\[([^\]]+)\]", path):
        if name or inner in ("*", "**"):
            found.append(name or inner)
        elif "=" in inner:
            found.append(tuple(tuple(pair.split("=")) for pair in inner.split(",")))
        else:
            found.append(int(inner))
    return found


def wildcards(pattern: str) -> int:
    return sum(step in ("*", "**") for step in steps(pattern))


def fits(pattern: list[Any], path: tuple[tuple[Any, ...], ...]) -> bool:
    """Whether a pattern names a place."""
    if not pattern or not path:
        return all(step == "**" for step in pattern) and not path
    if pattern[0] == "**":
        return fits(pattern[1:], path) or fits(pattern, path[1:])
    return (pattern[0] == "*" or pattern[0] in path[0]) and fits(pattern[1:], path[1:])
