"""What `plait verify` says of two results, as a table: theirs is what the other tool printed, ours are layers or a
kustomization."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode
from plait.review.verify import ACCOUNTS, Proof, Verification, changes_since
from plait.workspace import Workspace
from plait.yaml.emit import emit_json

Files = dict[str, str]
Told = tuple[str, dict[str, int], list[str]]


@pytest.fixture(autouse=True)
def in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def verified(folder: Path, files: Files, **options: object) -> Verification:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Workspace(".", cache=False, jobs=1, hermetic=True).verify("saved", None, **options)  # type: ignore[arg-type]


def told(proof: Proof) -> Told:
    """The status, what is normalised, and each difference as it is kept in a report."""
    data = Verification([proof], {}, {}).data("", {})["targets"][0]  # type: ignore[index]
    rows = [f"{row['path']}: {row['theirs']!r} / {row['ours']!r}" for row in data["differences"]]
    return data["status"], data["normalised"], rows


LAYERS = "targets: [{name: a, layers: [a.yaml]}]\n"
EQUAL, NORMALISED, DIFFERENT = "equal", "equal up to normalisation", "different"
VALUES: dict[str, tuple[str, str, Told]] = {
    "the same": ("x: 1\n", "x: 1\n", (EQUAL, {}, [])),
    "another value": ("x: 1\n", "x: 2\n", (DIFFERENT, {}, ["x: 1 / 2"])),
    "a value of theirs": ("x: 1\ny: 1\n", "x: 1\n", (DIFFERENT, {}, ["y: 1 / None"])),
    "a value of ours": ("x: 1\n", "x: 1\ny: 1\n", (DIFFERENT, {}, ["y: None / 1"])),
    "the text of a number": ("x: 1.0\ny: 2\n", "x: 1\ny: 2.0\n", (NORMALISED, {"number text": 2}, [])),
    "another number": ("x: 1.5\n", "x: 1\n", (DIFFERENT, {}, ["x: 1.5 / 1"])),
    "a word and a number": ("x: '1'\n", "x: 1\n", (DIFFERENT, {}, ["x: '1' / 1"])),
    "true is not 1": ("x: true\ny: 0\n", "x: 1\ny: false\n", (DIFFERENT, {}, ["x: True / 1", "y: 0 / False"])),
    "empty and absent": ("x: {}\nz: 1\n", "z: 1\ny: []\n", (NORMALISED, {"empty section": 2}, [])),
    "empty and another empty": ("x: {}\n", "x: []\n", (DIFFERENT, {}, ["x: {} / []"])),
    "null and absent": ("x: null\nz: 1\n", "z: 1\n", (DIFFERENT, {}, ["x: None / None"])),
    "an empty text and absent": ("x: ''\nz: 1\n", "z: 1\n", (DIFFERENT, {}, ["x: '' / None"])),
    "not empty": ("x: {y: {}}\nz: 1\n", "z: 1\n", (DIFFERENT, {}, ["x: {'y': {}} / None"])),
    "the order of keys": ("x: 1\ny: {a: 1, b: 1}\n", "y: {b: 1, a: 1}\nx: 1\n", (NORMALISED, {"key order": 2}, [])),
    "a key more is no other order": ("x: 1\nz: 1\n", "x: 1\ny: 1\nz: 1\n", (DIFFERENT, {}, ["y: None / 1"])),
    "a secret of ours": ("x: hush\n", "x: !sensitive quiet\n", (DIFFERENT, {}, ["x: '<sensitive>' / '<sensitive>'"])),
    "a secret that theirs has not": (
        "y: 1\n",
        "x: !sensitive quiet\ny: 1\n",
        (DIFFERENT, {}, ["x: None / '<sensitive>'"]),
    ),
    "what is not known": ("x: 1\ny: 1\n", "x: !env PLAIT_NOT_ASKED\ny: 1\n", ("equal as far as it is known", {}, [])),
    "nothing is known": ("x: 1\n", "!env PLAIT_NOT_ASKED\n", ("equal as far as it is known", {}, [])),
    "what is known beside it": ("x: 1\ny: 1\n", "x: !env PLAIT_NOT_ASKED\ny: 2\n", (DIFFERENT, {}, ["y: 1 / 2"])),
}
"""Theirs, ours, and what is said."""


@pytest.mark.parametrize("name", VALUES)
def test_values_are_compared(name: str, tmp_path: Path) -> None:
    theirs, ours, expected = VALUES[name]
    found = verified(tmp_path, {"plait.yaml": LAYERS, "a.yaml": ours, "saved/a.yaml": theirs})
    assert told(found.verdicts[0]) == expected
    assert (found.equal, found.unsure) == (expected[0] in (EQUAL, NORMALISED), expected[0].endswith("known"))


def test_why_something_is_not_compared(tmp_path: Path) -> None:
    files = {"plait.yaml": LAYERS, "a.yaml": "x: !env PLAIT_NOT_ASKED\n", "saved/a.yaml": "x: 1\n"}
    (found,) = verified(tmp_path, files).verdicts[0].unknown
    assert (found.path, found.expression) == ("x", "!env PLAIT_NOT_ASKED")
    assert str(found) == f"x is not compared: {found.why}"


def resource(name: str, data: str = "{size: '1'}", kind: str = "ConfigMap") -> str:
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}\ndata: {data}\n"


ONE, OTHER = resource("one"), resource("other")
SHOWN = "{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'other'}, 'data': {'size': '1'}}"
DOCUMENTS: dict[str, tuple[str, str, Told]] = {
    "the same": (f"{ONE}---\n{OTHER}", f"{ONE}---\n{OTHER}", (EQUAL, {}, [])),
    "in another order": (f"{OTHER}---\n{ONE}", f"{ONE}---\n{OTHER}", (EQUAL, {}, [])),
    "one of theirs": (f"{ONE}---\n{OTHER}", ONE, (DIFFERENT, {}, [f"ConfigMap/other: {SHOWN} / None"])),
    "one of ours": (ONE, f"{ONE}---\n{OTHER}", (DIFFERENT, {}, [f"ConfigMap/other: None / {SHOWN}"])),
    "a value of one": (
        f"{ONE}---\n{resource('other', '{size: x}')}",
        f"{ONE}---\n{OTHER}",
        (DIFFERENT, {}, ["ConfigMap/other.data.size: 'x' / '1'"]),
    ),
}
"""The resources of a kustomization."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_are_compared(name: str, tmp_path: Path) -> None:
    theirs, ours, expected = DOCUMENTS[name]
    files = {"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": ours, "saved/a.yaml": theirs}
    targets = "targets: [{name: a, kustomization: .}]\n"
    found = verified(tmp_path, {"plait.yaml": targets, **files})
    assert told(found.verdicts[0]) == expected


