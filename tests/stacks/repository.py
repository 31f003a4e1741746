"""A repository written for one test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import plait

CONFIG = """base_path: "./"
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_template: "{{ .vars.stage }}"}
"""


def repository(folder: Path, files: dict[str, str], config: str = CONFIG, **options: object) -> Any:
    """The stacks of some manifests, by their paths below the stacks folder."""
    (folder / "atmos.yaml").write_text(config, encoding="utf-8")
    for name, text in files.items():
        path = folder / "stacks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return plait.stacks(str(folder), **options)  # type: ignore[arg-type]


def vars_of(folder: Path, component: str, files: dict[str, str], **options: object) -> object:
    """The vars of a component of the stack `dev`."""
    return repository(folder, files, **options).component(component, stack="dev").value("vars")
