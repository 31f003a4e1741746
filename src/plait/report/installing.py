"""How to install what an optional part of plait needs: the command that works for how plait itself was installed.

plait may not be on any package index, so the packages are named, and not an extra of plait.
"""

from __future__ import annotations

import os
import sys

PACKAGES = {
    "jinja": ("jinja2>=3.1",),
    "schema": ("jsonschema-rs>=0.29",),
    "crypto": ("bcrypt>=4", "cryptography>=42"),
    "web": ("starlette>=0.40", "uvicorn>=0.30"),
    "watch": ("watchfiles>=0.21",),
    "lsp": ("pygls>=2,<3",),
    "redis": ("redis>=5",),
    "aws": ("boto3>=1.34",),
    "dask": ("distributed>=2024.8",),
    "ray": ("ray[client]>=2.30",),
    "gcp": ("google-auth[requests]>=2.23",),
    "azure": ("azure-identity>=1.15",),
}
"""What each part needs, as the extras of `pyproject.toml` have it."""
INSTALLERS = (
    (("pipx", "venvs"), "pipx inject plait"),
    (("uv", "tools"), "uv pip install --python {python}"),
)
"""Tools that give plait an environment of its own: folders in its path, and how to add packages to it."""


def how_to_install(part: str, prefix: str = "", python: str = "") -> str:
    """The command that installs what a part needs."""
    names = " ".join(f"'{package}'" for package in PACKAGES[part])
    folders = (prefix or sys.prefix).split(os.sep)
    command = next((command for marks, command in INSTALLERS if _follow(marks, folders)), "pip install")
    return f"{command.format(python=python or sys.executable)} {names}"


def _follow(marks: tuple[str, ...], folders: list[str]) -> bool:
    return any(tuple(folders[at : at + len(marks)]) == marks for at in range(len(folders)))
