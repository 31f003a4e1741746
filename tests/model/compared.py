"""plait beside a model: what the command line prints, as the models say it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.answers import answer, project
from tests.model.layers import Rules
from tests.model.reading import documents, plain

CODE = re.compile(r"^error (PL\d+)", re.M)


def layers_by_plait(layers: list[str], rules: Rules) -> list[Any] | set[str]:
    """The same answer as `tests.model.layers.merged`."""
    settings: dict[str, Any] = {"kinds": rules.kinds, "nulls": rules.nulls}
    own, policy, flags = [*rules.lists, [], [], []][:3]
    files = {f"{number}.yaml": text for number, text in enumerate(layers)}
    words = ["merge", *files]
    for pattern, rule in flags:
        words += ["--list", f"{pattern}={rule}"]
    if policy:
        files["policy.yaml"] = json.dumps({"lists": dict(policy)})
        words += ["--policy", "policy.yaml"]
    if rules.documents:
        words += ["--documents", rules.documents]
    files["plait.yaml"] = json.dumps({**settings, "lists": dict(own)})
    with project(files):
        status, out, err = answer(words)
    if status:
        return set(CODE.findall(err)) or {err}
    return documents(out) or [documents("{}")[0]]


def patched_by_plait(layers: list[Any]) -> Any:
    """A resource and its patches as `--profile kubernetes` merges them; None for an error of the patch."""
    files = {f"{number}.yaml": json.dumps(layer) for number, layer in enumerate(layers)}
    with project(files):
        status, out, err = answer(["merge", *files, "--profile", "kubernetes", "--format", "json"])
    if not status:
        return json.loads(out)
    assert {found["code"] for found in json.loads(err)["diagnostics"]} == {"PL2011"}, err
    return None


def profile_by_plait(layers: list[Any], profile: str) -> Any:
    """Layers as a profile merges them; None where it refuses to override a map or a list."""
    files = {f"{number}.yaml": json.dumps(layer) for number, layer in enumerate(layers)}
    with project(files):
        status, out, err = answer(["merge", *files, "--profile", profile, "--format", "json"])
    if not status:
        return json.loads(out)
    assert {found["code"] for found in json.loads(err)["diagnostics"]} == {"PL2001"}, err
    return None


def same(one: list[Any] | set[str], other: list[Any] | set[str]) -> bool:
    """Equal answers: types and the order of keys count."""
    if isinstance(one, set) or isinstance(other, set):
        return one == other
    return list(map(plain, one)) == list(map(plain, other))


Model = Callable[..., list[Any] | set[str]]
