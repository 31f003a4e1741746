"""A model of spiff's merge and of its language dynaml: `merged(template, *stubs)`.

It is written from `../shared/spec/spiff.md` and the sentences of docs/explanation/semantics.md; it shares nothing with
plait. Documents are plain data as PyYAML reads them. A text `(( ... ))` is an expression. What cannot be computed is in
`Unresolved`, by its path.
"""

from __future__ import annotations

from typing import Any

from tests.model.dynaml_parse import Tree, expression
from tests.model.dynaml_values import FUNCTIONS, OPERATORS, Failed, is_number, truth

Data = Any
Step = int | str | tuple[str, str]
"""A key, a position, or a field and the text in it that tells an item of a list."""


class Waits(Exception):
    """Something that it needs has no value; no `||` helps."""  # spiff 2, row 7

    def __init__(self, is_circular: bool = False) -> None:
        super().__init__()
        self.is_circular = is_circular


class NotCovered(Exception):
    """The model does not say."""


class Unresolved(Exception):
    """What has no value, by its path, in the first document that is not complete."""

    def __init__(self, document: int, paths: set[str]) -> None:
        super().__init__(document, paths)
        self.document, self.paths = document, paths


# Stubs


def name_of(item: Data, key: str = "name") -> str | None:
    name = item.get(key) if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


def stepped(data: Data, step: Step) -> Data:
    """One step into finished data. KeyError where there is nothing."""
    if isinstance(data, dict) and isinstance(step, str) and step in data:
        return data[step]
    if isinstance(data, list):
        if isinstance(step, int):
            if 0 <= step < len(data):
                return data[step]
        else:
            key, name = step if isinstance(step, tuple) else ("name", step)
            for item in data:
                if name_of(item, key) == name:
                    return item
    raise KeyError(step)


def walked(data: Data, steps: list[Step]) -> Data:
    for step in steps:
        data = stepped(data, step)
    return data


def steps_of(path: str) -> list[Step]:
    parts = [part for part in path.split(".") if part]
    return [int(part[1:-1]) if part.startswith("[") else part for part in parts]


def may_merge(tree: Any) -> bool:
    """Whether `merge` may have a part in the value, which no stub overrides then."""
    return isinstance(tree, tuple | list) and (tree[:1] == ("merge",) or any(map(may_merge, tree)))


# Places


