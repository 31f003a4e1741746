"""Names: where they are defined, who uses them, and renaming them, in every language that files are written in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Buffer, shown, write

pytestmark = pytest.mark.asyncio(loop_scope="module")

LAYERS = {
    "plait.yaml": "targets:\n- name: prod\n  layers: [base.yaml, prod.yaml]\n",
    "base.yaml": "net: &net {cidr: 10.0.0.0/8}\nsame: *net\nread: !ref net.cidr\ntext: !include.raw words.txt\n",
    "prod.yaml": "net:\n  cidr: 10.1.0.0/16\n",
    "words.txt": "hello\n",
}
DIRECTIVES = {
    "plait.yaml": "targets:\n- name: service\n  document: service.yaml\n",
    "service.yaml": (
        "defaults: &small\n  size: 1\nnamed:\n  +&: big\n  size: 2\n"
        "one:\n  +*small:\ntwo:\n  +/defaults:\nthree:\n  +include: more.yaml\nfour:\n  +*big:\n"
        "five:\n  eval: ::defaults::size\n"
    ),
    "more.yaml": "extra: true\n",
}
PATTERN = {
    "patterns/queue/pattern.yaml": "name: queue\nversion: 1.0.0\ninputs:\n  size:\n    default: 1\n",
    "patterns/queue/resources/queue.yaml": "kind: Queue\nmetadata: {name: q}\nspec:\n  size: {{ .size }}\n",
}
READING = {
    "atmos.yaml": 'stacks: {base_path: stacks, name_pattern: "{stage}"}\ncomponents: {terraform: {base_path: .}}\n',
    "stacks/prod.yaml": (
        "vars: {stage: prod, zone: a}\n"
        "terraform: {backend_type: s3, backend: {s3: {bucket: b}}}\n"
        "components:\n  terraform:\n    vpc:\n      vars: {cidr: 10.0.0.0/8}\n"
        "    web:\n      vars:\n"
        """        near: '{{ (atmos.Component "vpc" .stack).vars.cidr }}'\n"""
        """        far: '{{ (atmos.Component "vpc" "dev").vars.cidr }}'\n"""
    ),
    "stacks/dev.yaml": ("vars: {stage: dev}\ncomponents:\n  terraform:\n    vpc:\n      vars: {cidr: 10.1.0.0/16}\n"),
}
SPIFF = {
    "plait.yaml": "targets:\n- name: cf\n  template: template.yml\n  stubs: [stub.yml]\n",
    "template.yml": (
        'meta:\n  env: dev\nname: (( meta.env ))\nurl: (( "x-" .meta.env ))\n'
        "jobs:\n- name: web\n  size: 1\ntotal: (( .jobs.web.size ))\n"
    ),
    "stub.yml": "meta:\n  env: prod\n",
}


@pytest.fixture(scope="module")
def made(folder: Path) -> Path:
    """Small repositories beside the examples."""
    repositories = (("l", LAYERS), ("d", DIRECTIVES), ("p", PATTERN), ("s", SPIFF), ("r", READING))
    for name, files in repositories:
        write(folder / name, files)
    return folder


DEFINITIONS = [
    ("stacks/stacks/deploy/prod.yaml", "mixins/prod", ["prod.yaml:1:1"]),
    ("stacks/stacks/deploy/prod.yaml", "app/defaults", ["app.yaml:7:5"]),
    ("stacks/stacks/deploy/prod.yaml", "app, i", ["main.tf:1:1"]),
    ("stacks/stacks/deploy/prod.yaml", ".locals.project", ["prod.yaml:6:3"]),
    ("stacks/stacks/deploy/prod.yaml", ".locals.network", ["prod.yaml:16:9"]),
    ("stacks/stacks/deploy/prod.yaml", ".vars.environment", ["prod.yaml:10:16"]),
    ("stacks/stacks/catalog/app.yaml", ".settings.sizes", ["app.yaml:3:10"]),
    ("r/stacks/prod.yaml", "stack).vars.cidr", ["prod.yaml:6:20"]),
    ("r/stacks/prod.yaml", '"dev").vars.cidr', ["dev.yaml:5:20"]),
    ("l/base.yaml", "net.cidr", ["prod.yaml:2:9"]),
    ("l/base.yaml", "*net", ["base.yaml:1:7"]),
    ("l/base.yaml", "words.txt", ["words.txt:1:1"]),
    ("l/plait.yaml", "prod.yaml", ["prod.yaml:1:1"]),
    ("d/service.yaml", "+*small", ["service.yaml:1:12"]),
    ("d/service.yaml", "+*big", ["service.yaml:4:7"]),
    ("d/service.yaml", "+/defaults", ["service.yaml:1:1"]),
    ("d/service.yaml", "more.yaml", ["more.yaml:1:1"]),
    ("d/service.yaml", "::defaults::size", ["service.yaml:2:9"]),
    ("p/patterns/queue/resources/queue.yaml", ".size", ["pattern.yaml:4:3"]),
    ("s/template.yml", "meta.env ))", ["stub.yml:2:8"]),
    ("s/template.yml", ".meta.env ))", ["stub.yml:2:8"]),
    ("stacks/stacks/deploy/prod.yaml", "vpc:", ["dev.yaml:14:5", "prod.yaml:14:5"]),
    ("stacks/stacks/deploy/prod.yaml", "project:", ["prod.yaml:6:3"]),
    ("review/after/plait.yaml", "env/{env}", ["dev.yaml:1:1", "prod.yaml:1:1"]),
]


@pytest.mark.parametrize(("file", "words", "expected"), DEFINITIONS, ids=[f"{row[0]} {row[1]}" for row in DEFINITIONS])
async def test_definition(client: Any, made: Path, file: str, words: str, expected: list[str]) -> None:
    buffer = Buffer(client, made / file)
    at = words.index(").") + 3 if ")." in words else 1 if "," in words else min(len(words) // 2, 4)
    assert await buffer.definition(words, at) == expected
    buffer.close()


REFERENCES = [
    ("stacks/stacks/deploy/dev.yaml", "prefix:", ["dev.yaml:16:30", "dev.yaml:23:27", "dev.yaml:7:3"]),
    (
        "stacks/stacks/catalog/app.yaml",
        "app/defaults",
        ["app.yaml:7:5", "dev.yaml:21:45", "prod.yaml:21:45"],
    ),
    ("stacks/stacks/deploy/dev.yaml", "mixins/dev", ["dev.yaml:2:5"]),
    ("l/base.yaml", "&net", ["base.yaml:1:7", "base.yaml:2:8"]),
    ("l/base.yaml", "cidr: 10", ["base.yaml:1:18", "base.yaml:3:12", "prod.yaml:2:9"]),
    ("l/base.yaml", "net.cidr", ["base.yaml:3:12", "prod.yaml:2:9"]),
    ("stacks/stacks/deploy/dev.yaml", ".vars.environment", ["dev.yaml:10:16", "dev.yaml:7:37"]),
    ("s/stub.yml", "env", ["stub.yml:2:3", "template.yml:2:3", "template.yml:3:15", "template.yml:4:20"]),
    ("p/patterns/queue/pattern.yaml", "size:", ["pattern.yaml:4:3", "queue.yaml:4:13"]),
]


@pytest.mark.parametrize(("file", "words", "expected"), REFERENCES, ids=[f"{row[0]} {row[1]}" for row in REFERENCES])
async def test_references(client: Any, made: Path, file: str, words: str, expected: list[str]) -> None:
    buffer = Buffer(client, made / file)
    where = buffer.position(words, 1)
    params = types.ReferenceParams(types.ReferenceContext(True), buffer.document, where)
    assert sorted(shown(await client.text_document_references_async(params))) == expected
    buffer.close()


async def renaming(client: Any, buffer: Buffer, words: str, name: str) -> dict[str, list[str]]:
    """What a rename changes, by file."""
    params = types.RenameParams(buffer.document, buffer.position(words, 1), name)
    edit = await client.text_document_rename_async(params)
    return {
        Path(uri).name: sorted(f"{row.range.start.line + 1}:{row.range.start.character + 1}" for row in rows)
        for uri, rows in edit.changes.items()
    }


async def test_rename(client: Any, made: Path) -> None:
    dev = Buffer(client, made / "stacks/stacks/deploy/dev.yaml")
    stub = Buffer(client, made / "s/stub.yml")
    base = Buffer(client, made / "l/base.yaml")
    assert await renaming(client, dev, "prefix:", "stem") == {"dev.yaml": ["16:30", "23:27", "7:3"]}
    assert await renaming(client, dev, "app/defaults", "app/base") == {
        "app.yaml": ["7:5"],
        "dev.yaml": ["21:45"],
        "prod.yaml": ["21:45"],
    }
    assert await renaming(client, stub, "env", "stage") == {
        "stub.yml": ["2:3"],
        "template.yml": ["2:3", "3:15", "4:20"],
    }
    whole = {"stub.yml": ["1:1"], "template.yml": ["1:1", "3:10", "4:15"]}
    template = Buffer(client, made / "s/template.yml")
    assert await renaming(client, template, "meta:", "about") == whole
    assert await renaming(client, template, "meta.env ))", "about") == whole
    with pytest.raises(JsonRpcException, match="nothing at this place can be renamed"):
        await renaming(client, template, "size ))", "count")  # the key of an item is not a name that plait can follow
    assert await renaming(client, base, "*net", "network") == {"base.yaml": ["1:7", "2:8"]}
    pattern = Buffer(client, made / "p/patterns/queue/pattern.yaml")
    queue = Buffer(client, made / "p/patterns/queue/resources/queue.yaml")
    for buffer, words in ((pattern, "size:"), (queue, ".size")):
        assert await renaming(client, buffer, words, "length") == {"pattern.yaml": ["4:3"], "queue.yaml": ["4:13"]}
    for buffer in (dev, stub, base, pattern, queue, template):
        buffer.close()


async def test_a_name_that_a_template_makes_is_not_renamed(client: Any, made: Path) -> None:
    dev = Buffer(client, made / "stacks/stacks/deploy/dev.yaml")
    dev.replace("inherits: [app/defaults]", 'inherits: ["{{ .settings.base }}"]')
    with pytest.raises(JsonRpcException, match="a template computes the name of a component, which may be `vpc`"):
        await renaming(client, dev, "vpc:", "network")
    with pytest.raises(JsonRpcException, match="cannot rename this"):
        await renaming(client, dev, "cidr", "range")
    with pytest.raises(JsonRpcException, match="`a b` cannot be a local here"):
        await renaming(client, dev, "prefix:", "a b")
    dev.close()


async def test_call_hierarchy_of_files_and_components(client: Any, made: Path) -> None:
    app = Buffer(client, made / "stacks/stacks/catalog/app.yaml")
    start = types.CallHierarchyPrepareParams(app.document, types.Position(0, 0))
    (file,) = await client.text_document_prepare_call_hierarchy_async(start)
    calls = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(file))
    assert [call.from_.name for call in calls] == ["dev.yaml", "prod.yaml"]
    base = types.CallHierarchyPrepareParams(app.document, app.position("app/defaults", 1))
    (component,) = await client.text_document_prepare_call_hierarchy_async(base)
    heirs = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(component))
    assert {(call.from_.name, call.from_.detail) for call in heirs} == {("web", "terraform")}
    (outgoing, *_) = await client.call_hierarchy_outgoing_calls_async(
        types.CallHierarchyOutgoingCallsParams(heirs[0].from_)
    )
    assert outgoing.to.name == "app/defaults"
    app.close()


async def test_outline_folding_and_links(client: Any, made: Path) -> None:
    dev = Buffer(client, made / "stacks/stacks/deploy/dev.yaml")
    outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(dev.document))
    assert [symbol.name for symbol in outline] == ["import", "locals", "vars", "components"]
    components = outline[3].children[0].children
    assert [(one.name, one.kind) for one in components] == [
        ("vpc", types.SymbolKind.Class),
        ("web", types.SymbolKind.Class),
    ]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(dev.document))
    assert (12, 23) in {(fold.start_line, fold.end_line) for fold in folds}
    links = await client.text_document_document_link_async(types.DocumentLinkParams(dev.document))
    assert [Path(link.target).name for link in links] == ["dev.yaml", "app.yaml"]
    dev.close()
