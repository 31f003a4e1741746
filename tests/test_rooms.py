"""The table of tests: every module of plait has its tests there, and every test that it names exists."""

from __future__ import annotations

import ast
import time
from pathlib import Path
from types import FunctionType

import pytest

from plait.core import path
from plait.notations.dynaml import operators
from tests.mutants.__main__ import listed
from tests.mutants.changes import code_of, mutants
from tests.mutants.forked import forked
from tests.mutants.judge import EQUIVALENT
from tests.mutants.limits import Budget, Limit, Overdue
from tests.mutants.live import Functions
from tests.mutants.probes import PROBE, probed
from tests.mutants.reach import Unit, witnesses, work_of_tests
from tests.mutants.rooms import ROOMS, importing, more_tests, named_tests, room_of

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "plait"
MODULES = sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py"))


def test_every_module_is_in_the_table() -> None:
    rooms = {module: room_of(module) for module in MODULES}
    assert [module for module, room in rooms.items() if not room] == []
    assert set(ROOMS) - set(rooms.values()) == set()


@pytest.mark.parametrize("room", ROOMS)
def test_the_tests_of_a_room_exist(room: str) -> None:
    cases = [ROOT / "tests" / name for name in named_tests(room) if name.startswith("cases/")]
    assert [path for path in cases if path.suffix != ".case" and not list(path.rglob("*.case"))] == []
    assert [name for name in named_tests(room) if not (ROOT / "tests" / name).exists()] == []


def test_what_imports_a_module_is_about_it_unless_many_do() -> None:
    assert "review/test_checks_itself.py" in importing("review/checking.py")
    assert importing("workspace.py") == ()
    assert "cases/layers" in more_tests("yaml/patch.py")
    assert "yaml/test_patch.py" not in more_tests("yaml/patch.py"), "it is in the row"


def test_mutants_change_what_runs_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    lines = ["TABLE = 1 + 1", "", "", "def f(a: int | None = 1) -> bool:", '    """Text."""']
    lines += ["    list(zip(a, strict=True))", "    return not a == 2 and a in (3,)", ""]
    file.write_text("\n".join(lines))
    found = {(mutant.line, mutant.was, mutant.becomes) for mutant in mutants(str(file))}
    assert found == {
        (6, "list(zip(a, strict=True))", "pass"),
        (7, "return not a == 2 and a in (3,)", "return None"),
        (7, "not a == 2 and a in (3,)", "not a == 2 or a in (3,)"),
        (7, "not a == 2", "a == 2"),
        (7, "a == 2", "a != 2"),
        (7, "a in (3,)", "a not in (3,)"),
        (7, "2", "3"),
        (7, "3", "4"),
    }
    assert all(ast.dump(mutant.node) != ast.dump(mutant.instead) for mutant in mutants(str(file)))


def test_a_function_that_a_changed_one_made_before_is_changed_too() -> None:
    made = operators.OPERATORS["=="]
    own = [
        mutant
        for mutant in mutants(operators.__file__)
        if mutant.was == "return env.made(same(left, right) is expected)"
    ]

    def changed() -> list[int]:
        """In a process of its own: nothing else has the change."""
        Functions().change(code_of(own[0]))
        return list(made.__code__.co_code)

    assert forked(changed, Limit(cpu=60)) != list(made.__code__.co_code)


def test_every_equivalent_mutant_exists_and_has_a_reason() -> None:
    assert sorted({mutant.name for mutant in listed()}) == sorted(EQUIVALENT)
    assert all(len(reason.split()) > 5 for reason in EQUIVALENT.values())


def test_a_probe_stands_before_the_statement_of_its_mutant(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        "def f(a):\n    if a > 1:\n        return [b for b in a if b]\n    elif a:\n        a.go()\n    return 2\n"
    )
    found = mutants(str(file))
    (code,) = probed(found)
    runs: list[int] = []
    given: dict[str, object] = {PROBE: runs.append}
    assert FunctionType(code, given)(0) == 2
    assert sorted({found[number].line for number in runs}) == [2, 4, 6]


def test_work_is_ended_by_its_cpu_time_and_not_by_the_clock() -> None:
    def worked(seconds: float) -> str:
        while time.process_time() < seconds:
            pass
        return "done"

    now = time.process_time()
    assert forked(lambda: worked(0.01), Limit(cpu=60)) == "done"
    with pytest.raises(Overdue):
        forked(lambda: worked(now + 30), Limit(cpu=0.2))
    with pytest.raises(Overdue):
        forked(lambda: time.sleep(60), Limit(clock=0.1))
    with pytest.raises(Overdue):
        forked(lambda: "done", Budget(Limit(cpu=0)).left)


def test_tests_are_witnesses_whatever_their_file_does_while_it_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "test_x.py"
    file.write_text(
        "from plait.core.path import parse_path\nTABLE = parse_path('a.b')\n\n\n"
        "def test_x():\n    assert parse_path('a') == TABLE[:1]\n\n\ndef test_y():\n    assert TABLE\n"
    )
    own = [mutant for mutant in mutants(path.__file__) if mutant.was == "return tuple(steps)"]
    unit = Unit(str(file), work_of_tests(str(file)))
    found = witnesses(unit, probed(own), Functions(), Limit(cpu=60))
    assert [each.name.partition("::")[2] for each in found or ()] == ["test_x"]
    file.write_text("import nothing_of_this_name\n")
    with pytest.raises(RuntimeError, match="pytest could not look at"):
        witnesses(unit, probed(own), Functions(), Limit(cpu=60))
