"""`plait verify --tools` and `plait init --write --allow exec`: targets compared with what their own tools print. The
tools here are small programs that print what they are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.apps.cli.run import run

RESOURCE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {size: '1'}\n"
KUSTOMIZATION = {"prod/kustomization.yaml": "resources: [a.yaml]\n", "prod/a.yaml": RESOURCE}


def project(folder: Path, files: dict[str, str], tools: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    place = folder / ".tools"
    place.mkdir()
    for name, text in tools.items():
        (place / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (place / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    monkeypatch.chdir(folder)


def test_a_target_is_equal_to_what_its_tool_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, KUSTOMIZATION, {"kustomize": 'cat "$2/a.yaml"'}, monkeypatch)
    assert run(["init", "--write", "--allow", "exec"]) == 0
    assert "1 target: 1 equal" in capsys.readouterr().out
    (tmp_path / "prod/kustomization.yaml").write_text("resources: [a.yaml]\nnamePrefix: x-\n", encoding="utf-8")
    assert run(["verify", "--tools", "--allow", "exec"]) == 1


def test_a_tool_that_fails_or_is_not_there_is_no_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {**KUSTOMIZATION, "shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n"}
    project(tmp_path, files, {"kustomize": "echo no such base >&2; exit 1"}, monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path / ".tools"))
    assert run(["verify", "--tools", "--allow", "exec"]) == 5
    out = capsys.readouterr().out
    assert "`kustomize` failed: no such base" in out
    assert "`helm` is not on this machine" in out


@pytest.mark.parametrize(("value", "shown"), [("abc", "abc"), ("abcd", "<sensitive>")], ids=["too short", "masked"])
def test_what_a_tool_says_of_a_variable_that_files_name_is_masked(
    value: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {**KUSTOMIZATION, "prod/a.yaml": RESOURCE.replace("'1'", "PLACE_OF_TODAY")}
    project(tmp_path, files, {"kustomize": 'echo "bad: $PLACE_OF_TODAY, $OTHER_PLACE" >&2; exit 1'}, monkeypatch)
    monkeypatch.setenv("PLACE_OF_TODAY", value)
    monkeypatch.setenv("OTHER_PLACE", "elsewhere")
    assert run(["verify", "--tools", "--allow", "exec"]) == 5
    assert f"bad: {shown}, elsewhere" in capsys.readouterr().out


def test_what_a_tool_fills_in_for_a_variable_is_masked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {**KUSTOMIZATION, "prod/a.yaml": RESOURCE.replace("'1'", "PLACE_OF_TODAY, zone: a, count: '1'")}
    tool = 'sed "s/PLACE_OF_TODAY/in $PLACE_OF_TODAY/; s/zone: a/zone: b/" "$2/a.yaml"'
    project(tmp_path, files, {"kustomize": tool}, monkeypatch)
    monkeypatch.setenv("PLACE_OF_TODAY", "somewhere")
    assert run(["verify", "--tools", "--allow", "exec"]) == 1
    out = capsys.readouterr().out
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in out.splitlines() if " theirs: " in line}
    assert rows == {
        "ConfigMap/a.data.size": "theirs: <sensitive> ours: <sensitive>",
        "ConfigMap/a.data.zone": "theirs: b ours: a",
    }


def test_a_tool_runs_only_if_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, KUSTOMIZATION, {"kustomize": f"touch {tmp_path}/ran"}, monkeypatch)
    assert run(["verify", "--tools"]) == 1
    assert "--allow exec" in capsys.readouterr().err
    assert not (tmp_path / "ran").exists()


def test_a_name_of_the_repository_is_no_option_of_a_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name.replace("prod", "--enable-exec"): text for name, text in KUSTOMIZATION.items()}
    project(tmp_path, files, {"kustomize": f"touch {tmp_path}/ran"}, monkeypatch)
    assert run(["verify", "--tools", "--allow", "exec"]) == 1
    assert "PL2113" in capsys.readouterr().err
    assert not (tmp_path / "ran").exists()
