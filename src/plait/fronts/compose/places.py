"""Values of a Compose project where its files have them in another form: `NAME=VALUE` in a list, `8080:80` for a map.

People name a variable of a service by its name, `services.web.environment.LOG`, whatever form the files have.
"""

from __future__ import annotations

from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar, before_forms, key_text
from plait.fronts.compose.canonical import canonical
from plait.fronts.compose.nodes import like
from plait.fronts.forms import written
from plait.fronts.front import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.path import Path
    from plait.fronts.editing import WrittenPlace

S = "services.*"
PAIRS = tuple(
    tuple(path.split("."))
    for path in (
        *(f"{S}.{key}" for key in ("environment", "labels", "annotations", "sysctls")),
        *(f"{S}.build.args", f"{S}.build.labels", f"{S}.deploy.labels"),
        *(f"{kind}.*.labels" for kind in ("networks", "volumes", "secrets", "configs")),
    )
)
"""The places of maps that may be written as lists of `NAME=VALUE`."""


def is_pair(path: Path) -> bool:
    """Whether a path leads to one of the pairs of such a place."""
    return any(
        len(path) == len(pattern) + 1 and all(one in ("*", step) for one, step in zip(pattern, path, strict=False))
        for pattern in PAIRS
    )


def pair_at(items: ListNode, name: object) -> int | None:
    """The position of the last pair with a name in a list."""
    names = [word(item).partition("=")[0] for item in items.items]
    return len(names) - 1 - names[::-1].index(str(name)) if str(name) in names else None


def in_result(root: Node, path: Path) -> Path:
    """The path of a value, where a pair is named by its name and the result has a list: by its position there."""
    holder = at(root, path[:-1]) if is_pair(path) and isinstance(path[-1], str) else None
    position = pair_at(holder, path[-1]) if isinstance(holder, ListNode) else None
    return path if position is None else (*path[:-1], position)


def value_at(root: Node, path: Path) -> Node | None:
    """A value of a result; of a pair that is named by its name, what is after `=`."""
    holder = at(root, path[:-1]) if is_pair(path) and isinstance(path[-1], str) else None
    if not isinstance(holder, ListNode):
        return at(root, path)
    position = pair_at(holder, path[-1])
    if position is None:
        return None
    _, sign, text = word(holder.items[position]).partition("=")
    return like(holder.items[position], text if sign else None)


def path_in_file(document: Node, root: Node, path: Path) -> Path:
    """A path of the result as a file has it."""
    if is_pair(path):
        return _pair_in(document, root, path)
    for end in range(1, len(path)):
        item = at(root, path[: end + 1])
        here = at(document, path[:end])
        if isinstance(here, ListNode) and item is not None and isinstance(path[end], int):
            mine = [number for number, one in enumerate(here.items) if _is_from(item, one)]
            path = (*path[:end], mine[0] if len(mine) == 1 else path[end], *path[end + 1 :])
        if isinstance(here, ListNode) and isinstance(at(document, path[: end + 1]), Scalar):
            return path[: end + 1]
    return path


def _pair_in(document: Node, root: Node, path: Path) -> Path:
    name = path[-1]
    if not isinstance(name, str):
        found = at(root, path)
        name = word(found).partition("=")[0] if found is not None else str(name)
    holder = at(document, path[:-1])
    if not isinstance(holder, ListNode):
        return (*path[:-1], name)
    position = pair_at(holder, name)
    return (*path[:-1], len(holder.items) if position is None else position)


def _is_from(item: Node, one: Node) -> bool:
    """Whether an item of the result is the one of a file; a part of a merged item counts as well."""
    merged = before_forms(item)
    parts = merged.parts if isinstance(merged, MapNode) and merged.parts else (item,)
    return any(part.at == one.at and part.origin.file == one.origin.file for part in (item, *parts))


def as_wanted(root: Node, path: Path, value: Node) -> Node:
    """A value as the result is to have it: text, where it becomes `NAME=VALUE`."""
    in_list = is_pair(path) and isinstance(at(root, path[:-1]), ListNode)
    return like(value, written(value)) if in_list and isinstance(value, Scalar) and value.value is not None else value


def form_at(site: WrittenPlace, path: Path) -> Callable[[Node], Node] | None:
    """How a value with a path in the result is written at a place; None where it is written as it is."""
    if is_pair(path):
        return _pair_form(site, path)
    if len(site.steps) < len(path) and isinstance(site.written, Scalar):
        short, below = site.written, path[len(site.steps) :]
        return lambda value: _long(short, site.steps, below, value)
    return None


def _pair_form(site: WrittenPlace, path: Path) -> Callable[[Node], Node] | None:
    named, listed = isinstance(path[-1], str), isinstance(site.steps[-1], int)
    if named and listed:
        return lambda value: like(value, _pair(str(path[-1]), value))
    if not named and not listed:
        return lambda value: like(value, word(value).partition("=")[2])
    return None


def _pair(name: str, value: Node) -> str:
    return f"{name}={written(value)}" if isinstance(value, Scalar) and value.value is not None else name


def _long(short: Node, steps: Path, below: Path, value: Node) -> Node:
    """An item of a list in its long form, with another value in it."""
    whole = short
    for step in reversed(steps):
        whole = ListNode([whole]) if isinstance(step, int) else MapNode({str(step): whole})
    places = tuple(0 if isinstance(step, int) else step for step in steps)
    item = at(canonical(whole), places)
    if not isinstance(item, MapNode):
        return value
    return _with(item, below, value)


def _with(node: Node, path: Path, value: Node) -> Node:
    if not path or not isinstance(node, MapNode):
        return value
    key = str(path[0])
    below = node.entries.get(key, MapNode({}))
    return MapNode(
        {**{key_text(one): child for one, child in node.entries.items()}, key: _with(below, path[1:], value)}
    )
