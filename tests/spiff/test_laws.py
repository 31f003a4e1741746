"""What holds for every template and stub."""

from __future__ import annotations

import json
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import Fault
from plait.core.expression import Expression
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.positions import StagedExpression
from tests.examples import examples
from tests.spiff import cascade

KEYS = st.sampled_from(["a", "b", "c", "0", "zz", "name"])
LEAVES = st.one_of(st.integers(-9, 99), st.booleans(), st.none(), st.sampled_from(["x", "y z", "10.0.0.1"]))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.dictionaries(KEYS, inner, max_size=4), st.lists(inner, max_size=3)),
    max_leaves=12,
)
MAPS = st.dictionaries(KEYS, TREES, min_size=1, max_size=4)


def expressed(value: object) -> object:
    """The same data with every scalar written as an expression."""
    if isinstance(value, dict):
        return {key: expressed(child) for key, child in value.items()}
    if isinstance(value, list):
        return [expressed(child) for child in value]
    return f"(( {'nil' if value is None else json.dumps(value)} ))"


def backwards(value: object) -> object:
    """The same data with the keys of every map in reverse."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(child) for child in value] if isinstance(value, list) else value


@given(MAPS)
def test_without_stubs_and_expressions_nothing_changes(tree: object) -> None:
    assert cascade(json.dumps(tree)) == tree


@given(MAPS)
def test_a_template_is_its_own_stub(tree: object) -> None:
    assert cascade(json.dumps(tree), json.dumps(tree)) == tree


@given(MAPS, MAPS)
def test_deferring_is_invisible(template: object, stub: object) -> None:
    plain = cascade(json.dumps(template), json.dumps(stub))
    if not named(template):
        assert cascade(json.dumps(expressed(template)), json.dumps(stub)) == plain
    assert cascade(json.dumps(template), json.dumps(expressed(stub))) == plain


def named(value: object) -> bool:
    """Whether some list has an item with a name: one that is computed is first addressed by its position, as in
    spiff."""
    if isinstance(value, dict):
        return any(map(named, value.values()))
    return isinstance(value, list) and any((isinstance(item, dict) and "name" in item) or named(item) for item in value)


@given(MAPS, MAPS)
def test_the_order_of_keys_does_not_matter(template: object, stub: object) -> None:
    assert cascade(json.dumps(backwards(template)), json.dumps(backwards(stub))) == cascade(
        json.dumps(template), json.dumps(stub)
    )


@given(MAPS, MAPS, MAPS)
@settings(max_examples=examples(25))
def test_the_structure_stays(template: dict[str, object], near: object, far: object) -> None:
    """Maps keep their keys and lists their length, whatever the stubs say."""
    result = cascade(json.dumps(template), json.dumps(near), json.dumps(far))
    work: list[tuple[object, object]] = [(template, result)]
    while work:
        before, after = work.pop()
        if isinstance(before, dict):
            assert isinstance(after, dict)
            assert before.keys() == after.keys()
            work.extend((before[key], after[key]) for key in before)
        elif isinstance(before, list):
            assert isinstance(after, list)
            assert len(before) == len(after)
            work.extend(zip(before, after, strict=True))


@given(MAPS, MAPS)
def test_inserting_everything_is_the_stub_over_the_template(
    template: dict[str, object], stub: dict[str, object]
) -> None:
    """With `<<: (( merge ))` at its root a flat template takes whatever the stub has."""
    flat = dict.fromkeys(template, 0)
    text = "\n".join(["<<: (( merge ))", *(f"{json.dumps(key)}: 0" for key in flat)])
    assert cascade(text, json.dumps(stub)) == {**flat, **stub}


PATHS = st.one_of(
    st.sampled_from(["there.x", ".there.y", "x"]),
    st.lists(st.sampled_from(["a", "b", "c", "0", "[0]"]), min_size=1, max_size=3).map(".".join),
)
REFERRING = st.dictionaries(
    KEYS,
    st.recursive(
        st.one_of(LEAVES, PATHS.map("(( {} ))".format), PATHS.map("(( {} || 7 ))".format)),
        lambda inner: st.one_of(st.dictionaries(KEYS, inner, max_size=4), st.lists(inner, max_size=2)),
        max_leaves=10,
    ),
    min_size=2,
    max_size=4,
)


@given(REFERRING, MAPS)
@settings(max_examples=examples(35), deadline=None)
def test_a_reference_to_what_is_at_hand_is_a_reference(template: dict[str, object], stub: object) -> None:
    """A value that is read without being evaluated is the one that evaluating gives, and so are all errors and what is
    told about who read what."""
    texts = json.dumps({**template, "there": {"x": 1, "y": "z", "z": "(( x ))"}}), json.dumps(stub)
    with patch.object(StagedExpression, "at_hand", Expression.at_hand):
        evaluated = outcome(*texts)
    assert outcome(*texts) == evaluated


def outcome(*texts: str) -> tuple[str, list[str]]:
    """What a cascade gives, or its errors; and what each expression read."""
    front = Spiff(Project("."))
    try:
        found = repr(cascade(*texts, front=front))
    except Fault as fault:
        found = repr(
            [
                (finding.code, finding.message, [str(label.origin) for label in finding.labels])
                for finding in fault.diagnostics
            ]
        )
    evaluator = front.evaluator
    told = [
        f"{place.path} {node.origin} {evaluator.memo[node, place]!r}: {[(str(at.origin), to.path) for at, to in read]}"
        for (node, place), read in evaluator.reads.items()
    ]
    return found, sorted(told)


NAMES = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=4, unique=True)


@given(NAMES, NAMES, st.data())
@settings(max_examples=examples(30), deadline=None)
def test_a_name_that_is_an_expression_names_like_one_that_is_written(
    names: list[str], others: list[str], data: st.DataObject
) -> None:
    """Template and stub give the same whether names are written, read from elsewhere, or made of a sibling."""

    def items(name: object) -> list[object]:
        return [
            {"name": name(each) if callable(name) else each, "of": each, "size": at, "inner": [{"name": "in", "x": at}]}
            for at, each in enumerate(names)
        ]

    form = data.draw(st.sampled_from(["(( .meta.{} ))", '(( "" .meta.{} ))', "(( of ))", '(( "" of ))']))
    rest = {
        "meta": {name: name for name in "abcde"},
        "sizes": [f"(( list.{name}.size || nil ))" for name in [*names, *others]],
        "inner": [f'(( list.{name}.inner.in.x || "none" ))' for name in [*names, *others]],
    }
    # spiff addresses an item by its position before its name is known: nothing of the stub lies at these positions
    stub = {
        "list": [{}] * len(names) + [{"name": name, "size": 9, "inner": [{"name": "in", "x": 8}]} for name in others]
    }
    stubs = data.draw(st.sampled_from([[], [json.dumps(stub)]]))
    written = cascade(json.dumps({"list": items(None), **rest}), *stubs)
    computed = cascade(json.dumps({"list": items(form.format), **rest}), *stubs)
    assert computed == written
