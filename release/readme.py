"""Metadata of the package that is not written in pyproject.toml: its description, its links, and the README of the
package index."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from release.addresses import addresses, published
from release.described import DESCRIPTION, index_readme


class Readme(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        urls = addresses()
        metadata["description"] = DESCRIPTION
        metadata["urls"] = urls
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": published(index_readme(text), urls.get("Source", "")),
        }
