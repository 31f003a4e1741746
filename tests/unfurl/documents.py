"""Documents with directives, and edits of what they expand to, for Hypothesis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st

from plait.core.node import ListNode, MapNode, Node
from plait.core.source import Source
from plait.fronts.project import Project
from plait.fronts.unfurl.edit import ValueEdit
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

NAMES = ["a", "b", "c", "d"]
KEYS = [*NAMES, *NAMES, 1, "1", "+1", True]
keys = st.sampled_from(KEYS)
scalars = st.one_of(
    st.integers(0, 3), st.sampled_from(["x", "y", "", "two\nlines\n", "1", "# no"]), st.none(), st.booleans()
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.dictionaries(keys, inner, max_size=3), st.lists(inner, max_size=3)),
    max_leaves=5,
)
pointers = st.lists(st.sampled_from([*NAMES, "0", "1"]), min_size=1, max_size=2).map(
    lambda steps: "/" + "/".join(steps)
)
directives = st.one_of(
    pointers.map(lambda path: "+" + path),
    pointers.map(lambda path: "+?" + path),
    st.tuples(st.integers(1, 3), pointers).map(lambda pair: "+" + "." * pair[0] + pair[1]),
    st.sampled_from(["+*n", "+*m", "+?*n", "+*n/a", "+*id001"]),
    st.sampled_from(["+include", "+include2", "+?include/a", "+include*n", "+?include*m"]),
)
words = st.sampled_from(
    [{"+%": "whiteout"}, {"+%": "nullout"}, {"+%": "replace", "a": 1}, {"+%": "merge", "b": {"c": 2}}, {"+%": "mine"}]
)
FILES = ["inc.yaml", "inc.yaml", "inc.yaml#/a", {"file": "inc.yaml"}, {"file": "inc.yaml", "merge": "raw"}]


@st.composite
def directed(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[Any, Any]:
    """A map with directives and maybe keys of its own, before or behind them."""
    own = draw(st.dictionaries(keys, st.one_of(inner, words), max_size=2))
    uses: dict[Any, Any] = {}
    for key in draw(st.lists(directives, min_size=1, max_size=2)):
        uses[key] = (
            draw(st.sampled_from(FILES)) if "include" in key else draw(st.sampled_from([None, None, None, None, "raw"]))
        )
    return {**uses, **own} if draw(st.booleans()) else {**own, **uses}


def worded(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A list that says how it is merged."""
    items = st.lists(inner, max_size=2)
    merged = st.dictionaries(keys, inner, max_size=2).map(lambda item: {"+%": "merge", **item})
    return st.one_of(
        items.map(lambda rest: [{"+%": "append"}, *rest]),
        st.tuples(merged, items).map(lambda pair: [pair[0], *pair[1]]),
    )


written = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.dictionaries(keys, inner, max_size=3),
        st.lists(inner, max_size=3),
        directed(inner),
        worded(inner),
        st.tuples(st.sampled_from("nm"), st.dictionaries(keys, inner, max_size=2)).map(lambda p: {"+&": p[0], **p[1]}),
    ),
    max_leaves=8,
)
maps = st.dictionaries(keys, values, min_size=1, max_size=3)


def known(names: dict[str, str]) -> st.SearchStrategy[Any]:
    """Maps that directives find: keys, some of them with a name."""
    return st.fixed_dictionaries(
        {key: maps.map(lambda data, name=name: {"+&": name, **data} if name else data) for key, name in names.items()}
    )


free = st.one_of(st.dictionaries(keys, written, min_size=1, max_size=4), directed(written))
users = st.dictionaries(
    st.sampled_from(["c", "d", "e", "f", 1]),
    st.one_of(directed(values), st.lists(directed(values), min_size=1, max_size=2)),
    min_size=1,
    max_size=3,
)
documents = st.one_of(
    free,
    st.tuples(known({"a": "", "b": "n"}), users).map(lambda pair: {**pair[0], **pair[1]}),
    st.tuples(users, known({"b": "m", "a": "n"})).map(lambda pair: {**pair[0], **pair[1]}),
    st.tuples(known({"b": "m", "a": "n"}), directed(written)).map(lambda pair: {**pair[1], **pair[0]}),
)
included = st.one_of(
    st.dictionaries(keys, values, max_size=3),
    st.dictionaries(keys, written, max_size=3),
    st.tuples(known({"a": "n"}), st.dictionaries(keys, written, max_size=2)).map(lambda pair: {**pair[1], **pair[0]}),
)
flow = st.sampled_from([None, False, True])


def text_of(data: Any, style: Any, shared: bool = False) -> str:
    """A document as text; `shared`: with an alias, and a comment here and there."""
    if not shared or not isinstance(data, dict):
        return yaml.dump(data, Dumper=_NoAliases, sort_keys=False, default_flow_style=style)
    last = list(data.values())[-1]
    text = yaml.dump(
        {**data, "again": last, "also": {"in": last}}, Dumper=_Blocks, sort_keys=False, default_flow_style=style
    )
    return "# begin\n" + "\n".join(_commented(line) for line in text.splitlines()) + "\n# end\n"


def _commented(line: str) -> str:
    """A line with a comment beside it, where that is no text; or above it, at the beginning of the document."""
    said = line + "  # said" if line.endswith((":", "]", "}")) else line
    return f"# above\n{said}" if line[:1] in NAMES else said


class _Blocks(yaml.SafeDumper):
    """Text of several lines as blocks."""


class _NoAliases(_Blocks):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represented(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Blocks.add_representer(str, _represented)


def node_of(data: Any) -> Node:
    source = Source("the edit", yaml.dump(data, Dumper=_NoAliases))
    return build(scan(source)[0], source, Reading())


def document_of(folder: Path, text: str, other: str) -> DirectiveDocument:
    (folder / "main.yaml").write_text(text, encoding="utf-8")
    (folder / "inc.yaml").write_text(other, encoding="utf-8")
    return DirectiveDocument(Project(str(folder)), str(folder / "main.yaml"))


@st.composite
def changes(draw: st.DrawFn, root: Node) -> ValueEdit:
    """An edit somewhere in an expanded document: another value, a new key or item, or a removal."""
    node, path = root, ()
    while True:
        keys: list[Any] = list(range(len(node.items))) if isinstance(node, ListNode) else []
        if isinstance(node, MapNode):
            keys = [
                key for key in node.entries if not str(key).startswith("+")
            ]  # words that stand there as data: an edit is refused
        kind = draw(st.sampled_from(["down", "down", "set", "add", "delete"]))
        if kind == "down" and keys:
            step = draw(st.sampled_from(keys))
            path = (*path, step)
            node = node.entries[step] if isinstance(node, MapNode) else node.items[step]  # type: ignore[attr-defined]
            continue
        if kind == "add" and isinstance(node, MapNode):
            return ValueEdit((*path, draw(st.sampled_from([*NAMES, "1", "new"]))), node_of(draw(values)))
        if kind == "add" and isinstance(node, ListNode):
            return ValueEdit((*path, len(node.items)), node_of(draw(values)))
        if kind == "delete" and path:
            return ValueEdit(path, None)
        if path:
            return ValueEdit(path, node_of(draw(values)))
        if isinstance(node, MapNode):
            return ValueEdit(("new",), node_of(draw(values)))
