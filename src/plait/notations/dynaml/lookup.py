"""Finding what a reference means.

A reference looks for its first name in the maps around it, innermost first; lists give no scope. From there it
follows its steps and waits until what it finds is finished.
"""

from __future__ import annotations

from plait.core.diagnostic import PlaitError
from plait.core.node import Container, Deferred, ListNode, MapNode, Mark, Node, Scalar, tag_of
from plait.core.scope import Blocked, Place
from plait.core.visible import counted
from plait.notations.dynaml.items import addressed, position, text_of
from plait.notations.dynaml.taking import is_plain, takes_in
from plait.notations.dynaml.tree import Reference, Term
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import NO_REFERENCE
from plait.report.near import Names, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from plait.notations.dynaml.env import Env


PREFIX = "dynaml:"
"""How the tag of a node begins that carries marks; their words follow."""


def marks_of(node: Node) -> tuple[str, ...]:
    """The marks that a node carries."""
    return marks_in(tag_of(node))


def marks_in(tag: str | None) -> tuple[str, ...]:
    """The marks that a tag stands for."""
    return tuple(tag[len(PREFIX) :].split(",")) if tag is not None and tag.startswith(PREFIX) else ()


def mark_tag(marks: tuple[str, ...]) -> str | None:
    """The tag of a node with these marks."""
    return PREFIX + ",".join(sorted(set(marks))) if marks else None


def find(env: Env, steps: tuple[str, ...], tree: Term, rooted: bool = False) -> Node:
    """The finished value that a path leads to from the place of an expression."""
    first = steps[0]
    if rooted:
        return _from_root(env, steps, tree)
    if first in env.names:
        return _named(env, env.names[first], steps, tree)
    if first in SPECIAL:
        found = SPECIAL[first](env, steps, tree)
        if found is not None:
            return found
    staged = env.staged
    if staged is not None and staged.around is not None and first in staged.around.entries:
        return _beside(env, staged.around, steps, tree)
    start = _enclosing(env, first)
    if isinstance(start, Node):
        return _named(env, start, steps, tree)
    if start is not None:
        return _follow(env, start, steps, tree)
    if staged is not None and first in staged.given:
        return _within(env, staged.given[first], steps, tree)
    defined = env.names.get("_")
    if isinstance(defined, LambdaValue) and not env.dialect.successor and defined.place is not env.place:
        return _from_definition(env, defined, steps, tree)
    raise _nowhere(env, steps, 0, _names_around(env), tree)


def _named(env: Env, node: Node, steps: tuple[str, ...], tree: Term) -> Node:
    """A parameter or a name of a scope. `_.x` is what `x` means where the function is defined."""
    if steps[0] == "_" and len(steps) > 1 and isinstance(node, LambdaValue | TemplateBody):
        return _from_definition(env, node, steps[1:], tree)
    return _within(env, node, steps, tree)


def _from_definition(env: Env, value: LambdaValue | TemplateBody, steps: tuple[str, ...], tree: Term) -> Node:
    before = env.names, env.place, env.staged, env.frame
    env.names, env.place, env.staged = {}, value.place, value.staged
    env.frame = None if value.staged is None else value.staged.frame
    try:
        return find(env, steps, tree)
    finally:
        env.names, env.place, env.staged, env.frame = before


def _from_root(env: Env, steps: tuple[str, ...], tree: Term) -> Node:
    root = env.place.root
    node = root.node if root.node.__class__ is MapNode else _known_at(env, root)
    if steps[0] == "__map" and len(steps) > 1 and not isinstance(node, MapNode):
        place: Place | None = env.place.parent
        while place is not None:
            found = _known_at(env, place)
            if isinstance(found, MapNode):
                node, root = found, place
            place = place.parent
        return _follow(env, (node or Scalar(None, ""), root), steps[1:], tree)
    if (
        node is None
        or not isinstance(node, MapNode | ListNode)
        or (isinstance(node, MapNode) and steps[0] not in node.entries)
    ):
        raise _nowhere(env, steps, 0, _names_around(env), tree)
    return _follow(env, (node, root), steps, tree)


def _past_scopes(env: Env, steps: tuple[str, ...], tree: Term) -> Node | None:
    """`__.x`: from the map that holds the expression."""
    if len(steps) < 2:
        return None
    before = env.names, env.frame
    env.names, env.frame = {}, None
    try:
        return find(env, steps[1:], tree)
    finally:
        env.names, env.frame = before


