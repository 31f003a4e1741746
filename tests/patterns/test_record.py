"""The record between branches: merged by git, with conflict markers, and as what `--drift` compares with."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.core.node import ListNode, Scalar
from plait.fronts.patterns.record import Refusal, pairs_text
from plait.merging.lines import merge_lines, merge_values
from tests.outside.project import git

RECORD = ".plait-meta.yaml"
PATTERN = """\
name: app
version: 1.0.0
inputs:
  name: {default: shop}
  memory: {type: integer, default: 128}
  level: {default: info}
"""
TEMPLATE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}
data:
  memory: {{ .memory }}
  one: 1
  two: 2
  three: 3
  four: 4
  five: 5
  level: {{ .level }}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a pattern, generated once and committed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    home = tmp_path / "patterns" / "app"
    (home / "resources").mkdir(parents=True)
    (home / "pattern.yaml").write_text(PATTERN)
    (home / "resources" / "made.yaml").write_text(TEMPLATE)
    git(tmp_path, "init", "-q", "-b", "main", ".")
    assert create() == 0
    commit(tmp_path, "generated")
    return tmp_path


def create(*words: str) -> int:
    return main(["create", "app", *words])


def commit(folder: Path, message: str, author: str = "Ann") -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--author", f"{author} <a@b>", "--date", "2026-01-31T12:00:00Z", "-m", message)


def branches(folder: Path, mine: list[str], theirs: list[str]) -> bool:
    """Two branches that regenerate with different inputs, merged; whether git merged them without a conflict."""
    git(folder, "checkout", "-q", "-b", "other")
    assert create(*theirs) == 0
    commit(folder, "theirs")
    git(folder, "checkout", "-q", "main")
    assert create(*mine) == 0
    commit(folder, "mine")
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", "-m", "merged", "other"],
        cwd=folder,
        capture_output=True,
    )
    return done.returncode == 0


def conflicts(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    status = create(*words, "--format", "json")
    return status, json.loads(capsys.readouterr().out or "{}")


def test_what_two_branches_regenerated_merges_line_by_line(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert branches(repository, ["--memory", "256"], ["--level", "debug"])
    assert "memory: 256" in (repository / "made.yaml").read_text()
    assert "level: debug" in (repository / "made.yaml").read_text()
    status, report = conflicts(capsys)
    assert status == 0
    assert (report["updated"], report["conflicts"], report["report"]) == (0, 0, [])
    assert report["notes"] == ["Inputs of the last run: memory=256, level=debug"]


def test_instances_that_two_branches_add_are_both_known_after_a_conflict(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not branches(repository, ["--name", "cart"], ["--name", "blog"])
    made = (repository / "made.yaml").read_text()
    (repository / "made.yaml").write_text("".join(line for line in made.splitlines(True) if line[:7] not in MARKERS))
    text = (repository / "made.yaml").read_text()
    (repository / "made.yaml").write_text(separated(text))
    assert "<<<<<<<" in (repository / RECORD).read_text()
    status, report = conflicts(capsys, "--name", "blog")
    assert status == 0
    assert report["report"] == []
    assert "conflict markers" in str(report["notes"])
    assert "<<<<<<<" not in (repository / RECORD).read_text()
    for name in ("cart", "shop"):
        assert conflicts(capsys, "--name", name)[1]["report"] == []


MARKERS = ("<<<<<<<", "=======", ">>>>>>>")


def separated(text: str) -> str:
    """What somebody makes of a conflict in which both sides added a document: both of them."""
    documents = [part for part in text.replace("---\n", "").split("apiVersion: v1\n") if part]
    whole = []
    for part in documents:
        lines = part.splitlines(True)
        names = [at for at, line in enumerate(lines) if line.startswith("  name:")]
        whole += ["".join([*lines[: names[0]], lines[at], *lines[names[-1] + 1 :]]) for at in names]
    return "---\n".join(f"apiVersion: v1\n{part}" for part in whole)


def test_an_input_on_which_branches_disagree_must_be_given(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not branches(repository, ["--memory", "256"], ["--memory", "512"])
    made = repository / "made.yaml"
    made.write_text(made.read_text().split("<<<<<<<")[0] + "  memory: 256\n" + made.read_text().split("other\n")[1])
    assert create() == 2
    assert "choose one: --memory 256 or --memory 512" in capsys.readouterr().err
    status, report = conflicts(capsys, "--memory", "512")
    assert status == 0
    assert [(line["kind"], line["path"]) for line in report["report"]] == [("set", "data.memory")]  # type: ignore[attr-defined]
    assert "memory: 512" in made.read_text()


def test_drift_names_who_changed_what(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = repository / "made.yaml"
    made.write_text(made.read_text().replace("memory: 128", "memory: 192"))
    commit(repository, "right-size", "Bob")
    made.write_text(made.read_text().replace("  three: 3\n", ""))
    commit(repository, "not needed", "Eve")
    made.write_text(made.read_text() + "  mine: 1\n")
    capsys.readouterr()
    assert main(["create", "app", "--drift"]) == 0
    lines = [line.rsplit(" (", 1)[0] if line.endswith(")") and "2026" in line else line for line in printed(capsys)]
    assert lines == [
        "app/shop: 3 changes since the last generation",
        "  shop:",
        "    - data.memory: 192 (plait default: 128)   Bob, 2026-01-31",
        "    - data.mine: 1 (not in pattern)   not committed yet",
        "    - data.three: deleted (plait default: 3)   Eve, 2026-01-31",
    ]
    assert main(["create", "app", "--drift", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)[0]["changes"]
    assert [(change["path"], change["author"][:3]) for change in found] == [
        ("data.memory", "Bob"), ("data.mine", "not"), ("data.three", "Eve"),
    ]  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


# Lines


def changed(chance: random.Random, lines: list[str]) -> list[str]:
    out = []
    for line in lines:
        what = chance.random()
        if what < 0.1:
            continue
        out.append(f"{line}-{chance.randint(0, 3)}" if what < 0.2 else line)
        if what > 0.92:
            out.append(f"new-{chance.randint(0, 10**6)}")
    return out


def test_lines_merge_as_git_merges_them(tmp_path: Path) -> None:
    """The same text as `git merge-file --ours`, and a conflict where it reports one."""
    for seed in range(25):
        chance = random.Random(seed)
        base = [f"line {number}" for number in range(chance.randint(1, 30))]
        sides = [base, changed(chance, base), changed(chance, base)]
        texts = ["".join(f"{line}\n" for line in side) for side in sides]
        for name, text in zip(("base", "ours", "theirs"), texts, strict=True):
            (tmp_path / name).write_text(text)
        argv = ["git", "merge-file", "-p", "--ours", "ours", "base", "theirs"]
        wanted = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True).stdout
        argv.remove("--ours")
        count = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True).returncode
        merged = merge_lines(*texts)
        assert merged.text == wanted, seed
        assert bool(merged.conflicts) == bool(count), seed


def test_texts_that_differ_in_every_line_are_one_conflict() -> None:
    many = ["".join(f"{side}{number}\n" for number in range(5000)) for side in "abc"]
    merged = merge_lines(*many)
    assert merged.text == many[1]
    assert [conflict.lines for conflict in merged.conflicts] == ["lines 1-5000"]


def test_json_stays_json() -> None:
    """Lines of a policy that would merge into something that is not JSON are one value."""
    base = "[\n1,\n2,\n3,\n4\n]\n"
    here = "[\n1,\n2,\n3,\n4, 5]\n"
    now = '{"b": [\n1,\n2,\n3,\n4\n]}\n'
    assert merge_values(base, here, now) is None
    merged = merge_values(base, here, base.replace("1,", "0, 1,"))
    assert merged is not None
    assert json.loads(merged.text) == [0, 1, 2, 3, 4, 5]


def test_a_record_of_the_first_format_is_read(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It had one instance of each pattern, and nothing but the value of an input."""
    text = (repository / "made.yaml").read_text().replace("memory: 128", "memory: 256")
    block = "".join(f"        {line}" for line in text.splitlines(True))
    (repository / RECORD).write_text(
        "plait-meta: 1\npatterns:\n  app:\n    version: 1.0.0\n    inputs:\n      memory: 256\n    resources:\n"
        "    - apiVersion: v1\n      kind: ConfigMap\n      name: shop\n      file: made.yaml\n      "
        f"generated: |\n{block}"
    )
    (repository / "made.yaml").write_text(text.replace("one: 1", "one: 9"))
    status, report = conflicts(capsys)
    assert status == 0
    assert [(line["kind"], line["path"]) for line in report["report"]] == [("changed", "data.one")]  # type: ignore[attr-defined]
    assert report["notes"] == ["Inputs of the last run: memory=256"]
    assert "app/shop:" in (repository / RECORD).read_text()


