"""What `plait tidy` promises: any part of its plan keeps every result, a second run finds nothing, and no other byte
changes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.workspace import Workspace

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


@settings(max_examples=8, deadline=None)
@given(st.lists(LAYER, min_size=len(NAMES), max_size=len(NAMES)), st.randoms(use_true_random=False))
def test_any_part_of_the_plan_keeps_every_result(layers: list[dict[str, Any]], random: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plait.yaml").write_text(PLAIT)
        for stem, layer in zip(NAMES, layers, strict=True):
            (folder / f"{stem}.yaml").write_text(text_of(layer))
        before = results(folder)
        texts = {path: path.read_text().splitlines() for path in folder.glob("*.yaml")}
        found = Workspace(name, cache=False).tidy()
        some = [one for one in found.proposals if random.random() < 0.5]
        if some:
            found.write(some)
            assert results(folder) == before
        rest = Workspace(name, cache=False).tidy()
        if rest.proposals:
            rest.write(rest.proposals)
        assert results(folder) == before
        assert Workspace(name, cache=False).tidy().proposals == []
        both = (*found.proposals, *rest.proposals)
        hoisted = [one for one in both if one.kind == "hoist" or "adds the rest" in one.reason]
        moved = {line for path, lines in texts.items() for line in path.read_text().splitlines() if line not in lines}
        assert hoisted or moved <= {"{}"}
        for path, lines in texts.items():
            now = [line for line in path.read_text().splitlines() if line not in moved]
            assert now in (["{}"], []) or is_part(now, lines)
