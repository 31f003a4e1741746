"""Random repositories of stacks, and what plait makes of them."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import Any

from hypothesis import strategies as st

from tests.answers import answer, project
from tests.model.stacks import Data

SCALARS = st.sampled_from([1, 2, "x", "y", True, None, "{{ .locals.l }}", "p-{{ .locals.m }}"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)
SECTION = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=2)
SHORT = st.dictionaries(st.sampled_from("AB"), st.sampled_from([1, "x", None]), max_size=2)
BASES = {"base": [], "one": ["base"], "two": ["base", "one"]}
"""The components, each with those that it may inherit from."""


@st.composite
def bodies(draw: st.DrawFn, inherits: list[str]) -> Data:
    made: Data = {}
    for name in ("vars", "settings", "providers", "extra"):
        if draw(st.booleans()):
            made[name] = draw(SECTION)
    if draw(st.booleans()):
        made["env"] = draw(SHORT)
    if inherits and draw(st.booleans()):
        labels = draw(st.dictionaries(st.sampled_from("ab"), st.sampled_from("xy"), max_size=1))
        made["metadata"] = {"inherits": draw(st.lists(st.sampled_from(inherits), max_size=2)), "labels": labels}
    return made


FILLED = st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1, max_size=2)
OVERRIDES = st.fixed_dictionaries({"vars": FILLED}, optional={"settings": FILLED, "env": SHORT})


@st.composite
def manifests(draw: st.DrawFn, earlier: list[str]) -> Data:
    made: Data = {"locals": {"l": draw(st.sampled_from([1, "t", {"a": 1}])), "m": "{{ .locals.n }}", "n": "q"}}
    made["import"] = draw(st.lists(st.sampled_from(earlier), max_size=2)) if earlier else []
    made |= draw(bodies([])) if draw(st.booleans()) else {}
    for key in ("providers", "extra"):
        made.pop(key, None)  # the root has no such sections
    if draw(st.booleans()):
        made["terraform"] = draw(bodies([]))
        if draw(st.booleans()):
            made["terraform"]["overrides"] = draw(OVERRIDES)
    if draw(st.booleans()):
        made["overrides"] = draw(OVERRIDES)
    names = draw(st.lists(st.sampled_from(sorted(BASES)), unique=True, max_size=3))
    made["components"] = {"terraform": {name: draw(bodies(BASES[name])) for name in names}}
    return made


@st.composite
def repositories(draw: st.DrawFn) -> dict[str, Data]:
    """A first file that defines every component, some that import earlier ones, and one or two stacks."""
    files: dict[str, Data] = {"all": {"components": {"terraform": {name: {} for name in BASES}}}}
    for number in range(draw(st.integers(1, 3))):
        files[f"mixin{number}"] = draw(manifests(list(files)))
    for number in range(draw(st.integers(1, 2))):
        made = draw(manifests([name for name in files if not name.startswith("deploy")]))
        made["import"] = ["all", *made["import"]]
        files[f"deploy/{number}"] = {"name": f"stack{number}", **made}
    return files


def written(files: dict[str, Data], strategy: str) -> AbstractContextManager[None]:
    """A repository as the working folder."""
    config = {
        "stacks": {"base_path": "stacks", "included_paths": ["deploy/*"]},
        "settings": {"list_merge_strategy": strategy},
    }
    texts = {f"stacks/{name}.yaml": json.dumps(data) for name, data in files.items()}
    return project({"atmos.yaml": json.dumps(config), **texts})


def stacks_by_plait(files: dict[str, Data], strategy: str) -> dict[str, dict[str, Any]]:
    """The same answer as `tests.model.stacks`."""
    with written(files, strategy):
        status, out, err = answer(["describe", "stacks", "--format", "json"])
    assert status == 0, err
    return {
        stack: {
            name: {key: body.get(key) or {} for key in ("vars", "settings", "env", "providers", "extra", "metadata")}
            for name, body in found["components"]["terraform"].items()
        }
        for stack, found in json.loads(out).items()
    }
