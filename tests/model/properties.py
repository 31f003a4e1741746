"""plait equals the models: each property draws inputs and compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.compose import texts as as_text
from tests.model import blamed, compose, dynaml, helm
from tests.model.blame_inputs import blamed_by_plait, disputes, explained_by_plait
from tests.model.compared import layers_by_plait, patched_by_plait, profile_by_plait, same
from tests.model.compose_inputs import compose_file, helm_layer
from tests.model.dynaml_inputs import documents as dynaml_documents
from tests.model.dynaml_inputs import merged_by_plait, typed
from tests.model.inputs import FILES, ITEM_LISTS, LISTS, keyed_lists, layer, values
from tests.model.layers import Rules, merged
from tests.model.patch_inputs import patch, resource
from tests.model.patches import Refused, patched, without_directives
from tests.model.repositories import repositories, stacks_by_plait
from tests.model.stacks import Data, Repository

RULES = st.builds(
    Rules,
    lists=st.lists(LISTS, max_size=3),
    kinds=st.sampled_from(["replace", "replace", "replace", "error"]),
    nulls=st.sampled_from(["keep", "keep", "delete", "error"]),
)


ITEM_RULES = st.builds(
    Rules,
    lists=st.lists(ITEM_LISTS, min_size=1, max_size=2),
    nulls=st.sampled_from(["keep", "keep", "delete", "error"]),
)
NO_SUCH_LIST = {"PL9005"}
"""A `--list` that names no list is refused before anything is merged."""


def compare(layers: list[str], rules: Rules) -> None:
    found = layers_by_plait(layers, rules)
    if found == NO_SUCH_LIST:
        rules = replace(rules, lists=rules.lists[:2])
        found = layers_by_plait(layers, rules)
    expected = merged(layers, rules)
    assert same(expected, found), (layers, rules, expected, found)


@given(st.lists(layer(values(words=False, refs=False)), min_size=2, max_size=4))
def plain_layers(layers: list[str]) -> None:
    compare(layers, Rules())


@given(st.lists(layer(values(words=False, refs=False)), min_size=2, max_size=4), RULES)
def list_rules(layers: list[str], rules: Rules) -> None:
    compare(layers, rules)


@given(st.lists(layer(values(refs=False)), min_size=2, max_size=4), RULES)
def merge_tags(layers: list[str], rules: Rules) -> None:
    compare(layers, rules)


@given(st.lists(layer(values()), min_size=1, max_size=4), RULES)
def references(layers: list[str], rules: Rules) -> None:
    compare(layers, rules)


@given(keyed_lists(), ITEM_RULES)
def items_by_key(layers: list[str], rules: Rules) -> None:
    compare(layers, rules)


@given(st.lists(FILES, min_size=1, max_size=3), st.sampled_from(["", "", "layers", "pair", "1", "2"]))
def several_documents(files: list[str], how: str) -> None:
    compare(files, Rules(documents=how))


@given(st.integers(0, 2**32), st.integers(1, 3))
def strategic_patches(seed: int, count: int) -> None:
    """What kubectl makes of a resource and several patches, one after the other."""
    chance = Random(seed)
    layers = [resource(chance), *(patch(chance) for _ in range(count))]
    try:
        expected = layers[0]
        for one in layers[1:]:
            expected = without_directives(patched(expected, one))
    except Refused:
        expected = None
    assert patched_by_plait(layers) == expected, layers


@given(st.integers(0, 2**32), st.integers(2, 3))
def compose_files(seed: int, count: int) -> None:
    """Scalars are compared as text: Compose makes texts of them sooner or later."""
    chance = Random(seed)
    files = [compose_file(chance) for _ in range(count)]
    try:
        expected = as_text(compose.merged(*files))
    except compose.Refused:
        expected = None
    found = profile_by_plait(files, "compose")
    assert as_text(found) == expected, (files, expected, found)


@given(st.integers(0, 2**32), st.integers(1, 4))
def helm_values(seed: int, count: int) -> None:
    chance = Random(seed)
    layers = [helm_layer(chance) for _ in range(count)]
    assert profile_by_plait(layers, "helm") == helm.values(*layers), layers


@given(repositories(), st.sampled_from(["replace", "append", "merge"]))
def stacks(files: dict[str, Data], strategy: str) -> None:
    expected, found = Repository(files, strategy).described(), stacks_by_plait(files, strategy)
    assert expected == found, (files, strategy, expected, found)


@given(disputes(), st.data())
def blame(layers: list[blamed.Layer], data: st.DataObject) -> None:
    """Who has the value at a path, who else has one there, and who is blamed for that."""
    path = data.draw(st.sampled_from(sorted({path for layer in layers for path in blamed.texts(layer)})))
    holders = [number for number, layer in enumerate(layers) if blamed.is_there(layer, path)]
    value = blamed.at(blamed.result(layers), path)
    if isinstance(value, dict | list):
        return  # the explanation is that of what is in it
    found = explained_by_plait(layers, path)
    told = (path, [blamed.written(layer) for layer in layers], found)
    if value is blamed.ABSENT:
        assert found.value is None, told
    else:
        assert blamed.at(layers[holders.pop()], path) is value, told
        assert found.value == value.text, told
    assert found.losers == holders[::-1], told
    for loser, by, is_unset in found.removed:
        assert blamed.is_enough(layers, by, loser, path), told
        assert not is_unset or blamed.removes(layers[by], path), told


@given(disputes())
def losers(layers: list[blamed.Layer]) -> None:
    """The value that is named first as overridden is the one that decides once the winner is removed; none where
    nothing decides then. Each one further down is next once those above it are removed, too; what was gone before is
    there in no case, and the layer that is named removed it."""
    for path, found in blamed_by_plait(layers).items():
        told = (path, [blamed.written(layer) for layer in layers], found)
        holders = [number for number, layer in enumerate(layers) if blamed.is_there(layer, path)]
        if not isinstance(blamed.at(blamed.result(layers), path), blamed.Text):
            continue  # a name, or an empty map
        left = list(layers)
        for decides in [holders.pop(), *found.overridden]:
            own, there = blamed.at(layers[decides], path), blamed.at(blamed.result(left), path)
            assert there is own if isinstance(own, blamed.Text) else isinstance(there, dict | list), told
            left[decides] = blamed.without(left[decides], path)
        assert blamed.at(blamed.result(left), path) is blamed.ABSENT, told
        assert found.losers == holders[::-1], told
        for loser, by, is_unset in found.removed:
            assert blamed.is_enough(layers, by, loser, path), told
            assert not is_unset or blamed.removes(layers[by], path), told


@given(st.integers(0, 2**32))
def spiff_templates(seed: int) -> None:
    """A template with its stubs: the manifest, or which nodes have no value."""
    documents = dynaml_documents(seed)
    try:
        expected = dynaml.answer_of(documents)
    except dynaml.NotCovered:
        return
    found = merged_by_plait(documents)
    assert isinstance(found, tuple) == isinstance(expected, tuple), (documents, expected, found)
    assert typed(found) == typed(expected), (documents, expected, found)


PROPERTIES: dict[str, Callable[[], None]] = {
    "plain layers": plain_layers,
    "list rules": list_rules,
    "merge tags": merge_tags,
    "references": references,
    "items by key": items_by_key,
    "blame": blame,
    "losers": losers,
    "several documents": several_documents,
    "stacks": stacks,
    "strategic patches": strategic_patches,
    "compose files": compose_files,
    "helm values": helm_values,
    "spiff templates": spiff_templates,
}
