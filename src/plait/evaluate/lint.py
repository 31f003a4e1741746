"""What a merge loses without a word: a list wiped, a mapping replaced by a scalar, an override that changes nothing, a part never used."""

from __future__ import annotations

from itertools import pairwise

from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import Deferred, Failure, Mapping, Mark, Node, Scalar, Sequence, equal
from plait.core.path import format_path
from plait.core.policy import MergePolicy
from plait.evaluate.tree import Tree
from plait.merging.combine import decides, list_rule
from plait.report.catalog import LIST_LOST, LOST_ERROR, MAP_LOST, NEVER_USED, NO_CHANGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path


def lint(tree: Tree, policy: MergePolicy) -> list[Diagnostic]:
    """Every silent loss in a tree."""
    found: list[Diagnostic] = []
    stack: list[tuple[Path, list[Node], MergePolicy]] = [((), tree.layers, policy)]
    while stack:
        path, parts, here = stack.pop()
        for low, high in pairwise(parts):
            found += _between(tree, low, high, here, path)
        mappings = [part for part in parts if isinstance(part, Mapping)]
        keys = dict.fromkeys(key for part in mappings for key in part.entries)
        for key in keys:
            below = [part.entries[key] for part in mappings if key in part.entries]
            if len(below) > 1:
                stack.append(((*path, key), below, here.child(key)))
    return found


def _between(tree: Tree, low: Node, high: Node, policy: MergePolicy, path: Path) -> Iterator[Diagnostic]:
    """What happens to one layer's value under the next one's."""
    name = format_path(path)
    if isinstance(low, Deferred) and not isinstance(low, Mark):
        if not isinstance(high, Deferred) and decides(high, policy):
            yield _unused(tree, low, high, path)
    elif isinstance(low, Mapping) and isinstance(high, Scalar | Sequence):
        size = f"{len(low.entries)} key{'s' if len(low.entries) != 1 else ''}"
        yield MAP_LOST(
            Label.of(low, f"{name}: {size}"),
            Label.of(high),
            low=size,
            high=_kind(high) if isinstance(high, Scalar) else "list",
            hint=f"remove `{name}` from one of them, or rename it",
        )
    elif isinstance(low, Sequence) and isinstance(high, Sequence) and list_rule(high, policy).strategy == "replace":
        if high.rule is None and not all(any(equal(item, other) for other in high.items) for item in low.items):
            yield _list_lost(low, high, name)
    elif not high.live and not low.live and not isinstance(low, Mapping) and equal(low, high):
        yield NO_CHANGE(Label.of(low), Label.of(high), hint=f"`{name}` can be removed from the higher layer")


def _kind(node: Scalar) -> str:
    return "null" if node.value is None else "scalar"


def _unused(tree: Tree, low: Node, high: Node, path: Path) -> Diagnostic:
    place = tree.top
    for step in path:
        place = place.child(step)
    value = tree.evaluator.force(low, place)
    if isinstance(value, Failure) and value.diagnostics:
        why = value.diagnostics[0].message
        return LOST_ERROR(
            Label.of(low), Label.of(high, "decides"), why=why, hint="it would fail as soon as the higher one is gone"
        )
    return NEVER_USED(Label.of(low), Label.of(high, "decides"), hint="remove one of them")


def _items(node: Sequence) -> str:
    return f"{len(node.items)} item{'s' if len(node.items) != 1 else ''}"


def _list_lost(low: Sequence, high: Sequence, name: str) -> Diagnostic:
    named = all(isinstance(item, Mapping) and "name" in item.entries for item in low.items)
    hint = (
        f"to merge them by name: head the list with `- !merge-by name`, or `{name}: key:name` under `lists` in plait.yaml"
        if named
        else f"to keep both: tag it `!append`, or `{name}: append` under `lists` in plait.yaml"
    )
    said = " (every item has a `name`)" if named else ""
    return LIST_LOST(
        Label.of(low, f"{name}: {_items(low)}{said}"),
        Label.of(high, f"{name}: {_items(high)}"),
        low=_items(low),
        high=str(len(high.items)),
        hint=hint,
    )
