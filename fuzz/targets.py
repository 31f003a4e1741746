"""What is tried: each target draws something at random and says what must hold.

A target is a function with Hypothesis strategies, so that what it finds is made small before it is shown.
"""

from __future__ import annotations

import contextlib
import io
import os
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.native.texts import texts
from tests.yaml.nodes import trees
from yaml import YAMLError

from plait.access.archives import unpack
from plait.apps.cli.run import run
from plait.core.diagnostic import PlaitError
from plait.core.node import Mapping, Node, Scalar, equal
from plait.core.path import Path as NodePath
from plait.core.path import PathError, format_path, parse_path
from plait.core.source import Source
from plait.regexp import Regexp
from plait.regexp.parse import BadPattern
from plait.workspace import function_table
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


# Languages, stacks, archives: through the command line, with small budgets. A bug would be an exception here.


def answered(files: dict[str, str], words: list[str]) -> None:
    """A command ends with an answer, whatever is in the files of its project."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for file, text in files.items():
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text, encoding="utf-8", errors="surrogatepass")
        streams = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
        with streams[0], streams[1]:
            status = run(
                [*words, "--no-cache", "--max-steps", "20000", "--max-memory", "2000000", "--max-seconds", "10"]
            )
        assert status in (0, 1, 2)


def pieces(*words: str) -> st.SearchStrategy[str]:
    """Texts put together from words of a language, with some noise between them."""
    values = st.sampled_from(
        ["1", "-1", "0", "2.5", "1e400", "9" * 40, '"x"', '""', "true", "null", ".a", "a", "b", "k"]
    )
    word = st.one_of(st.sampled_from(words), values, st.text(max_size=3))
    return st.lists(word, max_size=12).map(" ".join)


def scalar(text: str) -> str:
    """A text as a scalar of YAML."""
    return emit(Mapping({"t": Scalar(text, text)}))


def named(notation: str) -> list[str]:
    """The functions of a notation, as `plait functions` lists them."""
    return [row["signature"].split()[0] for row in function_table()[notation]()]


DATA = "a: {b: [1, 2, {c: x}], d: 1.5}\nk: text\n"
GO = (
    "if",
    "else",
    "end",
    "range",
    "with",
    "define",
    "template",
    "block",
    "break",
    "$",
    "$x",
    ":=",
    "=",
    "|",
    "(",
    ")",
    "}}",
    "{{",
    "{{-",
    *named("gotemplate"),
)
DYNAML = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "||",
    "//",
    "&&",
    "?",
    ":",
    "(",
    ")",
    "[",
    "]",
    "..",
    "{",
    "}",
    "->",
    "|",
    "lambda",
    "merge",
    "map[",
    "sum[",
    "sort",
    "join",
    "split",
    "match",
    "format",
    "min_ip",
    "exec",
    "env",
    "read",
    "stub",
    "select[",
    "<<",
    "$",
    "&template",
    "*t",
    "!",
    "1..3",
    "uniq",
    "type",
    "substr",
    "replace",
    "hash",
    "base64",
    "makemap",
    "catch",
    "eval",
    "static_ips",
    *named("dynaml"),
)
JINJA = (
    "{%",
    "%}",
    "{{",
    "}}",
    "if",
    "for",
    "in",
    "endfor",
    "endif",
    "set",
    "|",
    "map",
    "join",
    "truncate",
    "center",
    "default",
    "batch",
    "sum",
    "(",
    ")",
    "[",
    "]",
    "~",
    "%",
    "**",
    "//",
    "SELF",
    "__class__",
    ".format",
    "range",
    "dict",
    "loop",
    "to_json",
    "replace",
    "regex_replace",
    "*",
)
YQ = (
    ".",
    "..",
    "|",
    ",",
    "//",
    "+",
    "-",
    "*",
    "*+",
    "/",
    "%",
    "==",
    "and",
    "or",
    "not",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ":",
    "=",
    "|=",
    "+=",
    "select(",
    "map(",
    "sub(",
    "test(",
    "to_entries",
    "with(",
    "sort_by(",
    "keys",
    "has(",
    "as $x",
    "reduce",
    "$x",
    "splits(",
    "del(",
    "tag",
    "join(",
    "length",
    "to_number",
    "@base64",
    "@json",
    "env(",
    "strenv(",
    "load(",
    "first",
    "[]",
    "[0:1]",
    "group_by(",
    "unique_by(",
    "flatten",
)
TAGS = (
    "!ref",
    "!unset",
    "!append",
    "!merge-by",
    "!if",
    "!env",
    "!exec",
    "!include",
    "!join",
    "!template",
    "!sensitive",
    "!default",
    "!git.sha",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "&x",
    "*x",
    "<<:",
    "\n",
    "\n  ",
    "a.b[0]",
    "a.*",
    "a.b[c=x]",
    "//",
)
QUERIES = (
    "::",
    "::a",
    "[",
    "]",
    "=",
    "!=",
    "$",
    ".",
    "..",
    ".targets",
    "*",
    "?",
    "eval",
    "/",
    "|",
    "a",
    "b",
    "0",
    "-1",
)
DIRECTIVES = (
    "eval",
    "+include",
    "+/a",
    "+*",
    "+%",
    "ref",
    "q",
    "concat",
    "to_label",
    "allowed",
    "pow",
    "mul",
    "if",
    "then",
    "foreach",
    "vars",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\n",
    "\n  ",
    "- ",
    "replaceAll",
    "strip",
    "template",
    "validate_json",
    "file",
    "get_env",
    "sensitive",
    *named("query"),
)
STACKS = (
    "vars:",
    "import:",
    "components:",
    "terraform:",
    "metadata:",
    "inherits:",
    "settings:",
    "locals:",
    "c:",
    "- ",
    "\n",
    "\n  ",
    "\n    ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "stage: dev",
    "!terraform.output",
    "!terraform.state",
    "!store",
    "!env",
    "!include",
    "!template",
    "!exec",
    "!cwd",
    "{{ .vars.stage }}",
    "{{ .locals.x }}",
    "'{{",
    "}}'",
    "{{ atmos.Component",
    "overrides:",
    "command:",
    "backend:",
    "depends_on:",
    "*",
)


@given(pieces(*GO))
def gotemplate(text: str) -> None:
    answered({"a.yaml": DATA + scalar(f"{{{{ {text} }}}}")}, ["merge", "a.yaml", "--notation", "gotemplate"])


@given(pieces(*DYNAML))
def dynaml(text: str) -> None:
    answered({"a.yaml": DATA + scalar(f"(( {text} ))")}, ["spiff", "merge", "a.yaml"])


@given(pieces(*JINJA))
def jinja(text: str) -> None:
    answered({"a.yaml": DATA + scalar(f"{{{{ {text} }}}}")}, ["query", "::t", "a.yaml"])


@given(pieces(*YQ))
def yq(text: str) -> None:
    answered(_stack("{}"), ["describe", "stacks", "-q", text or "."])


@given(pieces(*TAGS))
def tags(text: str) -> None:
    answered({"a.yaml": DATA + f"t: {text}\n"}, ["merge", "a.yaml"])


@given(pieces(*QUERIES))
def queries(text: str) -> None:
    answered({"a.yaml": DATA}, ["query", text or "a", "a.yaml"])


@given(pieces(*DIRECTIVES))
def directives(text: str) -> None:
    answered({"a.yaml": DATA + f"t:\n  {text}\n"}, ["expand", "a.yaml", "--evaluate"])


@given(pieces(*STACKS))
def stacks(text: str) -> None:
    answered(_stack(text), ["describe", "stacks"])
    answered(_stack(text), ["validate", "stacks"])


def _stack(text: str) -> dict[str, str]:
    config = 'base_path: .\nstacks: {base_path: stacks, included_paths: ["**/*"], name_pattern: "{stage}"}\n'
    config += "templates: {settings: {enabled: true}}\n"
    return {
        "atmos.yaml": config,
        "stacks/dev.yaml": f"vars: {{stage: dev}}\ncomponents: {{terraform: {{c: {{vars: {{x: 1}}}}}}}}\n{text}\n",
        "stacks/x.yaml": text,
    }


@given(st.text(max_size=40), st.text(max_size=40))
def patterns(pattern: str, text: str) -> None:
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


kinds = st.sampled_from(
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
places = st.sampled_from(["a", "b", "a/b", "../x", "/x", "a/../../x", ".", "a//b", "./a", "", "a/b/c", "é", "x" * 300])


@given(
    st.lists(st.tuples(kinds, places, places), max_size=8),
    st.integers(0, 5000),
    st.binary(max_size=4),
    st.sampled_from(["tar", "tgz"]),
)
def archives(members: list[tuple[bytes, str, str]], at: int, noise: bytes, kind: str) -> None:
    """Nothing of an archive is made outside its folder, and what is there has no link out of it."""
    with tempfile.TemporaryDirectory() as name:
        box = Path(name, "box")
        with tarfile.open(Path(name, "x"), "w:gz" if kind == "tgz" else "w") as archive:
            for type, place, target in members:
                info = tarfile.TarInfo(place)
                info.type, info.linkname = type, target
                info.size = 3 if type == tarfile.REGTYPE else 0
                archive.addfile(info, io.BytesIO(b"abc"))
        data = Path(name, "x").read_bytes()
        Path(name, "x").write_bytes(
            data[: at % len(data)] + noise + data[at % len(data) + len(noise) :] if noise else data
        )
        box.mkdir()
        with contextlib.suppress(PlaitError):
            unpack(str(Path(name, "x")), "tar.gz" if kind == "tgz" else "tar", str(box), "x", 100_000)
        assert sorted(os.listdir(name)) == ["box", "x"]
        for found in box.rglob("*"):
            assert str(found.resolve()).startswith(str(box.resolve()))


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
    "patterns": patterns,
    "paths": paths,
    "archives": archives,
}