def _outermost(env: Env, steps: tuple[str, ...], tree: Term) -> Node | None:
    """`___.x`: in the bindings of the command line, else in the document."""
    if len(steps) < 2 or env.staged is None:
        return None
    if not env.staged.given:
        return find(env, steps[1:], tree, rooted=True)
    if steps[1] not in env.staged.given:
        raise _nowhere(env, steps[1:], 0, Names(env.staged.given), tree)
    return _within(env, env.staged.given[steps[1]], steps[1:], tree)


def _context(env: Env, steps: tuple[str, ...], tree: Term) -> Node | None:
    """`__ctx.FILE` and its like."""
    if env.staged is None or env.staged.host is None:
        return None
    return _within(env, env.made_map(env.staged.host.context(env.place, env.staged)), steps, tree)


SPECIAL: dict[str, Callable[[Env, tuple[str, ...], Term], Node | None]] = {
    "__": _past_scopes,
    "___": _outermost,
    "__ctx": _context,
}
"""Names with a meaning of their own."""


def _enclosing(env: Env, name: str) -> tuple[MapNode, Place] | Node | None:
    """The innermost map around the expression that has a name; what a template's parameters say is around its nodes."""
    place: Place | None = env.place
    frame = env.frame
    skip = 1 if env.staged is None else env.staged.up
    while place is not None:
        if skip:
            skip -= 1
        else:
            node = place.node
            if node.__class__ is not MapNode:
                node = _known_at(env, place)
            if isinstance(node, MapNode) and name in node.entries:
                return node, place
        if frame is not None and place is frame.base:
            if name in frame.names:
                return frame.names[name]
            frame = frame.outer
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
    if isinstance(parent, MapNode):
        return parent.entries.get(step)  # type: ignore[call-overload, no-any-return]
    return parent.items[step] if isinstance(parent, ListNode) and isinstance(step, int) else None


def _follow(env: Env, start: tuple[Node, Place], steps: tuple[str, ...], tree: Term) -> Node:
    """From a container along the steps; each must be known, the last one finished."""
    scope = env.scope
    node, place = start
    last = len(steps) - 1
    for depth, step in enumerate(steps):
        if isinstance(node, MapNode):
            child = node.entries.get(step)
            key: str | int | None = step
        elif isinstance(node, ListNode):
            key = env.items.find(node, step, scope, place)
            child = node.items[key] if key is not None else None
        else:
            child = None
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        above, place = (node, place), place.child(key)  # type: ignore[arg-type]
        node = scope.known(child, place) if depth == last or isinstance(child, Deferred) else child
        if isinstance(node, Mark) and isinstance(above[0], ListNode) and env.dialect.successor:
            node, place = _present(env, above[0], above[1], step) or (node, place)
    if isinstance(node, Mark):
        if env.dialect.successor:
            raise _nowhere(env, steps, last, start[0], tree)
        return node
    return unmarked(_whole(env, node, place))


def _whole(env: Env, node: Node, place: Place) -> Node:
    """A value with everything in it known. What is made of a map or list is as secret as what is in it."""
    if node.live:
        return env.scope.finished(node, place)
    return env.scope.taken(node) if isinstance(node, Container) else node


def _present(env: Env, node: ListNode, place: Place, step: str) -> tuple[Node, Place] | None:
    """The item at a position of a list without those that are undefined; None for one that is named."""
    if not step.startswith("["):
        return None
    env.scope.meter.step(len(node.items))
    found: list[tuple[Node, Place]] = []
    for index, item in enumerate(node.items):
        at = place.child(index)
        known = env.scope.known(item, at) if isinstance(item, Deferred) else item
        if not isinstance(known, Mark):
            found.append((known, at))
    left = position(len(found), step)
    return None if left is None else found[left]


def reached(env: Env, node: Node, place: Place, steps: tuple[str, ...]) -> Node | None:
    """What steps lead to from a place of a document, finished; None where there is nothing."""
    scope = env.scope
    found: Node | None = node
    for step in steps:
        found = scope.known(found, place) if isinstance(found, Deferred) else found
        key: str | int | None = step if isinstance(found, MapNode) else None
        if isinstance(found, ListNode):
            key = env.items.find(found, step, scope, place)
        found = None if key is None or found is None else _child(found, key)
        if found is None:
            return None
        place = place.child(key)  # type: ignore[arg-type]
    found = scope.known(node if found is None else found, place)
    if isinstance(found, Mark):
        return None
    return _whole(env, found, place)


def standing(steps: tuple[str, ...], rooted: bool, around: Place) -> Node | None:
    """What a reference inside a container leads to, as it stands there, where every map on the way is known already;
    None where it takes a closer look."""
    place: Place | None = around.root if rooted else around
    while place is not None:
        node = place.node
        if node.__class__ is MapNode:
            found = node.entries.get(steps[0])
            if found is not None:
                for step in steps[1:]:
                    found = found.entries.get(step) if isinstance(found, MapNode) else None
                return found
        elif not isinstance(node, ListNode):
            return None
        place = place.parent
    return None


