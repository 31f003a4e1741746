"""Layers, charts and large files in an editor: what a person types, and what the server says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import ClientServerConfig, make_test_lsp_client

from plait.apps.lsp import hover, outline
from plait.apps.lsp.positions import Lines
from plait.apps.lsp.session import Session
from plait.core import native
from plait.core.source import Source
from plait.workspace import Workspace
from plait.yaml import build, events, layout
from tests.lsp.editor import Buffer, start, write
from tests.lsp.started import SERVER

FILES = {
    "plait.yaml": "targets:\n- {name: prod, layers: [base.yaml, prod.yaml]}\n",
    "base.yaml": "image:\n  name: nginx\n  pull: {policy: Always, secret: !sensitive abc}\nnet: !ref image.name\n",
    "prod.yaml": "size: 2\n",
}
LARGE_TEAMS = 160
"""So many that what is around a change is looked at first."""


@pytest_asyncio.fixture(loop_scope="function")
async def client() -> AsyncIterator[Any]:
    """A client with a server of its own."""
    made = await ClientServerConfig(server_command=SERVER, client_factory=make_test_lsp_client).start()
    yield made
    await made.shutdown_session()
    await made.stop()


async def labels(buffer: Buffer, words: str, inside: int) -> list[str]:
    params = types.CompletionParams(buffer.document, buffer.position(words, inside))
    found = await buffer.client.text_document_completion_async(params)
    return [one.label for one in found.items]


@pytest.mark.asyncio(loop_scope="function")
async def test_the_first_key_below_a_new_one_is_completed_from_the_layers_below(client: Any, tmp_path: Path) -> None:
    await start(client, [write(tmp_path, FILES)])
    prod = Buffer(client, tmp_path / "prod.yaml")
    prod.replace("size: 2\n", "size: 2\nimage:\n  \n")
    assert await labels(prod, "image:\n  ", 9) == ["name:", "pull:"]
    prod.replace("image:\n  \n", "image:\n  pull:\n    \n")
    assert await labels(prod, "pull:\n    ", 10) == ["policy:", "secret:"]


def applied(edit: types.WorkspaceEdit | None, folder: Path) -> dict[str, str]:
    """The texts of files after an edit, each of which changes whole words or lines."""
    texts: dict[str, str] = {}
    for uri, rows in (edit.changes or {}).items() if edit is not None else ():
        name = uri.rpartition("/")[2]
        lines = (folder / name).read_text().split("\n")
        for row in sorted(rows, key=lambda one: -one.range.start.line * 1000 - one.range.start.character):
            first, last = row.range.start, row.range.end
            head, tail = lines[first.line][: first.character], lines[last.line][last.character :]
            lines[first.line : last.line + 1] = f"{head}{row.new_text}{tail}".split("\n")
        texts[name] = "\n".join(lines)
    return texts


@pytest.mark.asyncio(loop_scope="function")
async def test_a_key_is_renamed_in_all_layers_and_references(client: Any, tmp_path: Path) -> None:
    files = {**FILES, "prod.yaml": "image: {name: caddy}\n"}
    await start(client, [write(tmp_path, files)])
    base = Buffer(client, tmp_path / "base.yaml")
    place = base.position("name:", 1)
    asked = await client.text_document_prepare_rename_async(types.PrepareRenameParams(base.document, place))
    assert asked.placeholder == "name"
    edit = await client.text_document_rename_async(types.RenameParams(base.document, place, "title"))
    after = applied(edit, tmp_path)
    assert after["prod.yaml"] == "image: {title: caddy}\n"
    assert after["base.yaml"] == FILES["base.yaml"].replace("name", "title")
    with pytest.raises(Exception, match="exists already"):
        await client.text_document_rename_async(types.RenameParams(base.document, place, "pull"))


@pytest.mark.asyncio(loop_scope="function")
async def test_keys_of_all_files_are_found_by_name(client: Any, tmp_path: Path) -> None:
    await start(client, [write(tmp_path, FILES)])
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("POL"))
    assert [(one.name, one.container_name) for one in found] == [("policy", "base.yaml: image.pull")]
    assert found[0].location.range.start == types.Position(2, 9)


@pytest.mark.asyncio(loop_scope="function")
async def test_words_of_expressions_have_kinds(client: Any, tmp_path: Path) -> None:
    await start(client, [write(tmp_path, {**FILES, "t.yml": 'a: 1\nb: (( join(",", a) ))\n'})])
    base, template = (Buffer(client, tmp_path / name) for name in ("base.yaml", "t.yml"))
    found = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(base.document))
    kinds = ["function", "property"]
    assert [kinds[kind] for kind in found.data[3::5]] == ["function", "function", "property"]
    assert list(found.data[-10:]) == [1, 5, 4, 0, 0, 0, 5, 10, 1, 0]  # !ref, and image.name on the same line
    whole = types.Range(types.Position(1, 0), types.Position(2, 0))
    found = await client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(template.document, whole)
    )
    assert list(found.data) == [1, 6, 4, 0, 0, 0, 10, 1, 1, 0]


@pytest.mark.asyncio(loop_scope="function")
async def test_what_is_below_an_unknown_value_may_be_overridden(client: Any, tmp_path: Path) -> None:
    targets = "targets:\n- {name: prod, layers: [base.yaml, middle.yaml, prod.yaml]}\n"
    layers = {"base.yaml": "net: {size: 1}\n", "middle.yaml": "net: !exec echo hi\n", "prod.yaml": "net: {zone: a}\n"}
    await start(client, [write(tmp_path, {"plait.yaml": targets, **layers})])
    told = await Buffer(client, tmp_path / "prod.yaml").hover("net")
    assert "may override base.yaml:1" in told
    assert "  - overrides" not in told


@pytest.mark.asyncio(loop_scope="function")
async def test_a_hover_goes_on_when_another_value_is_broken(client: Any, tmp_path: Path) -> None:
    await start(client, [write(tmp_path, FILES)])
    prod = Buffer(client, tmp_path / "prod.yaml")
    prod.replace("size: 2", "size: 2\nother: !ref nowhere.at.all")
    assert "`2`" in await prod.hover("size")
    assert [one.code for one in await prod.findings()] == ["PL2101"]
    assert "`2`" in await prod.hover("size")
    prod.replace("other: !ref nowhere.at.all", 'other: "')
    assert "`2`" in await prod.hover("size")


@pytest.mark.asyncio(loop_scope="function")
async def test_a_template_without_quotes_breaks_nothing_else(client: Any, tmp_path: Path) -> None:
    """The text is YAML, and no layer: it counts as it was before."""
    await start(client, [write(tmp_path, FILES)])
    base = Buffer(client, tmp_path / "base.yaml")
    assert await base.findings() == []
    base.replace("net: !ref image.name", "net: {{ x }}")
    assert [one.code for one in await base.findings()] == ["PL1101"]
    assert "`nginx`" in await base.hover("name: nginx")
    base.replace("net: {{ x }}", "net: {{ xy }}\nimage2: 1")
    assert "`nginx`" in await base.hover("name: nginx")
    base.replace("net: {{ xy }}", "net: 3")
    assert "`3`" in await base.hover("net: 3")


DEPLOYMENT = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n"
    "  template: {spec: {containers: [{name: web, image: nginx}]}}\n"
)
COMPOSE = {"compose.yaml": "services:\n  db:\n    image: postgres:15\n  web:\n    image: nginx\n"}
DATABASE = ("postgres:15", "**services.db.image** = `postgres:15`")
BESIDE_BROKEN = {
    "Compose": (
        COMPOSE,
        ("image: nginx", "image: ${MISSING:?set it}"),
        DATABASE,
    ),
    "Compose, a service that is not there": (
        COMPOSE,
        ("image: nginx", "extends: {service: nowhere}"),
        DATABASE,
    ),
    "Compose, a file that is not there": (
        COMPOSE,
        ("services:\n  db", "include: [nowhere.yaml]\nservices:\n  db"),
        DATABASE,
    ),
    "kustomize, a file that is not there": (
        {"kustomization.yaml": "namespace: shop\nresources: [deployment.yaml]\n", "deployment.yaml": DEPLOYMENT},
        ("[deployment.yaml]", "[deployment.yaml, nowhere.yaml]"),
        ("namespace: shop", "**namespace** = `shop`"),
    ),
    "Compose, a kind of value that it has not": (
        COMPOSE,
        ("image: nginx", "image: nginx\n    depends_on: [nowhere]\n    privileged: [1]"),
        DATABASE,
    ),
    "kustomize": (
        {"deployment.yaml": DEPLOYMENT, "kustomization.yaml": "resources: [deployment.yaml]\n"},
        ("image: nginx", "image: {nginx: [}"),
        ("replicas", "**spec.replicas** = `2`"),
    ),
}
"""Files, what is broken in the first of them, and what a hover over something else there says before and after."""


@pytest.mark.parametrize("kind", BESIDE_BROKEN)
def test_a_hover_goes_on_beside_a_broken_value_of_every_kind(kind: str, tmp_path: Path) -> None:
    files, (good, broken), (words, told) = BESIDE_BROKEN[kind]
    path = write(tmp_path, files) / next(iter(files))
    session = Session(lambda name: Workspace(name, cache=False))
    for text in (path.read_text(), path.read_text().replace(good, broken)):
        session.open(str(path), text)
        where = types.HoverParams(types.TextDocumentIdentifier(path.as_uri()), Lines(text).position(text.index(words)))
        found = hover.hover(session, str(path), where)
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        assert found.contents.value.splitlines()[0] == told


CHART = {
    "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "values.yaml": "replicas: 1\n",
    "values.schema.json": '{"type": "object", "properties": {"replicas": {"type": "integer", "description": "Count"},'
    ' "mode": {"enum": ["fast", "safe"], "description": "How it runs"}}}\n',
    "templates/a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: {r: {{ .Values.replicas }}}\n",
}


@pytest.mark.asyncio(loop_scope="function")
async def test_the_schema_of_values_completes_and_explains_them(client: Any, tmp_path: Path) -> None:
    files = {f"charts/web/{name}": text for name, text in CHART.items()}
    files["plait.yaml"] = "targets:\n- {name: web, chart: charts/web, values: [prod.yaml], release: web}\n"
    await start(client, [write(tmp_path, {**files, "prod.yaml": "replicas: 2\n"})])
    own = Buffer(client, tmp_path / "charts/web/values.yaml")
    own.replace("replicas: 1\n", "replicas: 1\nm\n")
    assert "mode:" in await labels(own, "m\n", 1)
    own.close()
    values = Buffer(client, tmp_path / "prod.yaml")
    values.replace("replicas: 2\n", "replicas: 2\nmo\n")
    assert "mode:" in await labels(values, "mo\n", 2)
    values.replace("mo\n", "mode: \n")
    assert await labels(values, "mode: ", 6) == ["fast", "safe"]
    values.replace("mode: \n", "mode: wild\n")
    assert any("wild" in one.message for one in await values.findings())


def large() -> str:
    """Services in teams: more than what is read for one place."""
    rows = [f"  team-{team}:\n" + "".join(service(team, one) for one in range(8)) for team in range(LARGE_TEAMS)]
    return "teams:\n" + "".join(rows)


def service(team: int, number: int) -> str:
    return f"    web-{team}-{number}:\n      image: nginx\n      hosts:\n      - a\n      - b\n"


@pytest.mark.asyncio(loop_scope="function")
async def test_a_large_file_is_answered_around_the_change(client: Any, tmp_path: Path) -> None:
    """After edits of all kinds the answers are those of a server that opens the text as it is then."""
    await start(
        client, [write(tmp_path, {"base.yaml": large(), "plait.yaml": FILES["plait.yaml"], "prod.yaml": "a: 1\n"})]
    )
    base = Buffer(client, tmp_path / "base.yaml")
    assert await base.findings() == []
    place = "    web-80-3:\n      image: nginx\n"
    base.replace(place, place + "      ima\n")
    assert "image:" in await labels(base, "      ima\n", 9)
    found = await base.findings()
    line = base.text[: base.text.index("      ima\n")].count("\n")
    assert [one.code for one in found] == ["PL1101"]
    assert line <= found[0].range.start.line <= line + 2
    base.replace("      ima\n", "      imago: !unset\n")
    base.replace("      imago: !unset\n", "")
    base.replace(place + "      hosts:\n      - a\n", place + "      hosts:\n      - b\n")
    first = await base.hover("web-80-3")
    found = await base.findings()
    assert [one.code for one in found] == ["PL2309"]
    assert found[0].range.start.line == base.text[: base.text.index(place)].count("\n") + 3
    fresh = write(
        tmp_path / "fresh", {"base.yaml": base.text, "plait.yaml": FILES["plait.yaml"], "prod.yaml": "a: 1\n"}
    )
    other = await ClientServerConfig(server_command=SERVER, client_factory=make_test_lsp_client).start()
    await start(other, [fresh])
    again = Buffer(other, fresh / "base.yaml")
    assert [(one.code, one.range) for one in await again.findings()] == [(one.code, one.range) for one in found]
    assert await again.hover("web-80-3") == first
    await other.shutdown_session()
    await other.stop()


LONG: dict[str, Callable[[Buffer], tuple[str, Any, int]]] = {
    "outline": lambda base: (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(base.document), 1),
    "references": lambda base: (
        types.TEXT_DOCUMENT_REFERENCES,
        types.ReferenceParams(types.ReferenceContext(True), base.document, base.position("nginx")),
        1,
    ),
    "search": lambda base: (types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("web-159-7"), 1),
}
"""Questions about a large file that take long, and how many answers they have."""


@pytest.mark.long
@pytest.mark.asyncio(loop_scope="function")
@pytest.mark.parametrize("question", LONG)
async def test_what_takes_long_comes_in_parts_between_other_answers(client: Any, tmp_path: Path, question: str) -> None:
    await start(client, [write(tmp_path, {"base.yaml": large()})])
    base = Buffer(client, tmp_path / "base.yaml")
    method, params, count = LONG[question](base)
    long = asyncio.ensure_future(client.protocol.send_request_async(method, params))
    done = asyncio.ensure_future(client.protocol.send_request_async("plait/idle", None))
    await asyncio.wait([long, done], return_when=asyncio.FIRST_COMPLETED)
    assert done.done()
    assert not long.done()
    assert len(await long) == count


def test_a_keystroke_builds_only_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file that is eight times as large a hover after a keystroke builds no more maps."""
    if native.build is None:
        pytest.skip("only the native reader builds by parts")
    built: list[int] = []
    made = build._Parts.built
    monkeypatch.setattr(build._Parts, "built", lambda self, steps: built.extend(steps) or made(self, steps))
    for count in (1, 8):
        text = large() + "".join(large().replace("team", f"group-{one}") for one in range(1, count))
        text = text.replace("\nteams:", "\nothers:")
        folder = write(
            tmp_path / str(count), {"base.yaml": text, "prod.yaml": "a: 1\n", "plait.yaml": FILES["plait.yaml"]}
        )
        authoring = Workspace(str(folder), cache=False).authoring()
        path = str(folder / "base.yaml")
        assert authoring.is_readable(path)
        authoring.edit(path, text.replace("web-80-3:\n      image: nginx", "web-80-3:\n      image: nginx1"))
        assert authoring.is_readable(path)
        pointed = authoring.point(path, text.index("web-80-3:\n      image: nginx") + 24)
        assert pointed is not None
        assert [value.node and value.node.value for value in authoring.values(pointed)] == ["nginx1"]
        assert len(built) == 1
        built.clear()


