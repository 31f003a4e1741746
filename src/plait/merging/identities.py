"""What makes two items of a list the same item for a tool that reads it out of their texts: one function each.

An identity takes an item and a default, and gives the text that tells the item apart; None where it has none.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar

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
    """A port in its short form is told apart by its text, in its long form by address, published, target, protocol."""
    if isinstance(item, Scalar):
        return item.text
    inside = _field(item, "target")
    if inside is None:
        return None
    address, protocol = _field(item, "host_ip") or "0.0.0.0", _field(item, "protocol") or "tcp"
    return f"{address}:{_field(item, 'published') or ''}:{inside}/{protocol}"


def path(item: Node, default: str) -> str | None:
    return item.text if isinstance(item, Scalar) else _field(item, "path")


def _field(item: Node, key: str) -> str | None:
    value = item.entries.get(key) if isinstance(item, Mapping) else None
    return value.text if isinstance(value, Scalar) else None


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
