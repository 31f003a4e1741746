"""Answers that are kept between runs: when they are used, when not, and what is never written."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait.workspace
from plait.access import workers
from plait.apps.cli import main
from plait.core.plain import from_plain
from plait.fronts.stacks.answers import spread
from plait.fronts.stacks.answers.listing import NestedText
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.layers import Siblings
from plait.fronts.stacks.session.nodes import DERIVED
from plait.keeping import store
from plait.workspace import Workspace
from plait.yaml.emit import Style, emit_json, emit_styled
from tests.keeping.commands import answers, run, write

FILES = {
    "catalog/base.yaml": "components: {terraform: {web: {vars: {size: 1}}, db: {vars: {size: 2}}}}\n",
    "deploy/dev.yaml": "import: [catalog/base]\nvars: {stage: dev}\n",
    "deploy/prod.yaml": "import: [catalog/base]\nvars: {stage: prod}\n",
}
LIST = ("list", "instances")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 0)
    place = tmp_path / "repository"
    place.mkdir()
    write(place, FILES)
    return place


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders in which something was computed."""
    found: list[str] = []
    stacks = Workspace.stacks

    def counted(self: Workspace, *given: object) -> object:
        found.append(str(given[0]))
        return stacks(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Workspace, "stacks", counted)
    return found


@pytest.mark.parametrize(
    "words",
    [
        ("list", "stacks"),
        ("list", "components"),
        ("list", "vars", "web"),
        ("describe", "stacks"),
        ("describe", "stacks", "--format", "json"),
        ("describe", "component", "web", "-s", "dev"),
        ("describe", "dependents", "web", "-s", "dev"),
        ("describe", "config"),
        ("explain", "component", "web", "-s", "dev", "vars.size"),
        ("blame", "component", "web", "-s", "dev"),
        ("validate", "stacks"),
        ("describe", "component", "webb", "-s", "dev"),
        ("describe", "component", "web", "-s", "devv"),
    ],
)
def test_an_answer_is_computed_once(folder: Path, computed: list[str], words: tuple[str, ...]) -> None:
    first = run(folder, *words)
    assert len(computed) == 1
    assert run(folder, *words) == first == run(folder, *words)
    assert len(computed) == 1
    assert run(folder, *words, fresh=True) == first
    assert len(computed) == 2


def changed_by(folder: Path, computed: list[str]) -> bool:
    """Whether the list is computed again; in any case it is what a fresh run gives."""
    before = len(computed)
    found = run(folder, *LIST)
    again = len(computed) > before
    assert found == run(folder, *LIST, fresh=True)
    return again


