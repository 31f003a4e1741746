"""`make binary`: dist/plait, one file that needs no Python on the machine, and dist/plait-folder, the same as a folder.

Inside are the packages of `release/tools/binary.txt`: what plait depends on, and the extras crypto and watch, because
nobody can install more into a file. The file is a shell script with the folder behind it. It unpacks itself once, into
the user's own data folder, and then runs what it unpacked.
"""

from __future__ import annotations

import hashlib
import os
import py_compile
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

from release.addresses import addressed

ROOT = Path(__file__).resolve().parents[1]
BUILD, DIST = ROOT / "build" / "binary", ROOT / "dist"
START = """\
#!/bin/sh
# plait {version}: a program and what it needs, unpacked once. The lines below the marker are no text.
set -e
base="${{XDG_DATA_HOME:-${{HOME:+$HOME/.local/share}}}}"
case "$base" in
/*) ;;
*) echo "plait: there is no folder to unpack plait into: set HOME, or XDG_DATA_HOME, to an absolute path" >&2; exit 2 ;;
esac
place="$base/plait/program-{digest}"
if [ ! -x "$place/plait" ]; then
  umask 077
  mkdir -p "$base/plait"
  new="$(mktemp -d "$place.XXXXXX")"
  tail -n +{lines} "$0" | tar -xzf - -C "$new"
  if [ -x "$place/plait" ]; then rm -rf "$new"; else mv "$new" "$place"; fi
fi
exec "$place/plait" "$@"
"""
NEEDED = ("sh", "tar", "gzip", "tail", "mktemp", "mkdir", "mv", "rm")
"""The tools of every system that the file uses."""
SYSTEM = ("ld-", "libc.", "libm.", "libdl.", "libpthread.", "librt.", "libz.")
"""The libraries that the file takes from the system: the C library, and zlib, which the program needs before it knows
of its folder."""


GLIBC = re.compile(rb"\0GLIBC_(\d+)\.(\d+)")
"""A version of the C library that a program or library asks for."""


def main() -> int:
    """`--pack` packs a folder that is there; `--glibc 2.28` refuses what a system with that C library cannot run."""
    if "--pack" not in sys.argv:
        build()
    needed = newest_glibc(DIST / "plait-folder")
    print(f"glibc {needed[0]}.{needed[1]} or later is needed")
    if "--glibc" in sys.argv and needed > glibc_version(sys.argv[sys.argv.index("--glibc") + 1]):
        raise SystemExit("the file needs a newer C library than it may: build it on an older system")
    pack(DIST / "plait-folder", DIST / "plait")
    check(DIST / "plait")
    print(f"{DIST / 'plait'}: {(DIST / 'plait').stat().st_size / 1e6:.0f} MB")
    return 0


def newest_glibc(folder: Path) -> tuple[int, int]:
    """Return the newest version of glibc that a program or library below a folder asks for; (0, 0) if none does."""
    found = {(0, 0)}
    for file in folder.rglob("*"):
        if file.is_file() and (data := file.read_bytes()).startswith(b"\x7fELF"):
            found |= {(int(major), int(minor)) for major, minor in GLIBC.findall(data)}
    return max(found)


def glibc_version(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)


def build() -> None:
    """The folder, made in an environment that has nothing else."""
    python = BUILD / "env" / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "venv", str(BUILD / "env")], check=True)
    subprocess.run([*pip, "--require-hashes", "-r", str(ROOT / "release" / "tools" / "binary.txt")], check=True)
    (packages,) = (BUILD / "env").glob("lib/python*/site-packages")
    (packages / "plait-checkout.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")
    words = ["--noconfirm", "--log-level", "WARN", "--workpath", str(BUILD), "--distpath", str(DIST)]
    subprocess.run([str(python), "-m", "PyInstaller", *words, str(ROOT / "release" / "binary.spec")], check=True)
    (BUILD / "version.py").write_text(addressed(), encoding="utf-8")
    inside = DIST / "plait-folder" / "_internal" / "plait" / "version.pyc"
    py_compile.compile(
        str(BUILD / "version.py"),
        str(inside),
        "plait/version.py",
        doraise=True,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )


def pack(folder: Path, file: Path) -> None:
    """One file from a folder."""
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=6) as archive:
        archive.add(folder, ".", filter=_without_owner)
    data = packed.getvalue()
    words = {"version": _version(), "digest": hashlib.sha256(data).hexdigest()[:16]}
    lines = START.format(**words, lines=0).count("\n") + 1
    file.write_bytes(START.format(**words, lines=lines).encode() + data)
    file.chmod(0o755)


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def _version() -> str:
    text = (ROOT / "src" / "plait" / "version.py").read_text(encoding="utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def check(file: Path) -> None:
    """That it merges, explains and validates where there is no Python: in a root of its own if this user may make one,
    else with no other programs on the path."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for folder in ("work", "home", "tmp", "bin"):
            (root / folder).mkdir()
        (root / "work" / "a.yaml").write_text("a: !ref b\nb: 1\n", encoding="utf-8")
        shutil.copy2(file, root / "bin" / "plait")
        inside = sys.platform == "linux" and _may_change_root(root)
        if inside:
            _lay_out(root)
        for line, expected in (
            ("merge a.yaml", "a: 1\nb: 1\n"),
            ("query {{1+1}} a.yaml", "2\n"),
            ("explain a a.yaml", "!ref b"),
            ("version --verbose", "reader: "),
        ):
            printed = _run(root, line.split(), inside)
            if expected not in printed:
                raise SystemExit(f"plait {line} printed:\n{printed}")


def _may_change_root(root: Path) -> bool:
    """Whether this user may make another root folder, with what programs expect in it: not even the user root may,
    where a container is built without these rights."""
    (root / "dev").mkdir()
    leave = [sys.executable, "-c", "import os, sys; os.chroot(sys.argv[1])", str(root)]
    try:
        os.mknod(root / "dev" / "null", 0o666 | 0o020000, os.makedev(1, 3))
    except PermissionError:
        return False
    return not subprocess.run(leave, stderr=subprocess.DEVNULL).returncode


def _run(root: Path, words: list[str], inside: bool) -> str:
    base = "" if inside else str(root)
    env = {"HOME": f"{base}/home", "PATH": f"{base}/bin:/bin" if inside else f"{base}/bin:/usr/bin:/bin"}
    done = subprocess.run(
        [f"{base}/bin/plait", *words],
        env=env,
        cwd=None if inside else root / "work",
        preexec_fn=(lambda: (os.chroot(root), os.chdir("/work"))) if inside else None,
        capture_output=True,
        text=True,
    )
    return done.stdout if not done.returncode else f"{done.stdout}{done.stderr}(status {done.returncode})"


def _lay_out(root: Path) -> None:
    """The few tools that the file needs, with their libraries, and nothing else: no Python."""
    tools = [found for tool in NEEDED if (found := shutil.which(tool))]
    libraries = {word for tool in tools for word in _linked(tool)} | _of_system()
    for tool in tools:
        shutil.copy2(tool, root / "bin" / os.path.basename(tool))
    for library in libraries:
        target = root / library.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(library, target)


def _linked(program: str) -> list[str]:
    told = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [word for word in told.split() if word.startswith("/")]


def _of_system() -> set[str]:
    """The libraries of every system, and none of those that the folder has to bring."""
    folder = DIST / "plait-folder"
    found = {word for part in (folder / "plait", *folder.rglob("*.so*")) for word in _linked(str(part))}
    return {word for word in found if os.path.basename(word).startswith(SYSTEM)}


if __name__ == "__main__":
    sys.exit(main())
