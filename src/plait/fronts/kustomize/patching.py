"""Strategic merge patches as kustomize applies them: by the table of Kubernetes' kinds, in place.

Maps are merged key by key, null removes, `$patch` deletes or replaces. Lists with merge keys are merged item by item,
those of the patch first; other lists are replaced. Facts: kyaml 0.18, yaml/merge2 and yaml/walk.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.folding import refolded, refolded_as
from plait.fronts.kustomize.history import History, is_absent, own
from plait.profiles.kubernetes import NO_FIELDS, fields_of
from plait.report.catalog import KUSTOMIZE_PATCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError
    from plait.profiles.kubernetes import PatchField

    Fields = dict[str, PatchField]
    Values = tuple[str, ...]

WORD = "$patch"
DELETE, REPLACE, MERGE = "delete", "replace", "merge"
PATCHED = "patched by"


class PatchTypes:
    """The fields of types: those of Kubernetes, or those of the schema that a kustomization brings."""

    def __init__(self, own: dict[str, Fields] | None = None) -> None:
        self._own = own

    def fields(self, type: str) -> Fields:
        if self._own is not None:
            return self._own.get(type, NO_FIELDS)
        return fields_of(type)


class StrategicPatch:
    """One patch, applied to one resource."""

    __slots__ = ("_asked", "_history", "_types")

    def __init__(self, types: PatchTypes, history: History, asked: Node | None) -> None:
        self._types = types
        self._history = history
        self._asked = asked

    def apply(self, dest: MapNode, patch: MapNode, type: str) -> MapNode | None:
        """The patched resource; None where the patch deletes it. One that would replace it whole changes nothing."""
        if self._directive(patch) == REPLACE:
            return dest
        fields = self._types.fields(type)
        found = self._map(dest, patch, fields)
        assert found is None or isinstance(found, MapNode)
        if found is not None:
            self._drop_unwritten(found, fields)
        return found

    def _drop_unwritten(self, root: MapNode, fields: Fields) -> None:
        """Remove fields that have no value at all: a patch takes them away, wherever it is, and leaves a `null`."""
        stack: list[tuple[Node, Fields]] = [(root, fields)]
        while stack:
            node, known = stack.pop()
            for key, child in list(node.entries.items()) if isinstance(node, MapNode) else ():
                field = known.get(str(key))
                below = self._types.fields(field.type) if field is not None else NO_FIELDS
                if isinstance(child, MapNode):
                    stack.append((child, below))
                elif isinstance(child, ListNode):
                    stack.extend((item, below) for item in child.items if field is not None and field.merges)
                elif isinstance(child, Scalar) and child.value is None and not child.text:
                    assert isinstance(node, MapNode)
                    self._history.remove(node, str(key), self._asked)

    def _walk(self, dest: Node | None, patch: Node | None, field: PatchField | None) -> Node | None:
        """What a place has after the patch; None for nothing. Values of the patch are copied."""
        if patch is None:
            return dest
        lead = dest if dest is not None and not is_absent(dest) else patch
        if isinstance(lead, Scalar):
            if not isinstance(patch, Scalar):
                raise self._kinds(dest, patch)
            return None if patch.value is None else self._scalar(dest, patch)
        if not is_absent(patch) and lead.kind != patch.kind:
            raise self._kinds(dest, patch)
        fields = self._types.fields(field.type) if field is not None else NO_FIELDS
        if isinstance(lead, MapNode):
            return self._map(dest, patch, fields)
        if field is not None and field.merges:
            return self._list(dest, patch, field, fields)
        return None if is_absent(patch) else self._own(patch)

    def _kinds(self, dest: Node | None, patch: Node) -> PlaitError:
        lower = dest if dest is not None else patch
        labels = (Label(patch.origin, f"a {patch.kind}"), Label(lower.origin, f"a {lower.kind}"))
        why = f"a {patch.kind} cannot patch a {lower.kind}"
        return KUSTOMIZE_PATCH.error(
            *labels, why=why, hint="write both in the same form, or remove the lower one first"
        )

    def _own(self, patch: Node) -> Node:
        return own(refolded(patch), self._history, PATCHED, self._asked)

    def _scalar(self, dest: Node | None, patch: Scalar) -> Scalar:
        made = refolded_as(patch, dest if isinstance(dest, Scalar) else patch).but()
        self._history.take(made, PATCHED, self._asked, dest, patch)
        return made

    # Maps

    def _map(self, dest: Node | None, patch: Node, fields: Fields, keys: Values = ()) -> Node | None:
        """`keys` are what the two are told to be the same by."""
        if not isinstance(patch, MapNode):
            return None
        asked = self._directive(patch)
        if asked == DELETE:
            return None
        base = dest if isinstance(dest, MapNode) and asked != REPLACE else None
        made = base if base is not None else MapNode({}, patch.source, patch.at)
        for key, child in patch.entries.items():
            if key == WORD:
                continue
            name = str(key)
            field = fields.get(name)
            before = made.entries.get(name)
            if name in keys and before is not None and before == child:
                continue
            found = self._walk(before, child, field)
            if found is None:
                if before is not None:
                    self._history.remove(made, name, child)
            else:
                made.entries[name] = found
        return made

    def _directive(self, patch: MapNode) -> str:
        word = patch.entries.get(WORD)
        if word is None:
            return MERGE
        text = word.text if isinstance(word, Scalar) else ""
        if text not in (DELETE, REPLACE, MERGE):
            why = f"`$patch: {text}` is not known"
            raise KUSTOMIZE_PATCH.error(Label(word.origin), why=why, hint="write delete, replace or merge")
        return text

    # Lists

    def _list(self, dest: Node | None, patch: Node, field: PatchField, fields: Fields) -> Node | None:
        if not isinstance(patch, ListNode):
            return None
        asked, items = self._list_directive(patch)
        if asked == DELETE and dest is not None:
            return None
        lower = dest.items if isinstance(dest, ListNode) and asked != REPLACE else []
        holder = dest if isinstance(dest, ListNode) else patch
        merged = ListMerge(self, holder, lower, items, field, fields).items()
        return ListNode(merged, holder.source, holder.at)

    def _list_directive(self, patch: ListNode) -> tuple[str, list[Node]]:
        """What a list asks for by an item that is nothing but a directive, and its other items."""
        for item in patch.items:
            if isinstance(item, MapNode) and len(item.entries) == 1 and WORD in item.entries:
                return self._directive(item), [other for other in patch.items if other is not item]
        return MERGE, patch.items

    def item(self, dest: Node | None, patch: Node | None, fields: Fields, keys: Values) -> Node | None:
        """An item that lists have in common."""
        if patch is None:
            return dest
        if isinstance(patch, MapNode):
            return self._map(dest, patch, fields, keys)
        return dest if dest is not None else self._own(patch)

    def drop(self, holder: Node, item: Node, by: Node | None) -> None:
        if isinstance(holder, ListNode) and item in holder.items:
            self._history.gone.setdefault(id(holder), []).append((holder.items.index(item), item, by))


class ListMerge:
    """Two lists with merge keys: the items of the patch first, then the others. Where there are several keys and an
    item leaves one out, it is told from the others by those that it has."""

    __slots__ = ("_fields", "_high", "_holder", "_keys", "_low", "_patch")

    def __init__(
        self,
        patch: StrategicPatch,
        holder: Node,
        low: list[Node],
        high: list[Node],
        field: PatchField,
        fields: Fields,
    ) -> None:
        self._patch = patch
        self._holder = holder
        self._low = list(low)
        self._high = high
        self._keys = field.keys or ("",)
        self._fields = fields

    def items(self) -> list[Node]:
        rows = self._values()
        if len(self._keys) > 1:
            rows = _joined(rows)
        used = tuple(key for at, key in enumerate(self._keys) if any(row[at] for row in rows)) or self._keys
        made: list[Node] = []
        for row in rows:
            values = tuple(value for key, value in zip(self._keys, row, strict=True) if key in used)
            keys = tuple(key for key, value in zip(used, values, strict=True) if value) or used
            sure = tuple(value for value in values if value) or values
            high = self._one(self._high, keys, sure)
            val = self._patch.item(self._one(self._low, keys, sure), high, self._fields, keys)
            if is_absent(val) or (isinstance(val, MapNode) and not val.entries):
                for item in [item for item in self._low if _has(item, used, values)]:
                    self._patch.drop(self._holder, item, high)
                _set(self._low, used, values, None)
            else:
                assert val is not None
                _set(made, used, values, val)
        if rows:
            self._append(made, used)
        return made

    def _values(self) -> list[Values]:
        """What tells the items apart, those of the patch first, each once."""
        found = [tuple(_value(item, key) for key in self._keys) for item in (*self._high, *self._low)]
        return list(dict.fromkeys(found))

    def _one(self, items: list[Node], keys: Values, values: Values) -> Node | None:
        return next((item for item in items if _is(item, keys, values)), None)

    def _append(self, made: list[Node], used: Values) -> None:
        """The lower items that are not there yet, and what has no key."""
        there = {id(item) for item in made}
        for item in self._low:
            values = tuple(_value(item, key) for key in used)
            if not all(values) and used[0]:
                made.append(item)
                values = tuple(value for value in values if value)
            elif id(item) in there and len(used) == 1:
                continue  # it would replace itself
            if len(used) > 1:
                _set(made, used, values, None)
            _set(made, used, values, item)


def _value(item: Node, key: str) -> str:
    field = item.entries.get(key) if isinstance(item, MapNode) and key else item if not key else None
    return field.text if isinstance(field, Scalar) and field.value is not None else ""


def _is(item: Node, keys: Values, values: Values) -> bool:
    """Whether an item has just these values."""
    if not keys[0]:
        return _has(item, keys, values)
    entries = item.entries if isinstance(item, MapNode) else {}
    return all(
        isinstance(field := entries.get(key), Scalar) and field.text == value
        for key, value in zip(keys, values, strict=True)
    )


def _has(item: Node, keys: Values, values: Values) -> bool:
    """Whether an item has these values; an empty value stands for any, and values that are left out do not count."""
    if keys and not keys[0]:
        return isinstance(item, Scalar) and item.text == values[0]
    if not isinstance(item, MapNode):
        return False
    last = False
    for at, key in enumerate(keys):
        if at < len(values):
            field = item.entries.get(key)
            last = field is not None and (not values[at] or (isinstance(field, Scalar) and field.text == values[at]))
        if not last:
            return False
    return True


def _set(items: list[Node], keys: Values, values: Values, item: Node | None) -> None:
    """Put an item where those with the same values are, or at the end; without an item, remove them."""
    made: list[Node] = []
    found = False
    for one in items:
        if is_absent(one) or (isinstance(one, MapNode) and not one.entries):
            continue
        if not isinstance(one, MapNode) and keys[0]:
            made.append(one)
        elif _has(one, keys, values):
            found = True
            made += [item] if item is not None else []
        elif values:
            made.append(one)
    items[:] = made if found or item is None else [*made, item]


def _joined(rows: list[Values]) -> list[Values]:
    """Rows of which one leaves out what another one says are the same row."""
    rows = list(rows)
    for i in range(len(rows)):
        for j in range(len(rows)):
            both = _same(rows[i], rows[j])
            if both is not None:
                rows[i] = rows[j] = both
    return rows


def _same(one: Values, other: Values) -> Values | None:
    if any(a != b and a and b for a, b in zip(one, other, strict=True)):
        return None
    if not any(a == b for a, b in zip(one, other, strict=True)):
        return None
    return tuple(a or b for a, b in zip(one, other, strict=True))
