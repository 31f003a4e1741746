"""What the workflows build and try, as far as it can be tried here."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from release.binary import DIST, glibc_version, newest_glibc
from release.package import VERSIONS

from plait.core import native

ROOT = Path(__file__).parents[1]
LIMIT = (2, 28)


def workflow(name: str) -> dict[str, dict[str, object]]:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))["jobs"]
    assert isinstance(jobs, dict)
    return jobs


def told_by_readelf(file: Path) -> tuple[int, int]:
    """Return the newest version of glibc in the version table of a file, as readelf prints it."""
    shown = subprocess.run(
        ["readelf", "--version-info", "--wide", file], capture_output=True, text=True, check=True
    ).stdout
    return max((glibc_version(found) for found in re.findall(r"GLIBC_(\d+\.\d+)", shown)), default=(0, 0))


@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
@pytest.mark.skipif(sys.platform != "linux", reason="files of Linux")
def test_the_needed_glibc_is_read_from_the_files(tmp_path: Path) -> None:
    files = [Path(sys.executable).resolve(), *Path(native.__file__).parent.glob("../_native*.so")]
    copies = [Path(shutil.copy(file, tmp_path)) for file in files]
    assert newest_glibc(tmp_path) == max(map(told_by_readelf, copies)) > (2, 0)
    (tmp_path / "text").write_text("GLIBC_9.99")
    assert newest_glibc(tmp_path) < (9, 99)


@pytest.mark.skipif(not (DIST / "plait-folder").is_dir(), reason="the single file is not built: make binary")
@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
def test_the_single_file_needs_what_its_symbols_ask_for() -> None:
    """Built here, it needs at most the C library of this system; the release refuses one that needs more than 2.28."""
    libraries = [
        file for file in (DIST / "plait-folder").rglob("*") if file.is_file() and file.open("rb").read(4) == b"\x7fELF"
    ]
    assert newest_glibc(DIST / "plait-folder") == max(map(told_by_readelf, libraries))


def test_the_release_builds_for_an_old_glibc_and_tries_three() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert "release.binary --glibc 2.28" in text
    assert "for image in almalinux:8 almalinux:9 debian:sid-slim" in text
    assert glibc_version("2.28") == LIMIT


def test_pull_requests_run_everything_on_each_python_and_on_macos() -> None:
    job = workflow("ci.yml")["test"]
    matrix = job["strategy"]["matrix"]  # type: ignore[index]
    assert tuple(matrix["python"]) == VERSIONS
    assert matrix["os"] == ["ubuntu-latest"]
    assert {one["os"] for one in matrix["include"]} == {"macos-latest"}
    assert job["steps"][-1]["run"] == ".ci/run"  # type: ignore[index]


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_scripts_of_the_workflows_are_shell(name: str) -> None:
    """Each `run` is read by the shell without a complaint."""
    for job in workflow(name).values():
        for step in job["steps"]:  # type: ignore[attr-defined]
            script = re.sub(r"\$\{\{.*?\}\}", "x", step.get("run", ":"))
            done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
            assert done.stderr == "", script


def test_what_jobs_need_is_there() -> None:
    for name in ("ci.yml", "release.yml"):
        jobs = workflow(name)
        for job in jobs.values():
            needs = job.get("needs", [])
            assert set([needs] if isinstance(needs, str) else needs) <= set(jobs)  # type: ignore[call-overload]
