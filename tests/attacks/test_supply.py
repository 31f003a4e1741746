"""What a release and a review run is pinned: actions by commit, tools by digest, plait by its version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from plait.version import __version__

ROOT = Path(__file__).parents[2]
WORKFLOWS = [*sorted((ROOT / ".github/workflows").glob("*.y*ml")), ROOT / "action.yml"]


def steps_of(file: Path) -> list[dict[str, str]]:
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    jobs = data["jobs"].values() if "jobs" in data else [data["runs"]]
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_actions_are_pinned_by_commit(file: Path) -> None:
    used = [step["uses"] for step in steps_of(file) if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", one) for one in used), used


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_what_is_installed_is_pinned(file: Path) -> None:
    for step in steps_of(file):
        for command in re.findall(r"\bpip install\b.*|\bpipx run\b.*", step.get("run", "")):
            assert "--require-hashes" in command or f"plait=={__version__}" in command, command


def test_the_tools_have_digests() -> None:
    for file in (ROOT / "release/tools").glob("*.txt"):
        text = file.read_text(encoding="utf-8").replace("\\\n", " ")
        rows = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert rows
        assert all(re.match(r"[\w.-]+==\S+.* --hash=sha256:[0-9a-f]{64}", row) for row in rows)


@pytest.mark.parametrize("name", ["action.yml", "docs/gitlab.yml"])
def test_a_review_installs_the_version_it_was_released_with(name: str) -> None:
    installed = re.findall(r"pip install.*\bplait\S*", (ROOT / name).read_text(encoding="utf-8"))
    assert installed
    assert all(one.endswith(f" plait=={__version__}") for one in installed)


@pytest.mark.parametrize("name", [".ci/review-comment", "docs/gitlab.yml"])
def test_a_review_is_hermetic_and_has_no_token(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    runs = re.findall(r".*\bplait review \".*", text)
    assert runs
    assert all("env -i PATH=" in run and "--hermetic" in run for run in runs)
    assert text.index("unset PLAIT_TOKEN") < min(map(text.index, runs))
