"""Documents with directives, and edits of what they expand to, for Hypothesis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st

from plait.core.node import Mapping, Node, Sequence
from plait.core.source import Source
from plait.fronts.project import Project
from plait.fronts.unfurl.edit import Change
from plait.fronts.unfurl.loading import Document
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

NAMES = ["a", "b", "c", "d"]
scalars = st.one_of(st.integers(0, 3), st.sampled_from(["x", "y", ""]), st.none(), st.booleans())
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.dictionaries(st.sampled_from(NAMES), inner, max_size=3), st.lists(inner, max_size=3)),
    max_leaves=5,
)
pointers = st.lists(st.sampled_from([*NAMES, "0", "1"]), min_size=1, max_size=2).map(lambda steps: "/" + "/".join(steps))
directives = st.one_of(
    pointers.map(lambda path: "+" + path),
    pointers.map(lambda path: "+?" + path),
    st.tuples(st.integers(1, 3), pointers).map(lambda pair: "+" + "." * pair[0] + pair[1]),
    st.sampled_from(["+*n", "+*m", "+?*n"]),
    st.just("+include"),
)
words = st.sampled_from([{"+%": "whiteout"}, {"+%": "nullout"}])


def directed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A map with directives and maybe keys of its own."""
    own = st.dictionaries(st.sampled_from(NAMES), st.one_of(inner, words), max_size=2)
    uses = st.dictionaries(directives, st.none(), min_size=1, max_size=2)
    return st.tuples(uses, own).map(lambda pair: {**_includes(pair[0]), **pair[1]})


def _includes(uses: dict[str, Any]) -> dict[str, Any]:
    return {key: "inc.yaml" if "include" in key else value for key, value in uses.items()}


written = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
        st.lists(inner, max_size=3),
        directed(inner),
        st.tuples(st.sampled_from("nm"), st.dictionaries(st.sampled_from(NAMES), inner, max_size=2)).map(lambda p: {"+&": p[0], **p[1]}),
    ),
    max_leaves=8,
)
documents = st.one_of(st.dictionaries(st.sampled_from(NAMES), written, min_size=1, max_size=4), directed(written))
included = st.dictionaries(st.sampled_from(NAMES), values, max_size=3)
flow = st.sampled_from([None, False])


def text_of(data: Any, style: Any, shared: bool = False) -> str:
    """A document as text; `shared`: with an alias, and a comment here and there."""
    if not shared or not isinstance(data, dict):
        return yaml.dump(data, Dumper=_NoAliases, sort_keys=False, default_flow_style=style)
    last = list(data.values())[-1]
    text = yaml.dump({**data, "again": last, "also": {"in": last}}, Dumper=yaml.SafeDumper, sort_keys=False, default_flow_style=style)
    lines = text.splitlines()
    return "# begin\n" + "\n".join(line + ("  # said" if line.endswith(":") else "") for line in lines) + "\n# end\n"


class _NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def node_of(data: Any) -> Node:
    source = Source("the edit", yaml.dump(data, Dumper=_NoAliases))
    return build(scan(source)[0], source, Reading())


def document_of(folder: Path, text: str, other: str) -> Document:
    (folder / "main.yaml").write_text(text, encoding="utf-8")
    (folder / "inc.yaml").write_text(other, encoding="utf-8")
    return Document(Project(str(folder)), str(folder / "main.yaml"))


@st.composite
def changes(draw: st.DrawFn, root: Node) -> Change:
    """An edit somewhere in an expanded document: another value, a new key or item, or a removal."""
    node, path = root, ()
    while True:
        keys: list[Any] = list(range(len(node.items))) if isinstance(node, Sequence) else []
        if isinstance(node, Mapping):
            keys = [key for key in node.entries if not str(key).startswith("+")]  # words that stand there as data: an edit is refused
        kind = draw(st.sampled_from(["down", "down", "set", "add", "delete"]))
        if kind == "down" and keys:
            step = draw(st.sampled_from(keys))
            path = (*path, step)
            node = node.entries[step] if isinstance(node, Mapping) else node.items[step]  # type: ignore[attr-defined]
            continue
        if kind == "add" and isinstance(node, Mapping):
            return Change((*path, draw(st.sampled_from([*NAMES, "new"]))), node_of(draw(values)))
        if kind == "add" and isinstance(node, Sequence):
            return Change((*path, len(node.items)), node_of(draw(values)))
        if kind == "delete" and path:
            return Change(path, None)
        if path:
            return Change(path, node_of(draw(values)))
        if isinstance(node, Mapping):
            return Change(("new",), node_of(draw(values)))
