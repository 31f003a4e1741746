"""Each notation has what layers have: one small repository for each, and every question at a name that is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from plait.apps.lsp import changing, diagnostics, hover, navigation, outline
from plait.apps.lsp.session import Session
from plait.workspace import Workspace
from tests.lsp.editor import write
from tests.lsp.test_edits import Idle


class Notation:
    """A small repository, and where a person looks in it."""

    def __init__(
        self,
        files: dict[str, str],
        file: str,
        read: str,
        value: str,
        defined: str,
        typed: str,
        wrong: tuple[str, str],
        other: tuple[str, str] = ("other", "`1`"),
    ) -> None:
        self.files = files
        self.file = file
        self.read = read
        """Where a value is read by its name, and the cursor `|` in it; some words of what a hover says."""
        self.value = value
        self.defined = defined
        """The file and the line in which it is decided or defined."""
        self.typed = typed
        """What is being typed, up to the cursor, in place of `read`."""
        self.wrong = wrong
        """A mistake in place of `read`, and its code."""
        self.other = other
        """Where another value is written or read, and what a hover says of it."""


NOTATIONS = {
    "layers": Notation(
        {
            "plait.yaml": "targets:\n- {name: prod, layers: [base.yaml, prod.yaml]}\n",
            "base.yaml": "net: {cidr: 10.0.0.0/8}\nread: !ref net.cidr\nother: 1\n",
            "prod.yaml": "net:\n  cidr: 10.1.0.0/16\n",
        },
        "base.yaml",
        "!ref net.ci|dr",
        "10.1.0.0/16",
        "prod.yaml:2",
        "!ref net.|",
        ("!ref net.cird", "PL2101"),
    ),
    "spiff": Notation(
        {
            "plait.yaml": "targets:\n- {name: cf, template: template.yml, stubs: [stub.yml]}\n",
            "template.yml": "meta:\n  env: dev\nread: (( meta.env ))\nother: 1\n",
            "stub.yml": "meta:\n  env: prod\n",
        },
        "template.yml",
        "(( meta.en|v ))",
        "prod",
        "stub.yml:2",
        "(( meta.|",
        ("(( meta.evn ))", "PL3102"),
    ),
    "pattern": Notation(
        {
            "patterns/q/pattern.yaml": (
                "name: q\nversion: 1.0.0\ninputs:\n  size:\n    description: How big\n"
                "    default: 1\n  zone: {description: Where}\n"
            ),
            "patterns/q/resources/q.yaml": (
                "kind: Queue\nmetadata: {name: q}\nspec:\n  size: {{ .size }}\n  other: {{ .zone }}\n"
            ),
        },
        "patterns/q/resources/q.yaml",
        "{{ .si|ze }}",
        "How big",
        "pattern.yaml:4",
        "{{ .|",
        ("{{ .sise }}", "PL3613"),
        ("zone }}", "Where"),
    ),
    "template in a stack": Notation(
        {
            "atmos.yaml": (
                'stacks: {base_path: stacks, name_pattern: "{stage}"}\n'
                "components: {terraform: {base_path: .}}\n"
                "templates: {settings: {enabled: true}}\n"
            ),
            "stacks/prod.yaml": (
                "vars: {stage: prod}\nterraform: {backend_type: s3, backend: {s3: {bucket: b}}}\n"
                "locals:\n  prefix: web\ncomponents:\n  terraform:\n    vpc:\n      vars:\n"
                "        read: '{{ .locals.prefix }}'\n        other: 1\n"
            ),
        },
        "stacks/prod.yaml",
        "{{ .locals.pre|fix }}",
        "web",
        "prod.yaml:4",
        "{{ .locals.|",
        ("{{ .locals.prefx }}", "PL3201"),
    ),
    "template in a layer": Notation(
        {
            "plait.yaml": ("notations: [gotemplate]\ntargets:\n- {name: prod, layers: [base.yaml, prod.yaml]}\n"),
            "base.yaml": "net: {cidr: 10.0.0.0/8}\nread: '{{ .net.cidr }}'\nother: 1\n",
            "prod.yaml": "net:\n  cidr: 10.1.0.0/16\n",
        },
        "base.yaml",
        "{{ .net.ci|dr }}",
        "10.1.0.0/16",
        "prod.yaml:2",
        "{{ .net.|",
        ("{{ .net.cird }}", "PL3502"),
    ),
    "template of a chart": Notation(
        {
            "plait.yaml": "targets:\n- {name: web, chart: chart, values: [prod.yaml], release: web}\n",
            "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
            "chart/values.yaml": "image:\n  tag: a\nzone: z\n",
            "chart/templates/a.yaml": (
                "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n"
                "  read: {{ .Values.image.tag }}\n  other: {{ .Values.zone }}\n"
            ),
            "prod.yaml": "image:\n  tag: b\n",
        },
        "chart/templates/a.yaml",
        "{{ .Values.image.ta|g }}",
        "b",
        "prod.yaml:2",
        "{{ .Values.image.|",
        ("{{ .Values.image.tgg.x }}", "PL3502"),
        ("zone }}", "`z`"),
    ),
    "directives": Notation(
        {
            "plait.yaml": "targets:\n- {name: service, document: service.yaml}\n",
            "service.yaml": "defaults:\n  size: 4\nread:\n  eval: ::defaults::size\nother: 1\n",
        },
        "service.yaml",
        "::defaults::si|ze",
        "4",
        "service.yaml:2",
        "::defaults::|",
        ("::defaults::size\n  +*nowhere:", "PL3302"),
    ),
}


class Desk:
    """An editor with one file of a repository open, and the cursor where something is read."""

    def __init__(self, folder: Path, notation: Notation) -> None:
        folder = write(folder, notation.files).resolve()
        self.session = Session(lambda place: Workspace(place, cache=False))
        self.session.background = Idle()
        self.session.add_roots([folder.as_uri()])
        self.path = str(folder / notation.file)
        self.document = types.TextDocumentIdentifier(Path(self.path).as_uri())
        self._text = notation.files[notation.file]
        self._read = notation.read.replace("|", "")
        self.type(notation.read)

    def type(self, words: str) -> None:
        """Write something in place of what is read there; `|` is the cursor."""
        at = self._text.index(self._read) + max(words.find("|"), 0)
        self.session.open(self.path, self._text.replace(self._read, words.replace("|", "")))
        self.at = self.session.lines(self.path).position(at)

    def point(self, words: str) -> None:
        """Put the cursor into some words."""
        lines = self.session.lines(self.path)
        self.at = lines.position(lines.text.index(words) + 1)

    def hover(self) -> str:
        found = hover.hover(self.session, self.path, types.HoverParams(self.document, self.at))
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    def completion(self) -> list[str]:
        found = changing.completion(self.session, self.path, types.CompletionParams(self.document, self.at))
        return [one.label for one in found.items]

    def _shown(self, found: Any) -> list[str]:
        return sorted(f"{Path(one.uri).name}:{one.range.start.line + 1}" for one in found or [])

    def definition(self) -> list[str]:
        answer = navigation.REQUESTS[types.TEXT_DOCUMENT_DEFINITION][1]
        return self._shown(answer(self.session, self.path, types.DefinitionParams(self.document, self.at)))

    def references(self) -> list[str]:
        asked = types.ReferenceParams(types.ReferenceContext(True), self.document, self.at)
        return self._shown(
            [one for part in navigation.references(self.session, self.path, asked) for one in part or ()]
        )

    def renamed(self, name: str) -> dict[str, int]:
        """How many edits a rename makes in each file."""
        edit = changing.rename(self.session, self.path, types.RenameParams(self.document, self.at, name))
        assert edit is not None
        return {Path(uri).name: len(rows) for uri, rows in (edit.changes or {}).items()}

    def symbols(self) -> list[str]:
        asked = types.DocumentSymbolParams(self.document)
        rows = [one for part in outline.document_symbols(self.session, self.path, asked) for one in part]
        return [one.name for one in rows]

    def tokens(self) -> int:
        parts = outline.semantic_tokens(self.session, self.path, types.SemanticTokensParams(self.document))
        return sum(map(len, parts)) // 5

    def findings(self) -> list[str]:
        sent: list[types.PublishDiagnosticsParams] = []

        class Server:
            def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
                sent.append(params)

        for _ in diagnostics.look(Server(), self.session, self.path):  # type: ignore[arg-type]
            pass
        last = {params.uri: params.diagnostics for params in sent}
        return [str(one.code) for one in last.get(self.document.uri, [])]


@pytest.fixture(params=NOTATIONS)
def notation(request: pytest.FixtureRequest) -> Notation:
    return NOTATIONS[request.param]


def test_every_notation_has_every_answer(notation: Notation, tmp_path: Path) -> None:
    desk = Desk(tmp_path, notation)
    name = notation.read.replace("|", "").strip("{}() ").replace("::", ".").rpartition(".")[2]
    assert notation.value in desk.hover()
    assert desk.definition() == [notation.defined]
    here = f"{Path(notation.file).name}:{desk.at.line + 1}"
    assert {notation.defined, here} <= set(desk.references())
    renamed = desk.renamed("quite_new")
    assert {notation.defined.partition(":")[0], Path(notation.file).name} <= {*renamed}
    assert desk.tokens() >= 1
    assert len(desk.symbols()) >= 3
    assert desk.findings() == []
    desk.type(notation.typed)
    assert name in desk.completion()


def test_what_is_wrong_is_found_and_other_values_keep_their_hover(notation: Notation, tmp_path: Path) -> None:
    wrong, code = notation.wrong
    desk = Desk(tmp_path, notation)
    assert desk.findings() == []
    desk.type(wrong)
    assert desk.findings() == [code]
    words, said = notation.other
    desk.point(words)
    assert said in desk.hover()


def test_a_name_that_a_text_with_escapes_says_twice_is_renamed_at_both_places(tmp_path: Path) -> None:
    notation = NOTATIONS["template in a stack"]
    desk = Desk(tmp_path, notation)
    desk.type("{{ .locals.prefix }}")
    text = desk.session.lines(desk.path).text
    written = text.replace("'{{ .locals.prefix }}'", '"a\\t{{ .locals.prefix }}/{{ .locals.prefix }}"')
    desk.session.open(desk.path, written)
    desk.point("prefix: web")
    edit = changing.rename(desk.session, desk.path, types.RenameParams(desk.document, desk.at, "start"))
    assert edit is not None
    ((_, rows),) = (edit.changes or {}).items()
    lines = written.splitlines()
    for row in sorted(rows, key=lambda row: (row.range.start.line, -row.range.start.character)):
        line, start, end = row.range.start.line, row.range.start.character, row.range.end.character
        lines[line] = lines[line][:start] + row.new_text + lines[line][end:]
    assert lines == written.replace("prefix", "start").splitlines()


LOCALS = [
    ("prefix: web", "web", "stacks/prod.yaml:3"),
    ("zone:", "web-a", "stacks/prod.yaml:6"),
    ("own:", "web-a1", "stacks/prod.yaml:10"),
]


@pytest.mark.parametrize(("words", "value", "written"), LOCALS)
def test_a_local_of_a_file_a_type_and_a_component_has_its_value(
    words: str, value: str, written: str, tmp_path: Path
) -> None:
    notation = NOTATIONS["template in a stack"]
    text = (
        "vars: {stage: prod}\nlocals:\n  prefix: web\nterraform:\n  locals:\n    zone: '{{ .locals.prefix }}-a'\n"
        "components:\n  terraform:\n    vpc:\n      locals: {own: '{{ .locals.zone }}1'}\n"
        "      vars: {read: '{{ .locals.prefix }}'}\n"
    )
    desk = Desk(tmp_path, notation)
    desk.session.open(desk.path, text)
    desk.point(words)
    told = desk.hover()
    assert told.startswith(f"**locals.{words.partition(':')[0]}** = `{value}`\n\nlocal of stacks/prod.yaml")
    assert f"set by {written} " in told
