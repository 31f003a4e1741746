"""Any sequence of edits leaves the findings of a fresh start, and only what depends on an edit is computed again."""

from __future__ import annotations

import random
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from plait.apps.lsp import hover
from plait.apps.lsp.background import Background
from plait.apps.lsp.positions import Lines
from plait.apps.lsp.server import IN_PARTS, REQUESTS
from plait.apps.lsp.session import Session
from plait.authoring.session import Authoring
from plait.core.diagnostic import PlaitError
from plait.report.catalog import STACK_TEMPLATE, UNSET_VARIABLE, VALUES_UNKNOWN
from plait.workspace import Workspace
from tests.examples import examples
from tests.lsp.conftest import EXAMPLES

EDITS = examples(25)
"""In the suite; `python -m tests.lsp.test_edits 10000` makes as many as it is told in each repository, and asks every
question after a tenth as many."""
PIECES = (
    "\n", " ", "x", ":", "- ", "{{ .locals.prefix }}", "'", '"', "[", "]", "!ref a", "&a", "*a", "#",
    "  vars: {a: 1}\n", "inherits: [nobody]", "\t", "é", "😀", "\r\n", "import:\n- nowhere\n",
    "metadata: {type: abstract}",
)  # fmt: skip


def every_finding(authoring: Authoring, path: str) -> list[str]:
    """All that is wrong, as text."""
    found = [*authoring.check_text(path), *authoring.troubles()]
    near, rest = authoring.order(path)
    for unit in (*near, *rest):
        found += authoring.check(unit)
    found += authoring.disagreements()
    return sorted({str(finding.diagnostic) for finding in found})


def edited(text: str, chance: random.Random) -> str:
    """A text after something was typed or removed somewhere."""
    at = chance.randrange(len(text) + 1)
    if chance.random() < 0.4:
        return text[:at] + text[at + chance.randrange(1, 20) :]
    return text[:at] + chance.choice(PIECES) + text[at:]


def run(folder: Path, edits: int, seed: int) -> None:
    """Make edits in all files of a folder, and take some back; compare with fresh starts."""
    chance = random.Random(seed)
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".yaml", ".yml", ".tf"))
    authoring = Workspace(str(folder), cache=False).authoring()
    texts: dict[str, str] = {}
    for number in range(edits):
        if number % 1000 == 999:
            print(f"{number + 1} edits, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB", flush=True)
        path = str(chance.choice(files))
        if chance.random() < 0.3 or len(texts) > 3:
            path = chance.choice([*texts] or [path])
            texts.pop(path, None)
            authoring.edit(path, None)
        else:
            texts[path] = edited(texts.get(path) or Path(path).read_text(), chance)
            authoring.edit(path, texts[path])
        found = every_finding(authoring, path)
        if number % 10 == 9:
            fresh = Workspace(str(folder), cache=False).authoring()
            for name, text in texts.items():
                fresh.edit(name, text)
            assert found == every_finding(fresh, path), (number, texts)


HERE = types.Range(types.Position(0, 0), types.Position(999, 0))
PARAMETERS: dict[str, Callable[[types.TextDocumentIdentifier, types.Position], Any]] = {
    types.TEXT_DOCUMENT_HOVER: types.HoverParams,
    types.TEXT_DOCUMENT_DEFINITION: types.DefinitionParams,
    types.TEXT_DOCUMENT_REFERENCES: lambda document, at: types.ReferenceParams(
        types.ReferenceContext(True), document, at
    ),
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: types.CallHierarchyPrepareParams,
    types.TEXT_DOCUMENT_PREPARE_RENAME: types.PrepareRenameParams,
    types.TEXT_DOCUMENT_RENAME: lambda document, at: types.RenameParams(document, at, "other"),
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionParams,
    types.TEXT_DOCUMENT_CODE_ACTION: lambda document, at: types.CodeActionParams(
        document, types.Range(at, at), types.CodeActionContext([])
    ),
    types.TEXT_DOCUMENT_INLAY_HINT: lambda document, at: types.InlayHintParams(document, HERE),
    types.TEXT_DOCUMENT_CODE_LENS: lambda document, at: types.CodeLensParams(document),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda document, at: types.DocumentSymbolParams(document),
    types.TEXT_DOCUMENT_FOLDING_RANGE: lambda document, at: types.FoldingRangeParams(document),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: lambda document, at: types.DocumentLinkParams(document),
}
"""Every request about a place or a file, and how it is asked."""
ANSWERS: dict[str, Callable[[Session, str, Any], object]] = {
    **{method: answer for method, (_, answer) in REQUESTS.items() if method in PARAMETERS},
    **{method: lambda *question, answer=answer: list(answer(*question)) for method, answer in IN_PARTS.items()},
}
"""Who answers each of them; what is answered in parts, to the last one."""


