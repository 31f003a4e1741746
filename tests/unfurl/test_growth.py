"""How the work grows: with the number of directives, and with the number of matches, never with their square."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.evaluate.limits import Counters
from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.directives.expand import Spliced
from plait.notations.query.context import QuerySettings
from plait.notations.query.data import plain

LINKS = {
    "absolute": ("k{n}: {{+/k{m}: }}\n", "k0: {x: 1}\n"),
    "relative": ("k{n}: {{+../k{m}: , o: {n}}}\n", "k0: {x: 1}\n"),
    "relative, deep": ("k{n}: {{a: {{b: {{+..../k{m}/a/b: , o: {n}}}}}}}\n", "k0: {a: {b: {x: 1}}}\n"),
    "absolute beside a relative one": ("k{n}: {{+/k{m}: , o: {n}}}\n", "k0: {x: 1}\nr: {+../k0: }\n"),
    "anchors": ("k{n}: &k{n} {{+*k{m}: , o: {n}}}\n", "k0: &k0 {x: 1}\n"),
    "items": ("- {{+/l/{m}: , o: {n}}}\n", ""),
}


def chain(kind: str, count: int) -> str:
    link, end = LINKS[kind]
    lines = [link.format(n=n, m=n - 1) for n in range(1, count + 1)]
    return "l:\n- {x: 1}\n" + "".join(lines) if kind == "items" else "".join(reversed(lines)) + end


def work(folder: Path, text: str) -> Counters:
    """What expanding a text takes."""
    (folder / "main.yaml").write_text(text)
    project = Project(str(folder))
    DirectiveDocument(project, str(folder / "main.yaml")).expanded()
    return project.counters


@pytest.mark.long
@pytest.mark.parametrize("kind", LINKS)
def test_a_chain_of_directives_takes_linear_steps(kind: str, tmp_path: Path) -> None:
    short, long = (work(tmp_path, chain(kind, count)) for count in (50, 200))
    assert long.forced <= 4.5 * short.forced
    assert long.steps <= 4.5 * short.steps


@pytest.mark.long
@pytest.mark.parametrize("kind", ["absolute", "relative", "relative, deep"])
def test_a_chain_in_an_included_file_takes_linear_steps(kind: str, tmp_path: Path) -> None:
    taken = []
    for count in (50, 200):
        (tmp_path / "inc.yaml").write_text(chain(kind, count))
        taken.append(work(tmp_path, "+include: inc.yaml\nown: {+../k5: }\n").steps)
    assert taken[1] <= 4.5 * taken[0]


@pytest.mark.parametrize("item", ["- {+/base: }\n", "- {+/base: , o: 1}\n", "- [{+/base: }]\n", "- {+/list: }\n"])
def test_a_list_of_items_with_directives(item: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps, and how often an item is looked at: the list is not started again for each of its items."""
    looks: list[int] = []
    counted = Spliced.evaluate
    monkeypatch.setattr(
        Spliced, "evaluate", lambda self, scope: looks.append(len(self.made.items)) or counted(self, scope)
    )
    taken = []
    for count in (50, 200):
        looks.clear()
        steps = work(tmp_path, "base: {x: 1}\nlist: [1, 2]\nl:\n" + item * count).steps
        taken.append((steps, sum(looks)))
    assert taken[1][0] <= 4.5 * taken[0][0]
    assert taken[1][1] <= 4.5 * max(taken[0][1], 1)


def test_asking_takes_steps_as_there_are_matches(tmp_path: Path) -> None:
    taken = []
    for count in (50, 200):
        items = "".join(f"- {{n: {n}, m: {{eval: '.::n'}}}}\n" for n in range(count))
        (tmp_path / "main.yaml").write_text(f"items:\n{items}")
        project = Project(str(tmp_path))
        document = DirectiveDocument(project, str(tmp_path / "main.yaml"), Expressions())
        ask(document, "items::m", (), "list", ())
        taken.append((project.counters.forced, project.counters.steps))
    assert taken[1][0] <= 4.5 * taken[0][0]
    assert taken[1][1] <= 4.5 * taken[0][1]


@pytest.mark.parametrize(
    "form",
    [
        "{{eval: {{concat: [{}]}}}}",
        "{{q: [{}]}}",
        "{{eval: {{to_label: {{a: [{}]}}}}}}",
        "{{eval: ::k, vars: {{v: [{}]}}}}",
    ],
)
def test_an_expression_asks_for_all_that_it_waits_for(form: str, tmp_path: Path) -> None:
    """It is started again once for all of them, not for each."""
    taken = []
    for count in (50, 200):
        values = "".join(f"a{n}: {{eval: '::b{n}'}}\nb{n}: {{eval: '::c{n}'}}\nc{n}: x\n" for n in range(count))
        (tmp_path / "main.yaml").write_text(f"k: 1\n{values}")
        project = Project(str(tmp_path))
        document = DirectiveDocument(project, str(tmp_path / "main.yaml"), Expressions(QuerySettings(folder=".")))
        question = form.format(", ".join(f"{{eval: '::a{n}'}}" for n in range(count)))
        assert plain(ask(document, question, (), "one", ())) is not None
        taken.append((project.counters.steps, project.meter.steps))
    assert taken[1][0] <= 4.5 * taken[0][0]
    assert taken[1][1] <= 5.5 * taken[0][1]
