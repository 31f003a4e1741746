"""Symbolic links of a tree, as git sees them: a link is a name with a text that says where it leads."""

from __future__ import annotations

import os


class Link:
    """A symbolic link of a tree: where it leads, as it is written. It is no text, and nothing reads it as one."""

    __slots__ = ("target",)

    def __init__(self, target: str) -> None:
        self.target = target

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Link) and other.target == self.target

    def __hash__(self) -> int:
        return hash((Link, self.target))


def link_at(place: str) -> Link | None:
    """Return the link at a place, wherever it leads; None for anything else."""
    return Link(os.readlink(place)) if os.path.islink(place) else None


def standing(place: str) -> str:
    """The nearest of a name and the folders above it that is there."""
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    return place


class TreeLinks:
    """The links of one tree that lead to something in it."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._known: dict[str, str] = {"": ""}

    def on_way(self, name: str) -> str:
        """The first of them on the way to a name, which may be the name; empty where there is none."""
        known = self._known.get(name)
        if known is None:
            above = self.on_way(os.path.dirname(name))
            known = self._known[name] = above or (name if self.link(name) is not None else "")
        return known

    def link(self, name: str) -> Link | None:
        """Return the link of this name, with a target that is right in a copy of the tree too; None where the name is
        no link that leads to something in the tree."""
        place = os.path.join(self._root, name)
        link = link_at(place)
        if link is None or not self._holds(real := os.path.realpath(place)):
            return None
        folder = os.path.dirname(place)
        stays = not os.path.isabs(link.target) and self._holds(os.path.normpath(os.path.join(folder, link.target)))
        return link if stays else Link(os.path.relpath(real, folder))

    def _holds(self, place: str) -> bool:
        return f"{place}{os.sep}".startswith(os.path.join(self._root, ""))
