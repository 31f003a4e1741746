"""Paths of a Compose file, which are meant from the folder of the file that they are written in."""

from __future__ import annotations

import os

from plait.core.find import entry, word
from plait.core.node import MapNode, Node, Scalar, with_changes
from plait.fronts.compose.nodes import changed_at, is_text, like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

REMOTE = ("://", "git@", "github.com/")
"""Words by which a build context is not a folder of this machine."""
SLASHES = ("/", "\\")
PATHS = (
    ("services", "*", "build", "context"),
    ("services", "*", "build", "additional_contexts", "*"),
    ("services", "*", "build", "ssh", "*"),
    ("services", "*", "env_file", "*", "path"),
    ("services", "*", "label_file", "*"),
    ("services", "*", "develop", "watch", "*", "path"),
    ("configs", "*", "file"),
    ("secrets", "*", "file"),
)
"""Where a Compose file has paths, apart from volumes."""


def rebased(root: Node, folder: str) -> Node:
    """A tree with its paths moved from a folder to the one above it that the project is in."""

    def moved(node: Node) -> Node:
        words = word(node)
        if not is_text(node) or not is_local(words):
            return node
        path = relative(os.path.join(folder, words))
        return node if path == words else like(node, path)

    for path in PATHS:
        root = changed_at(root, path, moved)
    root = changed_at(root, ("services", "*", "volumes", "*"), _bind(moved))
    return changed_at(root, ("volumes", "*"), _device(moved))


def has_drive(words: str) -> bool:
    """Whether a path begins with the letter of a drive."""
    return words[:1].isalpha() and words[1:2] == ":"


def _is_of_windows(words: str) -> bool:
    """Whether a path is absolute on Windows: of a drive, or of a share."""
    if has_drive(words):
        return words[2:3] in SLASHES
    parts = words.replace("\\", "/").split("/")
    return len(parts) > 4 and parts[:2] == ["", ""] and all(one and not one.startswith(".") for one in parts[2:4])


def is_local(words: str) -> bool:
    if not words or _is_of_windows(words):
        return False
    return not words.startswith(("/", "~", "$", "service:")) and not any(one in words for one in REMOTE)


def relative(path: str) -> str:
    """A path from the project's folder, in the form that cannot be taken for a name."""
    path = os.path.normpath(path)
    return path if path.startswith((".", "/")) else f"./{path}"


def _bind(moved: Callable[[Node], Node]) -> Callable[[Node], Node]:
    def volume(node: Node) -> Node:
        if not isinstance(node, MapNode) or word(node, "type") != "bind":
            return node
        source = node.entries.get("source")
        return with_changes(node, {"source": moved(source)}) if isinstance(source, Scalar) else node

    return volume


def _device(moved: Callable[[Node], Node]) -> Callable[[Node], Node]:
    """A volume that is a folder of the host, by its options."""

    def volume(node: Node) -> Node:
        is_bind = "bind" in word(entry(node, "driver_opts", "o")).split(",")
        return changed_at(node, ("driver_opts", "device"), moved) if is_bind else node

    return volume
