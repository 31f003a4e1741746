"""Three versions of a file as one: the properties, and plait as a merge driver of git."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import plait
from tests.patterns.triples import compared, data_of, triple

BASE = "replicas: 1\nimage: a\nports:\n- 80\n- 443\n"


@pytest.mark.parametrize("first", [0, 60])
def test_the_same_data_as_git_where_git_is_clean(first: int, tmp_path: Path) -> None:
    assert sum(compared(seed, tmp_path) for seed in range(first, first + 60)) > 5


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_what_one_side_changed_arrives_whole(first: int) -> None:
    for seed in range(first, first + 20):
        base, ours, _ = triple(seed)
        assert plait.merge3(base, base, ours).text == ours
        assert plait.merge3(base, ours, base).text == ours
        assert plait.merge3(base, ours, ours).text == ours


def items(text: str) -> list[str]:
    data: Any = data_of(text)
    found = data[0]["list"] if isinstance(data[0], dict) else data[0]
    return [json.dumps(item, sort_keys=True) for item in found or ()]


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_swapping_the_sides_swaps_the_result(first: int) -> None:
    """Of items that both put at one place, those of the first side come first; nothing else depends on the order."""
    for seed in range(first, first + 20):
        base, ours, theirs = triple(seed)
        if any(data_of(side) is None for side in (base, ours, theirs)):
            continue
        one, other = plait.merge3(base, ours, theirs), plait.merge3(base, theirs, ours)
        mirrored = Counter((clash.base, clash.theirs, clash.ours) for clash in other.conflicts)
        assert Counter((clash.base, clash.ours, clash.theirs) for clash in one.conflicts) == mirrored, seed
        if not one.conflicts:
            made, swapped = items(one.text), items(other.text)
            assert sorted(made) == sorted(swapped), seed
            for side, across in ((ours, theirs), (theirs, ours)):
                own = {*items(side)} - {*items(across)}
                assert [item for item in made if item in own] == [item for item in swapped if item in own], seed


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_lines_that_nobody_touched_are_there_as_they_were(first: int) -> None:
    """Comments included."""
    for seed in range(first, first + 20):
        sides = triple(seed)
        merged = plait.merge3(*sides)
        if merged.conflicts:
            continue
        counts = [text.splitlines() for text in (*sides, merged.text)]
        for line in {*counts[0]}:
            if counts[0].count(line) == counts[1].count(line) == counts[2].count(line) == 1:
                assert line in counts[3], (seed, line)


def test_fields_next_to_each_other_merge() -> None:
    """Where git finds a conflict."""
    merged = plait.merge3(
        BASE, BASE.replace("replicas: 1", "replicas: 5  # busy"), BASE.replace("image: a", "image: b")
    )
    assert merged.text == "replicas: 5  # busy\nimage: b\nports:\n- 80\n- 443\n"
    assert not merged.conflicts


def test_two_additions_at_one_place_are_both_there() -> None:
    merged = plait.merge3(BASE, BASE + "- 8080\nours: 1\n", BASE + "- 9090\ntheirs: 1\n")
    assert merged.text == BASE + "- 9090\n- 8080\ntheirs: 1\nours: 1\n"
    assert not merged.conflicts


def test_a_side_that_formats_anew_does_not_conflict() -> None:
    merged = plait.merge3(BASE, 'replicas: 1\n"image": "a"\nports: [80, 443]\n', BASE.replace("- 443", "- 444"))
    assert merged.text == 'replicas: 1\n"image": "a"\nports: [80, 444]\n'


def test_lines_that_merge_by_themselves_bring_comments_and_style() -> None:
    """Where others do not, and the file is merged by fields."""
    base = "a:\n- one\n- two\n- three\nb: 1\nc: 1\n"
    merged = plait.merge3(
        base, base.replace("c: 1", "c: 2"), base.replace("two", "[x, 'y']   # why\n- [z]").replace("b: 1", "b: 2")
    )
    assert merged.text == "a:\n- one\n- [x, 'y']   # why\n- [z]\n- three\nb: 2\nc: 2\n"
    merged = plait.merge3("a: 1   # old\nb: 1\n", "a: 1   # old\nb: 2\n", "a: 1   # new\nb: 1\n")
    assert merged.text == "a: 1   # new\nb: 2\n"


def test_comments_that_cannot_be_merged_are_named() -> None:
    merged = plait.merge3("a: 1   # old\n", "a: 1   # ours\n", "a: 1   # theirs\n")
    assert (merged.text, merged.conflicts, merged.uncommented) == ("a: 1   # ours\n", [], {"document 1": "# theirs"})


def test_comments_that_go_with_what_theirs_removed_are_named() -> None:
    base = "l:\n- {a: 1}\n- {b: 1}\n- {c: 1}\nk: 1\n"
    ours = "l:\n- {a: 1}\n# mine\n- {b: 1}\n- {c: 2}\nk: 1\n"
    theirs = "l:\n- {a: 1}\n- {c: 1}\nk: 2\n"
    merged = plait.merge3(base, ours, theirs)
    assert (merged.text, merged.conflicts) == ("l:\n- {a: 1}\n- {c: 2}\nk: 2\n", [])
    assert merged.gone == {"document 1": "# mine"}


def test_comments_that_the_generator_removed_go() -> None:
    base = "# old\na: 1   # why\nb: 1\n"
    made = plait.regenerate("# old\na: 1   # why\nb: 2\n", "a: 1\nb: 1\n", base)
    assert made.text == "a: 1\nb: 2\n"


def test_a_new_item_between_brackets_stays_between_brackets() -> None:
    merged = plait.merge3("- a\n- b\n", "- a\n- mine\n- b\n", "- a\n- [x, y]\n- b\n")
    assert merged.text == "- a\n- [x, y]\n- mine\n- b\n"


def test_a_file_that_theirs_emptied_is_in_conflict_with_all_of_ours() -> None:
    (conflict,) = plait.merge3("- a\n- b\n", "- a\n", "").conflicts
    assert (conflict.base, conflict.ours, conflict.theirs) == ("[a, b]", "[a]", None)


def test_a_conflict_has_markers_that_name_the_path() -> None:
    merged = plait.merge3(BASE, BASE.replace("a\n", "ours\n"), BASE.replace("a\n", "theirs\n").replace("443", "444"))
    assert merged.text == (
        "replicas: 1\n<<<<<<< ours: image\nimage: ours\n=======\nimage: theirs\n>>>>>>> theirs: image\n"
        "ports:\n- 80\n- 444\n"
    )
    (conflict,) = merged.conflicts
    assert (conflict.path, conflict.base, conflict.ours, conflict.theirs) == ("image", "a", "ours", "theirs")


def test_text_that_is_no_yaml_is_merged_by_lines() -> None:
    merged = plait.merge3("a: [\n1\n2\n3\n", "a: [\n1\n2\n4\n", "b: [\n1\n2\n3\n")
    assert merged.text == "b: [\n1\n2\n4\n"
    assert plait.merge3("a: [\n", "b: [\n", "c: [\n").text == (
        "<<<<<<< ours: line 1\nb: [\n=======\nc: [\n>>>>>>> theirs: line 1\n"
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with plait as the merge driver, and two branches that git alone cannot merge."""
    git(tmp_path, "init", "-q", "-b", "main")
    for name, value in (("user.name", "A"), ("user.email", "a@example"), ("commit.gpgsign", "false")):
        git(tmp_path, "config", name, value)
    git(tmp_path, "config", "merge.plait.driver", f"'{sys.executable}' -m plait merge3 %O %A %B")
    (tmp_path / ".gitattributes").write_text("*.yaml merge=plait\n")
    commit(tmp_path, BASE, "base")
    git(tmp_path, "checkout", "-q", "-b", "feature")
    commit(tmp_path, BASE.replace("image: a", "image: b") + "- 9090\n", "feature")
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, BASE.replace("replicas: 1", "replicas: 5   # busy") + "- 8080\n", "main")
    return tmp_path


