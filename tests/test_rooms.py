"""The table of tests: every module of plait has its tests there, and every test that it names exists."""

from __future__ import annotations

import ast
import time
import zlib
from pathlib import Path
from types import FunctionType

import pytest

from plait.core import path
from plait.notations.dynaml import operators
from plait.profiles import keys
from tests.conftest import LONG
from tests.lsp import started
from tests.mutants.__main__ import listed
from tests.mutants.anew import failing_anew
from tests.mutants.changes import code_of, mutants
from tests.mutants.everywhere import further
from tests.mutants.forked import forked
from tests.mutants.judge import EQUIVALENT, Judge
from tests.mutants.kept import Kept
from tests.mutants.limits import Budget, Limit, Overdue
from tests.mutants.live import Functions
from tests.mutants.probes import Probes, Spot, probe_of, probed
from tests.mutants.reach import Look, Probed, Unit, Witness, work_of_tests
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


@pytest.mark.long
def test_a_table_that_a_changed_function_fills_is_made_anew() -> None:
    case = Witness("tests/cases/compose/kinds.case", 0.0, True, b"")
    filling, *_ = mutants(keys.__file__)
    assert failing_anew([case], filling, is_changed=True) == case.name


def test_every_equivalent_mutant_exists_and_has_a_reason() -> None:
    assert sorted({mutant.name for mutant in listed()}) == sorted(EQUIVALENT)
    assert all(len(reason.split()) > 5 for reason in EQUIVALENT.values())


def test_a_probe_stands_before_the_statement_of_its_mutant(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        "def f(a):\n    if a > 1:\n        return [b for b in a if b]\n    elif a:\n        a.go()\n    return 2\n"
    )
    probes = Probes({str(file): probed(str(file))})
    (code,) = probes.codes
    notes = bytearray(probes.size)
    assert FunctionType(code, {probe_of(str(file)): notes})(0) == 2
    found = {mutant.line: probes.spot(mutant) for mutant in mutants(str(file))}
    assert [line for line, (_, number) in found.items() if notes[number]] == [2, 4, 6]


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


@pytest.mark.long
def test_tests_are_witnesses_whatever_their_file_does_while_it_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "test_x.py"
    file.write_text(
        "from plait.core.path import parse_path\nTABLE = parse_path('a.b')\n\n\n"
        "def test_x():\n    assert parse_path('a') == TABLE[:1]\n\n\ndef test_y():\n    assert TABLE\n"
    )
    unit = Unit(str(file), work_of_tests(str(file)))
    assert forked(lambda: _running(unit, "return tuple(steps)", tmp_path), Limit(cpu=60)) == ["test_x"]
    file.write_text("import nothing_of_this_name\n")
    with pytest.raises(RuntimeError, match="pytest could not look at"):
        forked(lambda: _running(unit, "return tuple(steps)", tmp_path), Limit(cpu=60))


@pytest.mark.long
def test_commands_and_servers_of_tests_are_witnesses_and_what_is_skipped_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"{started.ADDRESS}-rooms"  # the servers of other tests in this process have theirs
    launch = started.LAUNCHER.format(address=address)
    monkeypatch.setattr(started, "ADDRESS", address)
    monkeypatch.setattr(started, "SERVER", [word.replace(started.LAUNCH[1], launch) for word in started.SERVER])
    file = tmp_path / "test_x.py"
    file.write_text(
        "import os, subprocess\nimport pytest\nfrom tests.cases.preloaded import completed\n"
        "from tests.lsp.started import SERVER, forking\n\n\n"
        "def test_command(tmp_path):\n    (tmp_path / 'a.yaml').write_text('a: {b: 1}')\n"
        "    assert completed(['get', 'a.yaml', 'a.b'], tmp_path, dict(os.environ)).stdout == '1\\n'\n\n\n"
        "def test_server(tmp_path):\n    (tmp_path / 'a.yaml').write_text('a: {b: 1}')\n"
        "    words = [*SERVER[:-2], 'get', 'a.yaml', 'a.b']\n    with forking():\n"
        "        assert subprocess.run(words, cwd=tmp_path, stdout=subprocess.PIPE).stdout == b'1\\n'\n\n\n"
        "def test_program():\n    words = [SERVER[0], '-c', 'from plait.core.path import *;print(parse_path(\"a\"))']\n"
        "    assert subprocess.run(words, stdout=subprocess.PIPE).stdout == b\"('a',)\\n\"\n\n\n"
        "def test_skipped():\n    from plait.core.path import parse_path\n    parse_path('a')\n    pytest.skip()\n"
    )
    unit = Unit(str(file), work_of_tests(str(file)))
    found = forked(lambda: _running(unit, "return tuple(steps)", tmp_path), Limit(cpu=60))
    assert found == ["test_command", "test_server", "test_program"]


