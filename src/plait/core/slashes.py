"""Paths with slashes as texts, as Go's path package takes them apart: no file is looked at."""

from __future__ import annotations


def base(path: str) -> str:
    """The last element of a path."""
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


def directory(path: str) -> str:
    """A path without what follows its last slash."""
    return clean(path[: path.rfind("/") + 1])


def clean(path: str) -> str:
    """The shortest path that means the same."""
    rooted = path.startswith("/")
    out: list[str] = []
    for part in path.split("/"):
        if part == ".." and out and out[-1] != "..":
            out.pop()
        elif part not in ("", ".") and not (part == ".." and rooted):
            out.append(part)
    return ("/" if rooted else "") + "/".join(out) or "."
