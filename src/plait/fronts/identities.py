"""Names of resources, which every report shows: no secret may be in them."""

from __future__ import annotations

from plait.core.diagnostic import Label, OwnWords
from plait.core.node import MapNode, Scalar
from plait.core.resource import IDENTITY
from plait.report.catalog import SECRET_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import PlaitError
    from plait.core.node import Node

A_NAME, A_KEY = "the name of a resource", "a key"


def identity_scalars(node: Node) -> Iterator[Scalar]:
    """The scalars that a resource is called by."""
    stack = [(node, IDENTITY)]
    while stack:
        at, fields = stack.pop()
        for key, below in fields.items():
            child = at.entries.get(key) if isinstance(at, MapNode) else None
            if isinstance(child, Scalar):
                yield child
            elif child is not None:
                stack.append((child, below))


def check_identity(node: Node) -> None:
    """That a resource is not called by a secret."""
    for scalar in identity_scalars(node):
        if scalar.secret:
            raise visible(Label(scalar.origin), A_NAME)


def visible(label: Label, what: str) -> PlaitError:
    """The refusal of a secret where nothing can be masked."""
    return SECRET_NAME.error(label, what=OwnWords(what), hint="make it of something that is not `!sensitive`")