def test_pairs_that_do_not_fit_their_lists_are_not_used() -> None:
    """A record may be edited, or merged by git: then the items tell by themselves which is which."""
    base, here = (ListNode([Scalar(each, each) for each in word]) for word in ("abc", "abxc"))
    written = pairs_text(here, here, [(2, 2, 2, 3)], [(2, 2, 2, 3)])
    assert Refusal(base, pairs=written).known_changes(here, base) == ([(2, 2, 2, 3)], None)
    signs = written.rpartition(" ")[0].rpartition(" ")[0]
    for spans in ("2-2-2", "2-2-2-x", "0-9-0-9", "2-1-2-3", "1-1-2-3", "-", ""):
        assert Refusal(base, pairs=f"{signs} {spans} {spans}").known_changes(here, here) == (None, None)
    assert Refusal(None, pairs=written).known_changes(here, here) == (None, None)


def test_a_record_that_says_the_same_stays_as_it_is(repository: Path) -> None:
    """Whoever changed how it is written: it is written again as soon as it says something else."""
    record = repository / RECORD
    own = record.read_text() + "# ours\n"
    record.write_text(own)
    assert create() == 0
    assert record.read_text() == own
    assert create("--level", "debug") == 0
    assert "# ours" not in record.read_text()
    assert "debug" in record.read_text()


def test_inputs_that_were_not_given_stay_in_the_records_of_other_instances(repository: Path) -> None:
    """Of three inputs: all of the first instance, two of the second, one of the third."""
    home = repository / "patterns" / "app"
    (home / "pattern.yaml").write_text(f"{PATTERN}instance: name\n")
    (home / "resources" / "made.yaml").rename(home / "resources" / "{{.name}}.yaml")
    for words, count in ((("--name", "one"), 5), (("--name", "two", "--level", "debug"), 6)):
        assert create(*words) == 0
        assert (repository / RECORD).read_text().count("given: false") == count