class Idle(Background):
    """Does nothing in the background."""

    def start(self, key: str, steps: object) -> None:
        pass


def ask(folder: Path, edits: int, seed: int) -> int:
    """Make edits in all files of a folder, and after each ask every question at a random place."""
    chance = random.Random(seed)
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".yaml", ".yml"))
    session = Session(lambda name: Workspace(name, cache=False))
    session.background = Idle()
    session.add_roots([folder.as_uri()])
    answered = 0
    for _ in range(edits):
        file = chance.choice(files)
        path = str(file.resolve())
        text = (
            edited(session.texts.get(path) or file.read_text(), chance) if chance.random() < 0.8 else file.read_text()
        )
        session.open(path, text)
        at = Lines(text).position(chance.randrange(len(text) + 1))
        for method, answer in ANSWERS.items():
            with suppress(PlaitError):
                answer(session, path, PARAMETERS[method](types.TextDocumentIdentifier(file.as_uri()), at))
                answered += 1
    return answered


@pytest.mark.long
@pytest.mark.parametrize("name", ["migrate/unfurl", "spiff", "stacks"])
def test_every_question_about_random_texts_has_an_answer_or_a_reason(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES / name, folder)
    if name == "spiff":
        target = "targets: [{name: cf, template: deployment.yml, stubs: [infrastructure.yml, prod.yml]}]\n"
        (folder / "plait.yaml").write_text(target)
    edits = examples(8)
    assert ask(folder, edits, seed=len(name)) > edits * len(PARAMETERS) // 2


@pytest.mark.parametrize("name", ["stacks", "review/after", "affected"])
def test_random_edits_find_what_a_fresh_start_finds(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES / name, folder)
    run(folder, EDITS, seed=len(name))


def test_a_hover_that_takes_long_says_what_it_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES / "stacks", folder)
    session = Session(lambda name: Workspace(name, cache=False))
    session.background = Idle()
    monkeypatch.setattr(hover, "PATIENCE", -1)
    path = folder / "stacks/catalog/app.yaml"
    file = types.TextDocumentIdentifier(path.as_uri())
    found = hover.hover(session, str(path.resolve()), types.HoverParams(file, types.Position(9, 20)))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.contents.value.splitlines()[0] == "**vars.enabled** = `true`"
    assert found.contents.value.endswith("\n\n1 more stack or target reads this; hover again to see all")


def test_only_what_depends_on_an_edit_is_computed_again(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES / "stacks", folder)
    authoring = Workspace(str(folder), cache=False).authoring()
    path = folder / "stacks/deploy/prod.yaml"
    every_finding(authoring, str(path))
    everything = authoring.project.counters.forced
    authoring.edit(str(path), path.read_text().replace("8192", "4096"))
    every_finding(authoring, str(path))
    one_component = authoring.project.counters.forced
    authoring.edit(str(path), path.read_text().replace("environment: ue1", "environment: uw2"))
    every_finding(authoring, str(path))
    assert 0 < one_component < authoring.project.counters.forced < everything


