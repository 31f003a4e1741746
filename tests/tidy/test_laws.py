"""What `plait tidy` promises: any part of its plan keeps every result, a second run finds nothing, and no other byte
changes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.tidy.plan import named
from plait.workspace import Workspace
from tests.examples import examples

KEYS = ("a", "b", "c")
VALUES = st.one_of(st.integers(0, 2), st.lists(st.integers(0, 1), max_size=2), st.sampled_from(["x", "y"]))
LAYER = st.dictionaries(
    st.sampled_from(KEYS), st.one_of(VALUES, st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1)), max_size=3
)
PLAIT = """targets:
- {name: dev, layers: [base.yaml, mid.yaml, dev.yaml]}
- {name: prod, layers: [base.yaml, mid.yaml, prod.yaml]}
- {name: test, layers: [base.yaml, test.yaml]}
"""
NAMES = ("base", "mid", "dev", "prod", "test")


def text_of(layer: dict[str, Any]) -> str:
    """A layer with a comment beside every value."""
    lines = []
    for key, value in layer.items():
        if isinstance(value, dict):
            lines += [f"{key}:", *(f"  {inner}: {one}  # {key}.{inner}" for inner, one in value.items())]
        else:
            lines.append(f"{key}: {value}  # {key}")
    return "\n".join(lines or ["{}"]) + "\n"


def results(folder: Path) -> dict[str, object]:
    repository = plait.open(str(folder))
    return {name: repository.target(name).value("") for name in repository.targets()}


def is_part(lines: list[str], of: list[str]) -> bool:
    """Whether lines are some of others, in their order."""
    rest = iter(of)
    return all(line in rest for line in lines)


@settings(max_examples=examples(6), deadline=None)
@given(st.lists(LAYER, min_size=len(NAMES), max_size=len(NAMES)), st.randoms(use_true_random=False))
def test_any_part_of_the_plan_keeps_every_result(layers: list[dict[str, Any]], random: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plait.yaml").write_text(PLAIT)
        for stem, layer in zip(NAMES, layers, strict=True):
            (folder / f"{stem}.yaml").write_text(text_of(layer))
        before = results(folder)
        texts = {path: path.read_text().splitlines() for path in folder.glob("*.yaml")}
        found = Workspace(name, cache=False).tidying.proposals()
        some = [one for one in found.proposals if random.random() < 0.5]
        if some:
            found.write(some)
            assert results(folder) == before
        rest = Workspace(name, cache=False).tidying.proposals()
        if rest.proposals:
            rest.write(rest.proposals)
        assert results(folder) == before
        assert Workspace(name, cache=False).tidying.proposals().proposals == []
        both = (*found.proposals, *rest.proposals)
        hoisted = [one for one in both if one.kind == "hoist" or "adds the rest" in one.reason]
        moved = {line for path, lines in texts.items() for line in path.read_text().splitlines() if line not in lines}
        assert hoisted or moved <= {"{}"}
        for path, lines in texts.items():
            now = [line for line in path.read_text().splitlines() if line not in moved]
            assert now in (["{}"], []) or is_part(now, lines)


SHARED = """targets:
- {name: "{env}", layers: [base.yaml, mid.yaml, "env/{env}.yaml"], for: {env: "env/[abc].yaml"}}
- {name: "low-{env}", layers: [base.yaml, "env/{env}.yaml"], for: {env: "env/[de].yaml"}}
"""


@settings(max_examples=examples(4), deadline=None)
@given(st.lists(LAYER, min_size=7, max_size=7), st.integers(51, 100))
def test_what_most_share_comes_to_rest(layers: list[dict[str, Any]], share: int) -> None:
    """With --share, what moves to a layer does not move back."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "env").mkdir()
        (folder / "plait.yaml").write_text(SHARED)
        for stem, layer in zip(("base", "mid", *(f"env/{one}" for one in "abcde")), layers, strict=True):
            (folder / f"{stem}.yaml").write_text(text_of(layer))
        before = results(folder)
        found = Workspace(name, cache=False).tidying.proposals(share=share)
        found.write_rounds(found.rounds())
        assert results(folder) == before
        assert Workspace(name, cache=False).tidying.proposals(share=share).proposals == []


CATALOG = st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=3)


def component(values: dict[str, Any]) -> str:
    lines = "".join(f"        {key}: {value}  # {key}\n" for key, value in values.items())
    return f"components:\n  terraform:\n    c:\n      vars:\n{lines}"


@settings(max_examples=examples(2), deadline=None)
@given(CATALOG, st.lists(CATALOG, min_size=2, max_size=2), st.randoms(use_true_random=False))
def test_any_part_of_a_saved_plan_for_stacks(catalog: dict[str, Any], own: list[dict[str, Any]], random: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stacks" / "catalog").mkdir(parents=True)
        (folder / "stacks" / "deploy").mkdir()
        (folder / "atmos.yaml").write_text(
            'stacks: {base_path: stacks, included_paths: ["deploy/*"], name_template: "{{ .vars.stage }}"}\n'
        )
        (folder / "stacks/catalog/c.yaml").write_text(component({**catalog, "b": "'{{ .vars.stage }}'"}))
        for number, values in enumerate(own):
            text = f"import: [catalog/c]\nvars: {{stage: s{number}}}\n{component(values)}"
            (folder / "stacks" / "deploy" / f"s{number}.yaml").write_text(text)
        before = stack_results(name)
        assert set(before) == {"s0", "s1"}
        workspace = Workspace(name, cache=False)
        changes = [named(one) for one in workspace.tidying.proposals().proposals if random.random() < 0.5]
        workspace.tidy_plans.save(str(folder / "plan.json"), {}, changes)
        later = Workspace(name, cache=False)
        chosen = later.tidy_plans.read(str(folder / "plan.json")).chosen((found := later.tidying.proposals()).proposals)
        assert [named(one) for one in chosen] == changes
        if chosen:
            found.write(chosen)
        assert stack_results(name) == before
        rest = Workspace(name, cache=False).tidying.proposals()
        if rest.proposals:
            rest.write(rest.proposals)
        assert stack_results(name) == before
        assert Workspace(name, cache=False).tidying.proposals().proposals == []


def stack_results(folder: str) -> dict[str, object]:
    repository = plait.stacks(folder)
    return {name: repository.component("c", stack=name).value("vars") for name in repository.stacks()}


HELM = """targets:
- {name: dev, layers: [base.yaml, dev.yaml], profile: helm}
- {name: prod, layers: [base.yaml, prod.yaml], profile: helm}
"""
NULLS = st.dictionaries(st.sampled_from(KEYS), st.one_of(VALUES, st.just("null")), max_size=3)


@settings(max_examples=examples(5), deadline=None)
@given(st.lists(NULLS, min_size=3, max_size=3), st.randoms(use_true_random=False))
def test_any_part_of_the_plan_for_a_profile(layers: list[dict[str, Any]], random: Any) -> None:
    """Under helm, null removes a value: an override of it that looks the same is not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plait.yaml").write_text(HELM)
        for stem, layer in zip(("base", "dev", "prod"), layers, strict=True):
            (folder / f"{stem}.yaml").write_text(text_of(layer))
        before = results(folder)
        found = Workspace(name, cache=False).tidying.proposals()
        some = [one for one in found.proposals if random.random() < 0.5]
        if some:
            found.write(some)
        assert results(folder) == before
        rest = Workspace(name, cache=False).tidying.proposals()
        if rest.proposals:
            rest.write(rest.proposals)
        assert results(folder) == before
        assert Workspace(name, cache=False).tidying.proposals().proposals == []
