"""The laws of a review, on repositories of stacks that nobody would write."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.core.node import Unknown
from plait.core.walk import nodes_of
from plait.fronts.stacks.answers.reach import WORDS
from plait.review.sides import Side
from tests.examples import examples
from tests.outside.generated import changes as changed
from tests.outside.generated import repositories
from tests.review.laws import Files, hold, results, write

pytestmark = pytest.mark.long

CONFIG = """
stacks: {base_path: stacks, name_template: "{{ .vars.stage }}"}
components: {terraform: {base_path: components/terraform}}
"""
READS_STATE = "vars: {stage: dev}\ncomponents: {terraform: {db: {}, api: {vars: {id: !terraform.state db .id}}}}\n"


def calm(files: Files) -> Files:
    """The same without values that read other files or components: what a change reaches can be told from the
    manifests then."""

    def line(text: str) -> str:
        reads = any(word in text for word in WORDS)
        return f"{text.partition(': ')[0]}: 7" if reads and ": " in text else text

    return {
        name: "".join(f"{line(text)}\n" for text in body.splitlines()) if name.startswith("stacks/") else body
        for name, body in files.items()
    }


@st.composite
def changes(draw: st.DrawFn) -> tuple[Files, Files]:
    before = draw(repositories())
    after = draw(changed(before))
    return (calm(before), calm(after)) if draw(st.booleans()) else (before, after)


@settings(max_examples=examples(5), deadline=None, suppress_health_check=list(HealthCheck))
@given(changes())
def test_the_causes_are_true(sides: tuple[Files, Files]) -> None:
    hold(sides)


def test_copies_of_a_repository_are_alike(tmp_path: Path) -> None:
    """A state that is not there is a value that is not known; the folder of the copy is none of its inputs."""
    both = [tmp_path / name for name in ("one", "two")]
    for folder in both:
        write(folder, {"atmos.yaml": CONFIG, "stacks/dev.yaml": READS_STATE})
    one, two = (results(Side(str(folder.resolve())))["dev"] for folder in both)
    unknown = [node for document in one.documents.values() for node in nodes_of(document) if isinstance(node, Unknown)]
    assert [node.expression for node in unknown] == ["!terraform.state db .id"]
    assert not list(one.differences(two))