class NotAtHand(Exception):
    """A value takes more than what stands around its expression."""


def single_at(steps: tuple[str, ...], rooted: bool, around: Place) -> Scalar:
    """The single value that a reference leads to, where it stands there, has no tag and is no secret."""
    found = standing(steps, rooted, around)
    if found.__class__ is not Scalar or found.tag is not None or found.secret:
        raise NotAtHand
    return found


def straight(tree: Reference, at: Place) -> tuple[Node, Place] | None:
    """What a reference at a place leads to where every map on the way is known already; None where it takes a closer
    look."""
    steps = tree.steps
    place = at.root if tree.rooted else at.parent
    while place is not None:
        node = place.node
        if isinstance(node, MapNode):
            first = node.entries.get(steps[0])
            if first is not None:
                return _descend(first, place.child(steps[0]), steps[1:])
        elif not isinstance(node, ListNode):
            return None
        place = place.parent
    return None


def _descend(node: Node, place: Place, steps: tuple[str, ...]) -> tuple[Node, Place] | None:
    for step in steps:
        child = node.entries.get(step) if isinstance(node, MapNode) else None
        if child is None:
            return None
        node, place = child, place.child(step)
    return node, place


def _within(env: Env, node: Node, steps: tuple[str, ...], tree: Term) -> Node:
    """Along the steps inside a finished value, whose own name is the first of them."""
    for depth, step in enumerate(steps[1:], 1):
        child = child_at(node, step)
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        node = child
    return node


def inside(env: Env, node: Node, steps: tuple[str, ...], tree: Term) -> Node:
    """What steps lead to inside a finished value."""
    return unmarked(_within(env, node, (str(env.own(tree)), *steps), tree))


def _beside(env: Env, around: MapNode, steps: tuple[str, ...], tree: Term) -> Node:
    """A neighbour of a `<<`: usable as it was written, unless it must be evaluated or takes in others first, which
    waits for the `<<`."""
    control = env.dialect.control
    node = around.entries[steps[0]]
    for depth, step in enumerate(steps[1:], 1):
        if isinstance(node, Deferred) or takes_in(node, control):
            break
        child = child_at(node, step)
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        node = child
    if not is_plain(node, control):
        raise Blocked((env.scope.node, env.scope.place))
    return node


def child_at(node: Node, step: str) -> Node | None:
    """What a step leads to in a container of known items."""
    if isinstance(node, MapNode):
        return node.entries.get(step)
    if isinstance(node, ListNode):
        index = item_at(node, step)
        return None if index is None else node.items[index]
    return None


def item_at(node: ListNode, step: str) -> int | None:
    """The item of a finished list that a step means: `[0]`, the value of its key field, or `field:value`."""
    if step.startswith("["):
        return position(len(node.items), step)
    field, value = addressed(node, step)
    names = (text_of(item.entries.get(field)) if isinstance(item, MapNode) else None for item in node.items)
    return next((index for index, name in enumerate(names) if name == value), None)


def unmarked(node: Node) -> Node:
    """A value without the marks of the place that it was read from."""
    tag = tag_of(node)
    return marked(node, None) if tag is not None and tag.startswith(PREFIX) else node


def marked(node: Node, tag: str | None) -> Node:
    """A value with another tag."""
    if isinstance(node, LambdaValue | TemplateBody):
        return node.tagged(tag)
    return node.but(tag=tag) if isinstance(node, MapNode | ListNode | Scalar) else node


def _nowhere(env: Env, steps: tuple[str, ...], depth: int, here: Node | Names, tree: Term) -> PlaitError:
    """Nothing there: what is similar, or how much there is."""
    before = ".".join(steps[:depth])
    if isinstance(here, ListNode):
        hint = did_you_mean(steps[depth], env.items.names(here)) or f"`{before}` has {counted(len(here.items), 'item')}"
    elif isinstance(here, Scalar):
        hint = f"`{before}` is neither a map nor a list"
    else:
        entries = here.entries if isinstance(here, MapNode) else {}
        hint = did_you_mean(steps[depth], here if isinstance(here, Names) else entries)
    return env.failure(NO_REFERENCE, tree, path=".".join(steps), hint=hint)


def _names_around(env: Env) -> Names:
    around: list[Collection[object]] = [env.visible()]
    place = _outer(env)
    while place is not None:
        node = _known_at(env, place)
        if isinstance(node, MapNode):
            around.append(node.entries)
        place = place.parent
    return Names(*around)
