"""The first things that people do: open, hover, jump, type."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plait.apps.lsp.background import Background
from tests.lsp.editor import Buffer, findings, write

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_hover_tells_the_winner_and_the_losers(client: Any, folder: Path) -> None:
    prod = Buffer(client, folder / "stacks/stacks/deploy/prod.yaml")
    assert (await prod.hover("8192")).splitlines() == [
        "**vars.limits.memory** = `8192`",
        "",
        "web in ue1-prod",
        "",
        "- set by stacks/deploy/prod.yaml:24 `8192`",
        "  - overrides stacks/catalog/app.yaml:11 `4096`: the component overrides its base",
    ]
    assert await prod.findings() == []
    prod.close()


async def test_an_unsaved_text_is_what_counts(client: Any, folder: Path) -> None:
    dev = Buffer(client, folder / "stacks/stacks/deploy/dev.yaml")
    dev.replace('"{{ .locals.prefix }}-web"', '"{{ .locals.prefx }}-web"')
    (found,) = await dev.findings()
    assert (found.code, found.source) == ("PL3201", "plait")
    assert found.message.splitlines()[0] == 'undefined local "prefx" referenced in stacks/deploy/dev.yaml'
    assert (found.range.start.line, found.range.start.character, found.range.end.character) == (22, 18, 31)
    dev.replace("prefx", "prefix")
    assert await dev.findings() == []
    dev.close()


async def test_from_a_loser_to_the_line_that_decides(client: Any, folder: Path) -> None:
    dev = Buffer(client, folder / "stacks/stacks/deploy/dev.yaml")
    catalog = Buffer(client, folder / "stacks/stacks/catalog/app.yaml")
    assert await dev.definition("memory: 1024", 9) == ["dev.yaml:24:26"]
    assert await catalog.definition("enabled: true", 10) == ["app.yaml:10:18"]
    dev.close()
    catalog.close()


async def test_a_shared_file_tells_its_values_in_every_result(client: Any, folder: Path) -> None:
    catalog = Buffer(client, folder / "stacks/stacks/catalog/app.yaml")
    told = await catalog.hover("limits:", 1)
    counted = "2 stacks: `{cpu: 2, memory: 1024}` in 1, `{cpu: 2, memory: 8192, replicas: 3}` in 1"
    assert told.splitlines()[:3] == ["**vars.limits**", "", counted]
    assert "web in ue1-dev" in told
    catalog.close()


CHAIN = {
    "atmos.yaml": (
        'base_path: "."\ncomponents: {terraform: {base_path: components}}\n'
        'stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_pattern: "{stage}"}\n'
    ),
    "stacks/deploy/dev.yaml": "import: [team]\nvars: {stage: dev}\n",
    "stacks/team.yaml": "import: [company]\n",
    "stacks/company.yaml": ("components:\n  terraform:\n    net:\n      vars: {cidr: 10.0.0.0/8, ports: [80, 443]}\n"),
}


@pytest.fixture(scope="module")
def chain(folder: Path) -> Path:
    """A stack with imports of imports."""
    return write(folder / "chain", CHAIN)


HELM = {
    "atmos.yaml": CHAIN["atmos.yaml"],
    "stacks/deploy/dev.yaml": (
        "vars: {stage: dev}\ncomponents:\n  helm:\n    base: {metadata: {type: abstract}, values: {replicas: 1}}\n"
        "    web: {metadata: {inherits: [base]}, chart: acme/web, values: {replicas: 2}}\n"
        "  widget:\n    w: {size: 3}\n"
    ),
}


async def test_hover_tells_sections_of_every_type(client: Any, folder: Path) -> None:
    dev = Buffer(client, write(folder / "helm", HELM) / "stacks/deploy/dev.yaml")
    assert (await dev.hover("replicas: 2", 10)).splitlines() == [
        "**values.replicas** = `2`",
        "",
        "web in dev",
        "",
        "- set by stacks/deploy/dev.yaml:5 `2`",
        "  - overrides stacks/deploy/dev.yaml:4 `1`: the component overrides its base",
    ]
    assert (await dev.hover("acme/web")).startswith("**chart** = `acme/web`")
    assert (await dev.hover("size: 3", 6)).startswith("**size** = `3`")
    dev.close()


CODE = {
    **CHAIN,
    "components/net/main.tf": (
        'variable "cidr" {\n  type = string\n  description = "All addresses, see [x](http://e.example)"\n}\n'
        'variable "ports" {\n  default = [22] # ssh\n  description = <<-EOT\n    Open\n    ports\n  EOT\n}\n'
    ),
}


async def test_hover_tells_what_the_code_says_about_a_variable(client: Any, folder: Path) -> None:
    company = Buffer(client, write(folder / "code", CODE) / "stacks/company.yaml")
    assert (await company.hover("10.0.0.0/8")).splitlines()[-1] == (
        "`variable cidr (string, no default), components/net/main.tf:1: All addresses, see [x](http://e.example)`"
    )
    told = await company.hover("ports:")
    assert told.splitlines()[-1] == "`variable ports (any type, default [22]), components/net/main.tf:5: Open ports`"
    company.close()


async def test_keys_that_nothing_reads_are_found_while_they_are_typed(client: Any, folder: Path) -> None:
    dev = Buffer(client, write(folder / "stray", HELM) / "stacks/deploy/dev.yaml")
    dev.replace("vars: {stage", "imports: []\nvars: {stage")
    dev.replace("  widget:", "  terrafrom:")
    assert [(one.code, one.message.splitlines()[-1]) for one in await dev.findings()] == [
        ("PL3246", "did you mean `import`?"),
        ("PL3245", "did you mean `terraform`?"),
    ]
    dev.close()


async def test_hover_tells_the_chain_of_imports(client: Any, chain: Path) -> None:
    company = Buffer(client, chain / "stacks/company.yaml")
    assert (await company.hover("10.0.0.0/8")).splitlines()[-2:] == [
        "- set by stacks/company.yaml:4 `10.0.0.0/8`",
        "  - imported by stacks/team.yaml, which is imported by stacks/deploy/dev.yaml",
    ]
    company.close()


async def test_hover_over_a_name_or_a_key_tells_what_it_means(client: Any, folder: Path, chain: Path) -> None:
    dev = Buffer(client, folder / "stacks/stacks/deploy/dev.yaml")
    assert (await dev.hover("prefix:")).splitlines()[0] == "**locals.prefix** = `shop-ue1`"
    assert await dev.hover("mixins/dev") == "stacks/mixins/dev.yaml"
    assert (await dev.hover("web:")).splitlines() == [
        "web: a component of type terraform",
        "",
        "- written in stacks/deploy/dev.yaml:20, stacks/deploy/prod.yaml:20",
        "- inherits app/defaults",
    ]
    settings = Buffer(client, folder / "review/after/plait.yaml")
    assert await settings.hover("layers:") == "files or globs, lowest layer first"
    template = Buffer(client, folder / "spiff/deployment.yml")
    assert (await template.hover("environment: dev")).splitlines()[0] == "**meta.environment** = `dev`"
    stub = Buffer(client, folder / "spiff/infrastructure.yml")
    assert (await stub.hover("min_ip")).startswith("`min_ip(cidr)`")
    for buffer in (dev, settings, template, stub):
        buffer.close()


async def test_an_item_of_a_list_that_is_replaced_tells_what_is_there_instead(client: Any, chain: Path) -> None:
    company, dev = Buffer(client, chain / "stacks/company.yaml"), Buffer(client, chain / "stacks/deploy/dev.yaml")
    dev.replace("vars: {stage: dev}\n", "vars: {stage: dev}\ncomponents: {terraform: {net: {vars: {ports: [1]}}}}\n")
    assert (await company.hover("443")).splitlines()[0] == "**vars.ports** = `[1]`"
    company.close()
    dev.close()


async def test_a_broken_configuration_of_stacks_is_reported_and_the_rest_answers(client: Any, chain: Path) -> None:
    company, configuration = Buffer(client, chain / "stacks/company.yaml"), Buffer(client, chain / "atmos.yaml")
    configuration.replace("stacks: {", "stacks: {{")
    (found,) = await configuration.findings()
    assert found.code == "PL1101"
    assert "10.0.0.0/8" in await company.hover("10.0.0.0/8")
    configuration.replace("stacks: {{", "stacks: {")
    assert await configuration.findings() == []
    configuration.close()
    company.close()


async def test_a_change_shows_its_errors_in_other_files(client: Any, folder: Path) -> None:
    catalog = Buffer(client, folder / "stacks/stacks/catalog/app.yaml")
    catalog.replace("app/defaults:", "app/default:")
    await catalog.findings()
    for name in ("dev", "prod"):
        (found,) = await findings(client, (folder / f"stacks/stacks/deploy/{name}.yaml").as_uri())
        assert found.code == "PL3215"
        assert found.code_description.href.endswith("/docs/reference/diagnostics.md")
    catalog.replace("app/default:", "app/defaults:")
    assert await findings(client, (folder / "stacks/stacks/deploy/dev.yaml").as_uri()) == []
    catalog.close()


async def test_the_schema_of_manifests_is_checked(client: Any, folder: Path) -> None:
    dev = Buffer(client, folder / "stacks/stacks/deploy/dev.yaml")
    dev.replace("metadata: {component: app,", "metadata: {enabled: 7, component: app,")
    (found,) = await dev.findings()
    assert "enabled" in found.message
    assert "1024" in await dev.hover("1024")
    dev.close()


async def test_work_in_the_background_gives_way_to_newer_work() -> None:
    done: list[str] = []

    def steps(name: str) -> Iterator[None]:
        for number in range(100):
            done.append(f"{name}{number}")
            yield

    background = Background()
    background.start("folder", lambda: steps("old"))
    for _ in range(5):
        await asyncio.sleep(0)
    background.start("folder", lambda: steps("new"))
    while background.busy:
        await asyncio.sleep(0)
    assert len([name for name in done if name.startswith("old")]) < 6
    assert done[-1] == "new99"
