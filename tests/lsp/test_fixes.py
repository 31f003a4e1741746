"""Every finding whose hint names an edit has a quick fix that makes it, or a reason why it has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lsprotocol import types

from plait.apps.lsp.changing import code_actions
from plait.apps.lsp.session import Session
from plait.authoring.fixes import MEANT, WAYS
from plait.report import catalog
from plait.workspace import Workspace
from tests.lsp.editor import write
from tests.lsp.test_edits import Idle

CASES = Path(__file__).parents[1] / "cases"
LAYERS = "targets:\n- {name: prod, layers: [base.yaml, prod.yaml]}\n"

MENDED = {
    "PL1101 a space": ("a: 1\n", "image:nginx\nb: 1\n", "Write `image: nginx`", "image: nginx\nb: 1\n"),
    "PL1101 quotes": ("a: 1\n", "a: `ls`\n", 'Write `"`ls`"`', 'a: "`ls`"\n'),
    "PL1101 a tab": ("a: 1\n", "a:\n\tb: 1\n", "Indent with spaces", "a:\n  b: 1\n"),
    "PL1102": ("a: 1\n", "b: 1\nc: 1\nb: 2  # again\nd: 1\n", "Remove this `b`", "b: 1\nc: 1\nd: 1\n"),
    "PL2007": ("a: 1\n", "b = 1\n", "Write `b: 1`", "b: 1\n"),
    "PL2107": ("a: 1\n", "b: !reff a\n", "Change it to `!ref`", "b: !ref a\n"),
    "PL2301": (
        "l: [{name: a}, {name: b}]\n",
        "l: [{name: a, b: 1}]\n",
        "Merge this list by `name`",
        "l: [!merge-by name, {name: a, b: 1}]\n",
    ),
    "PL2302": ("vars: {region: eu}\n", "vars:\n  region us\n", "Write `region: us`", "vars:\n  region: us\n"),
    "PL2303": ("a: 1\nb: 1\n", "a: 1\nb: 2\n", "Remove `a`", "b: 2\n"),
    "PL2306": ("replicas: 1\n", "replcas: 2\n", "Change it to `replicas`", "replicas: 2\n"),
    "PL2309": ("a: 1\n", "l:\n- x\n- y\n- x\n", "Remove `l[2]`", "l:\n- x\n- y\n"),
    "PL2311 as text": ("a: 1\n", "b: yes\n", "Quote it", 'b: "yes"\n'),
    "PL2311 as a truth value": ("a: 1\n", "b: yes\n", "Write `true`", "b: true\n"),
    "PL2314": ("a: 1\n", "# plait: ignore PL2303\nb: 2\n", "Remove the comment", "b: 2\n"),
    "PL2314 beside": ("a: 1\n", "b: 2  # plait: ignore PL2303\n", "Remove the comment", "b: 2\n"),
    "PL2315": ('a: "1"\n', "a: 2\n", "Quote it", 'a: "2"\n'),
    "PL2316": ("a: 1\n", "vars:\n  region us\n", "Write `region: us`", "vars:\n  region: us\n"),
}
"""A base, a layer above it with a mistake, the fix, and the layer after it."""


def fixes(folder: Path, name: str) -> dict[str, str]:
    """The quick fixes in a file, each with the text that it leaves."""
    session = Session(lambda place: Workspace(place, cache=False))
    session.background = Idle()
    session.add_roots([folder.as_uri()])
    path = (folder / name).resolve()
    text = path.read_text()
    session.open(str(path), text)
    lines = session.lines(str(path))
    found: dict[str, str] = {}
    for row in range(text.count("\n")):
        at = types.Position(row, 0)
        context = types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Automatic)
        params = types.CodeActionParams(types.TextDocumentIdentifier(path.as_uri()), types.Range(at, at), context)
        for action in code_actions(session, str(path), params):
            if action.diagnostics and action.edit is not None and action.edit.changes:
                (edit,) = action.edit.changes[session.uri(str(path))]
                start, end = lines.offset(edit.range.start), lines.offset(edit.range.end)
                found[action.title] = text[:start] + edit.new_text + text[end:]
    return found


def test_a_setting_that_says_nothing_is_removed(tmp_path: Path) -> None:
    text = "targets:\n- name: prod\n  layers: [base.yaml]\n  values: [base.yaml]\n"
    found = fixes(write(tmp_path, {"plait.yaml": text, "base.yaml": "a: 1\n"}), "plait.yaml")
    assert found["Remove `targets[0].values`"] == "targets:\n- name: prod\n  layers: [base.yaml]\n", found


@pytest.mark.parametrize("name", MENDED)
def test_a_finding_is_mended(tmp_path: Path, name: str) -> None:
    base, layer, title, after = MENDED[name]
    found = fixes(write(tmp_path, {"plait.yaml": LAYERS, "base.yaml": base, "prod.yaml": layer}), "prod.yaml")
    assert found.get(title) == after, found


def test_a_line_of_a_large_file_that_cannot_be_read_is_mended(tmp_path: Path) -> None:
    rows = "".join(f"  key-{number}: {{value: {number}, other: text}}\n" for number in range(2_000))
    right = f"all:\n{rows}some:\n  image: nginx\nrest:\n{rows}"
    folder = write(tmp_path, {"plait.yaml": LAYERS, "base.yaml": "a: 1\n", "prod.yaml": right})
    session = Session(lambda place: Workspace(place, cache=False))
    session.background = Idle()
    session.add_roots([folder.as_uri()])
    path = str((folder / "prod.yaml").resolve())
    session.open(path, right)
    session.answers(path)
    wrong = right.replace("image: nginx", "image:nginx")
    session.open(path, wrong)
    at = session.lines(path).position(wrong.index("image:nginx"))
    asked = types.CodeActionParams(
        types.TextDocumentIdentifier((folder / "prod.yaml").as_uri()),
        types.Range(at, at),
        types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Automatic),
    )
    (action,) = [one for one in code_actions(session, path, asked) if one.title == "Write `image: nginx`"]
    assert action.edit is not None
    assert action.edit.changes is not None
    (edit,) = action.edit.changes[session.uri(path)]
    assert (edit.range.start, edit.new_text) == (at, "image: nginx")


EXACT = re.compile(r"(?:write|remove|quote|put|indent|use)\b|.*\bcan be removed", re.IGNORECASE)
"""How a hint begins that says what to write."""
UNMENDED = {
    "COMPUTED_KEY": "the key itself is for a person to say",
    "BAD_KEY": "whether a text or a template was meant is for a person to say",
    "MOVED_MASK": "only a person knows the secret",
    "BAD_MARK": "the hint shows a form, and `key` stands for a name that is not there",
    "PATCH_DIRECTIVE": "there are two directives to choose from",
    "CYCLE": "which base is to go is for a person to say",
    "NO_AUTO": "the number is for a person to say",
    "BAD_LOCALS": "the hint shows a form: names and values are to be filled in",
    "LOCAL_IN_IMPORT": "where the value is to come from instead is for a person to say",
    "BAD_CONFIG": "the hint shows a form: names and values are to be filled in",
    "BAD_MANIFEST": "the hint shows a form: names and values are to be filled in",
    "IMPORTS_ITSELF": "which import is to go is for a person to say",
    "MISPLACED": "the hint shows a form with `...` in it",
    "INPUT_INVALID": "the value itself is for a person to say",
    "RESOURCE_TWICE": "which resource is to go, or to get another name, is for a person to say",
    "KUSTOMIZE_OLD": "other fields of the kustomization change with it: `kustomize edit fix` does that",
    "COMMAND_CUT": "the hint shows a form: whether a shell is meant, and how to quote for it, is for a person to say",
    "COMPOSE": "the hints name what is missing, not its value",
    "BAD_INCLUDE": "the name of the file is for a person to say",
    "BAD_PATTERN": "files move: an edit of texts cannot do that",
    "BAD_RULE": "the hint shows forms to choose from",
    "KUSTOMIZE_FIELD": "the hint shows forms to choose from",
    "UNKNOWN_TO_TOOL": "the value itself is for a person to say",
    "VALUES_UNKNOWN": "the value itself is for a person to say",
    "BAD_OPTION": "it is about the words of a command",
    "UNKNOWN_PATH": "it is about the words of a command",
    "WHICH_DOCUMENT": "it is about the words of a command",
    "NO_REVISION": "it is about the words of a command",
    "AMBIGUOUS_PLACE": "it is about the words of a command",
    "BAD_BACKEND_OPTION": "it is about the words of a command",
    "BAD_PATH": "it is about the words of a command",
    "SEVERAL_TARGETS": "it is about the words of a command",
}
"""Why some findings have no quick fix, although their hints begin as if they named an edit."""
FLAG = re.compile(r"(?:^|[\s`])-(?:-[a-z]|[A-Z] )")


def hints() -> dict[str, set[str]]:
    """The lines below each error and warning of the cases, by code."""
    found: dict[str, set[str]] = {}
    for file in CASES.rglob("*.case"):
        code = ""
        for row in file.read_text().splitlines():
            line = row.removeprefix("2> ")
            begins = re.match(r"(?:error|warning|note) (PL\d{4}):", line)
            code = begins[1] if begins is not None else code if line.startswith("  ") else ""
            if code and begins is None and not FLAG.search(line):
                found.setdefault(code, set()).add(line.strip())
    return found


def test_every_hint_that_names_an_edit_has_a_fix_or_a_reason() -> None:
    names = {one.code: name for name, one in vars(catalog).items() if isinstance(one, catalog.Code)}
    rows = hints()
    exact = {names[code] for code, lines in rows.items() if any(map(EXACT.match, lines))}
    mended = {names[code] for code in WAYS}
    assert len(exact) > 30
    assert exact - mended == set(UNMENDED)
    meant = [line for lines in rows.values() for line in lines if line.startswith("did you mean")]
    assert [line for line in meant if not MEANT.match(line)] == []
