"""The README of the package index: links into the repository become addresses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(\]\(|src=\")(?!\w+:|#)([^)\"\s]+)")
PICTURES = (".svg", ".png")


def with_addresses(text: str, source: str) -> str:
    """The text with every relative link as an address below the repository's."""
    raw = source.replace("github.com", "raw.githubusercontent.com") + "/main/"

    def address(found: re.Match[str]) -> str:
        home = raw if found[2].endswith(PICTURES) else f"{source}/blob/main/"
        return f"{found[1]}{home}{found[2]}"

    return LINK.sub(address, text)


class Readme(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_addresses(text, metadata["urls"]["Source"]),
        }
