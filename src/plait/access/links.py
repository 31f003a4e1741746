"""Symbolic links of a tree, as git sees them: a link is a name with a text that says where it leads."""

from __future__ import annotations

import os


class LinkText(str):
    """Where a link leads, as it is written."""

    __slots__ = ()


def link_at(place: str) -> LinkText | None:
    """What a name says that is a link, wherever it leads; None for any other."""
    return LinkText(os.readlink(place)) if os.path.islink(place) else None


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
            known = self._known[name] = above or (name if self.text(name) is not None else "")
        return known

    def text(self, name: str) -> LinkText | None:
        """What a link says, in words that hold in a copy of the tree, too; None for a name that is none of them."""
        place = os.path.join(self._root, name)
        text = link_at(place)
        if text is None or not self._holds(real := os.path.realpath(place)):
            return None
        folder = os.path.dirname(place)
        stays = not os.path.isabs(text) and self._holds(os.path.normpath(os.path.join(folder, text)))
        return text if stays else LinkText(os.path.relpath(real, folder))

    def _holds(self, place: str) -> bool:
        return f"{place}{os.sep}".startswith(os.path.join(self._root, ""))