class Reader:
    """Counts the characters that the slow reader is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = 0
        careful = events.reading_carefully

        def counted(source: Source, *more: Any) -> Any:
            self.read += len(source.text)
            return careful(source, *more)

        for module in (events, layout):
            monkeypatch.setattr(module, "reading_carefully", counted)


def test_a_half_typed_line_of_a_large_file_is_read_once_and_with_its_section(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = large()
    write(tmp_path, {"base.yaml": text, "plait.yaml": FILES["plait.yaml"], "prod.yaml": "teams: {team-1: {a: 1}}\n"})
    authoring = Workspace(str(tmp_path), cache=False).authoring()
    path = str(tmp_path / "base.yaml")
    assert authoring.check_text(path) == []
    reader = Reader(monkeypatch)
    authoring.edit(path, text.replace("    web-80-3:\n", "    web-80-3:\n      ima\n"))
    (found,) = authoring.check_text(path)
    assert found.diagnostic.code == "PL1101"
    near, _ = authoring.order(path)
    assert [one.diagnostic.code for unit in near for one in authoring.check(unit)] == ["PL1101"]
    assert 0 < reader.read < len(text) / 10


def test_what_only_one_layer_has_is_not_walked_for_what_a_merge_drops(tmp_path: Path) -> None:
    """A base that is ten times as large costs nothing more, where the layer above it says the same."""
    write(tmp_path, {"plait.yaml": FILES["plait.yaml"], "prod.yaml": "teams: {team-1: {web-1-1: {image: nginx}}}\n"})
    steps = []
    for count in (8, 80):
        rows = "".join(f"    other-1-{number}: {{a: {{b: [1, 2]}}, c: 1}}\n" for number in range(count))
        (tmp_path / "base.yaml").write_text(f"teams:\n  team-1:\n{service(1, 1)}  team-2:\n{rows}")
        found = Workspace(str(tmp_path), cache=False).authoring()
        (unit,), _ = found.order(str(tmp_path / "base.yaml"))
        assert [one.diagnostic.code for one in found.check(unit)] == ["PL2303"]
        steps.append(found.project.meter.steps)
    assert steps[0] == steps[1]


def test_the_outline_of_a_large_file_has_fewer_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, {"base.yaml": large()}) / "base.yaml"
    session = Session(lambda name: Workspace(name, cache=False))
    asked = (session, str(path), types.DocumentSymbolParams(types.TextDocumentIdentifier(path.as_uri())))
    (teams,) = [one for part in outline.document_symbols(*asked) for one in part]
    assert teams.children[0].children[0].children[0].name == "image"
    monkeypatch.setattr(outline, "MOST_KEYS", LARGE_TEAMS * 9 + 1)
    (teams,) = [one for part in outline.document_symbols(*asked) for one in part]
    assert len(teams.children[0].children) == 8
    assert not teams.children[0].children[0].children
