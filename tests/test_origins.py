"""Comments with origins change nothing, and the layers' shares add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.fronts.origins import shares
from plait.workspace import Workspace
from plait.yaml.printing import documents_text
from tests.examples import examples

KEYS = st.sampled_from(["a", "b", "c", "on", "a b: c", "# d"])
SCALARS = (
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["x", "no", "two\nlines\n", "# no comment", ""])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
LAYERS = st.lists(st.dictionaries(KEYS, VALUES, max_size=4), min_size=1, max_size=3)


@settings(max_examples=examples(25), deadline=None)
@given(LAYERS, st.sampled_from([[], ["**=append"], ["**=index"]]))
def test_comments_change_nothing_and_shares_add_up(tmp_path: Path, layers: list[Any], lists: list[str]) -> None:
    names = []
    for number, layer in enumerate(layers):
        names.append(str(tmp_path / f"{number}.yaml"))
        Path(names[-1]).write_text(yaml.safe_dump(layer), encoding="utf-8")
    (tmp_path / "policy.yaml").write_text(yaml.safe_dump({"lists": dict(one.split("=") for one in lists)}))
    workspace = Workspace(str(tmp_path), cache=False)
    bundle = workspace.layers(names, workspace.merge_options(policy_file=str(tmp_path / "policy.yaml")))
    value = workspace.value(bundle.members[0].tree)
    plain = documents_text([value], schema=bundle.schema)
    commented = workspace.origins((member.tree for member in bundle.members), bundle.schema)
    assert yaml.safe_load(commented) == yaml.safe_load(plain), commented
    assert commented.count("# " + str(tmp_path)) >= (1 if any(layers) else 0)
    given = shares(bundle)
    assert all(0 <= share.wins <= share.gives for share in given)
