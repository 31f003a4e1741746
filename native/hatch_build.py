"""The build hook: a wheel with the native reader where a compiler is there, else a wheel of pure Python."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from build import build, target


class NativeReader(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        editable = version == "editable"
        into = Path(self.root, "src", "plait") if editable else Path(tempfile.mkdtemp())
        trouble = build(into)
        self.app.display_info(f"reader: Python ({trouble})" if trouble else "reader: native")
        if not trouble and not editable:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["force_include"][str(target(into))] = f"plait/{target(into).name}"
