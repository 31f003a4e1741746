"""The files that pages need beside their text: part of the package, read once."""

from __future__ import annotations

from importlib.resources import files

KINDS = {"style.css": "text/css", "explorer.js": "text/javascript", "icon.svg": "image/svg+xml"}


def asset(name: str) -> bytes:
    """What one of these files holds."""
    return (files("plait.apps.web") / "assets" / name).read_bytes()
