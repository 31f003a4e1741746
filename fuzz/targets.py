"""What is tried: each target draws something at random and says what must hold.

A target is a function with Hypothesis strategies, so that what it finds is made small before it is shown.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.native.texts import texts
from tests.yaml.nodes import trees
from yaml import YAMLError

from plait.core.diagnostic import PlaitError
from plait.core.node import Mapping, Node, Scalar, equal
from plait.core.path import Path as NodePath
from plait.core.source import Source
from plait.yaml import native
from plait.yaml.build import Reading
from plait.yaml.cache import WORTHWHILE, ParseCache
from plait.yaml.edits import Delete, Edit, Replace
from plait.yaml.emit import emit, emit_json
from plait.yaml.events import documents, reading_carefully, reading_quickly
from plait.yaml.files import decode
from plait.yaml.journal import Journal
from plait.yaml.load import load
from plait.yaml.outline import columns
from plait.yaml.patch import apply
from plait.yaml.program import Program
from plait.yaml.state import open_state
from plait.yaml.write import Writer

DEPTH = 50


@given(texts)
def reader(text: str) -> None:
    """Every reader reads a text alike, or leaves it to the careful one."""
    source = Source("x", text)
    try:
        careful = [columns(program) for program in reading_carefully(source, DEPTH, documents)]
    except PlaitError:
        careful = None
    found = native.scan(text, DEPTH) if native.scan is not None else None
    if found is not None:
        assert [columns(Program(*one)) for one in found] == careful
    try:
        quick = [columns(program) for program in reading_quickly(source, DEPTH, documents)]
    except (YAMLError, PlaitError):
        return
    assert quick == careful


@given(st.binary(max_size=200))
def files(data: bytes) -> None:
    """Any bytes are a text that can be read, or an error with a place."""
    with contextlib.suppress(PlaitError):
        load(decode("x", data), Reading())


@given(texts)
def values(text: str) -> None:
    """What can be read can be written, and reads as the same."""
    try:
        found = load(Source("x", text), Reading(nodes=10_000), depth=DEPTH)
    except PlaitError:
        return
    for node in found:
        again = load(Source("y", emit(node)), Reading(merge_keys=False))
        assert len(again) == 1
        assert equal(again[0], node)


@given(trees)
def emitter(node: Node) -> None:
    """What is written reads as the same tree, as YAML and, where JSON has a word for it, as JSON."""
    assert equal(load(Source("x", emit(node)), Reading(merge_keys=False))[0], node)
    try:
        text = emit_json(node)
    except PlaitError:
        return
    load(Source("x", text), Reading(duplicates="last"))  # JSON has one name for the keys 0 and "0"


@given(texts, st.integers(0, 20), trees, st.booleans())
def patcher(text: str, which: int, value: Node, remove: bool) -> None:
    """An edit changes what it says, or is refused; what it leaves can be read."""
    try:
        root = load(Source("x", text), Reading(merge_keys=False))[0]
    except (PlaitError, IndexError):
        return
    paths = _paths(root)
    path = paths[which % len(paths)]
    edit: Edit = Delete(path) if remove and path else Replace(path, value)
    try:
        after = apply(Source("x", text), [edit])
    except PlaitError:
        return
    read = load(Source("y", after), Reading(merge_keys=False))
    assert read or (remove and not after.strip())


def _paths(root: Node) -> list[NodePath]:
    """The paths of the first two levels."""
    found: list[NodePath] = [()]
    if isinstance(root, Mapping):
        for key, child in root.entries.items():
            if isinstance(key, str):
                found.append((key,))
                below = child.entries if isinstance(child, Mapping) else {}
                found += [(key, name) for name in below if isinstance(name, str)]
    return found


names = st.sampled_from(["a.yaml", "b.yaml", "sub/c.yaml", "é", "x y"])
contents = st.none() | st.binary(max_size=20)


@given(
    st.dictionaries(names, contents, min_size=1),
    st.dictionaries(names, contents, min_size=2),
    st.binary(max_size=300),
    st.integers(0, 400),
)
def journal(before: dict[str, bytes | None], after: dict[str, bytes | None], noise: bytes, at: int) -> None:
    """Sets of files are written whole; a damaged journal changes no file."""
    with tempfile.TemporaryDirectory() as name:
        state, root = Path(name, "state"), Path(name, "root")
        root.mkdir()
        os.environ["PLAIT_STATE"] = str(state)
        writer = Writer(str(root))
        writer.write({str(root / file): data for file, data in before.items() if data is not None})
        writer.write({str(root / file): data for file, data in after.items()})
        wanted = {**before, **after}
        assert {file: _held(root / file) for file in wanted} == wanted
        pending = Journal(open_state(), os.path.realpath(root))
        Path(pending.folder).mkdir(exist_ok=True, parents=True)
        Path(pending.forward).write_bytes(noise[:at] + noise)
        Writer(str(root)).recover()
        assert {file: _held(root / file) for file in wanted} == wanted
        assert not pending.pending()


def _held(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


@given(texts, st.integers(0, 100_000), st.binary(min_size=1, max_size=8))
def cache(text: str, at: int, noise: bytes) -> None:
    """A damaged pack gives what was read, or nothing."""
    source = Source("x", "#" * WORTHWHILE + "\n" + text)
    try:
        first = [emit(node) for node in load(source, Reading(merge_keys=False))]
    except PlaitError:
        return
    with tempfile.TemporaryDirectory() as name:
        os.environ["PLAIT_STATE"] = str(Path(name, "state"))
        folder = Path(name, "cache")
        for damage in (False, True):
            kept = ParseCache("x", folder=str(folder))
            assert [emit(node) for node in load(source, Reading(merge_keys=False), kept)] == first
            kept.save()
            for pack in folder.iterdir() if damage else ():
                data = pack.read_bytes()
                place = at % len(data)
                pack.write_bytes(data[:place] + noise + data[place + len(noise) :])
        kept = ParseCache("x", folder=str(folder))
        assert [emit(node) for node in load(source, Reading(merge_keys=False), kept)] == first


@given(st.text(alphabet="0123456789+-._eExXoObB:naifNAIF", max_size=30))
def numbers(text: str) -> None:
    """A plain scalar that looks like a number keeps its text."""
    (node,) = load(Source("x", f"a: {text}x\n"), Reading()) or [Scalar(None, "")]
    assert isinstance(node, Mapping)


TARGETS: dict[str, Callable[[], None]] = {
    "reader": reader,
    "files": files,
    "values": values,
    "emitter": emitter,
    "patcher": patcher,
    "journal": journal,
    "cache": cache,
    "numbers": numbers,
}