class Place:
    """A node of the document that is being merged: what is written there, where stubs have their say about it, and the
    maps around it."""

    def __init__(self, stage: Stage, source: Data, at: list[Step], scope: Place | None, is_overridable: bool = True):
        self.stage, self.source, self.at, self.scope = stage, source, at, scope
        self.is_overridable = is_overridable
        self.state, self.found, self.fields = "new", None, {}
        self.marks: frozenset[str] = frozenset()
        self.is_inserting = False
        self.is_redirected = False
        self.lacks = ""
        """Which `<<` below it has no value."""

    def known(self) -> Data:
        """A map or a list of places, or data that is finished."""
        if self.state == "failed":
            raise Waits
        if self.state == "done":
            return self.found
        if self.state == "busy" or self.is_held():
            raise Waits(is_circular=True)  # it needs itself
        self.state = "busy"
        try:
            self.found = self.worked_out()
            self.state = "done"
        except Failed:
            self.state = "failed"
            raise Waits from None
        except Waits as wait:
            self.state = "new" if wait.is_circular else "failed"  # from elsewhere it may have a value
            raise
        finally:
            self.is_inserting = False
        return self.found

    def is_held(self) -> bool:
        """While a `<<` of a map around it is worked out, what must be computed waits."""
        source = self.source
        is_spliced = isinstance(source, list) and any(map(self.splice, source))
        if expression(source) is None and not is_spliced and not (isinstance(source, dict) and "<<" in source):
            return False
        place = self.scope
        while place is not None:
            if place.is_inserting:
                return True
            place = place.scope
        return False

    def worked_out(self) -> Data:
        if isinstance(self.source, dict):
            return self.as_map()
        if isinstance(self.source, list):
            return self.as_list()
        tree = expression(self.source)
        if tree is None:
            return self.stage.stub(self.at, self.source) if self.is_overridable else self.source  # spiff 4, 4
        return self.as_expression(tree)

    def as_expression(self, tree: Tree) -> Data:
        if tree[0] == "marked":
            self.marks, tree = tree[1], tree[2]
        is_overridden = self.is_overridable and self.stage.has(self.at)
        if is_overridden and not may_merge(tree):
            return self.stage.stub(self.at, None)  # as a whole, even where it would fail
        evaluation = Evaluation(self)
        try:
            value, is_merged = evaluation.result(tree)
        except Failed:
            if not is_overridden:
                raise
            return self.stage.stub(self.at, None)
        # a `merge PATH` looks elsewhere: no stub overrides what is here, also where something else took over
        return value if is_merged or evaluation.is_redirected or not is_overridden else self.stage.stub(self.at, None)

    def child(self, source: Data, step: Step, is_overridable: bool = True, at: list[Step] | None = None) -> Place:
        scope = self if isinstance(self.source, dict) else self.scope
        made = Place(self.stage, source, [*(self.at if at is None else at), step], scope, is_overridable)
        made.is_redirected = self.is_redirected
        return made

    def as_map(self) -> Data:
        source = self.source
        at = self.at
        inserted: dict[str, Data] = {}
        if "<<" in source:
            tree = expression(source["<<"])
            assert tree is not None
            if tree[0] == "marked":
                self.marks, tree = tree[1], tree[2]
            self.fields = {key: self.child(value, key) for key, value in source.items() if key != "<<"}
            self.lacks, self.is_inserting = ".<<", True
            value, how, at = self.inserted(tree)
            self.is_inserting, self.is_redirected = False, self.is_redirected or at is not self.at
            if how == "replace":
                return value if isinstance(value, dict) else {}
            inserted = value if isinstance(value, dict) else {}  # what is no map adds nothing
        own = {key: value for key, value in source.items() if key != "<<"}
        before = {key for key in own if key < "<<"}  # what sorts before `<<` is overwritten by it
        together = {**inserted, **{key: value for key, value in own.items() if not (key in before and key in inserted)}}
        self.fields = {key: self.child(value, key, at=at) for key, value in together.items()}
        return self.fields

    def inserted(self, tree: Tree) -> tuple[Data, str, list[Step]]:
        """What `<<` gives, how, and where stubs have their say about the other fields."""
        if tree[0] == "nothing":
            return {}, "", self.at
        how, path = (tree[1], tree[3]) if tree[0] == "merge" else ("", None)
        at = steps_of(path) if path else self.at
        try:
            return Evaluation(self).result(tree)[0], how, at
        except Failed:
            if tree[0] == "merge" and not how and path is None and not self.is_redirected:
                return None, "", self.at  # a plain merge needs no stub, but for one below a redirection
            raise

    def as_list(self) -> Data:
        key = next(
            (tree[2] for tree in map(self.splice, self.source) if tree and tree[0] == "merge" and tree[2]), "name"
        )
        own = {self.item_name(item, key) for item in self.source} - {None}
        items: list[Data] = []
        at = self.at
        for index, item in enumerate(self.source):
            tree = self.splice(item)
            if tree is None:
                items.append(item)
                continue
            self.lacks = f".[{index}].<<"
            value, how, at = self.inserted(tree)
            self.is_redirected = self.is_redirected or at is not self.at
            if not isinstance(value, list):
                continue  # what is no list adds nothing
            value = [one for one in value if name_of(one, key) not in own]
            if how == "replace":
                return value
            items += value
        self.found = [
            self.child(item, (key, name) if (name := self.item_name(item, key)) is not None else index, False, at)
            for index, item in enumerate(items)
        ]
        return self.found

    def splice(self, item: Data) -> Tree | None:
        return expression(item["<<"]) if isinstance(item, dict) and list(item) == ["<<"] else None

    def item_name(self, item: Data, key: str) -> str | None:
        """By which text an item is found: also where an expression gives it."""  # decision 11
        name = name_of(item, key)
        if expression(name) is None:
            return name
        inner = Place(self.stage, item, ["?"], self.scope, False)
        try:
            found = inner.child(name, key, False).whole()
        except Waits:
            return None
        return found if isinstance(found, str) else None

    def name(self) -> Data:
        """The name of an item of a list."""
        if isinstance(self.at[-1], tuple):
            return self.at[-1][1]
        try:
            found = self.known()
            return finished(found.get("name")) if isinstance(found, dict) else None
        except Waits:
            raise NotCovered("an item without a value may have any name") from None

    def whole(self) -> Data:
        """Everything below as finished data."""
        found = self.known()
        if isinstance(found, dict):
            return {key: part.whole() if isinstance(part, Place) else part for key, part in found.items()}
        if isinstance(found, list):
            return [part.whole() if isinstance(part, Place) else part for part in found]
        return found


