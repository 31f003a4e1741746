"""The laws of a review, on generated repositories with random edits of several hunks.

Nothing is missed against a comparison of both sides; every value that differs has a cause; reverting all causes of a
value restores it; a hunk that is no cause of anything changes nothing when it is reverted.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.find import step_into
from plait.core.node import Node, equal
from plait.fronts.project import Project
from plait.review.causes import ERRORS, TargetResult
from plait.review.review import review
from plait.review.sides import TreeChange, between_folders
from plait.review.suites import suites

SETTINGS = 'targets:\n- name: "{env}"\n  layers: [base.yaml, "env/{env}.yaml"]\n  for: {env: "env/*.yaml"}\n'
KEYS = "abcde"

values = st.one_of(
    st.integers(0, 3).map(str),
    st.sampled_from([f"!ref {key}" for key in KEYS]),
    st.sampled_from(["[1, 2]", "[2]", "{x: 1}", "{x: 2, y: !ref a}", "!unset"]),
)
documents = st.dictionaries(st.sampled_from(KEYS), values, min_size=1, max_size=5)


def text_of(document: dict[str, str]) -> str:
    return "".join(f"{key}: {document[key]}\n" for key in KEYS if key in document)


trees = st.fixed_dictionaries({"base.yaml": documents, "env/dev.yaml": documents, "env/prod.yaml": documents})


@st.composite
def changes(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str]]:
    before = draw(trees)
    after = {name: dict(document) for name, document in before.items()}
    for name in draw(st.lists(st.sampled_from(list(before)), min_size=1, max_size=4)):
        key = draw(st.sampled_from(KEYS))
        value = draw(st.one_of(st.none(), values))
        if value is None:
            after[name].pop(key, None)
        else:
            after[name][key] = value
    return tuple({name: text_of(document) for name, document in side.items()} for side in (before, after))  # type: ignore[return-value]


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in {**texts, "plait.yaml": SETTINGS}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def results(folder: str) -> dict[str, TargetResult]:
    suite = suites(Project(folder), folder)
    return {name: suite.result(name, suite.documents(name, set())) for name in suite.names()}


def at(result: TargetResult, document: str, path: tuple[object, ...]) -> Node | tuple[str, ...] | None:
    if path == ERRORS:
        return result.errors.get(document, ())
    node: Node | None = result.documents.get(document)
    for step in path:
        node = step_into(node, step) if node is not None else None  # type: ignore[arg-type]
    return node


def same(a: object, b: object) -> bool:
    return equal(a, b) if isinstance(a, Node) and isinstance(b, Node) else a == b


def with_change(sides: tuple[dict[str, str], dict[str, str]], folder: Path) -> TreeChange:
    for name, texts in zip(("old", "new"), sides, strict=True):
        write(folder / name, texts)
    project = Project(str(folder))
    return between_folders(project.door, str(folder / "old"), str(folder / "new"))


@settings(max_examples=12, deadline=None)
@given(changes())
def test_the_causes_are_true(sides: tuple[dict[str, str], dict[str, str]]) -> None:
    folder = Path(tempfile.mkdtemp())
    change = with_change(sides, folder)
    try:
        report = review(change, Project)
        before, after = results(change.before), results(change.after)
        expected = {
            (name, document, path)
            for name in {*before, *after}
            for document, path in before[name].differences(after[name])
        }
        assert {(e.target, e.document, e.path if e.path else ()) for e in report.effects} == expected
        for effect in report.effects:
            assert effect.cause.hunks
            restored = results(change.partly(frozenset(effect.cause.hunks)))[effect.target]
            assert same(
                at(restored, effect.document, effect.path), at(before[effect.target], effect.document, effect.path)
            )
        for hunk, _ in report.idle:
            reverted = results(change.partly(frozenset((hunk,))))
            assert all(not after[name].differences(reverted[name]) for name in after)
        assert sum(len(group.effects) for group in report.groups) == len(report.values)
    finally:
        change.close()
        shutil.rmtree(folder)
