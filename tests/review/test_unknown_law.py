"""Law: hiding functions behind "not allowed" hides no difference.

A review in which some functions may not be called finds the same differences in all other values as one in which
everything is allowed, and every difference that it cannot see the values of, it reports as one that it cannot compare.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from plait.core.node import plain_value
from plait.core.unknown import failures_in
from plait.workspace import Workspace
from tests.examples import examples

KEYS = ("a", "b", "c", "d")
VARIABLES = {"LAW_0": "zero", "LAW_1": "one"}
LEAVES = st.one_of(
    st.integers(0, 2).map(str),
    st.sampled_from([f"!env {name}" for name in VARIABLES]),
    st.sampled_from([f"'{{{{ .{key} }}}}-{{{{ .k }}}}'" for key in ("v", "w")]),
    st.sampled_from(["!ref v", "!ref w", "!ref k"]),
)
VALUES = st.one_of(
    LEAVES,
    st.dictionaries(st.sampled_from(("x", "y")), LEAVES, min_size=1).map(
        lambda found: "{" + ", ".join(f"{key}: {value}" for key, value in found.items()) + "}"
    ),
)
LAYER = st.dictionaries(st.sampled_from(KEYS), VALUES)
SHARED = st.fixed_dictionaries(
    {
        "k": st.integers(0, 1).map(str),
        "v": st.sampled_from(["!env LAW_0", "!env LAW_1", "5"]),
        "w": st.sampled_from(["!env LAW_1", "6", "7"]),
    }
)
SIDE = st.tuples(SHARED, LAYER, LAYER)
EDIT = st.one_of(
    st.tuples(st.just(0), st.just("k"), st.integers(0, 2).map(str)),
    st.tuples(st.just(0), st.sampled_from(("v", "w")), st.sampled_from(["!env LAW_0", "!env LAW_1", "5"])),
    st.tuples(st.integers(1, 2), st.sampled_from(KEYS), VALUES),
)
"""A layer, a key of it, and another value."""
Side = Sequence[dict[str, str]]
"""What all values may read, the lower layer and the higher one."""
SETTINGS = "notations: [gotemplate]\ntargets: [{name: app, layers: [base.yaml, top.yaml]}]\n"


HIDDEN = {"k": "0", "v": "!env LAW_0", "w": "6"}
"""What all values may read, with a function behind `v`. What each of the examples changes is lost without inputs."""


def text_of(layer: dict[str, str]) -> str:
    return "".join(f"{key}: {value}\n" for key, value in layer.items()) or "{}\n"


def write(folder: Path, side: Side) -> None:
    folder.mkdir()
    shared, base, top = side
    (folder / "plait.yaml").write_text(SETTINGS)
    (folder / "base.yaml").write_text(text_of({**shared, **base}))
    (folder / "top.yaml").write_text(text_of(top))


def differences(root: Path, deny: list[str]) -> dict[tuple[object, ...], tuple[bool, object, object]]:
    """The path of each difference, whether its values could be compared, and the values."""
    report = Workspace(str(root), cache=False, deny=deny).review(str(root / "old"), str(root / "new"))
    assert not report.broken
    assert not report.not_compared
    found = {}
    for effect in report.values:
        sides = [side for side in (effect.before, effect.after) if side is not None]
        certain = not any(failures_in(side) for side in sides)
        values = [plain_value(side) if side is not None else None for side in (effect.before, effect.after)]
        found[effect.path] = (certain, *values)
    return found


def meets(path: tuple[object, ...], others: dict[tuple[object, ...], object]) -> bool:
    """Whether one of some places is at, above or below a place."""
    return any(path[: len(other)] == other or other[: len(path)] == path for other in others)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(SIDE, st.lists(EDIT, min_size=1, max_size=2))
@example(({**HIDDEN}, {"a": "'{{ .v }}-{{ .k }}'"}, {}), [(0, "k", "1")])
@example(({**HIDDEN}, {"a": "!ref v"}, {}), [(0, "v", "!env LAW_1")])
@example(({**HIDDEN}, {"a": "!env LAW_0"}, {"a": "{x: 1}"}), [(2, "a", "{x: 2}")])
@example(({**HIDDEN}, {"a": "{x: 1}"}, {"a": "!env LAW_0"}), [(1, "a", "{x: 2}")])
@example(({**HIDDEN}, {"a": "!env LAW_0"}, {"a": "{x: '{{ .w }}-{{ .k }}'}"}), [(0, "w", "5")])
def test_hiding_functions_hides_no_difference(old: Side, edits: list[tuple[int, str, str]]) -> None:
    new = [dict(layer) for layer in old]
    for layer, key, value in edits:
        new[layer][key] = value
    with TemporaryDirectory() as name, patch.dict(os.environ, VARIABLES):
        root = Path(name)
        write(root / "old", old)
        write(root / "new", new)
        allowed, hidden = differences(root, []), differences(root, ["env"])
    assert all(certain for certain, *_ in allowed.values()), "where everything is allowed, every value is known"
    for path, (certain, *values) in hidden.items():
        assert not certain or not meets(path, allowed) or allowed.get(path, (True, *values)) == (True, *values)
        assert not certain or path in allowed or meets(path, allowed)
    for path, found in allowed.items():
        assert meets(path, hidden), f"{path} is lost"
        assert path not in hidden or not hidden[path][0] or hidden[path] == found