ATMOS = """\
base_path: .
stacks: {base_path: stacks, included_paths: ["*"], name_pattern: "{stage}"}
components: {terraform: {base_path: components}}
"""
STACK = "vars: {stage: a}\ncomponents: {terraform: {web: {vars: {x: 1}}}}\n"
COMPONENTS: dict[str, tuple[str, Told]] = {
    "a component of theirs": (
        "more: {vars: {y: 1}}",
        (DIFFERENT, {"empty section": 4}, ["more: {'vars': {'y': 1}} / None"]),
    ),
    "an empty one": ("more: {}", (NORMALISED, {"empty section": 5}, [])),
}
"""What the output of another tool has beside ours, whose four empty sections it leaves out."""


@pytest.mark.parametrize("name", COMPONENTS)
def test_components_are_compared(name: str, tmp_path: Path) -> None:
    more, expected = COMPONENTS[name]
    files = {"atmos.yaml": ATMOS, "stacks/a.yaml": STACK}
    ours = verified(tmp_path, {**files, "saved/a.yaml": "a: {components: {terraform: {web: {}}}}\n"}).verdicts[0]
    whole = emit_json(MapNode({row.place[0]: row.ours for row in ours.rows if row.ours is not None})).replace("\n", "")
    found = verified(tmp_path, {"saved/a.yaml": f"a: {{components: {{terraform: {{web: {whole}, {more}}}}}}}\n"})
    assert told(found.verdicts[0]) == expected


@pytest.mark.parametrize(("count", "is_explained"), [(ACCOUNTS, True), (ACCOUNTS + 1, False)])
def test_our_values_are_explained_where_few_differ(count: int, is_explained: bool, tmp_path: Path) -> None:
    sides = ["".join(f"k{number}: {value}\n" for number in range(count)) for value in (1, 2)]
    found = verified(tmp_path, {"plait.yaml": LAYERS, "a.yaml": sides[0], "saved/a.yaml": sides[1]})
    assert {bool(row.account) for row in found.verdicts[0].rows} == {is_explained}


def many(*names: str) -> str:
    return "targets:\n" + "".join(f"- {{name: {name}, layers: [a.yaml]}}\n" for name in names)


def test_a_target_without_an_output_is_said(tmp_path: Path) -> None:
    found = verified(tmp_path, {"plait.yaml": many("a", "b"), "a.yaml": "x: 1\n", "saved/a.yaml": "x: 1\n"})
    assert [(proof.name, proof.status) for proof in found.verdicts] == [("a", "equal"), ("b", "no saved output")]
    assert (found.equal, found.unsure) == (False, False)
    assert all(proof.digest for proof in found.verdicts), "of our result"


FOLDERS: dict[str, tuple[Files, str]] = {
    "no file is that of a target": (
        {"saved/zzz.yaml": "x: 1\n"},
        "the targets are: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9",
    ),
    "a name like that of one": ({"saved/t99.yaml": "x: 1\n"}, "did you mean `t9`?"),
    "an empty file": ({"saved/t1.yaml": ""}, "save what the other tool prints"),
    "only what a user supplied": (
        {"saved/t1.yaml": "USER-SUPPLIED VALUES:\nx: 1\n"},
        "save all of them: helm get values --all RELEASE",
    ),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_that_is_no_output(name: str, tmp_path: Path) -> None:
    files, hint = FOLDERS[name]
    targets = many(*(f"t{number}" for number in range(11)))
    with pytest.raises(PlaitError) as caught:
        verified(tmp_path, {"plait.yaml": targets, "a.yaml": "x: 1\n", **files})
    assert caught.value.diagnostics[0].hint == hint


def test_what_changed_since_is_said_in_the_letters_that_were_written() -> None:
    old, new = ({"plait": "1", "options": {"against": name}, "inputs": {}, "outputs": {}} for name in ("grün", "rot"))
    assert changes_since(old, new) == ['options: {"against": "grün"} -> {"against": "rot"}']


def test_the_line_that_helm_puts_before_values_counts_as_a_line(tmp_path: Path) -> None:
    found = verified(tmp_path, {"plait.yaml": LAYERS, "a.yaml": "x: 2\n", "saved/a.yaml": "COMPUTED VALUES:\nx: 1\n"})
    (row,) = found.verdicts[0].rows
    assert row.theirs is not None
    assert str(row.theirs.origin).endswith("saved/a.yaml:2:4")
