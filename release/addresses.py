"""The addresses of the project, from the one place that names them, and the README as a package index shows it.

`PLAIT_ADDRESS` and `PLAIT_SITE` name them for one build; without them, `src/plait/version.py` does, and where that
names none, the remote `origin` of the clone: what is built by hand has right links, too. What is built (the source
archive, every wheel and the single file) has the addresses and the commit in its own `version.py`, so that nothing has
to be set to install it.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REMOTE = re.compile(
    r"(?:https://|ssh://|)(?:[^@/]*@)?(?P<host>[\w.-]+\.\w+)(?::\d+)?[:/](?P<path>[\w./~-]+?)(?:\.git)?/?"
)
"""A remote of git on a server: `https://HOST/PATH`, `ssh://git@HOST/PATH` or `git@HOST:PATH`, all also with `.git`."""
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
            text = _with(text, name, checked(env[variable]).rstrip("/") + end)
    return (
        text if _constant(text, "SOURCE") else _with(text, "SOURCE", web_address(_git("remote", "get-url", "origin")))
    )


def commit() -> str:
    """Return the commit of this checkout; without git, as where a container is built, the one of PLAIT_COMMIT."""
    return _git("rev-parse", "HEAD") or os.environ.get("PLAIT_COMMIT", "")


def web_address(remote: str) -> str:
    """Return the address of a remote for a browser, without credentials; "" if it is on no server."""
    found = REMOTE.fullmatch(remote)
    return f"https://{found['host']}/{found['path'].strip('/')}" if found else ""


def _git(*words: str) -> str:
    """Return what git says about this checkout; "" where it is none, or there is no git."""
    if not (ROOT / ".git").exists():
        return ""
    try:
        told = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return told.stdout.strip() if not told.returncode else ""


def _with(text: str, name: str, value: str) -> str:
    return re.sub(rf'^{name} = ".*"$', f'{name} = "{value}"', text, flags=re.M)


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
