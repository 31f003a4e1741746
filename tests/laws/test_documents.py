"""Laws of files with several documents: resources are what they are called, wherever they stand in their file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.answers import answer
from tests.examples import examples

KINDS = st.sampled_from([("apps/v1", "Deployment"), ("v1", "Service"), ("v1", "ConfigMap")])
NAMES = st.sampled_from(["a", "b"])
BODIES = st.dictionaries(st.sampled_from(["x", "y", "z"]), st.integers(0, 3), max_size=3)
RESOURCES = st.dictionaries(st.tuples(KINDS, NAMES), BODIES, min_size=1, max_size=4)


def _resource(identity: tuple[tuple[str, str], str], body: dict[str, int]) -> dict[str, Any]:
    (api, kind), name = identity
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name}, "spec": body}


def merged(folder: Path, layers: list[list[dict[str, Any]]]) -> dict[str, Any]:
    names = []
    for number, layer in enumerate(layers):
        names.append(str(folder / f"{number}.yaml"))
        Path(names[-1]).write_text(yaml.safe_dump_all(layer), encoding="utf-8")
    status, out, err = answer(["merge", *names, "--format", "json"])
    assert status == 0, err
    told = json.loads(out)
    resources = told if isinstance(told, list) else [told]
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in resources}


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(RESOURCES, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(tmp_path: Path, layers: list[Any], random: Any) -> None:
    """And each resource is what its own layers give, merged alone."""
    written = [[_resource(identity, body) for identity, body in layer.items()] for layer in layers]
    shuffled = [random.sample(layer, len(layer)) for layer in written]
    result = merged(tmp_path, written)
    assert merged(tmp_path, shuffled) == result
    for identity in {identity for layer in layers for identity in layer}:
        bodies = [layer[identity] for layer in layers if identity in layer]
        wanted = {key: value for body in bodies for key, value in body.items()}
        assert result[f"{identity[0][1]}/{identity[1]}"]["spec"] == wanted
