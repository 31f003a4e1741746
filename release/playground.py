"""The playground of the documentation site: its page, plait as an archive, the Python that runs it, and examples.

`python -m release.playground FOLDER` builds it. Pyodide comes from npm, as `playground/package.json` says.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from plait.apps.web.playground import FRONTS  # noqa: E402
from plait.profiles import profiles  # noqa: E402
from release.examples import Example, examples  # noqa: E402

PAGE = ROOT / "playground"
ASSETS = ROOT / "src" / "plait" / "apps" / "web" / "assets"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""What the browser needs of it."""
LEFT_OUT = ("package.json", "node_modules", "package-lock.json")


class Unavailable(Exception):
    """What is missing, for a person."""


def pyodide() -> Path:
    """The folder of Pyodide, which npm brings where it is not there yet."""
    home = Path(sys.prefix) / "playground"
    wanted = json.loads((PAGE / "package.json").read_text(encoding="utf-8"))["dependencies"]["pyodide"]
    found = home / "node_modules" / "pyodide"
    if found.is_dir() and json.loads((found / "package.json").read_text(encoding="utf-8"))["version"] == wanted:
        return found
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise Unavailable("the playground needs node and npm")
    home.mkdir(exist_ok=True)
    shutil.copy(PAGE / "package.json", home)
    words = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix", str(home)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    if done.returncode or not found.is_dir():
        raise Unavailable(f"npm does not bring pyodide {wanted}: {(done.stderr.strip() or 'no reason given')[-300:]}")
    return found


BEGIN = """
import sys
sys.path.insert(0, "/plait.zip")
from plait.apps.web.playground import Playground
playground = Playground()
"""
"""How the Python of the page begins; it has then answered every example once."""
ANSWER = """
import json, os, shutil
for asked in json.loads({asked!r}):
    files = dict(asked["files"])
    asked["files"] = list(files)
    question = json.dumps(dict(asked, settings=files.get("plait.yaml", "")))
    settings = playground.settings(question)
    for name, text in [*files.items(), *([("plait.yaml", settings)] if settings else [])]:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        open(name, "w").write(text)
    playground.show(question)
    for name in os.listdir("."):
        shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
playground = Playground()
del asked, files, question, settings, name, text, json, os, shutil
import gc
gc.collect()
zeros = [bytearray(size) for size in (65536, 16384, 4096, 1024) for _ in range(2_000_000 // size)]
del zeros, gc
"""
"""Memory that is free again is overwritten, so that it is small when it is packed."""


def pack(archive: Path) -> None:
    """plait and PyYAML, as their sources, in an archive that Python imports from."""
    spec = find_spec("yaml")
    assert spec is not None
    assert spec.origin is not None
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as made:
        for package in (ROOT / "src" / "plait", Path(spec.origin).parent):
            for file in sorted(package.rglob("*.py")):
                made.writestr(ZipInfo(file.relative_to(package.parent).as_posix()), file.read_bytes(), ZIP_DEFLATED)


def begin(python: Path, folder: Path, asked: list[Example]) -> None:
    """The memory of a Python that has loaded what every example needs: a browser begins there, in a fraction of the
    time."""
    program = folder / "begin.py"
    program.write_text(BEGIN + ANSWER.format(asked=json.dumps(asked)), encoding="utf-8")
    script, snapshot = ROOT / "release" / "snapshot.mjs", folder / "python.snapshot.gz"
    words = ["node", script, python, folder / "plait.zip", program, snapshot]
    subprocess.run([str(word) for word in words], check=True, timeout=900, stdin=subprocess.DEVNULL)
    program.unlink()


def build(folder: Path) -> None:
    """Everything that the page needs, into a folder."""
    python = pyodide()
    shutil.copytree(PAGE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (folder / "pyodide").mkdir(exist_ok=True)
    for name in PYODIDE:
        shutil.copy(python / name, folder / "pyodide" / name)
    shutil.copy(ASSETS / "style.css", folder / "explorer.css")
    shutil.copy(ASSETS / "icon.svg", folder / "icon.svg")
    found = examples()
    pack(folder / "plait.zip")
    begin(python, folder, list(found.values()))
    told = {"fronts": {name: one.told() for name, one in FRONTS.items()}, "profiles": sorted(profiles())}
    (folder / "examples.json").write_text(json.dumps({**told, "examples": found}), encoding="utf-8")
    _keep_offline(folder)


def _keep_offline(folder: Path) -> None:
    """The list of all files for the service worker, and a name for this state of them."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    names.remove("offline.js")
    digest = sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes())
    script = (PAGE / "offline.js").read_text(encoding="utf-8")
    script = script.replace('"VERSION"', json.dumps(f"plait-{digest.hexdigest()[:16]}"))
    (folder / "offline.js").write_text(script.replace('["FILES"]', json.dumps(["./", *names])), encoding="utf-8")


def main() -> int:
    try:
        build(Path(sys.argv[1]))
    except Unavailable as trouble:
        print(f"the playground is not built: {trouble}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