def into(thing: Place | Data, step: Step) -> Place | Data:
    """One step of a reference."""
    data = thing.known() if isinstance(thing, Place) else thing
    if not isinstance(data, list) or isinstance(step, int):
        return stepped(data, step)
    for item in data:
        if (item.name() if isinstance(item, Place) else name_of(item)) == step:
            return item
    raise KeyError(step)


def finished(thing: Place | Data) -> Data:
    return thing.whole() if isinstance(thing, Place) else thing


# Computing


class Function:
    """A lambda: its parameters, its body, and the names that it captured."""

    def __init__(self, names: list[str], body: Tree, known: dict[str, Data]) -> None:
        self.names, self.body, self.known = names, body, known


class Evaluation:
    """The value of an expression at a place."""

    def __init__(self, place: Place, names: dict[str, Data] | None = None) -> None:
        self.place, self.names = place, names or {}
        self.has_merged = False
        self.is_redirected = False

    def result(self, tree: Tree) -> tuple[Data, bool]:
        """A value, and whether a `merge` has a part in it."""
        value = self.value(tree)
        return value, self.has_merged

    def either(self, sign: str, left: Tree, right: Tree) -> Data:
        """`||` takes the right side where the left one fails, `//` also where it is nil."""
        before = self.has_merged
        try:
            value = self.value(left)
            if value is not None or sign == "||":
                return value
        except Failed:
            self.has_merged = before
        return self.value(right)

    def value(self, tree: Tree) -> Data:
        kind, *parts = tree
        if kind == "merge":
            return self.merge(*parts)
        if kind in ("||", "//"):
            return self.either(kind, *parts)
        if kind == "value":
            return parts[0]
        if kind == "list":
            return self.values(parts[0])
        if kind == "path":
            return finished(self.reference(parts[0]))
        if kind == "lambda":
            return Function(parts[0], parts[1], self.names)
        if kind == "if":
            return self.value(parts[1] if truth(self.value(parts[0])) else parts[2])
        if kind == "not":
            return not truth(self.value(parts[0]))
        if kind == "call":
            return self.call(*parts)
        if kind in ("map", "select", "sum"):
            return self.iteration(kind, *parts)
        if kind in ("-and", "-or"):
            return self.logical(kind, *parts)
        return OPERATORS[kind](*self.values(parts))

    def logical(self, sign: str, left: Tree, right: Tree) -> Data:
        """The right side is not looked at where the left one decides; two integers go bit by bit."""
        first = self.value(left)
        if not is_number(first) and truth(first) == (sign == "-or"):
            return truth(first)
        second = self.value(right)
        if is_number(first) and is_number(second):
            return first & second if sign == "-and" else first | second
        return (truth(first) and truth(second)) if sign == "-and" else (truth(first) or truth(second))

    def values(self, trees: list[Tree]) -> list[Data]:
        """Operands or arguments: one that fails makes the whole fail, also beside one that waits."""
        made: list[Data] = []
        waits = None
        for tree in trees:
            try:
                made.append(self.value(tree))
            except Waits as wait:
                waits = wait
        if waits:
            raise waits
        return made

    def reference(self, path: str) -> Place | Data:
        """The first step is found in the innermost map around, or at the root behind a leading dot."""  # spiff 4
        first, *rest = steps_of(path)
        thing: Place | Data
        if path.startswith("."):
            thing = self.place.stage.root
            rest = [first, *rest]
        elif first in self.names:
            thing = self.names[first]  # type: ignore[index]
        else:
            thing = self.scoped(str(first))
        for step in rest:
            try:
                thing = into(thing, step)
            except KeyError:
                raise Failed(path) from None
        return thing

    def scoped(self, name: str) -> Place | Data:
        place = self.place if isinstance(self.place.source, dict) else self.place.scope
        while place is not None:
            fields = place.fields if place.state == "busy" else place.known()
            if name in fields:
                return fields[name]
            place = place.scope
        raise Failed(name)

    def merge(self, how: str, key: str, path: str | None) -> Data:
        at = steps_of(path) if path else self.place.at
        self.is_redirected = self.is_redirected or path is not None
        if not self.place.stage.has(at):
            raise Failed("merge")
        self.has_merged = True
        return self.place.stage.stub(at, None)

    def call(self, name: str, arguments: list[Tree]) -> Data:
        if name in FUNCTIONS:
            return FUNCTIONS[name](*self.values(arguments))
        function = finished(self.reference(name))
        if not isinstance(function, Function):
            raise Failed(name)
        return self.called(function, self.values(arguments))

    def called(self, function: Function, values: list[Data]) -> Data:
        if len(values) != len(function.names):
            raise Failed("arguments")
        names = {**function.known, **dict(zip(function.names, values, strict=True))}
        return Evaluation(self.place, names).value(function.body)

    def iteration(self, kind: str, over: Tree, first: Tree | None, function: Tree) -> Data:
        values = self.value(over)
        total = self.value(first) if first else None
        one = self.value(function)
        if not isinstance(values, list | dict):
            raise Failed("map or list required")
        pairs = enumerate(values) if isinstance(values, list) else [(key, values[key]) for key in sorted(values)]
        results: list[Data] = []
        for key, value in pairs:
            given = (
                ([total] if kind == "sum" else []) + ([key] if len(one.names) == 2 + (kind == "sum") else []) + [value]
            )
            made = self.called(one, given)
            if kind == "sum":
                total = made
            elif kind == "select":
                results += [value] if truth(made) else []
            else:
                results.append(made)
        return total if kind == "sum" else results


