"""What is tried: each target draws something at random and says what must hold.

A target is a function with Hypothesis strategies, so that what it finds is made small before it is shown.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import stat
import tarfile
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.native.texts import texts
from tests.yaml.nodes import trees
from yaml import YAMLError

from fuzz.sinks import sinks
from fuzz.words import DIRECTIVES, DYNAML, GO, JINJA, PATTERNS, QUERIES, STACKS, TAGS, TEMPLATES, VALUES, YQ
from plait.access.archives import unpack
from plait.apps.cli.run import run
from plait.core import native
from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode, Node, Scalar, equal
from plait.core.path import Path as NodePath
from plait.core.path import PathError, format_path, parse_path
from plait.core.source import Source
from plait.regexp import Regexp
from plait.regexp.parse import BadPattern
from plait.yaml.build import Reading, build
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
from plait.yaml.scan import scan
from plait.yaml.state import open_state
from plait.yaml.writer import Writer

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
    if isinstance(root, MapNode):
        for key, child in root.entries.items():
            if isinstance(key, str):
                found.append((key,))
                below = child.entries if isinstance(child, MapNode) else {}
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


def remembered(source: Source, kept: ParseCache) -> list[str]:
    """The documents of a source as a project reads them: from the cache where it has them."""
    programs = kept.get(source)
    if programs is None:
        programs = scan(source)
        kept.put(source, programs)
    return [emit(build(program, source, Reading(merge_keys=False))) for program in programs]


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
            assert remembered(source, kept) == first
            kept.save()
            for pack in folder.iterdir() if damage else ():
                data = pack.read_bytes()
                place = at % len(data)
                pack.write_bytes(data[:place] + noise + data[place + len(noise) :])
        kept = ParseCache("x", folder=str(folder))
        assert remembered(source, kept) == first


@given(st.text(alphabet="0123456789+-._eExXoObB:naifNAIF", max_size=30))
def numbers(text: str) -> None:
    """A plain scalar that looks like a number keeps its text."""
    (node,) = load(Source("x", f"a: {text}x\n"), Reading()) or [Scalar(None, "")]
    assert isinstance(node, MapNode)


# Languages, stacks, archives: through the command line, with small budgets. A bug would be an exception here.


SMALL = ["--max-steps", "20000", "--max-memory", "2000000", "--max-seconds", "10"]


def answered(files: dict[str, str], *commands: list[str]) -> None:
    """Commands end with an answer, whatever is in the files of their project."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for file, text in files.items():
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text, encoding="utf-8", errors="surrogatepass")
        for words in commands:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
                status = run([*words, "--no-cache", *SMALL])
            assert status in (0, 1, 2), said.getvalue()


def pieces(words: list[str]) -> st.SearchStrategy[str]:
    """Texts put together from words of a language, with some noise between them."""
    word = st.one_of(st.sampled_from(words), st.sampled_from(VALUES), st.text(max_size=3))
    return st.lists(word, max_size=12).map(" ".join)


def scalar(text: str) -> str:
    """A text as a scalar of YAML."""
    return emit(MapNode({"t": Scalar(text, text)}))


DATA = "a: {b: [1, 2, {c: x}], d: 1.5}\nk: text\n"


@given(pieces(GO))
def gotemplate(text: str) -> None:
    answered({"a.yaml": DATA + scalar(f"{{{{ {text} }}}}")}, ["merge", "a.yaml", "--notation", "gotemplate"])


@given(pieces(DYNAML))
def dynaml(text: str) -> None:
    answered({"a.yaml": DATA + scalar(f"(( {text} ))")}, ["spiff", "merge", "a.yaml"])


@given(pieces(JINJA))
def jinja(text: str) -> None:
    answered({"a.yaml": DATA + scalar(f"{{{{ {text} }}}}")}, ["query", "::t", "a.yaml"])


@given(pieces(YQ))
def yq(text: str) -> None:
    answered(_stack("{}"), ["describe", "stacks", "-q", text or "."])


@given(pieces(TAGS))
def tags(text: str) -> None:
    answered({"a.yaml": DATA + f"t: {text}\n"}, ["merge", "a.yaml"])


@given(pieces(QUERIES))
def queries(text: str) -> None:
    answered({"a.yaml": DATA}, ["query", text or "a", "a.yaml"])


@given(pieces(DIRECTIVES))
def directives(text: str) -> None:
    answered({"a.yaml": DATA + f"t:\n  {text}\n"}, ["expand", "a.yaml", "--evaluate"])


@given(pieces(STACKS))
def stacks(text: str) -> None:
    answered(_stack(text), ["describe", "stacks"], ["validate", "stacks"])


def _stack(text: str) -> dict[str, str]:
    config = 'base_path: .\nstacks: {base_path: stacks, included_paths: ["**/*"], name_pattern: "{stage}"}\n'
    config += "templates: {settings: {enabled: true}}\n"
    return {
        "atmos.yaml": config,
        "stacks/dev.yaml": f"vars: {{stage: dev}}\ncomponents: {{terraform: {{c: {{vars: {{x: 1}}}}}}}}\n{text}\n",
        "stacks/x.yaml": text,
    }


