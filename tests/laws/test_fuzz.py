"""Whatever is written in a file, the answer is a document or one report: never another exception."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.report.render import render, to_data
from tests.examples import examples

PIECES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        ": ",
        "\n",
        "  ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "!ref ",
        "!env ",
        "!append ",
        "!unset",
        "!include ",
        "x.yaml",
        "&x ",
        "*x",
        "<<: ",
        "'",
        '"',
        "|\n",
        ">\n",
        "# ",
        "---\n",
        "1",
        "null",
        "!merge-by name",
        "!sensitive ",
        "!exec ",
        "? ",
        "\t",
        "!replace ",
        "name",
        ".",
        "a.b",
        "[0]",
        "é",
        "\u2028",
        "\ufeff",
        "%YAML 1.1\n",
        "!!int ",
        "!",
        "!<x> ",
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=25).map("".join), st.text(max_size=40))


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_any_text_gives_a_document_or_a_report(tmp_path: Path, texts: list[str]) -> None:
    names = []
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.yaml"
        file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        names.append(str(file))
    try:
        document = plait.merge(names, folder=str(tmp_path), deny=["exec"])
        document.text()
        document.text("json")
    except plait.PlaitError as error:
        render(error.diagnostics)
        to_data(error.diagnostics)
