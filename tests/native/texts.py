"""Texts for comparing readers: pieces of YAML put together at random, and whole files with something changed in
them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.yaml.test_reader12 import SIGNS, WORDS

PIECES = ["a: 1\n", "  b: 2\n", "- x\n", "  - y\n", "k: 'q'\n", "a: |\n  t\n\n  u\n", "a: >\n  t\n  u\n\n  v\n   w\n"]
PIECES += [
    '[1, {a: b}, "c"]',
    "{a: 1, b: [x, y], c}",
    "{{ x }}",
    "key: value # c\n",
    "!ref x\n",
    "k: !unset\n",
    "&a ",
    "*a\n",
    "k:\n  !t\n  - a\n",
]
PIECES += ["name: x\n", "1: y\n", "null: z\n", "? true\n: t\n", "{no: 0, ~: 1, .5x: 2}"]
PIECES += [
    "text more text\n",
    "   text\n",
    "\n\n",
    '"e\\n\\u00e9"',
    "é",
    "日本",
    "\U0001f600",
    "x: {\n  y: 1\n  }\n",
    "- - - a\n",
]
PIECES += [
    "- a: 1\n  b: 2\n",
    " # c\n",
    "#c\n",
    ": ",
    "k: !t\n  a: b\n",
    "k: &x\n- a\n",
    "a b: c d\n",
    "---\n",
    "-1\n",
    "a:b: c\n",
    "\0",
    "\x7f",
]

PIECES += [
    "k: 'q\n  r'\n",
    '"e\\\n  f\n\n   g "',
    "a: b\tc\t# d\n",
    "\t\n",
    "a: b\r\n",
    "k: |\r\n  t\r\n\r\n",
    "- |\n  t\n\n",
    "- - >\n    t\n",
]

FILES = [
    '# A service\nname: web\nimage: "registry.example/web:1.4"\nports: [80, 443]\nenv:\n  - name: '
    "LEVEL\n    value: 'it''s'\n  - {name: X, value: 1}\n",
    "---\nimport:\n- catalog/base\n- catalog/net\n\nvars:\n  stage: dev\n  cidr: 10.0.0.0/8   # "
    "private\n  notes: |-\n    one\n\n    two\n---\nb: 2\n",
    '{"a": [1, 2.5, true, null, "x\\ny"],\n "b": {"c": {}}, "d": []}\n',
    "base: &base\n  a: 1\nderived:\n  <<: *base\n  b: !ref base.a\n  c: !append\n  - 1\n  - 2\n  d: "
    "!unset\ntext: >\n  folded\n  text\n\n  more\nlong: a plain\n  text of two lines\n",
]


def _changed(parts: tuple[str, list[tuple[int, int, str]]]) -> str:
    text, changes = parts
    for at, length, piece in changes:
        at %= len(text) + 1
        text = text[:at] + piece + text[at + length :]
    return text


pieces = st.sampled_from([*WORDS, *SIGNS, *PIECES, *PIECES])
made = st.lists(pieces, max_size=14).map("".join)
change = st.tuples(st.integers(0, 400), st.integers(0, 4), pieces | st.just(""))
changed = st.tuples(st.sampled_from(FILES), st.lists(change, max_size=3)).map(_changed)
texts = made | changed | changed.map(lambda text: text.replace("\n", "\r\n"))
