"""The volumes of a service: `[SOURCE:]TARGET[:OPTIONS]` taken apart as Compose does it, whatever the machine is that it
runs on."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import MapNode, Node, Scalar, with_changes
from plait.core.slashes import clean
from plait.fronts.compose.nodes import has_variable, is_text, like, map_of
from plait.fronts.compose.paths import has_drive
from plait.merging.identities import split
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError

SHORTEST = 2
"""Of a volume that is named in so few bytes, Compose says nothing but its target."""
HOST_PATHS = (".", "/", "~", r"\\")
"""How the source of a volume begins that is a path, and not the name of a volume."""
ACCESS = {"ro": True, "rw": False}
PROPAGATION = ("private", "rprivate", "shared", "rshared", "slave", "rslave")
BIND = {**dict.fromkeys(PROPAGATION, "propagation"), "z": "selinux", "Z": "selinux"}
"""The field of `bind` that an option sets, whatever is mounted."""


def volume(node: Node, filled: bool) -> Node:
    """A volume in its long form."""
    if isinstance(node, MapNode):
        return with_changes(node, {"target": _mounted(node.entries["target"])}) if "target" in node.entries else node
    words = word(node)
    if not is_text(node) or (has_variable(words) and not filled):
        return node
    if 0 < len(words.encode()) <= SHORTEST:
        return map_of(node, {"type": like(node, "volume"), "target": _mounted(node)})
    source, target, options = _parts(node, words)
    return _long(node, source, _mounted(like(node, target)), options.split(","))


def _parts(node: Node, words: str) -> tuple[str, str, str]:
    """The source, the target and the options; a text of one part is a target."""
    parts = split(words)
    if not all(parts):
        raise _unreadable(node, words, "a part of it is empty")
    if len(parts) > 3:
        raise _unreadable(node, words, "it has more than three parts")
    if len(parts) == 1:
        return "", words, ""
    return parts[0], parts[1], parts[2] if len(parts) == 3 else ""


def _unreadable(node: Node, words: str, what: str) -> PlaitError:
    shown = "this" if isinstance(node, Scalar) and node.secret else f"`{words}`"
    hint = "write [SOURCE:]TARGET[:OPTIONS], such as ./data:/data:ro"
    return COMPOSE.error(Label(node.origin), why=f"{shown} is not a volume: {what}", hint=hint)


def _long(node: Node, source: str, target: Node, options: list[str]) -> Node:
    """As in Compose, an option counts that the kind of volume has no use for, and one that is unknown does not."""
    of_host = source.startswith(HOST_PATHS) or has_drive(source)
    kind = "bind" if of_host else "volume"
    bind = {"create_host_path": like(node, True)} if of_host else {}
    bind.update({BIND[option]: like(node, option) for option in options if option in BIND})
    named = {"nocopy": like(node, True)} if "nocopy" in options else {}
    access = [ACCESS[option] for option in options if option in ACCESS]
    made: dict[str, Node] = {"type": like(node, kind), "source": like(node, source), "target": target}
    made.update({"read_only": like(node, True)} if access and access[-1] else {})
    parts = {"bind": bind, "volume": named}
    made.update({key: map_of(node, values) for key, values in parts.items() if values or key == kind})
    return map_of(node, {key: value for key, value in made.items() if key != "source" or source})


def _mounted(node: Node) -> Node:
    """The path that a volume is mounted at, without `.`, `..` and a slash at its end."""
    words = word(node)
    path = clean(words) if words and not has_variable(words) else words
    return node if path == words else like(node, path)