def test_any_change_makes_it_compute_again(folder: Path, computed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    stacks = folder / "stacks"
    assert changed_by(folder, computed)
    assert not changed_by(folder, computed)
    (stacks / "deploy/dev.yaml").touch()
    assert not changed_by(folder, computed)
    (stacks / "deploy/dev.yaml").write_text("import: [catalog/base]\nvars: {stage: den}\n", encoding="utf-8")
    assert changed_by(folder, computed)
    (stacks / "deploy/new.yaml").write_text("import: [catalog/base]\nvars: {stage: new}\n", encoding="utf-8")
    assert changed_by(folder, computed)
    (stacks / "deploy/new.yaml").unlink()
    assert changed_by(folder, computed)
    (stacks / "catalog/base.yaml").rename(stacks / "catalog/base.yml")
    assert changed_by(folder, computed)
    (stacks / "catalog/base.yaml").write_text(FILES["catalog/base.yaml"].replace("db", "dc"), encoding="utf-8")
    assert changed_by(folder, computed)
    (folder / "plait.yaml").write_text("budgets: {depth: 900}\n", encoding="utf-8")
    assert changed_by(folder, computed)
    monkeypatch.setenv("ATMOS_PROFILE", "none")
    assert changed_by(folder, computed)


def test_a_variable_that_was_read_counts(folder: Path, computed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "stacks/catalog/base.yaml"
    path.write_text(
        "components: {terraform: {web: {vars: {a: !env WHERE here, b: '{{ env \"WHO\" }}'}}}}\n", encoding="utf-8"
    )
    words = ("describe", "component", "web", "-s", "dev")
    monkeypatch.setenv("UNRELATED", "1")
    first = run(folder, *words)
    monkeypatch.setenv("UNRELATED", "2")
    assert run(folder, *words) == first
    assert len(computed) == 1
    for name in ("WHERE", "WHO"):
        monkeypatch.setenv(name, "elsewhere")
        found = run(folder, *words)
        assert found != first
        assert found == run(folder, *words, fresh=True)
        first = found


def test_a_fact_of_git_counts(folder: Path, computed: list[str]) -> None:
    git = folder / ".git"
    (git / "refs/heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (git / "refs/heads/main").write_text("a" * 40 + "\n", encoding="utf-8")
    path = folder / "stacks/catalog/base.yaml"
    path.write_text("components: {terraform: {web: {vars: {a: !git.sha}}}}\n", encoding="utf-8")
    words = ("describe", "component", "web", "-s", "dev")
    assert "a" * 40 in run(folder, *words)[1]
    assert "a" * 40 in run(folder, *words)[1]
    assert len(computed) == 1
    (git / "refs/heads/main").write_text("b" * 40 + "\n", encoding="utf-8")
    assert "b" * 40 in run(folder, *words)[1]


@pytest.mark.parametrize(
    "value",
    [
        "!sensitive hush",
        "!env DB_PASSWORD none",
        "'{{ now }}'",
        "'{{ uuidv4 }}'",
        "'{{ randAlpha 5 }}'",
        "'{{ date \"2006\" now }}'",
        "!exec echo hi",
        "!secret TOKEN",
        "'{{ genPrivateKey \"ed25519\" }}'",
    ],
)
def test_what_may_change_or_is_secret_is_not_written(folder: Path, value: str) -> None:
    text = f"components: {{terraform: {{web: {{vars: {{a: {value}}}}}}}}}\n"
    (folder / "stacks/catalog/base.yaml").write_text(text, encoding="utf-8")
    for words in (("describe", "component", "web", "-s", "dev"), ("describe", "stacks")):
        run(folder, *words)
    assert answers() == []


def test_an_answer_that_may_change_leaves_nothing_half_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SEGMENT", 1)
    run(folder, "describe", "stacks")
    kept = answers()
    assert len(kept) == 1
    write(
        folder, {"deploy/prod.yaml": "import: [catalog/base]\nvars: {stage: prod, year: '{{ date \"2006\" now }}'}\n"}
    )
    assert "year" in run(folder, "describe", "stacks")[1]
    assert answers() == kept


@pytest.mark.parametrize("words", [("describe", "stacks"), ("validate", "stacks")])
def test_answers_of_several_processes_are_kept(
    folder: Path, computed: list[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """What a worker read counts like what this process read."""
    monkeypatch.setattr(workers, "_has_threads", lambda: False)
    monkeypatch.setattr(workers, "FEW", 2)
    monkeypatch.setattr(spread, "PAYS", 0)
    value = "a: !env WHERE none, b: !include data.yaml"
    write(folder, {"catalog/base.yaml": f"components: {{terraform: {{web: {{vars: {{{value}}}}}}}}}\n"})
    write(folder, {"catalog/data.yaml": "1\n"})
    words = (*words, "--jobs", "2")
    first = run(folder, *words)
    assert run(folder, *words) == first == run(folder, *words[:2], fresh=True)
    assert len(computed) == 2
    monkeypatch.setenv("WHERE", "there")
    assert run(folder, *words) == run(folder, *words, fresh=True)
    write(folder, {"catalog/data.yaml": "2\n"})
    assert run(folder, *words) == run(folder, *words, fresh=True)
    assert ("there" in run(folder, *words)[1]) == (words[0] == "describe")


def test_nothing_is_kept_of_revealed_values_files_or_runs_without_a_cache(folder: Path, tmp_path: Path) -> None:
    run(folder, *LIST, fresh=True)
    run(folder, "describe", "stacks", "--reveal")
    run(folder, "describe", "stacks", "--file", str(tmp_path / "out.yaml"))
    assert answers() == []


def test_other_words_options_or_capabilities_are_another_question(folder: Path, computed: list[str]) -> None:
    for words in (LIST, (*LIST, "--allow", "exec"), (*LIST, "--deny", "env"), (*LIST, "--max-steps", "1000000")):
        run(folder, *words)
    assert len(computed) == len(answers()) == 4


@pytest.mark.parametrize("size", [0, 1, 20, -1, -17])
def test_a_damaged_answer_is_as_if_it_were_not_there(folder: Path, computed: list[str], size: int) -> None:
    first = run(folder, *LIST)
    path = Path(answers()[0])
    data = path.read_bytes()
    path.write_bytes(data[:size])
    assert run(folder, *LIST) == first
    assert len(computed) == 2
    assert Path(answers()[0]).stat().st_size == len(data)


def test_no_byte_of_an_answer_can_be_changed_unnoticed(folder: Path, computed: list[str]) -> None:
    first = run(folder, *LIST)
    path = Path(answers()[0])
    data = path.read_bytes()
    for at in range(0, len(data), 41):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        computed.clear()
        assert run(folder, *LIST) == first
        assert computed, at


def test_an_answer_of_another_question_is_not_taken(folder: Path, computed: list[str]) -> None:
    run(folder, *LIST)
    one = answers()[0]
    run(folder, "list", "stacks")
    other = next(name for name in answers() if name != one)
    os.replace(one, other)
    assert run(folder, "list", "stacks") == run(folder, "list", "stacks", fresh=True)
    assert len(computed) == 4


def test_answers_can_be_read_by_their_user_only(folder: Path) -> None:
    run(folder, *LIST)
    assert [os.stat(name).st_mode & 0o077 for name in answers()] == [0]


def test_runs_work_where_nothing_can_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, computed: list[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert run(folder, *LIST) == run(folder, *LIST) == run(folder, *LIST, fresh=True)
    assert len(computed) == 3


def test_the_oldest_answers_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(folder, *LIST)
    first = answers()[0]
    os.utime(first, (1, 1))
    run(folder, "list", "stacks")
    second = next(name for name in answers() if name != first)
    os.utime(second, (2, 2))
    run(folder, "list", "components")
    third = next(name for name in answers() if name not in (first, second))
    room = os.stat(first).st_size + os.stat(third).st_size + 100
    os.unlink(third)
    run(folder, *LIST)  # used again
    monkeypatch.setattr("plait.yaml.folder.FOLDER_LIMIT", room)
    run(folder, "list", "components")
    assert first in answers()
    assert second not in answers()


def test_the_cache_tells_what_it_holds_and_can_be_cleared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(folder, *LIST)
    size = os.stat(answers()[0]).st_size
    assert main(["cache", "info", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["contents"]["answers"] == {"files": 1, "bytes": size}
    assert told["folder"] == os.path.dirname(os.path.dirname(answers()[0]))
    assert main(["cache", "info"]) == 0
    assert "answers            1 file " in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().err.startswith("1 file (0.0 MB) deleted from ")
    assert answers() == []
    assert run(folder, *LIST) == run(folder, *LIST, fresh=True)


def test_a_run_can_say_why_it_computed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    base = folder / "stacks/catalog/base.yaml"
    base.write_text(CATALOG, encoding="utf-8")

    def why(*words: str) -> str:
        return run(folder, *words, "--why-computed")[2].splitlines()[-1]

    never = "computed: there is no answer of an earlier run with the same words, folder, settings and permissions"
    holds = "not computed: the answer of an earlier run holds"
    changed = "computed: stacks/catalog/base.yaml has changed"
    every, one = ("describe", "stacks"), ("describe", "component", "web", "-s", "dev")
    assert [why(*every), why(*every), why(*one)] == [never, holds, never]
    assert run(folder, *every) == run(folder, *every, fresh=True), "the flag is no part of the question"
    base.write_text(CATALOG.replace("size: 2", "size: 3"), encoding="utf-8")
    assert why(*every) == f"{changed}; the answers about 4 components are as before", "one in each of two stacks is not"
    assert why(*one) == changed
    (folder / "stacks/deploy/new.yaml").write_text("vars: {stage: new}\n", encoding="utf-8")
    assert why(*one) == "computed: stacks/deploy/new.yaml is new"
    (folder / "stacks/deploy/new.yaml").unlink()
    assert why(*one) == "computed: stacks/deploy/new.yaml was deleted"
    for name in FILES:
        (folder / "stacks" / name).open("a", encoding="utf-8").write("# more\n")
    assert why(*one).startswith("computed: 3 files have changed: stacks/")
    monkeypatch.setenv("PLAIT_ALLOW", "exec")
    assert why(*one) == never, "what is allowed is part of the question"
    monkeypatch.delenv("PLAIT_ALLOW")
    assert why(*one) == holds
    base.write_text(CATALOG.replace("size: 1", "'{{ now }}'"), encoding="utf-8")
    assert why(*one) == f"{changed}; not kept: the time"
    assert why(*one, "--no-cache") == "computed: no cached answer is used here"


CATALOG = """components:
  terraform:
    base: {vars: {size: 1}}
    web:
      metadata: {inherits: [base]}
      vars: {kind: "{{ .vars.stage }}"}
    db:
      vars: {size: 2}
"""


def test_what_is_broken_is_told_again_where_it_was_found_with_another_stack(folder: Path) -> None:
    """Several stacks are put together at a time, where one may ask the outside."""
    base = "components: {terraform: {web: {vars: {a: !exec x}}}}\n"
    dev = "import: [catalog/base]\nvars: {stage: dev}\ncomponents: {terraform: {web: {vars: {a: %d}}}}\n"
    prod = "vars: {stage: prod}\ncomponents: {terraform: {web: {}, db: {backend_type: gcs, backend: {s3: {}}}}}\n"
    write(folder, {"catalog/base.yaml": base, "deploy/dev.yaml": dev % 1, "deploy/prod.yaml": prod})
    assert "PL3218" in run(folder, "describe", "stacks")[2]
    write(folder, {"deploy/dev.yaml": dev % 2})
    assert "PL3218" in run(folder, "describe", "stacks")[2]


def test_a_change_of_one_manifest_reads_only_that_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    close = Workspace.close
    monkeypatch.setattr(Workspace, "close", lambda self: (read.append(self.counters.files), close(self)))
    words = ("describe", "stacks")
    run(folder, *words)
    assert read == [4]
    for stage in ("dev, a: 1", "prod", "test"):  # in between both are one stack
        write(folder, {"deploy/dev.yaml": FILES["deploy/dev.yaml"].replace("dev", stage)})
        read.clear()
        assert run(folder, *words) == run(folder, *words, fresh=True)
        assert read == [2, 4]  # the configuration and the file that changed
    for name in ("deploy/prod.yaml", "catalog/base.yaml"):  # the answer depends on files that were not read again
        write(folder, {name: FILES[name] + "settings: {a: 1}\n"})
        assert run(folder, *words) == run(folder, *words, fresh=True)


def test_an_entry_begins_to_decide_a_name(folder: Path) -> None:
    """Where one component changes, the root section of another file still counts."""
    block = "components:\n  terraform:\n    {}:\n      vars:\n        size: 1\n"
    files = {
        "catalog/idle.yaml": "import: [catalog/root]\n" + block.format("idle"),
        "catalog/root.yaml": "vars: {root: here, imports: '{{ .imports }}'}\n",
        "catalog/web.yaml": block.format("web"),
        "deploy/dev.yaml": "import: [catalog/idle, catalog/web]\nvars: {stage: dev}\n",
        "deploy/prod.yaml": "import: [catalog/web]\nvars: {stage: prod}\n",
    }
    write(folder, files)
    words = ("describe", "stacks")
    run(folder, *words)
    for more in (
        "size: !env A 2",
        "size: 3\n        stage: '{{ .vars.size }}'",
        "size: 4",
        "size: '{{ fail \"no\" }}'",
        "size: 5",
    ):
        write(folder, {"catalog/web.yaml": files["catalog/web.yaml"].replace("size: 1", more)})
        assert run(folder, *words) == run(folder, *words, fresh=True)


def test_an_entry_that_a_file_gets_counts_after_the_next_change(folder: Path) -> None:
    """What was known about the files before the entry was added says that this one has nothing to do with it."""
    entry = "    {}:\n      vars:\n        size: {}\n"
    both = "components:\n  terraform:\n" + entry.format("web", 1) + entry.format("db", 1)
    over = "components:\n  terraform:\n" + entry.format("web", 2)
    stack = "import: [catalog/base, catalog/over]\nvars: {stage: dev}\n"
    files = {"catalog/base.yaml": both, "catalog/over.yaml": over, "deploy/dev.yaml": stack}
    write(folder, files)
    run(folder, "describe", "stacks")
    write(folder, {"catalog/over.yaml": over + entry.format("db", 2)})
    assert run(folder, "describe", "stacks") == run(folder, "describe", "stacks", fresh=True)
    write(folder, {"catalog/base.yaml": both + "        more: 1\n"})
    assert run(folder, "describe", "stacks") == run(folder, "describe", "stacks", fresh=True)


ABOUT_ALL = [
    ("list", "instances"),
    ("list", "instances", "--columns", "component,stack,vars.size"),
    ("list", "components"),
    ("list", "components", "--type", "all"),
    ("list", "dependencies"),
    ("list", "sources"),
    ("list", "vars"),
    ("list", "vars", "--format", "table"),
    ("list", "metadata", "--format", "json"),
    ("describe", "dependents", "web", "-s", "dev"),
]
ENTRIES = """components:
  terraform:
    base:
      metadata:
        type: abstract
      vars:
        size: 1
    web:
      metadata:
        inherits: [base]
      settings:
        depends_on:
          1: {component: db}
    db:
      vars:
        size: 2
      source:
        uri: somewhere
"""


def json_text(data: object) -> str:
    return emit_json(from_plain(data, DERIVED), sort_keys=True)


def yaml_text(data: object) -> str:
    return emit_styled(from_plain(data, DERIVED), Style(2, 2, sort_keys=True, prefer='"'))


@pytest.mark.parametrize("words", ABOUT_ALL, ids=" ".join)
def test_a_list_after_a_change_computes_only_what_it_can_reach(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    made: list[str] = []
    put_together = Component.__init__

    def counted(self: Component, siblings: Siblings, name: str) -> None:
        made.append(name)
        put_together(self, siblings, name)

    write(folder, {"catalog/base.yaml": ENTRIES, "deploy/own.yaml": "vars: {stage: own}\n" + ENTRIES})
    run(folder, *words)
    monkeypatch.setattr(Component, "__init__", counted)
    for old, new, names in (
        ("size: 2", "size: 3", {"db"}),
        ("size: 1", "size: 4", {"web"}),
        ("type: abstract", "type: abstract # still", {"web"}),
        ("type: abstract # still", "type: real", {"base", "web", "db"}),
        ("uri: somewhere", "uri: elsewhere", {"db"}),
        ("    db:", "    new:\n      vars: {size: 1}\n    db:", {"base", "web", "db", "new"}),
    ):
        text = (folder / "stacks/catalog/base.yaml").read_text(encoding="utf-8")
        write(folder, {"catalog/base.yaml": text.replace(old, new)})
        fresh = run(folder, *words, fresh=True)
        made.clear()
        assert run(folder, *words) == fresh
        assert set(made) <= {*names, "base"} if "all" in words else set(made) <= names
        assert made.count("db") <= 2, "only those of the two stacks that import the file"


@given(
    st.dictionaries(
        st.text(max_size=4),
        st.dictionaries(st.text(max_size=4), st.recursive(st.text(max_size=9), lambda of: st.lists(of, max_size=2)),
                        min_size=1, max_size=3),
        max_size=3,
    ),
    st.sampled_from([json_text, yaml_text]),
)  # fmt: skip
def test_values_printed_one_by_one_are_those_printed_together(
    data: dict[str, dict[str, object]], printed: Callable[[object], str]
) -> None:
    page = NestedText(printed)
    texts = {stack: {name: page.member(name, value) for name, value in of.items()} for stack, of in data.items()}
    assert "".join(page.whole(texts)) == printed(data)


AFFECTED = [
    ("describe", "affected", "--base", "HEAD"),
    ("describe", "affected", "--include-dependents", "--verbose"),
    ("list", "affected", "--base", "main"),
    ("review", "HEAD"),
    ("review", "--format", "json"),
]


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main", "-c", "gc.auto=0")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_what_is_affected_is_kept_until_a_file_or_the_history_changes(
    folder: Path, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    review = Workspace.review
    monkeypatch.setattr(Workspace, "review", lambda self, *given: (computed.append("review"), review(self, *given))[1])
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "before")
    base = folder / "stacks/catalog/base.yaml"
    steps: list[Callable[[], object]] = [
        lambda: base.write_text(FILES["catalog/base.yaml"].replace("1", "7"), encoding="utf-8"),
        lambda: base.write_text(FILES["catalog/base.yaml"].replace("2", "7"), encoding="utf-8"),
        lambda: (folder / "README.md").write_text("new", encoding="utf-8"),
        lambda: (folder / "stacks/deploy/new.yaml").write_text("import: [catalog/base]\nvars: {stage: new}\n"),
        lambda: git(folder, "commit", "-q", "-a", "-m", "after"),
        lambda: (folder / "stacks/deploy/prod.yaml").unlink(),
        lambda: git(folder, "reset", "-q", "--hard", "HEAD~1"),
        lambda: git(folder, "checkout", "-q", "-b", "other"),
        lambda: base.write_text(FILES["catalog/base.yaml"].replace("web", "net"), encoding="utf-8"),
    ]
    for at, step in enumerate(steps):
        step()
        for words in (
            AFFECTED[at % len(AFFECTED)],
            AFFECTED[(at + 3) % len(AFFECTED)],
        ):  # each after every second or third step
            fresh = run(folder, *words, fresh=True)
            assert run(folder, *words) == fresh
            computed.clear()
            assert run(folder, *words) == fresh
            is_copied = words[1] == "affected" and not (folder / "stacks/deploy/prod.yaml").exists()
            assert bool(computed) == is_copied, "a file that is gone is read from a copy of the old tree"


def test_what_is_wrong_where_the_change_does_not_reach_is_not_told(folder: Path) -> None:
    write(folder, {"deploy/prod.yaml": "import: [catalog/base]\nvars: {stage: prod, a: !nonsense b}\n"})
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "before")
    (folder / "stacks/catalog/unused.yaml").write_text("vars: {a: 1}\n", encoding="utf-8")
    words = ("describe", "affected", "--base", "HEAD")
    fresh = run(folder, *words, fresh=True)
    assert fresh == (0, "[]\n", "")
    assert [run(folder, *words), run(folder, *words)] == [fresh, fresh]


MANY = {
    "catalog/base.yaml": "components:\n  terraform:\n    web:\n      vars: {size: 1}\n    db:\n      vars: {size: 2}\n",
    "catalog/more.yaml": "components:\n  terraform:\n    cache:\n      vars: {size: 3}\n",
    "deploy/dev.yaml": "import: [catalog/base, catalog/more]\nvars: {stage: dev}\n",
    "deploy/prod.yaml": "import: [catalog/base]\nvars: {stage: prod}\n",
}


def both(*names: str) -> list[str]:
    """Components that are evaluated on both sides."""
    return [name for one in names for name in (one, one)]


@pytest.mark.parametrize("at", ["components:\n", "      backend_type: gcs\n"])
def test_a_comment_tells_the_errors_of_what_a_fresh_run_compares(at: str, folder: Path) -> None:
    """A comparison asks about every component that a changed line may reach, and tells what is wrong with it."""
    wrong = "components:\n  terraform:\n    db:\n      backend_type: gcs\n      backend: {s3: {}}\n"
    write(folder, {**MANY, "catalog/more.yaml": wrong})
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "before")
    words = ("describe", "affected", "--base", "HEAD")
    write(folder, {"catalog/base.yaml": MANY["catalog/base.yaml"].replace("1", "7")})
    first = run(folder, *words)
    assert "gcs" not in repr(first)
    write(folder, {"catalog/more.yaml": wrong.replace(at, f"{at}# a comment\n")})
    fresh = run(folder, *words, fresh=True)
    assert "gcs" in repr(fresh)
    assert run(folder, *words) == fresh
