"""Settings of a folder that are wrong or missing, and manifests that disagree: all asked of one server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import Buffer, findings, write

pytestmark = pytest.mark.asyncio(loop_scope="module")

TARGET = "targets:\n- name: prod\n  layers: [base.yaml, prod.yaml]\n"


async def test_a_file_of_no_target_is_checked_as_far_as_it_can_be_alone(client: Any, folder: Path) -> None:
    made = write(folder / "settings1", {"tag.yaml": "a: !reff b\n", "alone.yaml": "b: !ref other.file\nmode: 0777\n"})
    for name, code in (("tag.yaml", "PL2107"), ("alone.yaml", "PL2312")):
        (found,) = await Buffer(client, made / name).findings()
        assert found.code == code


async def test_broken_settings_are_reported_in_their_file_and_the_last_good_ones_count(
    client: Any, folder: Path
) -> None:
    made = write(folder / "settings2", {"plait.yaml": TARGET, "base.yaml": "a: 1\n", "prod.yaml": "b: !ref a\n"})
    prod = Buffer(client, made / "prod.yaml")
    assert "**b** = `1`" in await prod.hover("!ref")
    (made / "plait.yaml").write_text("targets: [\n")
    changes = [types.FileEvent((made / "plait.yaml").as_uri(), types.FileChangeType.Changed)]
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
    (found,) = await findings(client, (made / "plait.yaml").as_uri())
    assert found.code == "PL1101"
    prod.replace("!ref a", "!ref a # typed meanwhile")
    assert "**b** = `1`" in await prod.hover("!ref")
    (made / "plait.yaml").write_text(TARGET)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
    assert await findings(client, (made / "plait.yaml").as_uri()) == []
    assert "**b** = `1`" in await prod.hover("!ref")


async def test_settings_that_are_broken_from_the_start_are_reported_once(client: Any, folder: Path) -> None:
    made = write(
        folder / "settings3", {"plait.yaml": "targets: [\n", "base.yaml": "a: 1\n", "prod.yaml": "b: !ref a\n"}
    )
    prod = Buffer(client, made / "prod.yaml")
    assert await prod.hover("!ref") == ""
    (found,) = await findings(client, (made / "plait.yaml").as_uri())
    assert found.code == "PL1101"
    (made / "plait.yaml").write_text(TARGET)
    client.text_document_did_save(types.DidSaveTextDocumentParams(prod.document))
    assert await findings(client, (made / "plait.yaml").as_uri()) == []
    assert "**b** = `1`" in await prod.hover("!ref")


STACKS = {
    "atmos.yaml": (
        'base_path: "."\ncomponents: {terraform: {base_path: components}}\n'
        'stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_pattern: "{stage}"}\n'
    ),
    "stacks/deploy/one.yaml": "vars: {stage: prod}\ncomponents: {terraform: {net: {vars: {size: 1}}}}\n",
    "stacks/deploy/two.yaml": "vars: {stage: prod}\ncomponents: {terraform: {net: {vars: {size: 1}}}}\n",
    "stacks/lost.yaml": 'locals: {a: 1}\nvars: {b: "{{ .locals.c }}"}\n',
}


async def test_manifests_of_one_stack_that_disagree_and_a_manifest_that_nobody_imports(
    client: Any, folder: Path
) -> None:
    made = write(folder / "settings4", STACKS)
    one = Buffer(client, made / "stacks/deploy/one.yaml")
    assert await one.findings() == []
    one.replace("size: 1", "size: 2")
    await one.findings()
    everywhere = [finding for uri, rows in client.diagnostics.items() if made.as_uri() in uri for finding in rows]
    assert [(finding.code, len(finding.related_information or [])) for finding in everywhere] == [("PL3222", 1)]
    one.replace("size: 2", "size: 1")
    assert await one.findings() == []
    assert [rows for uri, rows in client.diagnostics.items() if rows and made.as_uri() in uri] == []
    (lost,) = await Buffer(client, made / "stacks/lost.yaml").findings()
    assert lost.code == "PL3201"