def _running(unit: Unit, was: str, folder: Path) -> list[str]:
    """The tests that run a statement of paths; in a process of its own, which gets probes."""
    own = [mutant for mutant in mutants(path.__file__) if mutant.was == was]
    kept = Kept([path.__file__], folder / "kept")
    look = Probed(kept.probes, Functions()).look(unit, Limit(cpu=60))
    assert look is not None
    kept.keep(unit, look)
    again = Kept([path.__file__], folder / "kept").look(unit)
    assert again == look, "what is kept is what was seen"
    (found,) = again.running([kept.probes.spot(own[0])])
    return [each.name.partition("::")[2] for each in found]


def test_what_was_seen_of_a_changed_function_or_test_counts_no_more(tmp_path: Path) -> None:
    file, tests = tmp_path / "x.py", tmp_path / "test_x.py"
    tests.write_text("def test_x(): pass\n")
    file.write_text("def f(a):\n    return a + 1\n\n\ndef g(a):\n    return a + 2\n")
    unit = Unit(str(tests), lambda seen: [])
    before = Kept([str(file)], tmp_path / "kept")
    before.keep(unit, Look([Witness("x", 0.0, True, zlib.compress(b"\1\1"))], before.probes.functions))
    file.write_text("import os\n\n\ndef f(a):\n    return a + 1\n\n\ndef g(a):\n    return a - 2\n")
    after = Kept([str(file)], tmp_path / "kept")
    spots = [after.probes.spot(mutant) for mutant in mutants(str(file))]
    look = after.look(unit)
    assert look is not None
    assert {spot[0].split()[1]: look.knows(spot) for spot in spots} == {"f": True, "g": False}
    unseen = Look([Witness("x", 0.0, True, zlib.compress(b"\1\0"))], look.functions)
    assert all(unseen.knows(spot) for spot in spots), "no test ran what `g` was before"
    assert [len(tests) for tests in unseen.running(spots)] == [1 if spot[0].split()[1] == "f" else 0 for spot in spots]
    assert not look.knows(("new.py h 1", 0))
    failing = Look([Witness("x", 0.0, False, zlib.compress(b"\1\1"))], before.probes.functions)
    before.keep(unit, failing)
    assert before.look(unit) == failing
    assert after.look(unit) is None, "it may pass beside other code"
    before.keep(unit, Look([], before.probes.functions))
    assert after.look(unit) is not None
    tests.write_text("def test_y(): pass\n")
    assert after.look(unit) is None


def test_tests_far_away_that_run_different_statements_are_asked_first() -> None:
    functions = {"a.py f 1": 0, "b.py g 1": 2, "c.py h 1": 4}
    notes = {
        "slow": (9.0, b"\0\0\1\0\0"),
        "like it": (2.0, b"\0\1\1\0\1"),
        "other": (3.0, b"\0\0\1\1\0"),
        "elsewhere": (1.0, b"\1\0\0\1\0"),
        "too long": (99.0, b"\0\0\1\1\1"),
        "asked": (1.0, b"\0\0\1\0\0"),
    }
    tests = [Witness(name, seconds, True, zlib.compress(run)) for name, (seconds, run) in notes.items()]
    units = [Unit("test_x.py", lambda seen: []), Unit("test_y.py", lambda seen: []), Unit("test_z.py", lambda seen: [])]
    fails = Witness("fails", 1.0, False, zlib.compress(b"\0\0\1\0\0"))
    new = {**functions, "b.py g 2": 3}
    looks = {
        "test_x.py": Look([*tests, fails], functions),
        "test_y.py": Look([Witness("runs its file", 1.0, True, zlib.compress(b"\0\0\1\0\0"))], functions),
    }
    again: list[str] = []

    def looking(unit: Unit, spots: list[Spot]) -> Look | None:
        if spots:
            again.append(unit.name)
            return Look([Witness("seen again", 0.5, True, zlib.compress(b"\0\0\0\1\0"))], new)
        return looks.get(unit.name)

    found = further(("b.py g 1", 0), {"asked"}, units, looking)
    assert [test.name for test in found] == ["runs its file", "other", "like it", "slow"]
    assert not again
    assert [test.name for test in further(("b.py g 2", 0), (), units, looking)] == ["seen again", "seen again"]
    assert again == ["test_x.py", "test_y.py"]
    assert [test.name for test in further(("c.py h 2", 0), (), units, looking)] == []
    assert again == ["test_x.py", "test_y.py", "test_x.py"], "no test of the other one ran what it was before"


def test_a_test_that_fails_without_the_mutant_does_not_notice_it(tmp_path: Path) -> None:
    case = tmp_path / "x.case"
    case.write_text("$ plait --version\nplait, as it was long ago\n")
    own = [mutant for mutant in mutants(path.__file__) if mutant.was == "return tuple(steps)"]

    def judged() -> tuple[str, str]:
        budget = Budget(Limit(cpu=60))
        judge = Judge(own, budget, Kept([path.__file__], tmp_path / "kept"))
        ((trial,),) = judge.rows.values()
        stale = Witness(str(case), 0.0, True, b"")
        return judge.noticed([stale], trial, budget), trial.survived().word

    assert forked(judged, Limit(cpu=60)) == ("", "undecided")


def test_what_takes_long_is_there() -> None:
    assert [name for name in sorted(LONG) if not (ROOT / "tests" / name).exists()] == []