# Merging


class Stage:
    """A document and the finished stubs on its right."""

    def __init__(self, document: Data, stubs: list[Data]) -> None:
        self.stubs = stubs
        self.root = Place(self, document, [], None)

    def has(self, at: list[Step]) -> bool:
        return self.looked_up(at) is not None

    def stub(self, at: list[Step], otherwise: Data) -> Data:
        """What the first stub from the left that has the path says; null is a value."""
        found = self.looked_up(at)
        return otherwise if found is None else found[0]

    def looked_up(self, at: list[Step]) -> tuple[Data] | None:
        for stub in self.stubs:
            try:
                return (walked(stub, at),)
            except KeyError:
                continue
        return None

    def finished(self, number: int) -> Data:
        """The document as data without what is temporary. What is not resolved is collected."""
        bad: set[str] = set()
        done = self.collected(self.root, "", bad)
        if bad:
            raise Unresolved(number, bad)
        return done

    def collected(self, thing: Place | Data, path: str, bad: set[str]) -> Data:
        if not isinstance(thing, Place):
            return thing
        try:
            found = thing.known()
        except Waits:
            bad.add(f"{path}{thing.lacks}".lstrip("."))
            return None
        if isinstance(found, dict):
            parts = {key: self.collected(part, f"{path}.{key}".lstrip("."), bad) for key, part in found.items()}
            return {key: part for key, part in parts.items() if not is_temporary(found[key])}
        if isinstance(found, list):
            return [self.collected(part, f"{path}.[{index}]".lstrip("."), bad) for index, part in enumerate(found)]
        return found


def is_temporary(thing: Place | Data) -> bool:
    return isinstance(thing, Place) and "temporary" in thing.marks


def merged(template: Data, *stubs: Data) -> Data:
    """Each stub is resolved with the stubs on its right, then the template with all of them."""  # spiff 4: the cascade
    done: list[Data] = []
    for number in range(len(stubs), 0, -1):
        done.insert(0, Stage(stubs[number - 1], done).finished(number))
    return Stage(template, done).finished(0)


def answer_of(documents: list[Data]) -> Data | tuple[int, set[str]]:
    """The manifest; or which document is not complete, and the paths of what has no value in it."""
    try:
        return merged(*documents)
    except Unresolved as missing:
        return missing.document, missing.paths
