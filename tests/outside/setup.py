"""`make services`: install what the tests of the outside world run against, where this machine lets us.

Every step is tried, bounded in time, and told. What cannot be installed is no error: its tests are skipped, and say
why. Nothing is installed for others to see, except packages by apt-get (servers, a browser, shells, an editor), where
we are root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SERVERS = Path(sys.prefix) / "servers"
PIP = [
    sys.executable,
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--retries",
    "1",
    "--timeout",
    "20",
]


def tried(what: str, argv: list[str], seconds: int) -> None:
    """Run one step, and say how it went."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL)
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        how = "installed" if not done.returncode else f"not installed: {last}"
    except FileNotFoundError:
        how = f"not installed: there is no {argv[0]}"
    except subprocess.TimeoutExpired:
        how = f"not installed within {seconds} seconds"
    print(f"{what}: {how}")


def from_debian(package: str, command: str) -> None:
    """A package of Debian's, where we are root and its command is not there yet."""
    if shutil.which(command):
        print(f"{package}: there")
    elif os.name == "posix" and os.geteuid() == 0:
        install = f"apt-get update --quiet; apt-get install --yes --quiet --no-install-recommends {package}"
        tried(package, ["sh", "-c", install], 300)
    else:
        print(f"{package}: not installed: only root may")


def main() -> None:
    tried("clients and emulators", [*PIP, "--group", "services", "--group", "profiles"], 300)
    tried("a parser of PowerShell", [*PIP, "tree-sitter", "tree-sitter-powershell"], 120)
    for package, command in (
        ("redis-server", "redis-server"),
        ("chromium", "chromium"),
        ("chromium-headless-shell", "chromium-headless-shell"),
        ("zsh", "zsh"),
        ("fish", "fish"),
        ("neovim", "nvim"),
    ):
        from_debian(package, command)
    for package, file in (("azurite", ".bin/azurite-blob"), ("axe-core", "axe-core/axe.min.js")):
        from_npm(package, SERVERS / "node_modules" / file)


def from_npm(package: str, file: Path) -> None:
    """A package of npm's in a folder of the environment, where it is not there yet."""
    if file.exists():
        print(f"{package}: there")
        return
    SERVERS.mkdir(exist_ok=True)
    quiet = ["--silent", "--no-fund", "--no-audit"]
    tried(package, ["npm", "install", *quiet, "--prefix", str(SERVERS), package], 180)


if __name__ == "__main__":
    main()
