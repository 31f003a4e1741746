"""The modules of plait, found in fewer steps than Python takes: a small command loads eighty, and to ask each of
Python's finders for each of them takes a sixth of such a command.

Only what is compiled already, from the text that is there now, is loaded this way. All else is left to Python.
"""

from __future__ import annotations

import _imp
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

HEAD = 16
"""Bytes before the code: the version of Python, four zeros, when the text was changed, and how long it is."""


class OwnModules:
    """Finds the modules below a package. Python's finders come after it, for what it does not know."""

    __slots__ = ("_ending", "_prefix")

    def __init__(self, package: str) -> None:
        self._prefix = f"{package}."
        self._ending = f".{sys.implementation.cache_tag}.pyc"

    def find_spec(self, name: str, path: Sequence[str] | None, _: ModuleType | None = None) -> ModuleSpec | None:
        """A module by its name; None where Python has to look itself."""
        if path is None or not name.startswith(self._prefix):
            return None
        folder, last = path[0], name.rpartition(".")[2]
        return self._read(name, folder, last) or self._read(name, f"{folder}/{last}", "__init__")

    def _read(self, name: str, folder: str, stem: str) -> ModuleSpec | None:
        """The module of a file, if it was compiled since it was changed."""
        text, compiled = f"{folder}/{stem}.py", f"{folder}/__pycache__/{stem}{self._ending}"
        try:
            content = _content(compiled)
            if content[:HEAD] != _head(os.stat(text)):
                return None
        except OSError:
            return None
        found = ModuleSpec(name, CompiledModule(name, text, content), origin=text, is_package=stem == "__init__")
        if found.submodule_search_locations is not None:
            found.submodule_search_locations.append(folder)
        found.cached, found.has_location = compiled, True
        return found


class CompiledModule(SourceFileLoader):
    """A module whose code was read already. What else is asked about it, such as its text, Python's loader answers."""

    def __init__(self, name: str, file: str, content: bytes) -> None:
        super().__init__(name, file)
        self._content = content

    def get_code(self, fullname: str) -> CodeType | None:
        content, self._content = self._content, b""  # it is asked for once: nobody keeps the bytes
        if not content:
            return super().get_code(fullname)
        code: CodeType = loads(memoryview(content)[HEAD:])
        _imp._fix_co_filename(code, self.path)  # type: ignore[attr-defined]
        return code


def find_own_modules(package: str) -> None:
    """Let this process find the modules of a package in few steps. Where Python would read other files than those
    that it makes by itself, it is left alone."""
    if sys.pycache_prefix is None and not sys.flags.optimize:
        sys.meta_path.insert(0, OwnModules(package))


def _head(text: os.stat_result) -> bytes:
    """What the compiled code of a text begins with."""
    changed, size = int(text.st_mtime) & 0xFFFFFFFF, text.st_size & 0xFFFFFFFF
    return MAGIC_NUMBER + bytes(4) + changed.to_bytes(4, "little") + size.to_bytes(4, "little")


def _content(file: str) -> bytes:
    handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(handle, os.fstat(handle).st_size)
    finally:
        os.close(handle)
