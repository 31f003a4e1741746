"""The documentation that is installed with plait, as text: what `plait help TOPIC` prints."""

from __future__ import annotations

import os

from plait.access.process import PACKAGE

HOMES = (os.path.join(PACKAGE, "docs"), os.path.join(PACKAGE, "..", "..", "docs"))
"""Where the pages are: in an installed package, and in a checkout."""
LEFT_OUT = ("decisions",)
"""Folders whose pages are not topics."""


def page_names() -> dict[str, str]:
    """The file of each page below the folder of pages, by its topic: `layers`, `stacks`, `reference/commands`."""
    home = next((folder for folder in HOMES if os.path.isdir(folder)), "")
    names: dict[str, str] = {}
    for folder, below, files in os.walk(home) if home else ():
        below[:] = sorted(name for name in below if name not in LEFT_OUT)
        for name in sorted(file for file in files if file.endswith(".md")):
            path = os.path.join(folder, name)
            names[_topic(os.path.relpath(path, home))] = path
    return names


def _topic(path: str) -> str:
    return path.removesuffix(".md").replace(os.sep, "/").removeprefix("fronts/")


def page_file(*topics: str) -> str:
    """The file of the first of these pages that is there; empty where none is."""
    files = (os.path.join(home, f"{topic}.md") for home in HOMES for topic in topics)
    return next((os.path.realpath(file) for file in files if os.path.isfile(file)), "")


def page_text(path: str) -> str:
    """The text of a page that `page_names` found."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def names_in(folder: str) -> list[str]:
    """The names of the files in a folder; none where it cannot be read."""
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except OSError:
        return []
