"""Finding what a reference means.

A reference looks for its first name in the maps around it, innermost first; lists give no scope. From there it
follows its steps and waits until what it finds is finished.
"""

from __future__ import annotations

from plait.core.diagnostic import PlaitError
from plait.core.node import Deferred, Mapping, Node, Scalar, Sequence, tag_of
from plait.core.scope import Blocked, Place
from plait.core.visible import counted
from plait.notations.dynaml.env import Env
from plait.notations.dynaml.items import addressed, position, text_of
from plait.notations.dynaml.tree import Reference, Term
from plait.report.catalog import NO_REFERENCE
from plait.report.near import Names, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from plait.core.scope import Scope

MARKS = {"dynaml:temporary": "temporary", "dynaml:local": "local"}
"""The tags of nodes that are left out of the result, and the words that make them so."""


def find(env: Env, steps: tuple[str, ...], tree: Term, rooted: bool = False) -> Node:
    """The finished value that a path leads to from the place of an expression."""
    if not rooted and steps[0] in env.names:
        return _within(env, env.names[steps[0]], steps, tree)
    staged = env.staged
    if not rooted and staged is not None and staged.around is not None and steps[0] in staged.around.entries:
        return _beside(env, staged.around, steps, tree)
    start = _enclosing(env, steps[0], rooted)
    if start is None:
        if staged is not None and not rooted and steps[0] in staged.given:
            return _within(env, staged.given[steps[0]], steps, tree)
        raise _nowhere(env, steps, 0, _names_around(env), tree)
    return _follow(env, start, steps, tree)


def _enclosing(env: Env, name: str, rooted: bool) -> tuple[Mapping, Place] | None:
    """The innermost map around the expression that has a name, or the root."""
    place = env.place.root if rooted else _outer(env)
    while place is not None:
        node = place.node
        if node.__class__ is not Mapping:
            node = _known_at(env, place)
        if isinstance(node, Mapping) and name in node.entries:
            return node, place
        place = place.parent
    return None


def _outer(env: Env) -> Place | None:
    """Where the search for names begins."""
    place = env.place.parent
    for _ in range(1, 1 if env.staged is None else env.staged.up):
        place = None if place is None else place.parent
    return place


def _known_at(env: Env, place: Place) -> Node | None:
    """What is at a place around the expression."""
    todo = [place]
    while todo[-1].node is None and todo[-1].parent is not None:
        todo.append(todo[-1].parent)
    found = None
    while todo:
        at = todo.pop()
        node = at.node if at.node is not None else _child(found, at.step)
        found = env.scope.known(node, at) if isinstance(node, Deferred) else node
        if at.node is None and found is not None:
            at.node = found
    return found


def _child(parent: Node | None, step: object) -> Node | None:
    if isinstance(parent, Mapping):
        return parent.entries.get(step)  # type: ignore[call-overload, no-any-return]
    return parent.items[step] if isinstance(parent, Sequence) and isinstance(step, int) else None


def _follow(env: Env, start: tuple[Node, Place], steps: tuple[str, ...], tree: Term) -> Node:
    """From a container along the steps; each must be known, the last one finished."""
    scope = env.scope
    node, place = start
    last = len(steps) - 1
    for depth, step in enumerate(steps):
        if isinstance(node, Mapping):
            child = node.entries.get(step)
            key: str | int | None = step
        elif isinstance(node, Sequence):
            key = env.items.find(node, step, scope, place)
            child = node.items[key] if key is not None else None
        else:
            child = None
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        place = place.child(key)  # type: ignore[arg-type]
        node = scope.known(child, place) if depth == last or isinstance(child, Deferred) else child
    return unmarked(scope.finished(node, place) if node.live else node)


def straight(tree: Reference, scope: Scope) -> tuple[Node, Place] | None:
    """What a reference leads to where every map on the way is known already; None where it takes a closer look."""
    steps = tree.steps
    place = scope.place.root if tree.rooted else scope.place.parent
    while place is not None:
        node = place.node
        if isinstance(node, Mapping):
            if steps[0] in node.entries:
                return _descend(node, place, steps)
        elif not isinstance(node, Sequence):
            return None
        place = place.parent
    return None


def _descend(node: Node, place: Place, steps: tuple[str, ...]) -> tuple[Node, Place] | None:
    for step in steps:
        child = node.entries.get(step) if isinstance(node, Mapping) else None
        if child is None:
            return None
        node, place = child, place.child(step)
    return node, place


def _within(env: Env, node: Node, steps: tuple[str, ...], tree: Term) -> Node:
    """Along the steps inside a finished value."""
    for depth, step in enumerate(steps[1:], 1):
        child = child_at(node, step)
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        node = child
    return node


def _beside(env: Env, around: Mapping, steps: tuple[str, ...], tree: Term) -> Node:
    """A neighbour of a `<<`: usable as it was written, unless it must be evaluated first, which waits for the `<<`."""
    node = around.entries[steps[0]]
    for depth, step in enumerate(steps[1:], 1):
        if isinstance(node, Deferred):
            break
        child = child_at(node, step)
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        node = child
    if node.live:
        raise Blocked((env.scope.node, env.scope.place))
    return node


def child_at(node: Node, step: str) -> Node | None:
    """What a step leads to in a container of known items."""
    if isinstance(node, Mapping):
        return node.entries.get(step)
    if isinstance(node, Sequence):
        index = item_at(node, step)
        return None if index is None else node.items[index]
    return None


def item_at(node: Sequence, step: str) -> int | None:
    """The item of a finished list that a step means: `[0]`, the value of its key field, or `field:value`."""
    if step.startswith("["):
        return position(node, step)
    field, value = addressed(node, step)
    names = (text_of(item.entries.get(field)) if isinstance(item, Mapping) else None for item in node.items)
    return next((index for index, name in enumerate(names) if name == value), None)


def unmarked(node: Node) -> Node:
    """A value without the mark of the place that it was read from."""
    return marked(node, None) if tag_of(node) in MARKS else node


def marked(node: Node, tag: str | None) -> Node:
    """A value with another tag."""
    if isinstance(node, Mapping):
        return Mapping(node.entries, node.source, node.at, tag, node.live, node.marks, node.parts)
    if isinstance(node, Sequence):
        return Sequence(node.items, node.source, node.at, tag, node.live, node.parts, node.rule)
    return Scalar(node.value, node.text, node.source, node.at, tag, node.secret) if isinstance(node, Scalar) else node


def _nowhere(env: Env, steps: tuple[str, ...], depth: int, here: Node | Names, tree: Term) -> PlaitError:
    """Nothing there: what is similar, or how much there is."""
    before = ".".join(steps[:depth])
    if isinstance(here, Sequence):
        hint = did_you_mean(steps[depth], env.items.names(here)) or f"`{before}` has {counted(len(here.items), 'item')}"
    elif isinstance(here, Scalar):
        hint = f"`{before}` is neither a map nor a list"
    else:
        entries = here.entries if isinstance(here, Mapping) else {}
        hint = did_you_mean(steps[depth], here if isinstance(here, Names) else entries)
    return env.failure(NO_REFERENCE, tree, path=".".join(steps), hint=hint)


def _names_around(env: Env) -> Names:
    around: list[Collection[object]] = [env.names]
    place = _outer(env)
    while place is not None:
        node = _known_at(env, place)
        if isinstance(node, Mapping):
            around.append(node.entries)
        place = place.parent
    return Names(*around)
