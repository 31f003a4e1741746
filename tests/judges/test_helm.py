"""Values merged as helm merges them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from plait.workspace import Workspace, plain_value
from plait.yaml.readers import READERS
from tests.judges.helm import helm_values
from tests.samples import SAMPLES

PAIRS, AT_ONCE = 1000, 50
LEAVES = (None, None, None, 1, 0, "x", "", True, False, 1.5, "null", "~")


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if depth == 0 or kind < 0.45:
        return chance.choice(LEAVES)
    if kind < 0.6:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(3))]
    return _map(chance, depth - 1)


def _map(chance: random.Random, depth: int) -> dict[str, Any]:
    return {key: _value(chance, depth) for key in chance.sample("abcd", chance.randrange(4))}


def plait_values(folder: Path, texts: list[str], sets: tuple[str, ...] = ()) -> Any:
    names = []
    for number, text in enumerate(texts):
        names.append(str(folder / f"layer-{number}.yaml"))
        Path(names[-1]).write_text(text, encoding="utf-8")
    workspace = Workspace(str(folder), cache=False)
    bundle = workspace.layers(names, workspace.merge_options(profile="helm"), sets=list(sets), create=True)
    return plain_value(workspace.value(bundle.members[0].tree), reveal=True)


@pytest.mark.parametrize("seed", range(PAIRS // AT_ONCE))
def test_generated_values_merge_as_helm_merges_them(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    layers = [{f"case{number}": _map(chance, 3) for number in range(AT_ONCE)} for _ in range(2 + seed % 3)]
    texts = [json.dumps(layer) for layer in layers]
    assert plait_values(tmp_path, texts) == helm_values(tmp_path, texts)


@pytest.mark.parametrize("seed", range(40))
def test_values_at_the_top_merge_as_helm_merges_them(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    texts = [json.dumps(_map(chance, 2)) for _ in range(2 + seed % 3)]
    assert plait_values(tmp_path, texts) == helm_values(tmp_path, texts)


def test_scalars_are_read_as_helm_reads_them(tmp_path: Path) -> None:
    chance = random.Random(7)
    odd = {"".join(chance.choices("0123456789+-._:eExXobB", k=chance.randrange(1, 7))) for _ in range(400)}
    texts = [text for text in (*SAMPLES, *sorted(odd)) if is_scalar(text)]
    layer = "".join(f"k{number}: {text}\n" for number, text in enumerate(texts))
    wanted = helm_values(tmp_path, [layer])
    read = [READERS["go-yaml-2"].schema.resolve(text) for text in texts]
    assert [(text, _as_json(value)) for text, value in zip(texts, read, strict=True)] == [
        (text, _as_json(wanted[f"k{number}"])) for number, text in enumerate(texts)
    ]


def _as_json(value: Any) -> Any:
    """helm's numbers go through JSON: all of them are floats there."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def is_scalar(text: str) -> bool:
    try:
        return isinstance(yaml.compose(f"a: {text}", yaml.SafeLoader).value[0][1], yaml.ScalarNode)
    except yaml.YAMLError:
        return False


@pytest.mark.parametrize("key", ["yes", "n", "010", "1.50", "0x1F", '"yes"', "12:30", "1e3", "1e21"])
def test_keys_are_read_as_helm_reads_them(key: str, tmp_path: Path) -> None:
    layer = f"{key}: 1\n"
    assert plait_values(tmp_path, [layer]) == helm_values(tmp_path, [layer])
