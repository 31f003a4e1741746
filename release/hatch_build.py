"""The build hook. Both archives have the addresses that the build was given; a wheel has the native reader where a
compiler is there, the pages of `plait help`, and manual pages."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "native"), str(ROOT / "src")]

from build import build, target

from release.addresses import addressed
from release.pages import installed_pages, man_pages


class Archive(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        editable = version == "editable"
        into = Path(self.root, "src", "plait") if editable else Path(tempfile.mkdtemp())
        if not editable:
            place = "src/plait/version.py" if self.target_name == "sdist" else "plait/version.py"
            self._add(into / "version.py", place, addressed(), build_data)
        if self.target_name == "wheel":
            self._fill(into, editable, build_data)

    def _fill(self, into: Path, editable: bool, build_data: dict[str, Any]) -> None:
        trouble = build(into)
        self.app.display_info(f"reader: Python ({trouble})" if trouble else "reader: native")
        if editable:
            return
        if not trouble:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["force_include"][str(target(into))] = f"plait/{target(into).name}"
        for place, text in {**installed_pages(), **man_pages()}.items():
            self._add(into / place, place, text, build_data)

    def _add(self, file: Path, place: str, text: str, build_data: dict[str, Any]) -> None:
        """Put a text into the wheel: a page into the package, a manual page where programs look for one."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        shared = place.startswith("share/")
        build_data["shared_data" if shared else "force_include"][str(file)] = place
