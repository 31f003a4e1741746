"""Lines of YAML as pages show them."""

from __future__ import annotations

from plait.apps.web.markup import h


def coloured(text: str) -> list[object]:
    """A line of YAML with its key apart."""
    head, colon, rest = text.partition(":")
    if not colon or '"' in head or "'" in head:
        return [text]
    return [h("span", head, class_="k"), f":{rest}"]
