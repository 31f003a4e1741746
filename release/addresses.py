"""The addresses of the project, from the one place that names them, and the README as a package index shows it.

`PLAIT_ADDRESS` and `PLAIT_SITE` name them for one build; without them, `src/plait/version.py` does. What is built (the
source archive, every wheel and the single file) has the addresses and the commit in its own `version.py`, so that
nothing has to be set to install it.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[([^\]\n]*)\]\((?!\w+:|#)([^)\s]+)\)")
PICTURES = (".svg", ".png")


VARIABLES = {"SOURCE": "PLAIT_ADDRESS", "DOCUMENTATION": "PLAIT_SITE"}
"""Each address in `version.py`, and the variable that sets it for a build."""
VERSION = ROOT / "src" / "plait" / "version.py"


def addresses(env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The links of the package, by their label: none as long as the project has no address."""
    text = addressed(env)
    source, site = (_constant(text, name) for name in VARIABLES)
    if not source:
        return {"Documentation": site} if site else {}
    return {
        "Documentation": site or f"{source}/tree/main/docs",
        "Source": source,
        "Changelog": f"{source}/blob/main/CHANGELOG.md",
        "Issues": f"{source}/issues",
    }


def addressed(env: Mapping[str, str] = os.environ) -> str:
    """The text of `version.py` with the addresses that a build was given, and the commit of the checkout."""
    text = VERSION.read_text(encoding="utf-8").replace('COMMIT = ""', f'COMMIT = "{commit()}"')
    for name, variable in VARIABLES.items():
        if env.get(variable):
            end = "/" if name == "DOCUMENTATION" else ""
            text = re.sub(
                rf'^{name} = ".*"$', f'{name} = "{checked(env[variable]).rstrip("/")}{end}"', text, flags=re.M
            )
    return text


def commit() -> str:
    """The commit of this checkout; empty where it is none, or has no git."""
    if not (ROOT / ".git").exists():
        return ""
    try:
        told = subprocess.run(
            ["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return told.stdout.strip() if not told.returncode else ""


def checked(url: str) -> str:
    """An address that can be written into a line of Python and of Markdown as it is."""
    if not re.fullmatch(r"https?://[\w.:/~-]+", url):
        raise ValueError(f"not an address: {url!r}; write it as https://HOST/OWNER/plait")
    return url


def _constant(text: str, name: str) -> str:
    found = re.search(rf'^{name} = "([^"]*)"$', text, re.M)
    return found[1] if found else ""


def published(text: str, source: str) -> str:
    """A page of the repository for readers elsewhere: its links are addresses, or plain text while there are none."""

    def link(found: re.Match[str]) -> str:
        picture, label, target = found.groups()
        if not source:
            return "" if picture else label
        below = "raw" if target.endswith(PICTURES) else "blob"
        return f"{picture}[{label}]({source}/{below}/main/{target})"

    return LINK.sub(link, text)
