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
    "watch": ("watchfiles>=0.21",),
    "redis": ("redis>=5",),
    "aws": ("boto3>=1.34",),
    "dask": ("distributed>=2024.8",),
    "ray": ("ray[client]>=2.30",),
    "gcp": ("google-auth[requests]>=2.23",),
    "azure": ("azure-identity>=1.15",),
}
"""What each part needs that may be missing: the extras of `pyproject.toml`, and the two dependencies that are not there
where plait runs without its own installation, as in a browser."""
OWN = {"pipx_metadata.json": "pipx inject plait", "uv-receipt.toml": "uv pip install --python {python}"}
"""Tools that give plait an environment of its own: the file that they leave in it, and how to add packages to it."""
FROZEN = "this single file cannot be extended: install plait with pipx or pip, and with it"


def how_to_install(part: str, prefix: str = "", python: str = "") -> str:
    """The command that installs what a part needs."""
    names = " ".join(f"'{package}'" for package in PACKAGES[part])
    if "frozen" in vars(sys):  # PyInstaller says so
        return f"{FROZEN} {names}"
    prefix = prefix or sys.prefix
    command = next((command for mark, command in OWN.items() if os.path.exists(os.path.join(prefix, mark))), "")
    return f"{(command or _with_pip(prefix)).format(python=python or sys.executable)} {names}"


def _with_pip(prefix: str) -> str:
    """The pip that installs into an environment: its own, or that of another Python where it has none."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    places = [os.path.join(prefix, "lib", name, "site-packages", "pip") for name in (version, "python3")]
    is_environment = os.path.exists(os.path.join(prefix, "pyvenv.cfg"))
    return "pip --python {python} install" if is_environment and not any(map(os.path.exists, places)) else PIP


PIP = "{python} -m pip install"
