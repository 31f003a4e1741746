"""What makes two items of a list the same item for a tool that reads it out of their texts: one function each.

An identity takes an item and a default, and gives the text that tells the item apart; None where it has none.
"""

from __future__ import annotations

from plait.core.node import MapNode, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def name(item: Node, default: str) -> str | None:
    """`NAME` of `NAME=VALUE`; a text without `=` is its own name."""
    return item.text.partition("=")[0] if isinstance(item, Scalar) else None


def whole(item: Node, default: str) -> str | None:
    return item.text if isinstance(item, Scalar) else None


def target(item: Node, default: str) -> str | None:
    """Where a volume is mounted: `TARGET` of `SOURCE:TARGET:MODE`."""
    if isinstance(item, Scalar):
        parts = split(item.text)
        return parts[1] if len(parts) > 1 else parts[0]
    return _field(item, "target")


def device(item: Node, default: str) -> str | None:
    """What a device is called in the container: `TARGET` of `SOURCE:TARGET:PERMISSIONS`."""
    if isinstance(item, Scalar):
        source, colon, rest = item.text.partition(":")
        return rest.partition(":")[0] if colon else source
    return _field(item, "target")


def mount(item: Node, default: str) -> str | None:
    """Where a secret or a config is mounted: at its target, else below the folder that is the default."""
    if isinstance(item, Scalar):
        return default + item.text
    return _field(item, "target") or default + (_field(item, "source") or "")


def port(item: Node, default: str) -> str | None:
    """A port in its short form is told apart by its text, in its long form by address, published, target, protocol.

    In its long form `80` and `"80"` are two ports: Compose compares the values, not their texts.
    """
    if isinstance(item, Scalar):
        return item.text
    if _field(item, "target") is None:
        return None
    address, protocol = _exactly(item, "host_ip", "0.0.0.0"), _exactly(item, "protocol", "tcp")
    return f"{address}:{_exactly(item, 'published', None)}:{_exactly(item, 'target', None)}/{protocol}"


def path(item: Node, default: str) -> str | None:
    return item.text if isinstance(item, Scalar) else _field(item, "path")


def _field(item: Node, key: str) -> str | None:
    value = item.entries.get(key) if isinstance(item, MapNode) else None
    return value.text if isinstance(value, Scalar) else None


def _exactly(item: Node, key: str, default: str | None) -> str:
    """A field, or its default where it is not there, in a form that tells a number from a text."""
    value = item.entries.get(key) if isinstance(item, MapNode) else None
    return repr(value.value if isinstance(value, Scalar) else default)


def split(spec: str) -> list[str]:
    """The parts of `a:b:c`. A colon inside `${NAME:-default}` or after the letter of a drive separates nothing."""
    parts, inside, start = [], 0, 0
    for at, letter in enumerate(spec):
        if letter == "$" and spec[at + 1 : at + 2] == "{":
            inside += 1
        elif letter == "}" and inside:
            inside -= 1
        elif letter == ":" and not inside and not (at - start == 1 and spec[start].isalpha()):
            parts.append(spec[start:at])
            start = at + 1
    return [*parts, spec[start:]]


IDENTITIES: dict[str, Callable[[Node, str], str | None]] = {
    "name": name,
    "whole": whole,
    "target": target,
    "device": device,
    "mount": mount,
    "port": port,
    "path": path,
}
"""The identities that a list rule `unique:NAME` may name."""
