"""Keys that one part brings to many documents are looked at together: the same as looking at each of them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.node import Node
from plait.core.policy import MergePolicy
from plait.core.source import Origin
from plait.review.compared import comparing
from plait.tidy.alike import KeyLayout, MapPart
from plait.tidy.layering import Looked
from plait.tidy.looking import ValueUses
from plait.workspace import Workspace
from tests.examples import examples

KEYS = ("a", "b", "c", "d")
SINGLE = st.sampled_from(["1", "one", "s0", '"{{ .vars.stage }}"', '"{{ .atmos_component }}"', "[1, x]", "null"])
VALUES = st.dictionaries(
    st.sampled_from(KEYS), st.one_of(SINGLE, st.dictionaries(st.sampled_from(KEYS), SINGLE, max_size=3)), max_size=4
)
OWN = st.dictionaries(st.sampled_from(KEYS), SINGLE, max_size=1)


class OneByOne(ValueUses):
    """Uses that know no part of an earlier document, nor how its keys lie over those of others."""

    def maps(self, nodes: list[Node], policy: MergePolicy | None) -> tuple[list[MapPart], KeyLayout] | None:
        parts = [MapPart(node, policy) for node in nodes]
        return (parts, KeyLayout([part.names for part in parts])) if all(part.is_plain for part in parts) else None


def flow(values: dict[str, Any]) -> str:
    rows = (f"{key}: {flow(value) if isinstance(value, dict) else value}" for key, value in values.items())
    return f"{{{', '.join(rows)}}}"


def looked(uses: ValueUses, folder: str) -> dict[tuple[str, int], object]:
    """What each written value does."""

    def place(origin: Origin) -> tuple[str, int]:
        return origin.file, origin.at

    for _ in uses.steps():
        pass
    return {
        (file.removeprefix(folder), at): (
            use.needed,
            {target: place(one) for target, one in use.over.items()},
            {target: place(one) for target, one in use.under.items()},
            set(use.targets),
            set(use.places),
        )
        for file, rows in uses.uses.items()
        for at, use in rows.items()
    }


@settings(max_examples=examples(4), deadline=None)
@given(
    st.lists(VALUES, min_size=4, max_size=4),
    st.lists(st.tuples(VALUES, OWN, OWN), min_size=4, max_size=4),
    st.sampled_from(["", "settings: {list_merge_strategy: append}\n"]),
)
def test_what_a_part_brings_is_looked_at_as_one_by_one(
    catalog: list[dict[str, Any]], own: list[tuple[dict[str, Any], ...]], more: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stacks" / "catalog").mkdir(parents=True)
        (folder / "stacks" / "deploy").mkdir()
        (folder / "atmos.yaml").write_text(
            'stacks: {base_path: stacks, included_paths: ["deploy/*"], name_template: "{{ .vars.stage }}"}\n' + more
        )
        (folder / "stacks/catalog/c.yaml").write_text(
            f"vars: {flow(catalog[0])}\ncomponents:\n  terraform:\n"
            f"    base: {{metadata: {{type: abstract}}, vars: {flow(catalog[1])}}}\n"
            f"    one: {{metadata: {{inherits: [base]}}, vars: {flow(catalog[2])}}}\n"
            f"    two: {{metadata: {{inherits: [base]}}, vars: {flow(catalog[3])}}}\n"
        )
        for number, (top, one, two) in enumerate(own):
            (folder / "stacks" / "deploy" / f"s{number}.yaml").write_text(
                f"import: [catalog/c]\nvars: {flow({**top, 'stage': f's{number}'})}\ncomponents:\n  terraform:\n"
                f"    one: {{vars: {flow(one)}}}\n    two: {{vars: {flow(two)}}}\n"
            )
        workspace = Workspace(name, cache=False)
        with comparing(workspace.project):
            world = workspace.world()
            together = looked(ValueUses(world), name)
            assert together == looked(OneByOne(world), name)
        assert together, "something is looked at"


def proposed(folder: str) -> list[tuple[object, ...]]:
    """What is found before it is proved, in its order."""
    found = Workspace(folder, cache=False).tidying.proposals(share=50)
    return [(one.kind, one.file.name, one.line, one.path, one.obstacle) for one in (*found.proposals, *found.others)]


@settings(max_examples=examples(4), deadline=None)
@given(st.lists(VALUES, min_size=5, max_size=5), st.booleans())
def test_files_that_are_not_looked_into_have_no_proposal(layers: list[dict[str, Any]], alike: bool) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        (folder / "env").mkdir()
        (folder / "plait.yaml").write_text(
            'targets:\n- {name: "{env}", layers: [base.yaml, "env/{env}.yaml"], for: {env: "env/*.yaml"}}\n'
        )
        (folder / "base.yaml").write_text(f"{flow(layers[0])}\n")
        for number, layer in enumerate(layers[1:]):
            own = {**layer, "z": "1"} if alike else layer
            (folder / "env" / f"e{number}.yaml").write_text(f"{flow(own)}\n")
        some = proposed(name)
        patch.setattr(Looked, "has_idle", lambda looked, file: True)
        patch.setattr(Looked, "has_beside", lambda looked, file: True)
        assert some == proposed(name)
        assert some or not alike or not layers[0], "what all of them set alike moves into a base that has something"