@given(st.text(max_size=40), st.text(max_size=40))
def regexps(pattern: str, text: str) -> None:
    """Any pattern is understood or refused, and searching never takes long."""
    with contextlib.suppress(BadPattern):
        Regexp(pattern).search(text)


@given(st.text(max_size=60))
def paths(text: str) -> None:
    """A path that can be read is written in a way that reads as the same path."""
    try:
        path = parse_path(text)
    except PathError:
        return
    assert parse_path(format_path(path)) == path


FILE_TYPES = {
    tarfile.REGTYPE: stat.S_IFREG,
    tarfile.DIRTYPE: stat.S_IFDIR,
    tarfile.SYMTYPE: stat.S_IFLNK,
    tarfile.LNKTYPE: 0,
    tarfile.FIFOTYPE: stat.S_IFIFO,
    tarfile.CHRTYPE: stat.S_IFCHR,
}
"""What a member is called in a tar, and in the mode that a zip keeps of it."""
places = st.sampled_from(
    ["a", "b", "a/b", "../x", "/x", "a/../../x", ".", "a//b", "./a", "", "a/b/c", "é", "x" * 300, "a\\b", "c:x", "a/"]
)
members = st.lists(st.tuples(st.sampled_from([*FILE_TYPES]), places, places), max_size=8)
damage = st.tuples(st.integers(0, 5000), st.binary(max_size=4))
Members = list[tuple[bytes, str, str]]


def tarred(members: Members, how: str) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=f"w:{how}") as archive:  # type: ignore[call-overload]
        for type, place, target in members:
            info = tarfile.TarInfo(place)
            info.type, info.linkname = type, target
            info.size = 3 if type == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(b"abc"))
    return made.getvalue()


def zipped(members: Members, how: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        for type, place, target in members:
            info = zipfile.ZipInfo(place)
            info.external_attr = (FILE_TYPES[type] | 0o644) << 16
            info.compress_type = how
            archive.writestr(info, target.encode() if type == tarfile.SYMTYPE else b"abc")
    return made.getvalue()


def unpacked(kind: str, data: bytes, harm: tuple[int, bytes]) -> None:
    """Nothing of an archive is made outside its folder, and what is there has no link out of it."""
    at, noise = harm[0] % len(data), harm[1]
    with tempfile.TemporaryDirectory() as name:
        box = Path(name, "box")
        file = Path(name, f"x.{kind}")
        file.write_bytes(data[:at] + noise + data[at + len(noise) :])
        with contextlib.suppress(PlaitError):
            unpack(str(file), kind, str(box), "x", 100_000)
        assert {*os.listdir(name)} <= {"box", file.name}
        files = [found for found in box.rglob("*") if not found.is_symlink()]
        assert all(found.is_file() or found.is_dir() for found in files)
        assert sum(found.stat().st_size for found in files if found.is_file()) <= 100_000
        for found in box.rglob("*"):
            assert found.resolve().is_relative_to(box.resolve())


@given(members, damage, st.sampled_from(["tar", "tar.gz", "tar.bz2", "tar.xz"]))
def archives(members: Members, harm: tuple[int, bytes], kind: str) -> None:
    unpacked(kind, tarred(members, kind.partition(".")[2]), harm)


@given(members, damage, st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2]))
def zips(members: Members, harm: tuple[int, bytes], how: int) -> None:
    unpacked("zip", zipped(members, how), harm)


@given(st.binary(max_size=60), damage, st.sampled_from(["gz", "bz2", "xz"]))
def compressed(data: bytes, harm: tuple[int, bytes], kind: str) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
    unpacked(kind, packers[kind](data), harm)


PATTERN = "name: p\nversion: 1.0.0\ninputs: {n: {default: x}, l: {default: [1, {a: b}]}}\n"


@given(pieces(TEMPLATES))
def templates(text: str) -> None:
    """A pattern whose template is anything; what it makes is made again."""
    files = {"patterns/p/pattern.yaml": PATTERN, "patterns/p/resources/r.yaml": text}
    answered(files, ["create", "p", "--output-dir", "out"], ["create", "p", "--output-dir", "out", "--set", "n=y"])


@given(pieces(PATTERNS), pieces(TEMPLATES))
def declared_patterns(about: str, text: str) -> None:
    files = {"patterns/p/pattern.yaml": PATTERN.partition("inputs")[0] + about, "patterns/p/resources/r.yaml": text}
    answered(files, ["create", "p", "--output-dir", "out"], ["patterns", "check", "p"])


TARGETS: dict[str, Callable[[], None]] = {
    "reader": reader,
    "files": files,
    "values": values,
    "emitter": emitter,
    "patcher": patcher,
    "journal": journal,
    "cache": cache,
    "numbers": numbers,
    "gotemplate": gotemplate,
    "dynaml": dynaml,
    "jinja": jinja,
    "yq": yq,
    "tags": tags,
    "queries": queries,
    "directives": directives,
    "stacks": stacks,
    "regexps": regexps,
    "paths": paths,
    "archives": archives,
    "zips": zips,
    "compressed": compressed,
    "templates": templates,
    "patterns": declared_patterns,
    "sinks": sinks,
}
