"""What helps while somebody types: completion, fixes, hints and lenses, also while the text is not valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import Buffer, write

pytestmark = pytest.mark.asyncio(loop_scope="module")

LAYERS = {
    "plait.yaml": "targets:\n- name: prod\n  layers: [base.yaml, prod.yaml]\n",
    "base.yaml": "vars:\n  size: 1\n  zone: a\njobs:\n- name: web\n  n: 1\n- name: db\n  n: 2\nread: !ref vars.size\n",
    "prod.yaml": "vars:\n  size: 1\njobs:\n- name: web\n  n: 3\n",
    "two.yaml": "\n---\n".join(
        f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{{key}: 1}}"
        for kind, key in (("Service", "ports"), ("Pod", "images"))
    ),
    "patterns/q/pattern.yaml": (
        "name: q\nversion: 1.0.0\ninputs:\n  name: {}\n  size:\n    description: how long the queue may become\n"
    ),
    "patterns/q/resources/q.yaml": "kind: Queue\nmetadata: {name: q}\nspec:\n  size: {{ .size }}\n",
}


MIXED = {
    "plait.yaml": (
        "targets:\n- {name: service, document: service.yaml}\n- {name: cf, template: cf.yml, stubs: [stub.yml]}\n"
    ),
    "service.yaml": (
        "defaults: &small {size: 1}\none:\n  +*small:\ntwo:\n  +/defaults:\nthree:\n  +include: more.yaml\n"
    ),
    "more.yaml": "extra: true\n",
    "cf.yml": 'meta: {domain: a}\nurl: (( meta.domain ))\nall: (( join(",", meta.domain) ))\n',
    "stub.yml": "meta: {domain: b}\n",
    "marks.yml": (
        "meta:\n  <<: (( &temporary ))\n  size: (( &state &tag:size ( 2 ) ))\nprice:\n"
        "  <<if: (( meta.size > 1 ))\n  <<then: large\nnext:\n  a: 1\n"
    ),
}


@pytest.fixture(scope="module")
def made(folder: Path) -> Path:
    files = {f"typing/{name}": text for name, text in LAYERS.items()}
    files |= {f"mixed/{name}": text for name, text in MIXED.items()}
    return write(folder, files)


INPUT_KEYS = [
    *("default:", "description:", "enum:", "example:", "maximum:", "minimum:", "pattern:", "renamed-from:"),
    *("required:", "type:"),
]
OF_PATTERN = ["patterns/q/pattern.yaml", "patterns/q/resources"]
PROFILES = ["ansible", "ansible-merge", "compose", "helm", "hydra", "kubernetes"]
PROD = "stacks/stacks/deploy/prod.yaml"
VPC = ["cidr", "environment", "name", "stage"]
MARKS = ["&default", "&dynamic", "&inject", "&local", "&state", "&tag:NAME", "&template", "&temporary"]
CONTROLS = [
    *("<<cases:", "<<default:", "<<do:", "<<else:", "<<for:", "<<if:", "<<mapkey:", "<<merge:", "<<switch:"),
    *("<<then:", "<<type:"),
]
TYPED = [
    (PROD, "- catalog/app", "- cat@", ["catalog/app", "deploy/dev", "mixins/dev", "mixins/prod"]),
    (PROD, "[app/defaults]", "[@]", ["app/defaults", "vpc", "web"]),
    (PROD, "component: app,", "component: @,", ["app", "vpc"]),
    (PROD, ".locals.network", ".locals.@", ["network", "prefix", "project"]),
    (PROD, ".locals.network", ".vars.e@", VPC),
    (PROD, "        cidr: 10.0.0.0/16", "        ci@", ["cidr:", "environment:", "name:", "stage:"]),
    (PROD, "10.0.0.0/16", "!terraform.output vpc ue@", ["ue1-dev", "ue1-prod"]),
    (PROD, '"{{ .locals.network', '"{{ (atmos.Component `vpc` `u@', ["ue1-dev", "ue1-prod"]),
    (PROD, '"{{ .locals.network', '"{{ (atmos.Component `v@', ["app/defaults", "vpc", "web"]),
    (
        PROD,
        '"{{ .locals.network',
        '"{{ (atmos.Component `vpc` `ue1-dev`).vars.@',
        VPC,
    ),
    (PROD, ".locals.project", ".vars.@", ["environment"]),
    (PROD, "    web:\n", "    w@\n", ["app/defaults:", "vpc:", "web:"]),
    ("typing/patterns/q/resources/q.yaml", ".size", ".@", ["name", "size"]),
    ("typing/patterns/q/pattern.yaml", "    description", "    typ@\n    description", INPUT_KEYS),
    ("typing/two.yaml", "{images: 1}", "{images: 1, i@}", ["i:", "images:"]),
    (
        "typing/plait.yaml",
        "- name: prod",
        "- {name: prod, layers: [patterns/q/@]}",
        OF_PATTERN,
    ),
    ("typing/plait.yaml", "targets:", "profile: @\ntargets:", [*PROFILES, "none"]),
    ("mixed/marks.yml", "&temporary", "&@", MARKS),
    ("mixed/marks.yml", "  a: 1", "  <@", CONTROLS),
    ("typing/base.yaml", "!ref vars.size", "!ref vars.@", ["size", "zone"]),
    (
        "typing/plait.yaml",
        "[base.yaml, prod.yaml]",
        "[base.yaml, @]",
        ["base.yaml", "patterns", "prod.yaml", "two.yaml"],
    ),
]


async def typed(client: Any, buffer: Buffer, old: str, new: str) -> list[types.CompletionItem]:
    """What is suggested after something was typed; `@` is the cursor."""
    before, after = new.split("@")
    where = buffer.position(old)
    buffer.replace(old, before + after)
    last = before.rpartition("\n")[2]
    column = len(last) if "\n" in before else where.character + len(last)
    at = types.Position(where.line + before.count("\n"), column)
    found = await client.text_document_completion_async(types.CompletionParams(buffer.document, at))
    return list(found.items)


@pytest.mark.parametrize(("file", "old", "new", "expected"), TYPED, ids=[f"{row[0]} {row[2].strip()}" for row in TYPED])
async def test_completion(client: Any, made: Path, file: str, old: str, new: str, expected: list[str]) -> None:
    buffer = Buffer(client, made / file)
    assert sorted(item.label for item in await typed(client, buffer, old, new)) == expected
    buffer.close()


async def test_completion_of_functions_and_keys(client: Any, made: Path) -> None:
    prod = Buffer(client, made / PROD)
    tags = {item.label: item.detail for item in await typed(client, prod, "10.0.0.0/16", "!te@")}
    assert tags["!terraform.output"] == "!terraform.output COMPONENT [STACK] OUTPUT-OR-EXPRESSION"
    functions = {item.label: item for item in await typed(client, prod, ".locals.network", "toJ@")}
    assert "toJson" in functions
    keys = [item.label for item in await typed(client, prod, "    web:\n", "    web:\n      se@\n")]
    assert {"settings:", "metadata:", "vars:"} <= set(keys)
    prod.close()


async def test_hover_on_a_function_tells_what_it_does(client: Any, made: Path) -> None:
    app = Buffer(client, made / "stacks/stacks/catalog/app.yaml")
    told = await app.hover("toJson", 2)
    assert told.startswith("`toJson")
    assert "**vars.limits**" in told
    app.close()


async def test_hover_on_a_mark_or_a_control_key_tells_what_it_does(client: Any, made: Path) -> None:
    marks = Buffer(client, made / "mixed/marks.yml")
    assert (await marks.hover("&temporary")).startswith("`&temporary`\n\nThere while merging")
    assert (await marks.hover("&state")).startswith("`&state`")
    assert (await marks.hover("&tag")).startswith("`&tag:NAME`")
    assert (await marks.hover("<<if")).startswith("`<<if`\n\nOne of two values")
    assert (await marks.hover("<<then")).startswith("`<<then`")
    marks.close()


async def test_a_broken_text_is_answered_from_the_last_good_one(client: Any, made: Path) -> None:
    prod = Buffer(client, made / PROD)
    assert "8192" in await prod.hover("8192")
    prod.replace("vars:\n  environment: ue1", "vars: [\n  environment: ue1")
    (found,) = await prod.findings()
    assert found.code == "PL1101"
    assert "overrides stacks/catalog/app.yaml:11" in await prod.hover("8192")
    assert await prod.definition(".locals.network", 9) == ["prod.yaml:16:9"]
    prod.close()


async def actions(client: Any, buffer: Buffer, words: str, inside: int = 1) -> dict[str, types.CodeAction]:
    at = buffer.position(words, inside)
    params = types.CodeActionParams(buffer.document, types.Range(at, at), types.CodeActionContext([]))
    return {action.title: action for action in await client.text_document_code_action_async(params)}


def applied(buffer: Buffer, action: types.CodeAction) -> str:
    """The text of a buffer after the edits of an action in it."""
    lines = buffer.text.splitlines(keepends=True)
    for edit in action.edit.changes[buffer.uri]:  # type: ignore[union-attr, index]
        start = sum(map(len, lines[: edit.range.start.line])) + edit.range.start.character
        end = sum(map(len, lines[: edit.range.end.line])) + edit.range.end.character
        return buffer.text[:start] + edit.new_text + buffer.text[end:]
    return buffer.text


async def test_fixes(client: Any, made: Path) -> None:
    prod = Buffer(client, made / PROD)
    prod.replace('{{ .locals.prefix }}-web"', '{{ .locals.prefx }}-web"')
    found = await actions(client, prod, "prefx")
    assert '"{{ .locals.prefix }}-web"' in applied(prod, found["Change it to `prefix`"])
    prod.replace("prefx", "prefix")
    prod.replace("  - catalog/app", "  - catalog/ap")
    found = await actions(client, prod, "catalog/ap")
    assert "  - catalog/app\n" in applied(prod, found["Change it to `catalog/app`"])
    prod.replace("  - catalog/ap", "  - catalog/app")
    found = await actions(client, prod, "8192")
    assert 'memory: "8192"' in applied(prod, found["Quote this value"])
    assert "Open the overridden value, stacks/catalog/app.yaml:11:17" in found
    assert [title for title in found if title.startswith("Move")] == []  # every lower layer loses to the base component
    prod.close()


APP, DEV = "stacks/stacks/catalog/app.yaml", "stacks/stacks/deploy/dev.yaml"
MISSPELT = [
    (DEV, "app/defaults", "app/defalts"),
    (DEV, ".vars.environment", ".vars.enviroment"),
    (DEV, '"{{ .locals.network }}"', "!terraform.state vcp .id // 1", "!terraform.state vpc .id // 1"),
    (APP, "!env APP", "!envv APP"),
    (APP, "toJson", "toJsn"),
    ("typing/base.yaml", "!ref vars.size", "!ref vars.siz"),
    ("typing/base.yaml", "!ref vars", "!reff vars"),
    ("typing/plait.yaml", "base.yaml", "bas.yaml"),
    ("mixed/service.yaml", "+*small", "+*smal"),
    ("mixed/service.yaml", "+/defaults", "+/default"),
    ("mixed/service.yaml", "more.yaml", "mor.yaml"),
    ("mixed/cf.yml", "meta.domain ))", "meta.domian ))"),
    ("mixed/cf.yml", "join(", "joyn("),
]


@pytest.mark.parametrize("row", MISSPELT, ids=[row[2] for row in MISSPELT])
async def test_what_was_meant_takes_the_place_of_what_was_misspelt(
    client: Any, made: Path, row: tuple[str, ...]
) -> None:
    file, old, new, *right = row
    buffer = Buffer(client, made / file)
    before = buffer.text.replace(old, right[0]) if right else buffer.text
    buffer.replace(old, new)
    fixes = [
        action for title, action in (await actions(client, buffer, new)).items() if title.startswith("Change it to")
    ]
    assert before in [applied(buffer, fix) for fix in fixes]
    buffer.close()


async def test_a_value_moves_to_another_layer_and_stays_the_same(client: Any, made: Path) -> None:
    prod, mixin = Buffer(client, made / PROD), Buffer(client, made / "stacks/stacks/mixins/prod.yaml")
    before = await prod.hover("cidr:")
    move = (await actions(client, prod, "10.0.0.0/16"))["Move this value to stacks/mixins/prod.yaml (all components)"]
    for buffer in (prod, mixin):
        buffer.replace(buffer.text, applied(buffer, move))
    assert "cidr" not in prod.text
    assert (await mixin.hover("cidr:")).splitlines()[2] == before.splitlines()[0].rpartition("= ")[2] == "`10.0.0.0/16`"
    prod.close()
    mixin.close()


async def test_a_value_at_the_root_moves_to_another_file(client: Any, made: Path) -> None:
    prod, mixin = Buffer(client, made / PROD), Buffer(client, made / "stacks/stacks/mixins/prod.yaml")
    move = (await actions(client, prod, "ue1"))["Move this value to stacks/mixins/prod.yaml (all components)"]
    assert "environment: ue1" not in applied(prod, move)
    assert "vars: {stage: prod, environment: ue1}" in applied(mixin, move)
    typed = await actions(client, mixin, "acme-prod-state")
    assert [title for title in typed if title.startswith("Move")] == []  # no other file has `terraform`
    prod.close()
    mixin.close()


async def test_a_value_moves_between_layers(client: Any, made: Path) -> None:
    base = Buffer(client, made / "typing/base.yaml")
    prod = Buffer(client, made / "typing/prod.yaml")
    move = (await actions(client, base, "zone: a"))["Move this value to prod.yaml (one target reads it)"]
    assert "zone" not in applied(base, move)
    assert "zone: a" in applied(prod, move)
    overridden = await actions(client, base, "size: 1")
    assert [title for title in overridden if title.startswith("Move")] == []
    base.close()
    prod.close()


async def test_fixes_of_layers(client: Any, made: Path) -> None:
    prod = Buffer(client, made / "typing/prod.yaml")
    findings = {finding.code for finding in await prod.findings()}
    assert {"PL2301", "PL2303"} <= findings
    found = await actions(client, prod, "jobs")
    found |= await actions(client, prod, "- name: web")
    assert "jobs:\n- !merge-by name\n- name: web" in applied(prod, found["Merge this list by `name`"])
    found = await actions(client, prod, "size: 1", 7)
    assert "size" not in applied(prod, found["Remove `vars.size`"])
    base = Buffer(client, made / "typing/base.yaml")
    lower = {**await actions(client, base, "size: 1", 7), **await actions(client, base, "- name: web")}
    assert not {title for title in lower if title.startswith(("Remove", "Merge"))}, "the higher layer is to be changed"
    assert "Open the value that overrides this, prod.yaml:2:9" in lower
    base.close()
    prod.close()


async def test_hints_and_lenses(client: Any, made: Path) -> None:
    prod = Buffer(client, made / PROD)
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(prod.document, everything))
    told = {hint.position.line + 1: hint.label for hint in hints}
    assert told[18] == "= shop-ue1-net"
    assert told[24] == "overrides stacks/catalog/app.yaml:11"
    app = Buffer(client, made / "stacks/stacks/catalog/app.yaml")
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(app.document))
    resolved = [await client.code_lens_resolve_async(lens) for lens in lenses]
    assert [(lens.range.start.line + 1, lens.command.title) for lens in resolved] == [
        (2, "affects 8 values in 2 stacks"),
        (7, "affects 10 values in 2 stacks"),
    ]
    prod.close()
    app.close()