MERGED = "replicas: 5   # busy\nimage: b\nports:\n- 80\n- 443\n- {}\n- {}\n"


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)


def commit(folder: Path, text: str, message: str) -> None:
    (folder / "app.yaml").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def test_git_merges_with_it(repository: Path) -> None:
    done = git(repository, "merge", "feature", "-m", "merged")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (repository / "app.yaml").read_text() == MERGED.format(9090, 8080)


def test_git_rebases_with_it(repository: Path) -> None:
    git(repository, "checkout", "-q", "feature")
    done = git(repository, "rebase", "main")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (repository / "app.yaml").read_text() == MERGED.format(9090, 8080)


def test_git_stops_at_a_conflict(repository: Path) -> None:
    git(repository, "checkout", "-q", "feature")
    commit(repository, BASE.replace("replicas: 1", "replicas: 7"), "again")
    done = git(repository, "merge", "main")
    assert done.returncode == 1
    assert "conflict at replicas: ours 7, theirs 5, was 1" in done.stdout + done.stderr
    assert "<<<<<<< ours: replicas\nreplicas: 7\n=======\nreplicas: 5" in (repository / "app.yaml").read_text()


def test_documents_without_a_kind_are_found_where_one_goes_and_another_comes() -> None:
    """As many as before, but not the same ones."""
    base = "a: 1\nx: 1\n---\nb: 1\ny: 1\n"
    merged = plait.merge3(base, base.replace("y: 1", "y: 9"), "b: 2\ny: 1\n---\nc: 1\nz: 1\n")
    assert (merged.text, merged.conflicts) == ("b: 2\ny: 9\n---\nc: 1\nz: 1\n", [])
