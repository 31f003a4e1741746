"""Overrides as Compose merges them: `plait merge BASE OVERRIDE --profile compose` against the merged file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import yaml

from tests.answers import answer


class AsText(yaml.CSafeLoader):
    """Reads every scalar as text, but null."""


AsText.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in found if tag == "tag:yaml.org,2002:null"]
    for letter, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def texts(value: Any) -> Any:
    """Data with every scalar but null as text."""
    if isinstance(value, dict):
        return {str(key): texts(child) for key, child in value.items()}
    if isinstance(value, list):
        return [texts(item) for item in value]
    if isinstance(value, bool):
        return str(value).lower()
    return value if value is None else str(value)


def merged(base: str, override: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder, name)) for name in ("compose.yaml", "compose.override.yaml")]
        for name, text in zip(names, (base, override), strict=True):
            Path(name).write_text(text, encoding="utf-8")
        status, out, err = answer(["merge", *names, "--profile", "compose", "--reveal"])
    if status:
        raise AssertionError(err)
    return yaml.load(out, AsText)


def override(case: dict[str, Any], folder: object) -> None:
    actual, wanted = texts(merged(case["base"], case["override"])), yaml.load(case["expected"], AsText)
    assert actual == wanted, f"{actual!r} is not {wanted!r}"


KINDS = {"compose/override": override}
