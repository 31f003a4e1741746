"""A hover is Markdown: names, values and expressions of a file are text in it, never links, images or HTML."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from lsprotocol import types

from plait.apps.lsp.hover import hover
from plait.apps.lsp.session import Session
from plait.report.markdown import code_span, name, running_text
from plait.workspace import Workspace

LINK = "[run](command:workbench.action.terminal.new)"
NASTY = [
    LINK,
    "`` ` ``" + LINK,
    "<img src=x onerror=alert(1)>",
    "![x](http://e.example/p.png)",
    "https://e.example",
    "www.e.example",
    "a\n\n# b",
]
SPANS = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def outside(markdown: str) -> str:
    """What is not a span of code."""
    return SPANS.sub("", markdown)


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("how", [code_span, name, running_text])
def test_text_is_not_markup(how: object, text: str) -> None:
    assert callable(how)
    made = outside(how(text))
    assert not re.search(r"\]\(|<|!\[|\n|`", made), made
    assert how is running_text or "//" not in made
    assert how is running_text or "www." not in made


@pytest.mark.parametrize("text", NASTY)
def test_a_hover_has_no_markup_of_a_file(tmp_path: Path, text: str) -> None:
    """In the name of a target, a key, a value and an expression."""
    quoted = json.dumps(text)
    layers = f"targets:\n- {{name: {quoted}, layers: [a.yaml, b.yaml]}}\n"
    if "/" in text or "\n" in text:  # such a name is refused
        layers = "targets:\n- {name: t, layers: [a.yaml, b.yaml]}\n"
    (tmp_path / "plait.yaml").write_text(layers, encoding="utf-8")
    (tmp_path / "a.yaml").write_text(f"? {quoted}\n: {quoted}\nother: 1\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text(f"? {quoted}\n: !join ['', {quoted}, !ref other]\n", encoding="utf-8")
    session = Session(lambda folder: Workspace(folder, cache=False))
    told = ""
    for file, words in (("a.yaml", ": "), ("b.yaml", "!join")):
        path = tmp_path / file
        lines = path.read_text(encoding="utf-8").splitlines()
        at = types.Position(1, lines[1].index(words) + (2 if words == ": " else 0))
        found = hover(session, str(path), types.HoverParams(types.TextDocumentIdentifier(path.as_uri()), at))
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        told += outside(found.contents.value)
    assert "b.yaml:2" in told
    assert not re.search(r"\]\(|<|!\[|//|^#|www", told, re.MULTILINE), told
