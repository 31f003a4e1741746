"""Which file wins where several write a value: the texts alone say what merging the manifests gives."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.node import MapNode, Scalar
from plait.fronts.stacks.answers.written_values import ROOT, WrittenValues, ranks_of
from plait.fronts.stacks.read.imports import files_of, merged_files
from plait.workspace import Workspace
from tests.examples import examples

CONFIG = """\
base_path: ./
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_pattern: "{stage}"}
"""
FILES = 5
LAYERS: tuple[str | tuple[str, str], ...] = (ROOT, "terraform", ("terraform", "base"), ("terraform", "web"))
"""The lowest first."""

Writers = dict[int, list[int]]
"""By the number of a file, those of the layers in which it writes a value."""


@st.composite
def imports(draw: st.DrawFn) -> dict[int, list[int]]:
    """What each file imports: files of higher numbers, so that there is no circle; several ways may lead to one."""
    return {at: draw(st.lists(st.sampled_from(range(at + 1, FILES)), max_size=3)) for at in range(FILES - 1)}


def text(at: int, imported: list[int], layers: list[int]) -> str:
    """A file that writes its own number, in some layers."""
    own = f"vars: {{v: {at}}}"
    stage = f"vars: {{stage: dev{f', v: {at}' if 0 in layers else ''}}}" if at == 0 else own if 0 in layers else ""
    entries = [f"    {name}: {{{own}}}" for layer, name in ((2, "base"), (3, "web")) if layer in layers]
    if at == 0:
        entries.append("    top: {metadata: {inherits: [base]}}")
    return "\n".join(
        [
            f"import: [{', '.join(f'catalog/f{one}' for one in imported)}]",
            stage,
            f"terraform: {{{own}}}" if 1 in layers else "",
            *(["components:", "  terraform:", *entries] if entries else []),
            "",
        ]
    )


@settings(max_examples=examples(25), deadline=None)
@given(imports(), st.dictionaries(st.integers(0, FILES - 1), st.lists(st.integers(0, 3), max_size=4), max_size=FILES))
def test_the_file_that_is_merged_last_wins(imported: dict[int, list[int]], writers: Writers) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "atmos.yaml").write_text(CONFIG)
        for at in range(FILES):
            file = folder / "stacks" / ("deploy/f0.yaml" if at == 0 else f"catalog/f{at}.yaml")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text(at, imported.get(at, []), writers.get(at, [])))
        repository = Workspace(place, cache=False).stacks(place).repository
        (manifest,) = repository.manifests()
        files = merged_files(manifest)
        assert {*files} == {*files_of(manifest)}
        texts = {file.path: file.source for file in files}
        written = WrittenValues(repository, texts, ranks_of({"dev": list(texts)}))
        section, typed = manifest.section("vars"), manifest.section("terraform")
        entries = [manifest.component("terraform", name) for name in ("base", "web")]
        merged = [section, *(_child(one, "vars") for one in (typed, *entries))]
        for layer, node in zip(LAYERS, merged, strict=True):
            value = written.value(("vars", "v"), (layer,), "dev")
            found = _child(node, "v")
            assert (value is None) == (found is None)
            if isinstance(found, Scalar):
                assert isinstance(value, Scalar)
                assert (value.value, value.source) == (found.value, found.source)
        all_layers = [_child(node, "v") for node in merged]
        highest = [one for one in all_layers if one is not None][-1:]
        value = written.value(("vars", "v"), LAYERS, "dev")
        assert [one.value for one in highest] == ([value.value] if value is not None else [])  # type: ignore[attr-defined, union-attr]


def _child(node: object, key: str) -> object:
    return node.entries.get(key) if isinstance(node, MapNode) else None