STACKS = {
    "atmos.yaml": "components: {terraform: {base_path: code}}\n"
    "stacks: {base_path: stacks, included_paths: ['*'], name_template: '{{ .vars.stage }}'}\n"
    "templates: {settings: {enabled: true}}\n",
    "code/app/main.tf": 'variable "size" { type = number }\nvariable "stage" {}\nvariable "config" {}\n',
    "stacks/catalog/app.yaml": """
settings: {app: {team: a}}
components:
  terraform:
    base:
      metadata: {type: abstract, component: app}
      vars:
        size: !env SIZE 3
        config: !template '{{ toJson .settings.app }}'
""",
}
"""A repository of stacks that share a component, and one of code."""
FAILING = """'{{ fail "no" }}'"""
OWN: dict[str, tuple[str, list[str]]] = {
    "nothing": ("{}", []),
    "another text": ("{size: 4}", []),
    "a map over a map": ("{config: {tier: 1}}", []),
    "a text that fails": (f"{{size: {FAILING}}}", [STACK_TEMPLATE.code]),
    "one in a map over a map": (f"{{config: {{tier: {FAILING}}}}}", [STACK_TEMPLATE.code]),
    "one in a list": (f"{{config: [1, {FAILING}]}}", [STACK_TEMPLATE.code]),
    "a value that is not known": ("{size: !exec echo 1}", [VALUES_UNKNOWN.code]),
    "something else that an inherited template reads": (
        f"{{}}\n      settings: {{app: {{tier: {FAILING}}}}}",
        [STACK_TEMPLATE.code],
    ),
}
"""What a stack writes over the shared values, and the codes of what is found then."""


def repository_of(folder: Path, own: dict[str, str]) -> Path:
    """Stacks that write something over the shared values, by their names."""
    texts = dict(STACKS)
    for name, values in own.items():
        texts[f"stacks/{name}.yaml"] = (
            f"import: [catalog/app]\nvars: {{stage: {name}}}\ncomponents:\n  terraform:\n    web:\n"
            f"      metadata: {{component: app, inherits: [base]}}\n      vars: {values}\n"
        )
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def findings_by_unit(authoring: Authoring) -> dict[str, list[str]]:
    return {unit.name: [str(one.diagnostic) for one in authoring.check(unit)] for unit in authoring.units()}


@pytest.mark.parametrize("case", OWN)
def test_what_another_stack_has_hides_no_finding(case: str, tmp_path: Path) -> None:
    own, expected = OWN[case]
    folder = repository_of(tmp_path, {"able": "{}", "baker": own, "zone": own})
    authoring = Workspace(str(folder), cache=False).authoring()
    found = {unit.name: [one.diagnostic.code for one in authoring.check(unit)] for unit in authoring.units()}
    assert found == {"able": [], "baker": expected, "zone": expected}


def test_findings_follow_the_code_that_values_are_compared_with(tmp_path: Path) -> None:
    folder = repository_of(tmp_path, {"dev": "{size: 1}", "prod": "{size: 2}"})
    authoring = Workspace(str(folder), cache=False).authoring()
    assert findings_by_unit(authoring) == {"dev": [], "prod": []}
    code = folder / "code/app/main.tf"
    authoring.edit(str(code), code.read_text() + 'variable "other" {}\n')
    for name, found in findings_by_unit(authoring).items():
        wrong = f"{UNSET_VARIABLE.code}: the variable `other` of `web` in `{name}` has no default and is set nowhere"
        assert [one.splitlines()[0] for one in found] == [wrong]
    authoring.edit(str(code), None)
    assert findings_by_unit(authoring) == {"dev": [], "prod": []}
    (code.parent / "more.tf").write_text('variable "more" {}\n')
    authoring.refresh()
    assert [len(found) for found in findings_by_unit(authoring).values()] == [1, 1]


if __name__ == "__main__":
    for repository in ("stacks", "review/after", "affected", "migrate/unfurl", "migrate/spruce"):
        with tempfile.TemporaryDirectory() as place:
            copy = Path(place) / "repository"
            shutil.copytree(EXAMPLES / repository, copy)
            run(copy, int(sys.argv[1]), seed=7)
            print(f"{repository}: {ask(copy, int(sys.argv[1]) // 10, seed=8)} questions answered", flush=True)
