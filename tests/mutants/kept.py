"""What tests were seen to run in earlier runs, in `build/reach`: to look at them again costs most of a run.

A file of tests is looked at again where its text changed, or where a mutant is in a function whose text is new. What
tests run may change for other reasons, too: then a mutant survives that one of them would notice, and no other way
round, because each test that notices one is asked without it.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import pickle
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.probes import ROOT, FileProbes, Probes, probed
from tests.mutants.reach import Look, Unit

FOLDER = ROOT / "build" / "reach"


class Kept:
    """Probes of files, and what was seen with them."""

    def __init__(self, files: Iterable[str], folder: Path = FOLDER) -> None:
        self._folder = folder
        self._tables: dict[str, dict[str, int]] = {}
        self.files = sorted(files)
        digests = {name: _digest(name.encode(), Path(name).read_bytes()) for name in self.files}
        self.probes = Probes({name: self._probed(name, digest) for name, digest in digests.items()})
        self._digest = _digest(*map(str.encode, digests.values()))
        if self._table(self._digest) is None:
            self._write(f"{self._digest}.functions", marshal.dumps(self.probes.functions))

    def _probed(self, file: str, digest: str) -> FileProbes:
        known = self._read(f"{digest}.code")
        if known is not None:
            return FileProbes(*marshal.loads(known))
        made = probed(file)
        self._write(f"{digest}.code", marshal.dumps(tuple(made)))
        return made

    def look(self, unit: Unit) -> Look | None:
        """What was seen of a unit, if it is still the same."""
        told = self._read(_name(unit))
        if told is None:
            return None
        text, digest, tests = pickle.loads(told)
        if digest != self._digest and not all(test.passes for test in tests):
            return None  # what failed beside another code may pass now
        functions = self._table(digest)
        return Look(tests, functions) if text == _text(unit) and functions is not None else None

    def keep(self, unit: Unit, look: Look) -> None:
        self._write(_name(unit), pickle.dumps((_text(unit), self._digest, look.tests)))

    def _table(self, digest: str) -> dict[str, int] | None:
        if digest not in self._tables:
            told = self._read(f"{digest}.functions")
            if told is None:
                return None
            self._tables[digest] = marshal.loads(told)
        return self._tables[digest]

    def _read(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def _write(self, name: str, data: bytes) -> None:
        """Two runs may write the same: each file is there as a whole or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(data)
        os.replace(file.name, self._folder / name)


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]


def _text(unit: Unit) -> str:
    return _digest((ROOT / unit.name).read_bytes())


def _name(unit: Unit) -> str:
    return f"{_digest(unit.name.encode())}.tests"
