"""How to install what is missing, by how plait was installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from plait.report.installing import PACKAGES, how_to_install


def test_the_packages_are_those_of_the_project() -> None:
    data = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    extras = data["project"]["optional-dependencies"]
    assert {part: list(packages) for part, packages in PACKAGES.items()} == {part: extras[part] for part in PACKAGES}


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/u/.local/share/pipx/venvs/plait", "pipx inject plait"),
        ("/home/u/.local/pipx/venvs/plait", "pipx inject plait"),
        ("/home/u/.local/share/uv/tools/plait", "uv pip install --python /the/python"),
        ("/work/clone/.venv", "pip install"),
        ("/usr", "pip install"),
    ],
)
def test_the_command_is_that_of_the_installer(prefix: str, command: str) -> None:
    assert how_to_install("web", prefix, "/the/python") == f"{command} 'starlette>=0.40' 'uvicorn>=0.30'"
