"""Short forms brought into the long ones that Compose prints: one row for each place that has several forms.

What holds a variable stays as it is written where it cannot be read without its value.
"""

from __future__ import annotations

from functools import partial

from plait.core.find import word
from plait.core.node import ListNode, Node, is_null, remade_list
from plait.fronts.compose.nodes import (
    as_map,
    changed_at,
    entries,
    is_text,
    items_changed,
    like,
    list_of,
    map_of,
    with_defaults,
)
from plait.fronts.compose.ports import ports
from plait.fronts.compose.volumes import volume
from plait.fronts.forms import as_list, context, external, names, started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def canonical(root: Node, filled: bool = False) -> Node:
    """A merged file in its long form; `filled` where no variable waits for its value."""
    for path, change in FORMS[filled]:
        root = changed_at(root, path, change)
    return root


def _each(change: Callable[[Node], Node]) -> Callable[[Node], Node]:
    """The same for every item of a list."""

    def changed(node: Node) -> Node:
        return items_changed(node, change) if isinstance(node, ListNode) else node

    return changed


def _pairs_as_map(node: Node) -> Node:
    """`[NAME=value, OTHER]` as `{NAME: value, OTHER: null}`."""
    if not isinstance(node, ListNode) or not all(map(is_text, node.items)):
        return node
    return as_map(node)


def _source(node: Node) -> Node:
    return map_of(node, {"source": node}) if is_text(node) else node


def _secret(node: Node) -> Node:
    """A secret of a service, with the file that it is mounted as."""
    made = _source(node)
    return with_defaults(made, {"target": f"/run/secrets/{word(made, 'source')}"})


def _device(node: Node) -> Node:
    if not is_text(node):
        return node
    source, _, rest = word(node).partition(":")
    target, _, rights = rest.partition(":")
    words = {"source": source, "target": target or source, "permissions": rights or "rwm"}
    return map_of(node, {key: like(node, word) for key, word in words.items()})


def _request(node: Node) -> Node:
    """A request of devices: all of them, unless it says which or how many."""
    return node if {"count", "device_ids"} & set(entries(node)) else with_defaults(node, {"count": "all"})


def _requests(node: Node) -> Node:
    """`gpus: all` as a list of one request."""
    return _each(_request)(list_of(node, [map_of(node, {})]) if is_text(node) else node)


def with_requests(root: Node) -> Node:
    """The lowest file as Compose merges others over it: `gpus: all` is a list by then."""
    return changed_at(root, ("services", "*", "gpus"), _requests)


def _filled_list(node: Node) -> Node:
    made = as_list(node)
    if not isinstance(made, ListNode):
        return made
    kept = [(item, index, None) for index, item in enumerate(made.items) if word(item)]
    return made if len(kept) == made.size else remade_list(made, kept)


def _env_files(node: Node) -> Node:
    return _each(_env_file)(as_list(node))


def _env_file(node: Node) -> Node:
    if is_text(node):
        return map_of(node, {"path": node, "required": like(node, True)})
    return with_defaults(node, {"required": True})


def _dependency(node: Node) -> Node:
    return with_defaults(node, {"required": True})


# Resources


def _resource(node: Node) -> Node:
    """A network, volume, secret or config."""
    return map_of(node, {}) if is_null(node) else external(node)


RESOURCES = ("networks", "volumes", "secrets", "configs")


def _forms(filled: bool) -> tuple[tuple[tuple[str, ...], Callable[[Node], Node]], ...]:
    return (
        (("services", "*", "build"), context),
        (("services", "*", "build", "additional_contexts"), _pairs_as_map),
        (("services", "*", "build", "ssh"), _pairs_as_map),
        (("services", "*", "build", "secrets"), _each(_source)),
        (("services", "*", "configs"), _each(_source)),
        (("services", "*", "secrets"), _each(_secret)),
        (("services", "*", "depends_on"), started),
        (("services", "*", "depends_on", "*"), _dependency),
        (("services", "*", "devices"), _each(_device)),
        (("services", "*", "deploy", "resources", "reservations", "devices"), _each(_request)),
        (("services", "*", "dns"), _filled_list),
        (("services", "*", "gpus"), _requests),
        (("services", "*", "label_file"), as_list),
        (("services", "*", "models"), names),
        (("services", "*", "env_file"), _env_files),
        (("services", "*", "networks"), names),
        (("services", "*", "ports"), partial(ports, filled=filled)),
        (("services", "*", "volumes"), _each(partial(volume, filled=filled))),
        *(((kind, "*"), _resource) for kind in RESOURCES),
    )


FORMS = {filled: _forms(filled) for filled in (False, True)}
"""The places of a Compose file that have several forms, and how they get the long one; in texts whose variables have
values, a dollar sign is a letter."""
