"""The mutants: what is changed, which tests are near, and that what is listed as equivalent is still there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.mutants.__main__ import EQUIVALENT, SAMPLE, SCORE, WORDS, drawn, listed, packages
from tests.mutants.near import GROUPS, OTHER, PACKAGE, ROOT, STRUCTURE, TESTS, files_of, near_tests
from tests.mutants.operators import mutants, text_of

CHANGES = {
    "return a == 2 and not b": ["3", "a != 2", "a == 2 or not b", "b"],
    "return 1 < a <= b": ["1 <= a <= b", "1 < a < b", "2"],
    "return [x for x in a if x is True]": ["x is not True", "False"],
    "a.close()\n    return b": ["pass"],
    "if a:\n        return\n    b()": ["pass", "pass"],
    "for x in a:\n        return x": ["pass"],
    "def inner() -> None:\n        return\n    return inner": [],
    "return list(zip(a, b, strict=True))": [],
    "c: 'int | None' = a\n    return c": [],
}


@pytest.mark.parametrize("body", CHANGES)
def test_a_mutant_changes_one_thing_that_a_function_does(body: str, tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(f"TABLE = 1 == 1\n\ndef f(a: int = 1) -> int:\n    {body}\n")
    found = [mutant for mutant in mutants(file) if mutant.line > 3]
    assert sorted(mutant.becomes for mutant in found) == sorted(CHANGES[body])
    texts = {text_of(mutant) for mutant in mutants(file)}
    assert len(texts) == len(mutants(file))
    assert all("TABLE = 1 == 1\n" in text for text in texts)


def test_a_draw_is_that_of_its_seed_and_weighted_by_size() -> None:
    assert [mutant.name for mutant in drawn("merging", 7, 20)] == [mutant.name for mutant in drawn("merging", 7, 20)]
    assert drawn("merging", 7, 20) != drawn("merging", 8, 20)
    sizes = {file: len(mutants(file)) for file in files_of("merging")}
    largest = max(sizes, key=lambda file: sizes[file])
    often = sum(mutant.file == largest for mutant in drawn("merging", 7, 400)) / 400
    assert 0.5 < often / (sizes[largest] / sum(sizes.values())) < 1.5


def test_every_module_has_tests_near_and_every_group_has_cases() -> None:
    for file in PACKAGE.rglob("*.py"):
        names = near_tests(file)
        assert names, file
        assert not {name.rpartition("/")[2] for name in names} & set(STRUCTURE)
    assert all(list((TESTS / "cases" / group).rglob("*.case")) for row in GROUPS.values() for group in row.split())


def test_the_table_of_groups_is_in_the_readme_of_the_cases() -> None:
    text = (TESTS / "cases" / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|$", text, re.M))
    assert rows == {name: row.replace(" ", ", ") for name, row in GROUPS.items()}
    assert f"| any other | {OTHER} |" in text


def test_what_is_listed_as_equivalent_exists_and_has_a_reason() -> None:
    found = {mutant.name for mutant in listed()}
    assert [name for name in EQUIVALENT if name not in found] == []
    assert all(len(reason.split()) > 5 for reason in EQUIVALENT.values())


def test_scores_are_draws_of_sixty_or_more_of_packages_that_exist() -> None:
    for package, score in json.loads(SCORE.read_text(encoding="utf-8")).items():
        assert files_of(package)
        assert sorted(score) == sorted([*WORDS, "seed", "commit"])
        assert sum(score[word] for word in WORDS[:3]) >= SAMPLE
        assert score["equivalent"] <= 0.03 * sum(score[word] for word in WORDS)
    assert {"core", "merging"} <= set(packages())


def test_the_tests_of_structure_exist_and_are_named() -> None:
    assert [name for name in STRUCTURE if not list(TESTS.rglob(name))] == []
    assert ROOT / "tests" == TESTS
