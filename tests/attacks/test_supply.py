"""What a release and a review run is pinned: actions by commit, tools by digest, plait by its version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from plait import __version__

ROOT = Path(__file__).parents[2]
WORKFLOWS = [*sorted((ROOT / ".github/workflows").glob("*.y*ml")), ROOT / "action.yml", ROOT / "comment/action.yml"]


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
            assert "--require-hashes" in command, command


def test_the_tools_have_digests() -> None:
    for file in (ROOT / "release/tools").glob("*.txt"):
        text = file.read_text(encoding="utf-8").replace("\\\n", " ")
        rows = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert rows
        assert all(re.match(r"[\w.-]+==\S+.* --hash=sha256:[0-9a-f]{64}", row) for row in rows)


@pytest.mark.parametrize("name", ["action.yml", "docs/gitlab.yml"])
def test_a_review_installs_the_version_it_was_released_with(name: str) -> None:
    """The single file of that release, by its digest: nothing is installed from an index."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert set(re.findall(r"(?<![\d.])\d+\.\d+\.\d+\b", text)) == {__version__}
    assert "pip install" not in text
    assert "get-plait" in text or "sha256sum --check" in text


PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("editors/*/README.md"),
    ROOT / "docs" / "gitlab.yml",
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_name_this_version_and_no_index(page: Path) -> None:
    """As long as plait is on no package index, no page installs it from one."""
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"\brev: (\S+)", text)) <= {f"v{__version__}"}
    assert re.findall(r"(?:pip|pipx|uv tool|uv pip) install (?:-\S+ )*['\"]?plait\b.*", text) == []


@pytest.mark.parametrize("name", [".ci/review-comment", "docs/gitlab.yml"])
def test_a_review_is_hermetic_and_has_no_token(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    runs = re.findall(r".*\bplait review \".*", text)
    assert runs
    assert all("env -i PATH=" in run and "--hermetic" in run for run in runs)
    assert text.index("unset PLAIT_TOKEN") < min(map(text.index, runs))
