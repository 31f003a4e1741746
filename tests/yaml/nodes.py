"""Arbitrary trees for properties: with texts that tempt a writer to go wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.source import Source
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

PIECES = [
    *(
        "",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\t",
        "\r\n",
        "- ",
        "-",
        "? ",
        "?",
        ": ",
        ":",
        " #",
        "#",
        "---",
        "...",
        "--- a",
        "%",
        "%YAML",
    ),
    *(
        "'",
        '"',
        "\\",
        "|",
        ">",
        "&a",
        "*a",
        "!t",
        "@",
        "`",
        "{",
        "}",
        "[",
        "]",
        ",",
        "<<",
        "=",
        "~",
        "null",
        "Null",
        "true",
    ),
    *(
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "n",
        "1",
        "-1",
        "+1",
        "012",
        "0o17",
        "0x1F",
        "0b1",
        "1_000",
        "1:20",
        "190:20:30.15",
    ),
    *("1.5", ".5", "5.", "1e3", "1E+3", ".inf", "-.INF", ".NaN", "2024-01-01", "2001-12-14t21:59:43.10-05:00", "1.2.3"),
    *(
        "10.0.0.0/8",
        "a",
        "word",
        "two words",
        "ü",
        "日本",
        "🎈",
        "\x00",
        "\x07",
        "\x1b",
        "\x7f",
        "\x85",
        "\xa0",
        "\u2028",
    ),
    *("\ufeff", "\ufffe", "::root::inputs", "key: value", "a,b", "a]", "0.0.0.0", "1.", "-", "--", "- a"),
]
odd_texts = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
texts = odd_texts | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def core(text: str) -> Node:
    """A document read under plait's own schema."""
    source = Source("x.yaml", text)
    programs = scan(source)
    assert len(programs) == 1
    return build(programs[0], source, Reading())


def of(value: object) -> Node:
    """A tree of plain values; tuples of pairs for mappings with other keys."""
    if isinstance(value, dict):
        return MapNode({k if isinstance(k, str) else of(k): of(v) for k, v in value.items()})
    if isinstance(value, list):
        return ListNode([of(item) for item in value])
    if isinstance(value, bool) or value is None:
        return Scalar(value, {True: "true", False: "false", None: "null"}[value])
    assert isinstance(value, str | int | float)
    return Scalar(value, value if isinstance(value, str) else repr(value) if abs(value) < 10**4000 else "")


tags = st.none() | st.sampled_from(["!ref", "!a b", "!a!b", "!ü", "tag:example.com,2000:x", "!<>", "!,[]{}"])
numbers = st.integers() | st.floats() | st.integers(-9, 9).map(lambda digit: digit * 10**5000)
plain_scalars = texts.map(of) | numbers.map(of) | st.booleans().map(of) | st.none().map(of)
tagged = st.builds(lambda node, tag: Scalar(node.value, node.text, tag=tag), plain_scalars, tags)
typed = texts.map(lambda text: Scalar(text, text, tag="tag:yaml.org,2002:x"))
scalars = plain_scalars | tagged | typed


def _sequence(items: list[Node], tag: str | None) -> Node:
    return ListNode(items, tag=tag)


def _mapping(pairs: list[tuple[Node, Node]], tag: str | None) -> Node:
    entries = {
        (k.value if isinstance(k, Scalar) and isinstance(k.value, str) and k.tag is None else k): v for k, v in pairs
    }
    return MapNode(entries, tag=tag)


def _containers(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    keys = st.one_of(texts.map(of), texts.map(of), scalars, children)
    return st.builds(_sequence, st.lists(children, max_size=4), tags) | st.builds(
        _mapping, st.lists(st.tuples(keys, children), max_size=4), tags
    )


trees: st.SearchStrategy[Node] = st.recursive(scalars, _containers, max_leaves=12)

_plain = texts | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.none()
plain_values = st.recursive(
    _plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=10
)
