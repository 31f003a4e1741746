"""How to install what is missing, by how plait was installed."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from plait.report.installing import FROZEN, PACKAGES, how_to_install

VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"


def test_the_packages_are_those_of_the_project() -> None:
    data = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    extras = data["project"]["optional-dependencies"]
    needed = data["project"]["dependencies"]
    assert {part: list(packages) for part, packages in PACKAGES.items() if part in extras} == extras
    assert all(package in needed for part in PACKAGES.keys() - extras for package in PACKAGES[part])


@pytest.mark.parametrize(
    ("files", "command"),
    [
        (["pipx_metadata.json", "pyvenv.cfg"], "pipx inject plait"),
        (["uv-receipt.toml", "pyvenv.cfg"], "uv pip install --python /the/python"),
        (["pyvenv.cfg", f"lib/{VERSION}/site-packages/pip"], "/the/python -m pip install"),
        (["pyvenv.cfg"], "pip --python /the/python install"),
        ([], "/the/python -m pip install"),
    ],
)
def test_the_command_is_that_of_the_installer(files: list[str], command: str, tmp_path: Path) -> None:
    """pipx and uv leave a file in the environments that they make, wherever those are; `make demo` makes one without
    pip."""
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert how_to_install("crypto", str(tmp_path), "/the/python") == f"{command} 'bcrypt>=4' 'cryptography>=42'"


def test_a_single_file_cannot_be_extended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert how_to_install("aws") == f"{FROZEN} 'boto3>=1.34'"
