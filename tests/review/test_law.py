"""The laws of a review, on generated targets of layers with random edits of several hunks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.review.laws import Files, hold

SETTINGS = 'targets:\n- name: "{env}"\n  layers: [base.yaml, "env/{env}.yaml"]\n  for: {env: "env/*.yaml"}\n'
KEYS = "abcde"

values = st.one_of(
    st.integers(0, 3).map(str),
    st.sampled_from([f"!ref {key}" for key in KEYS]),
    st.sampled_from(["[1, 2]", "[2]", "[3, 2]", "{x: 1}", "{x: 2, y: !ref a}", "!unset", "!append [4]"]),
    st.sampled_from(["[{name: p, v: 1}]", "[{name: q}, {name: p, v: 2}]"]),
)
documents = st.dictionaries(st.sampled_from(KEYS), values, min_size=1, max_size=5)


def text_of(document: dict[str, str]) -> str:
    return "".join(f"{key}: {document[key]}\n" for key in KEYS if key in document)


trees = st.fixed_dictionaries({"base.yaml": documents, "env/dev.yaml": documents, "env/prod.yaml": documents})


@st.composite
def changes(draw: st.DrawFn) -> tuple[Files, Files]:
    before = draw(trees)
    after = {name: dict(document) for name, document in before.items()}
    for name in draw(st.lists(st.sampled_from(list(before)), min_size=1, max_size=4)):
        key = draw(st.sampled_from(KEYS))
        value = draw(st.one_of(st.none(), values))
        if value is None:
            after[name].pop(key, None)
        else:
            after[name][key] = value
    sides = [{name: text_of(document) for name, document in side.items()} for side in (before, after)]
    if draw(st.integers(0, 5)) == 0:
        sides[draw(st.integers(0, 1))].pop("env/prod.yaml")
    return tuple({"plait.yaml": SETTINGS, **side} for side in sides)  # type: ignore[return-value]


@settings(max_examples=examples(12), deadline=None)
@given(changes())
def test_the_causes_are_true(sides: tuple[Files, Files]) -> None:
    hold(sides)
