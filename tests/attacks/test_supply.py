"""What a release and a review run is pinned: actions by commit, tools by digest, plait by its version."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from plait import __version__

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


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    """A place of releases with a single file for this system."""
    name = f"plait-{os.uname().sysname.lower()}-{os.uname().machine}"
    file = tmp_path / "releases" / "v1.2.3" / name
    file.parent.mkdir(parents=True)
    file.write_text("#!/bin/sh\necho it runs\n")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    file.with_name(f"{name}.sha256").write_text(f"{digest}  {name}\n")
    return tmp_path / "releases"


def got(releases: Path, version: str, folder: Path) -> subprocess.CompletedProcess[str]:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    script = ROOT / ".ci" / "get-plait"
    command = ["sh", script, releases.as_uri(), f"plait=={version}", folder]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_action_gets_the_single_file(releases: Path, tmp_path: Path) -> None:
    assert got(releases, "1.2.3", tmp_path / "bin").returncode == 0
    assert subprocess.run([tmp_path / "bin" / "plait"], capture_output=True, text=True).stdout == "it runs\n"


def test_a_damaged_file_is_refused(releases: Path, tmp_path: Path) -> None:
    (file,) = (one for one in (releases / "v1.2.3").iterdir() if one.suffix != ".sha256")
    file.write_text("#!/bin/sh\necho other\n")
    done = got(releases, "1.2.3", tmp_path / "bin")
    assert done.returncode == 1
    assert "is damaged" in done.stderr
    assert list((tmp_path / "bin").iterdir()) == []


def test_a_release_without_a_file_for_this_system_is_told(releases: Path, tmp_path: Path) -> None:
    done = got(releases, "9.9.9", tmp_path / "bin")
    assert done.returncode == 1
    assert "plait 9.9.9 has no single file for this system" in done.stderr


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
