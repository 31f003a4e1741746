"""Nothing that is written in a manifest is lost without a word: each value is in the results, or a finding names its
key."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from plait.apps.cli import main
from plait.fronts.stacks.assemble.section_layers import FACTS
from plait.fronts.stacks.config import sections
from plait.fronts.stacks.config.sections import TYPES

CONFIG = """
stacks: {base_path: stacks, included_paths: ["*"], name_template: "{{ .settings.stage }}"}
"""
ODD = ("varz", "labels", "tags", "annotations", "name", "description")
KEYS = sorted(
    {
        *(name for names in (*sections.COMPONENTS.values(), *sections.ALL_OF_TYPE.values()) for name in names),
        *(*sections.ROOT, *sections.OVERRIDES, *FACTS, *ODD),
    }
)
"""Every word that the schema has anywhere, what plait computes, and a few more."""
READ_OTHERWISE = {
    "import", "components", "locals", "component", "backend_type", "remote_state_backend_type", "inherits",
    "name", "version", "workflows", "compositions",
}  # fmt: skip
"""Words that decide something or are read by other commands; locals are never shown."""
CHECKED = [key for key in KEYS if key not in READ_OTHERWISE]


def value_of(key: str, marker: str) -> object:
    """A value that fits a key, with a text that can be found again."""
    if key in ("command", "required_version", "description"):
        return marker
    if key in ("backend", "remote_state_backend"):
        return {"s3": {marker: marker}}
    if key == "overrides":
        return {"vars": {marker: marker}}
    return {"labels": {marker: marker}} if key == "metadata" else {marker: marker}


def manifest_of(level: str, type: str) -> tuple[dict[str, object], dict[str, tuple[str, str]]]:
    """A manifest with every word at a level; and by marker how a finding names its place, and the word."""
    keys = (key for key in CHECKED if level != "root" or key not in (*TYPES, "description"))
    rows = {key: f"{level} {type} {key} here" for key in keys}
    values = {key: value_of(key, marker) for key, marker in rows.items()}
    backend = {"backend_type": "s3"} if type == "terraform" else {}
    if level == "component":
        members = {f"c-{key}": {**backend, key: value} for key, value in values.items()}
        places = {marker: (f"components.{type}.c-{key}.{key}:", key) for key, marker in rows.items()}
        return {"components": {type: members}}, places
    components: dict[str, object] = {"components": {type: {"one": {}}}}
    if level == "type":
        return {**components, type: {**backend, **values}}, {rows[key]: (f" {type}.{key}:", key) for key in values}
    return {**components, **values}, {rows[key]: (f" `{key}` at the root", key) for key in values}


@pytest.mark.parametrize("level", ["component", "type", "root"])
def test_every_value_is_printed_or_its_key_is_named(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "atmos.yaml").write_text(CONFIG)
    written: dict[str, tuple[str, str]] = {}
    for type in (*TYPES, "widget") if level != "root" else ("terraform",):
        manifest, places = manifest_of(level, type)
        settings = manifest.setdefault("settings", {})
        assert isinstance(settings, dict)
        settings["stage"] = type
        (tmp_path / f"stacks/{type}.yaml").write_text(yaml.safe_dump(manifest, sort_keys=False))
        written |= places
    monkeypatch.chdir(tmp_path)
    main(["describe", "stacks", "--format", "json", "--process-functions=false"])
    printed = capsys.readouterr().out
    main(["validate", "stacks"])
    named = capsys.readouterr().err
    lost = [place for marker, (place, _) in written.items() if marker not in printed and place not in named]
    assert lost == []
    assert sum(marker in printed for marker in written) > len(written) / 8
