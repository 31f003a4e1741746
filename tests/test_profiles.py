"""Profiles, compared with the tools themselves where a package has them, and with what their documentation says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.node import plain_value
from plait.core.policy import OF_TOOLS, ListRule
from plait.fronts.forms import FORMS
from plait.merging.identities import IDENTITIES
from plait.notations.tags import WORDS
from plait.profiles.kubernetes import kind_type, patched_fields
from plait.profiles.rules import SETTINGS
from plait.profiles.table import PROFILES
from plait.workspace import Workspace
from plait.yaml.readers import READERS
from tests.examples import examples
from tests.model.patches import patched

KEYS = st.sampled_from(["a", "b", "c", "d"])
SCALARS = st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["x", "y z", "???", ""])


def _values(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
    )


LAYERS = st.lists(st.dictionaries(KEYS, _values(SCALARS), max_size=4), min_size=2, max_size=3)
GENTLE = settings(max_examples=examples(25), deadline=None)


def merged(folder: Path, layers: list[Any], **options: str) -> Any:
    names = []
    for number, layer in enumerate(layers):
        names.append(str(folder / f"{number}.yaml"))
        Path(names[-1]).write_text(yaml.safe_dump(layer), encoding="utf-8")
    workspace = Workspace(str(folder), cache=False)
    bundle = workspace.layers(names, workspace.merge_options(**options))
    return plain_value(workspace.value(bundle.members[0].tree), reveal=True)


@GENTLE
@given(LAYERS)
def test_hydra_merges_as_omegaconf_does(tmp_path: Path, layers: list[Any]) -> None:
    omegaconf = pytest.importorskip("omegaconf")
    try:
        wanted = omegaconf.OmegaConf.merge(*(omegaconf.OmegaConf.create(layer) for layer in layers))
    except TypeError:  # OmegaConf refuses a map over a list, plait lets it replace the list
        return
    assert merged(tmp_path, layers, profile="hydra") == omegaconf.OmegaConf.to_container(wanted)


def test_files_of_a_defaults_list_merge_as_hydra_composes_them(tmp_path: Path) -> None:
    hydra = pytest.importorskip("hydra")
    omegaconf = pytest.importorskip("omegaconf")
    layers: list[Any] = [
        {"db": {"host": "a", "port": "???", "tags": [1, 2]}, "size": 1, "mode": None},
        {"db": {"port": 5, "tags": [3]}, "mode": {"fast": True}},
        {"db": {"host": None, "port": "???"}, "size": "???", "mode": {"slow": False}},
    ]
    wanted_folder = tmp_path / "hydra"
    wanted_folder.mkdir()
    for name, layer in zip(("first", "second"), layers, strict=False):
        (wanted_folder / f"{name}.yaml").write_text(yaml.safe_dump(layer), encoding="utf-8")
    config = {"defaults": ["first", "second", "_self_"], **layers[2]}
    (wanted_folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    with hydra.initialize_config_dir(str(wanted_folder), version_base="1.3"):
        wanted = omegaconf.OmegaConf.to_container(hydra.compose("config"))
    assert merged(tmp_path, layers, profile="hydra") == wanted


@GENTLE
@given(LAYERS)
@pytest.mark.parametrize("profile", ["ansible", "ansible-merge"])
def test_ansible_merges_as_ansible_does(tmp_path: Path, profile: str, layers: list[Any]) -> None:
    variables = pytest.importorskip("ansible.utils.vars")
    wanted = layers[0]
    for layer in layers[1:]:
        wanted = variables.merge_hash(wanted, layer) if profile == "ansible-merge" else {**wanted, **layer}
    assert merged(tmp_path, layers, profile=profile) == wanted


PAIRED = st.sampled_from([{"A": 1, "B": None}, ["A=2", "C"], {"C": 1.5}, None, ["B=x", "B=y"]])
SERVICE = st.fixed_dictionaries(
    {},
    optional={
        "environment": PAIRED,
        "dns": st.sampled_from(["1.1.1.1", ["2.2.2.2", "1.1.1.1"]]),
        "volumes": st.sampled_from([["a:/x", "b:/y"], [{"source": "c", "target": "/x"}], ["/y"]]),
        "ports": st.sampled_from([["80:80", "80:80"], [90], [{"target": 90}]]),
        "networks": st.sampled_from([["a"], {"a": {"aliases": ["x"]}}, {"a": {"aliases": ["x", "y"]}, "b": None}]),
        "logging": st.sampled_from([{"driver": "a", "options": {"x": 1}}, {"driver": "b"}, {"options": {"y": 2}}]),
        "command": st.sampled_from(["a", ["b"], None]),
        "build": st.sampled_from([".", {"args": {"A": 1}}, {"args": ["A=2"]}]),
        "extra_hosts": st.sampled_from([{"a": ["1", "2"]}, ["a=2", "b=3"]]),
        "ulimits": st.sampled_from([{"n": 1}, {"n": {"soft": 1}}]),
        "deploy": st.sampled_from([{"replicas": 1}, {"labels": {"a": 1}}, None]),
    },
)


@GENTLE
@given(st.lists(SERVICE, min_size=3, max_size=4))
def test_compose_files_merge_all_at_once_as_two_by_two(tmp_path: Path, services: list[Any]) -> None:
    """Compose merges one file after the other."""
    layers = [{"services": {"app": {"image": "x", **service}}} for service in services]
    step = layers[0]
    for layer in layers[1:]:
        step = merged(tmp_path, [step, layer], profile="compose")
    assert merged(tmp_path, layers, profile="compose") == step


def merge_patch(target: Any, patch: Any) -> Any:
    """RFC 7396, section 2."""
    if not isinstance(patch, dict):
        return patch
    made = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = merge_patch(made.get(key), value)
    return made


@GENTLE
@given(LAYERS)
def test_nulls_delete_as_a_json_merge_patch_does(tmp_path: Path, layers: list[Any]) -> None:
    wanted = layers[0]
    for layer in layers[1:]:
        wanted = merge_patch(wanted, layer)
    assert merged(tmp_path, layers, nulls="delete") == wanted


@GENTLE
@given(LAYERS)
def test_kubernetes_merges_what_it_does_not_know_as_a_patch(tmp_path: Path, layers: list[Any]) -> None:
    """Unlike a JSON merge patch, a list that nothing is below of loses the nulls in its maps."""
    wanted = layers[0]
    for layer in layers[1:]:
        wanted = patched(wanted, layer, {})
    assert merged(tmp_path, layers, profile="kubernetes") == wanted


def test_every_reader_of_yaml_can_be_chosen() -> None:
    assert set(SETTINGS["yaml"]) == set(READERS)


def _coalesced(given: Any, defaults: dict[str, Any]) -> Any:
    """Values over a chart's own, as helm's coalesce.go does it."""
    made = dict(given)
    for key, value in defaults.items():
        if key not in made:
            made[key] = value
        elif made[key] is None:
            del made[key]
        elif isinstance(made[key], dict) and isinstance(value, dict):
            made[key] = _coalesced(made[key], value)
    return made


def _over(low: Any, high: Any) -> Any:
    """One values file over another."""
    if not isinstance(low, dict) or not isinstance(high, dict):
        return high
    return {**low, **{key: _over(low[key], value) if key in low else value for key, value in high.items()}}


@GENTLE
@given(LAYERS)
def test_values_merge_as_helm_coalesces_them(tmp_path: Path, layers: list[Any]) -> None:
    """Recorded as a model; `make judges` asks helm itself."""
    given: Any = {}
    for layer in layers[1:]:
        given = _over(given, layer)
    assert merged(tmp_path, layers, profile="helm") == _coalesced(given, layers[0])


@pytest.mark.parametrize("name", PROFILES)
def test_every_rule_of_a_profile_can_be_followed(name: str) -> None:
    profile = PROFILES[name]
    rules = [*profile.lists, *(rule for listed in profile.kinds.values() for rule in listed)]
    for setting, value in profile.settings.items():
        assert value.value in SETTINGS[setting]
    for rule in rules:
        made = ListRule.parse(rule.strategy, OF_TOOLS)
        assert made.strategy != "unique" or made.keys[0] in IDENTITIES
    assert {form.form for form in profile.forms} <= set(FORMS)
    assert {tag.means for tag in profile.tags} <= set(WORDS)
    cited = [*rules, *profile.settings.values(), *profile.forms, *profile.whole, *profile.tags, *profile.words]
    cited += profile.not_followed
    assert all(one.cites for one in cited)  # type: ignore[attr-defined]


PATCHED = {
    "metadata.ownerReferences": ("merge", ("uid",)),
    "metadata.finalizers": ("merge", ()),  # of texts: nothing identifies them but themselves
    "spec.template.spec.containers": ("merge", ("name",)),
    "spec.template.spec.containers[*].ports": ("merge", ("containerPort", "protocol")),
    "spec.template.spec.volumes": ("merge,retainKeys", ("name",)),
    "spec.template.spec.topologySpreadConstraints": ("merge", ("topologyKey", "whenUnsatisfiable")),
    "spec.volumeClaimTemplates[*].status.conditions": ("merge", ("type",)),  # of a list that is replaced
    "spec.template": None,
    "spec.volumeClaimTemplates": None,
    "spec.volumeClaimTemplates.status.conditions": None,
    "spec.template.spec.containers.ports": None,
}
"""Fields of a StatefulSet: how a patch of Kubernetes treats them, and what identifies their items; None where nothing
is special."""


def test_how_kubernetes_patches_a_stateful_set() -> None:
    found = {path: (field.strategy, field.keys) for path, field in patched_fields(kind_type("apps", "StatefulSet"))}
    assert {path: found.get(path) for path in PATCHED} == PATCHED
