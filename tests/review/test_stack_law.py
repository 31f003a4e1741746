"""The laws of a review, on repositories of stacks that nobody would write."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.fronts.stacks.answers.reach import WORDS
from tests.outside.generated import changes as changed
from tests.outside.generated import repositories
from tests.review.laws import Files, hold


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


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(changes())
def test_the_causes_are_true(sides: tuple[Files, Files]) -> None:
    hold(sides)
