"""A mask that comes back in an edited document stands for the secret it masks, and only in the same place."""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Node, Scalar, hidden, rewrite, secrets_in
from plait.core.path import Path
from plait.core.source import MASK, SENSITIVE
from plait.core.walk import leaf_nodes, pairs_of, places_of
from plait.report.catalog import MOVED_MASK


def unmasked(edited: Node, original: Node | None) -> Node:
    """The edited document with each unchanged mask exchanged for the secret of the original.

    A moved mask is refused.
    """
    secrets: dict[int, Node] = {}
    for _, node, before in pairs_of(edited, original):
        if isinstance(node, Scalar) and node.value == MASK:
            secrets[id(node)] = _masked_value(node, before)
    return rewrite(edited, lambda leaf: secrets.get(id(leaf), leaf)) if secrets else edited


def put_back(edited: Node, generated: Node | None) -> list[tuple[Path, Scalar, Scalar]]:
    """Where a mask was saved in a generated document, the mask, and what was generated. A moved one is refused."""
    masks: list[tuple[Path, Scalar, Scalar]] = []
    if not any(isinstance(leaf, Scalar) and leaf.value == MASK for leaf in leaf_nodes(edited)):
        return masks
    for path, node, before in pairs_of(edited, generated):
        if isinstance(node, Scalar) and node.value == MASK and not _is_mask(before):
            if not isinstance(before, Scalar):
                raise _moved(node)
            masks.append((path, node, before))
    return masks


def marked(node: Node) -> Node:
    """The same tree with `!sensitive` on every secret: what is written of it stays a secret."""

    def leaf(found: Node) -> Node:
        if isinstance(found, Scalar) and found.secret and found.tag is None:
            return found.but(tag=SENSITIVE, secret=True)
        return found

    return rewrite(node, leaf) if any(secret.tag is None for secret in secrets_in(node)) else node


def kept_secret(node: Node, *others: Node | None) -> Node:
    """The same tree with every scalar secret that is at the place of a secret in another one."""
    apart = {id(other): other for other in others if other is not None}.values()
    places = set().union(*(_secret_places(other) for other in apart if secrets_in(other)))
    places_here = places_of(node) if places else ()
    bare = {id(one) for path, one in places_here if path in places and isinstance(one, Scalar) and not one.secret}
    return rewrite(node, lambda found: hidden(found) if id(found) in bare else found) if bare else node


def _secret_places(node: Node) -> set[Path]:
    return {path for path, found in places_of(node) if isinstance(found, Scalar) and found.secret}


def _is_mask(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value == MASK


def _masked_value(mask: Scalar, before: Node | None) -> Node:
    """The secret that a mask stands for: what was at its place before."""
    if isinstance(before, Scalar) and before.secret:
        return before
    raise _moved(mask)


def _moved(mask: Scalar) -> PlaitError:
    return MOVED_MASK.error(Label(mask.origin), hint="write the value itself, or leave the masked value where it was")
