"""What a merge drops silently: items of a list, a mapping under a scalar, an override that changes nothing, a part
that is never used."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import Deferred, Failure, ListNode, MapNode, Mark, Node, Scalar, equal
from plait.core.path import format_path
from plait.core.policy import MergePolicy
from plait.core.source import Computed, Source
from plait.core.steps import EACH
from plait.evaluate.tree import Tree
from plait.merging.account import ACCOUNT, Account
from plait.merging.combine import decides, list_rule
from plait.report.catalog import LIST_LOST, LOST_ERROR, MAP_LOST, NEVER_USED, NO_CHANGE, OTHER_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path
    from plait.core.steps import Steps


def losses(tree: Tree, policy: MergePolicy, advice: str = "") -> Steps[list[Diagnostic]]:
    """Everything that a merge drops although it was probably meant, as the account of the merge has it; in steps.

    `advice` is what to do about lists that are replaced, where another tool merges the same files.
    """
    diagnostics: list[Diagnostic] = []
    stack: list[tuple[Path, Account]] = [((), tree.account())]
    done = 0
    while stack:
        path, here = stack.pop()
        done += 1
        if done % EACH == 0:
            yield
        tree.evaluator.meter.step(ACCOUNT + len(path))
        for drop in here.dropped:
            if not drop.above and drop.by is not None:
                diagnostics += _between(tree, drop.part.node, drop.by.node, here.policy or policy, path, advice)
        if not here.gone and not _is_of_one_part(here):
            stack.extend(((*path, here.named(step)), child) for step, child in here.children.items())
    return diagnostics


def _is_of_one_part(account: Account) -> bool:
    """Whether one part wrote everything in here as it is: then nothing in it is dropped. Most of a large file is so."""
    node = account.node
    source = node.source
    is_plain = not node.live and not isinstance(source, Computed) and not source.aliases
    return is_plain and not account.parts and not account.above


def _between(tree: Tree, low: Node, high: Node, policy: MergePolicy, path: Path, advice: str) -> Iterator[Diagnostic]:
    """What happens to one layer's value under the next one's."""
    name = format_path(path)
    if isinstance(low, Deferred) and not isinstance(low, Mark):
        if not isinstance(high, Deferred) and decides(high, policy):
            yield _unused(tree, low, high, path)
    elif (
        isinstance(low, MapNode | ListNode) and isinstance(high, MapNode | Scalar | ListNode) and low.kind != high.kind
    ):
        yield _container_lost(low, high, name)
    elif isinstance(low, ListNode) and isinstance(high, ListNode) and list_rule(high, policy).strategy == "replace":
        if high.rule is None and not all(any(equal(item, other) for other in high.items) for item in low.items):
            yield _list_lost(low, high, name, advice)
    elif isinstance(low, Scalar) and isinstance(high, Scalar) and (kinds := _other_type(low, high)) is not None:
        yield _type_lost(low, high, name, *kinds)
    elif not high.live and not low.live and not isinstance(low, MapNode) and equal(low, high):
        yield NO_CHANGE(Label(low.origin), Label(high.origin), hint=f"`{name}` can be removed from the higher layer")


def _container_lost(low: MapNode | ListNode, high: Node, name: str) -> Diagnostic:
    """A map or a list under a value of another kind."""
    count, unit = (len(low.entries), "key") if isinstance(low, MapNode) else (len(low.items), "item")
    size = f"{count} {unit}{'s' if count != 1 else ''}"
    null = isinstance(high, Scalar) and high.value is None
    return MAP_LOST(
        Label(low.origin, f"{name}: {size}"),
        Label(high.origin),
        kind=low.kind,
        low=size,
        high="null" if null else high.kind,
        hint=_meant(high) or f"remove `{name}` from one of them, or rename it",
    )


def _meant(high: Node) -> str:
    """`region us` over a map: a colon is missing."""
    parts = missing_colon(high)
    return f"did you mean `{parts[0]}: {parts[1]}`? Without the colon it is a string" if parts else ""


def missing_colon(node: Node) -> tuple[str, str] | None:
    """The key and the value of a text of two words on a line of its own, as `region us` below `vars:`."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or not isinstance(node.source, Source):
        return None
    words = node.text.split(" ")
    if len(words) != 2:
        return None
    line = node.source.line(node.origin.line).strip() if node.tag is None else ""
    if line != node.text or not words[0].replace("_", "a").replace("-", "a").isidentifier() or not words[1]:
        return None
    return (words[0], words[1]) if words[0][:1].islower() and words[1][-1] not in ".,;!?" else None


TYPES: dict[type, str] = {str: "a string", int: "a number", float: "a number", bool: "true or false"}
"""What the types of single values are called. A value without a type of its own, as null, has every type."""


def _other_type(low: Scalar, high: Scalar) -> tuple[str, str] | None:
    """The types of two values that replace each other; None where they are the same, or not known."""
    below, above = TYPES.get(low.value.__class__), TYPES.get(high.value.__class__)
    if below is None or above is None or below == above or low.tag is not None or high.tag is not None:
        return None
    return below, above


def _type_lost(low: Scalar, high: Scalar, name: str, below: str, above: str) -> Diagnostic:
    """A value over one of another type, as `1.10` over `"1.9"`."""
    hint = f"make both of them {below}, or both {above}"
    if isinstance(low.value, str):
        hint = f'write `"{high.text}"` to keep it a string' if not high.secret else "put it in quotes"
    return OTHER_TYPE(
        Label(low.origin, f"`{name}` is {below}"), Label(high.origin, f"{above} here"), low=below, high=above, hint=hint
    )


def _unused(tree: Tree, low: Node, high: Node, path: Path) -> Diagnostic:
    place = tree.top
    for step in path:
        place = place.child(step)
    value = tree.evaluator.force(low, place)
    if isinstance(value, Failure) and value.diagnostics:
        why = value.diagnostics[0].message
        return LOST_ERROR(
            Label(low.origin),
            Label(high.origin, "decides"),
            why=why,
            hint="fix or remove it: it will fail when the higher layer stops overriding it",
        )
    return NEVER_USED(Label(low.origin), Label(high.origin, "decides"), hint="remove one of them")


def _items(node: ListNode) -> str:
    return f"{len(node.items)} item{'s' if len(node.items) != 1 else ''}"


def _list_lost(low: ListNode, high: ListNode, name: str, advice: str) -> Diagnostic:
    named = all(isinstance(item, MapNode) and "name" in item.entries for item in low.items)
    hint = advice or (
        f"to merge them by name: head the list with `- !merge-by name`, or `{name}: key:name` under "
        "`lists` in plait.yaml"
        if named
        else f"to keep both: tag it `!append`, or `{name}: append` under `lists` in plait.yaml"
    )
    noted = " (every item has a `name`)" if named else ""
    return LIST_LOST(
        Label(low.origin, f"{name}: {_items(low)}{noted}"),
        Label(high.origin, f"{name}: {_items(high)}"),
        low=_items(low),
        high=str(len(high.items)),
        hint=hint,
    )
