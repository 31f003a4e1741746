"""Law: the modules of plait are found as Python finds them, while their compiled code is that of their text."""

from __future__ import annotations

import compileall
import importlib.util
import os
import pkgutil
import py_compile
import shutil
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import pytest

import plait
from plait.access.modules import OwnModules, find_own_modules


def compiled(folder: Path) -> Path:
    """A package with one module, compiled as Python does it."""
    package = folder / "home"
    package.mkdir()
    for name, text in (("__init__", ""), ("one", "VALUE = 1\n")):
        (package / f"{name}.py").write_text(text)
        py_compile.compile(str(package / f"{name}.py"), doraise=True)
    return package


def facts(found: ModuleSpec) -> tuple[object, ...]:
    places = found.submodule_search_locations
    return found.name, found.origin, found.cached, found.has_location, found.parent, places and list(places)


def test_every_module_is_found_as_python_finds_it(tmp_path: Path) -> None:
    home = tmp_path / "plait"
    for part in ("access", "core"):
        shutil.copytree(Path(plait.__path__[0]) / part, home / part, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(home, quiet=1)
    own = OwnModules("plait")
    for module in pkgutil.walk_packages([str(home)], "plait."):
        path = [str(home.joinpath(*module.name.split(".")[1:-1]))]
        theirs, ours = PathFinder.find_spec(module.name, path), own.find_spec(module.name, path)
        assert theirs is not None
        assert ours is not None
        assert facts(ours) == facts(theirs)
        codes = [found.loader.get_code(module.name) for found in (ours, theirs)]  # type: ignore[union-attr]
        assert codes[0] == codes[1]


def test_no_name_is_a_file_and_a_package() -> None:
    """Python takes the package then, and we would take the file."""
    home = Path(plait.__path__[0])
    assert [file for file in home.rglob("*.py") if (file.with_suffix("") / "__init__.py").exists()] == []


def test_what_is_loaded_is_a_usual_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = compiled(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [OwnModules("home"), *sys.meta_path])
    monkeypatch.syspath_prepend(str(tmp_path))
    one = importlib.import_module("home.one")
    try:
        assert type(one.__loader__).__name__ == "CompiledModule"
        assert (one.VALUE, one.__file__) == (1, str(package / "one.py"))
        assert one.__loader__.get_source("home.one") == "VALUE = 1\n"
        assert one.__loader__.get_code("home.one").co_filename == str(package / "one.py")  # asked a second time
        (package / "one.py").write_text("VALUE = 22\n")
        assert importlib.reload(one).VALUE == 22
    finally:
        for name in ("home", "home.one"):
            del sys.modules[name]


def newer(text: Path, code: Path) -> None:
    os.utime(text, (1, 1))


def longer(text: Path, code: Path) -> None:
    stamp = text.stat()
    text.write_text("VALUE = 22\n")
    os.utime(text, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def by_digest(text: Path, code: Path) -> None:
    py_compile.compile(str(text), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)


def of_another_python(text: Path, code: Path) -> None:
    code.write_bytes(b"\0\0\0\0" + code.read_bytes()[4:])


CHANGES = {
    "text of another time": newer,
    "text of another length": longer,
    "code compared by digest": by_digest,
    "code of another Python": of_another_python,
    "code cut off": lambda text, code: code.write_bytes(code.read_bytes()[:9]),
    "no code": lambda text, code: code.unlink(),
    "no text": lambda text, code: text.unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_python_looks_itself_after(change: str, tmp_path: Path) -> None:
    package = compiled(tmp_path)
    own, path = OwnModules("home"), [str(package)]
    text = package / "one.py"
    assert own.find_spec("home.one", path) is not None
    CHANGES[change](text, Path(importlib.util.cache_from_source(str(text))))
    assert own.find_spec("home.one", path) is None


def test_other_packages_are_left_to_python() -> None:
    own = OwnModules("plait")
    assert own.find_spec("plait", None) is None
    assert own.find_spec("plaiting.access", list(plait.__path__)) is None


@pytest.mark.parametrize("told", [{"pycache_prefix": "/elsewhere"}, {"flags": type("O", (), {"optimize": 2})}])
def test_code_that_is_compiled_in_another_way_is_left_alone(
    told: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    finders = list(sys.meta_path)
    monkeypatch.setattr(sys, "meta_path", list(finders))
    with monkeypatch.context() as patch:
        for name, value in told.items():
            patch.setattr(sys, name, value)
        find_own_modules("plait")
    assert sys.meta_path == finders
