"""What plait is and how it is installed: one source, for the repository and for a package index.

The repository has its variant written in README.md and docs/index.md, and a test compares them; the build writes the
variant of the index into the metadata.
"""

from __future__ import annotations

DESCRIPTION = "Merges layered YAML files into one configuration and shows where every value comes from"
NEEDS = "Python 3.11 or later, on Linux or macOS; on Windows, plait runs in WSL"
"""Where plait runs."""
INSTALL = {
    "repository": f"""\
    pipx install .             # in a clone; or: uv tool install .
    plait blame values.yaml values-prod.yaml

plait needs {NEEDS}. It is not on a package index yet.
""",
    "index": f"""\
    pipx install plait         # or: uv tool install plait
    plait blame values.yaml values-prod.yaml

plait needs {NEEDS}.
""",
}
"""How to install plait, for readers of the repository and for those of a package index."""


def index_readme(text: str) -> str:
    """Return the README of the repository as a package index shows it. Raise ValueError if it does not have the text of
    `INSTALL` for the repository."""
    if INSTALL["repository"] not in text:
        raise ValueError("README.md does not have the text of release/described.py")
    return text.replace(INSTALL["repository"], INSTALL["index"])
