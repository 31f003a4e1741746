"""What files and their imports say together: found for all names at once, and merged where several files write it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.node import Node, plain_value
from plait.fronts.stacks.read.manifest import Manifest
from plait.fronts.stacks.session.policies import SectionPolicies
from plait.workspace import Workspace
from tests.examples import examples
from tests.stacks.repository import repository

COUNT = 5
CONFIG = "stacks: {{base_path: stacks, included_paths: ['**/*']}}\nsettings: {{list_merge_strategy: {strategy}}}\n"
TYPES = ("terraform", "helmfile")
SECTIONS = ("vars", "settings", "env")

lists = st.lists(st.integers(0, 9), max_size=2).map(str)
entries = st.dictionaries(st.sampled_from("klm"), lists | st.integers(0, 9).map(str), max_size=2)
components = st.dictionaries(st.sampled_from(["a", "b", "c"]), entries, max_size=2)
one_file = st.fixed_dictionaries(
    {
        "import": st.lists(st.integers(0, COUNT - 1), max_size=3, unique=True),
        "sections": st.dictionaries(st.sampled_from(SECTIONS), entries, max_size=2),
        "components": st.dictionaries(st.sampled_from(TYPES), components, max_size=2),
    }
)


def flow(entries: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {text}" for key, text in entries.items()) + "}"


def manifest_text(at: int, said: dict[str, object]) -> str:
    """A file that imports some of those before it."""
    imports = [f"f{other}" for other in said["import"] if other < at]  # type: ignore[attr-defined]
    sections = [f"{name}: {flow(found)}\n" for name, found in said["sections"].items()]  # type: ignore[attr-defined]
    typed = {
        type: flow({name: f"{{vars: {flow(found)}}}" for name, found in members.items()})
        for type, members in said["components"].items()  # type: ignore[attr-defined]
    }
    return f"import: [{', '.join(imports)}]\n{''.join(sections)}components: {flow(typed)}\n"


def walked(manifest: Manifest, policies: SectionPolicies, own: Callable[[Manifest], Node | None]) -> Node | None:
    """What a manifest says: its imports in their order, each with its own imports, and then the file."""
    parts = [walked(one, policies, own) for one in manifest.imports] + [own(manifest)]
    return policies.merge([part for part in parts if part is not None])


def names_walked(manifest: Manifest, own: Callable[[Manifest], tuple[str, ...]]) -> list[str]:
    """The names that a manifest and its imports have, in the order in which they are first met."""
    names = [name for one in manifest.imports for name in names_walked(one, own)]
    return list(dict.fromkeys((*names, *own(manifest))))


def shown(node: Node | None) -> str:
    return json.dumps(plain_value(node)) if node is not None else "nothing"


@given(st.lists(one_file, min_size=COUNT, max_size=COUNT), st.sampled_from(("replace", "append", "merge")))
@settings(max_examples=examples(35))
def test_a_manifest_says_what_a_walk_through_its_imports_finds(
    tmp_path_factory: pytest.TempPathFactory, said: list[dict[str, object]], strategy: str
) -> None:
    folder = tmp_path_factory.mktemp("repository")
    files = {f"f{at}.yaml": manifest_text(at, one) for at, one in enumerate(said)}
    repository(folder, files, CONFIG.format(strategy=strategy))
    stacks = Workspace(str(folder), cache=False).stacks(str(folder))
    policies = stacks.config.policies
    manifests = stacks.repository.manifests()
    assert len(manifests) == COUNT
    for manifest in manifests:
        for type in TYPES:
            names = names_walked(manifest, lambda one, type=type: one.file.components.names(type))  # type: ignore[misc]
            assert list(manifest.names(type)) == names
            for name in ("a", "b", "c"):
                alone = walked(manifest, policies, lambda one, at=(type, name): one.file.components.node(*at))  # type: ignore[misc]
                assert shown(manifest.component(type, name)) == shown(alone)
        assert manifest.section_names() == names_walked(manifest, lambda one: one.file.keys)
        for name in SECTIONS:
            alone = walked(manifest, policies, lambda one, name=name: one.file.section(name))  # type: ignore[misc]
            assert shown(manifest.section(name)) == shown(alone)
