"""Overlays for every field and option of kustomizations, and what the real kustomize makes of each.

`kustomize.yaml` has them: named sets of resources, and cases of files with the digest of what kustomize 5.5 (in
kubectl 1.32) printed, or `refused`. `make judges` compares all of them with the command and says where a record is no
longer true; the suite builds a sample and compares the digests.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

DATA: dict[str, Any] = yaml.load(Path(__file__).with_name("kustomize.yaml").read_bytes(), yaml.CSafeLoader)
CASES: dict[str, dict[str, Any]] = DATA["cases"]


def write(name: str, folder: Path) -> None:
    """Put the files of a case into a folder; `over` is the one that is built."""
    case = CASES[name]
    texts = case.get("files") or {
        "over/kustomization.yaml": f"resources: [all.yaml]\n{case['kustomization']}",
        "over/all.yaml": {"set": case["set"]},
    }
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        plain = DATA["sets"][text["set"]] if isinstance(text, dict) else text
        (folder / path).write_bytes(plain.encode())


def digest(documents: list[Any]) -> str:
    return hashlib.sha256(json.dumps(documents, sort_keys=True, default=str).encode()).hexdigest()[:16]
