"""Whatever stands in a document, and whatever is asked of it: an answer, or diagnostics that can be shown.

Never a crash.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import Diagnostic, PlaitError
from plait.core.node import plain_value
from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.report.render import render
from tests.examples import examples
from tests.unfurl.documents import text_of

DIRECTIVES = [
    "+/a",
    "+/b/c",
    "+../a",
    "+?/x",
    "+*n",
    "+include",
    "+?include/a",
    "+include*n",
    "+include/b/c",
    "+&",
    "+%",
    "+",
    "+/~",
    "+...",
]
WORDS = [
    "eval",
    "ref",
    "vars",
    "foreach",
    "select",
    "strict",
    "q",
    "concat",
    "if",
    "then",
    "template",
    "or",
    "add",
    "get_env",
    "value",
    "key",
]
keys = st.sampled_from(["a", "b", "c", "1", *DIRECTIVES, *WORDS])
leaves = st.sampled_from(
    [
        1,
        None,
        True,
        "x",
        "n",
        "raw",
        "a::b",
        ".::a",
        "$item",
        "::a",
        ".ancestors::a",
        "a[b=1]",
        "",
        "{{ SELF.a }}",
        "{% if %}",
        "whiteout",
        "append",
        "merge",
        "inc.yaml",
        "inc.yaml#/a",
        "main.yaml",
    ]
)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(st.dictionaries(keys, inner, max_size=3), st.lists(inner, max_size=3)),
    max_leaves=12,
)
documents = st.dictionaries(keys, trees, min_size=1, max_size=4)
expressions = st.one_of(
    st.sampled_from(
        ["a", ".::a", "::a::b", "*::a", ".descendants::a?", "a[!b=1]::c", "$start::a", ".all", "a::0", "..::..", "[a]"]
    ),
    st.text("ab:[]=!?$.*01 ", max_size=12),
)


@settings(max_examples=examples(30), deadline=None, suppress_health_check=list(HealthCheck))
@given(document=documents, other=documents, expression=expressions, mode=st.sampled_from(["list", "one", "map"]))
def test_any_document_and_question_end_well(document: Any, other: Any, expression: str, mode: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        name = str(Path(folder) / "main.yaml")
        Path(name).write_text(text_of(document, None), encoding="utf-8")
        (Path(folder) / "inc.yaml").write_text(
            text_of({"a": {"+/b": None}, "b": {"+&": "n", "c": 1}, **other}, None), encoding="utf-8"
        )
        for question in (None, expression):
            try:
                loaded = DirectiveDocument(
                    Project(folder, budgets={"seconds": 5}), name, Expressions() if question is not None else None
                )
                if question is None:
                    loaded.expanded()
                else:
                    ask(loaded, question, (), mode, ())
            except PlaitError as error:
                check(error.diagnostics)


def check(findings: tuple[Diagnostic, ...]) -> None:
    """They can be shown, and no budget was needed to end."""
    assert render(findings)
    assert not any(finding.code.startswith("PL5") for finding in findings), findings


def expanded(folder: Path, text: str) -> DirectiveDocument:
    (folder / "main.yaml").write_text(text, encoding="utf-8")
    document = DirectiveDocument(Project(str(folder)), str(folder / "main.yaml"))
    document.expanded()
    return document


def test_a_chain_of_directives_takes_as_many_steps_as_it_has_links(tmp_path: Path) -> None:
    steps = {}
    for count in (200, 800):
        links = "".join(f"a{i}: {{+/a{i + 1}: }}\n" for i in range(count))
        steps[count] = expanded(tmp_path, f"{links}a{count}: {{x: 1}}\n").project.counters.steps
    assert steps[800] < 5 * steps[200]


@pytest.mark.long
def test_directives_nest_as_deep_as_documents_may(tmp_path: Path) -> None:
    document = expanded(tmp_path, "a: " + "{b: {+/c: , d: " * 400 + "1" + "}}" * 400 + "\nc: {x: 1}\n")
    at = plain_value(document.expanded())["a"]  # type: ignore[index]
    for _ in range(400):
        assert at["b"]["x"] == 1
        at = at["b"]["d"]
    assert at == 1


def test_a_directive_in_the_value_of_a_directive_that_refers_to_it(tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match="circular reference"):
        expanded(tmp_path, "k: {+include: [{+../a: 1}]}\n")
