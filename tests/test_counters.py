"""Work that does not vary with the machine: what a run reads, forces and calls, and how it grows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.many import layers as joined
from benchmarks.many import resources
from benchmarks.waits import TEMPLATE, item, one_map, services, unresolved
from benchmarks.waits import layers as blamed

import plait
from plait.apps.cli import main
from plait.apps.cli.command import never
from plait.apps.cli.commands import COMMANDS, load
from plait.core import native, node
from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode, Node, Scalar, text
from plait.core.resource import Identity
from plait.core.source import Source
from plait.fronts.checks import not_followed
from plait.fronts.layers import MergeOptions
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.profiles import profiles
from plait.workspace import Workspace
from tests.steps import steps_of


def chain(folder: Path, count: int) -> str:
    file = folder / f"chain-{count}.yaml"
    links = "".join(f"k{i}: !ref k{i - 1}\n" for i in range(count, 0, -1))
    file.write_text(f"{links}k0: seed\n")
    return str(file)


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_a_chain_forces_each_link_once_in_linear_steps(count: int, tmp_path: Path) -> None:
    document = plait.merge([chain(tmp_path, count)], folder=str(tmp_path))
    document.value()
    assert document.counters == {"files": 1, "forced": count, "steps": 2 * count - 1, "calls": 0}


def test_a_file_is_read_once_whoever_includes_it(tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text("x: 1\n")
    (tmp_path / "main.yaml").write_text("a: !include part.yaml\nb: !include part.yaml x\nc: !include part.yaml\n")
    document = plait.merge([str(tmp_path / "main.yaml")], folder=str(tmp_path))
    assert document.value() == {"a": {"x": 1}, "b": 1, "c": {"x": 1}}
    assert document.counters["files"] == 2


def test_a_command_runs_once_for_the_same_words(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = f"echo run >> {log}; echo 7"
    (tmp_path / "a.yaml").write_text(
        "".join(f"k{i}: !exec {command}\n" for i in range(5)) + f"other: !exec {command};\n"
    )
    document = plait.merge([str(tmp_path / "a.yaml")], folder=str(tmp_path), allow=["exec"])
    assert document.value("k3") == "7"
    document.value()
    assert log.read_text().count("run") == 2
    assert document.counters["calls"] == 2


def test_merging_forces_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: {b: {c: 1}}\nl: [1]\n")
    document = plait.merge([str(tmp_path / "a.yaml")] * 3, folder=str(tmp_path))
    document.value()
    assert document.counters == {"files": 1, "forced": 0, "steps": 0, "calls": 0}


@pytest.mark.parametrize("word", ["append", "prepend"])
def test_four_times_as_many_lists_that_join(word: str, tmp_path: Path) -> None:
    taken = []
    for count in (5, 40, 160):  # the first one loads what is needed
        files = [tmp_path / f"{count}-{number}.yaml" for number in range(count)]
        for number, file in enumerate(files):
            file.write_text(f"tags: !{word}\n" + "".join(f"- {number}-{item}\n" for item in range(10)))
        names = [str(file) for file in files]
        taken.append(steps_of(lambda: plait.merge(names, folder=str(tmp_path)).value()))  # noqa: B023
    assert taken[2] <= 4.6 * taken[1]


class Searched(str):
    """A text that counts how often it is searched."""

    count = 0

    def __contains__(self, word: object) -> bool:
        self.count += 1
        return super().__contains__(word)  # type: ignore[operator]


def test_the_text_of_a_file_is_searched_once_for_all_its_documents() -> None:
    profile = next(one for one in profiles().values() if one.not_followed)
    written = Searched("a: 1\n---\n" * 100)
    source = Source("many.yaml", written)
    assert not not_followed([MapNode({"a": text("1")}, source, at) for at in range(100)], profile)
    assert written.count == len(profile.not_followed)


def test_four_times_as_many_services_around_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, scans = [], []
    for name in ("scan", "places") if native.places is not None else ():
        real = getattr(native, name)
        monkeypatch.setattr(native, name, lambda *given, real=real: scans.append(given) or real(*given))
    for count in (10, 100, 400):  # the first one loads what is needed
        source, scans[:] = Source("values.yaml", services(count)), []
        pairs: list[tuple[str, Node]] = [("services.service-7.replicas", Scalar(12, "12"))]
        editor = Workspace(cache=False).editor

        def change() -> None:
            editor.type_notes(source, pairs)  # noqa: B023
            editor.also_changed(source, editor.set(source, pairs, create=False), [pairs[0][0]])  # noqa: B023

        taken.append(steps_of(change))
    assert taken[2] <= 4.6 * taken[1]
    assert len(scans) <= 1


@pytest.mark.long
def test_four_times_as_many_services_that_are_blamed(tmp_path: Path) -> None:
    taken, accounts = [], []
    for count in (10, 100, 400):  # the first one loads what is needed
        workspace = Workspace(str(tmp_path), cache=False)
        bundle = workspace.layers(blamed(tmp_path, count), MergeOptions())
        tree = bundle.members[0].tree
        taken.append(steps_of(lambda: list(workspace.blame(tree).lines())))  # noqa: B023
        accounts.append(sum(1 for _ in tree.account().leaves(together=True)))
    assert taken[2] <= 4.6 * taken[1]
    assert accounts[2] <= 4 * 400  # of 17 values in each service


def test_containers_are_finished_by_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number made of the values of a map, for every time that the map is looked up, was half of the work."""
    hashed = []
    real = node._hash
    monkeypatch.setattr(node, "_hash", lambda one: hashed.append(one) or real(one))
    file = tmp_path / "a.yaml"
    file.write_text("x: 1\njobs:\n" + "".join(f"- {{name: j{at}, deep: {{v: !ref x}}}}\n" for at in range(50)))
    document = plait.merge([str(file)], folder=str(tmp_path))
    assert document.value("jobs")[49] == {"name": "j49", "deep": {"v": 1}}
    assert not hashed


def test_four_times_as_many_references_that_lead_nowhere(tmp_path: Path) -> None:
    taken = []
    for count in (5, 50, 200):  # the first one loads what is needed
        front = Spiff(Project(str(tmp_path)))
        file = unresolved(tmp_path, count)

        def merge() -> None:
            with pytest.raises(PlaitError) as trouble:
                front.merge([file])  # noqa: B023
            assert len(trouble.value.diagnostics) == count  # noqa: B023

        taken.append(steps_of(merge))
    assert taken[2] <= 5.5 * taken[1]  # each of the first names that are there is compared with each wrong one


ROWS: dict[str, tuple[int, Callable[[Path, int], list[str]]]] = {
    "lint of names that one layer has": (40, lambda folder, count: ["lint", *resources(folder, count)]),
    "documents of Kubernetes": (
        40,
        lambda folder, count: ["merge", "--profile", "kubernetes", *resources(folder, count)],
    ),
    "layers that append": (20, lambda folder, count: ["merge", *joined(folder, count)]),
    "origins of services": (40, lambda folder, count: ["merge", "--origins", *blamed(folder, count)]),
    "origins of keys in one map": (200, lambda folder, count: ["merge", "--origins", *one_map(folder, count)]),
    "blame of keys in one map": (200, lambda folder, count: ["blame", *one_map(folder, count)]),
    "references": (200, lambda folder, count: ["merge", references(folder, count)]),
    "items of a template": (40, lambda folder, count: ["merge", "--notation", "gotemplate", items(folder, count)]),
}
"""Where people waited, with few of each: how many, and the command."""


def references(folder: Path, count: int) -> str:
    file = folder / f"references-{count}.yaml"
    file.write_text("".join(f"k{number}: !ref z{number}\nz{number}: {number}\n" for number in range(count)))
    return str(file)


def items(folder: Path, count: int) -> str:
    """A template over items, each with a condition and a loop of its own."""
    file = folder / f"items-{count}.yaml"
    services = "".join(f"- {json.dumps(item(number))}\n" for number in range(count))
    template = "".join(f"  {line}\n" for line in TEMPLATE.splitlines())
    file.write_text(f"services:\n{services}made: |\n{template}")
    return str(file)


@pytest.mark.long
@pytest.mark.parametrize("row", ROWS)
def test_four_times_as_much_where_people_waited(
    row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    size, words = ROWS[row]
    taken = []
    for count in (3, size, 4 * size):  # the first one loads what the command needs
        asked, ended = [*words(tmp_path, count), "--no-cache"], list[int]()
        taken.append(steps_of(lambda: ended.append(main(asked))))  # noqa: B023
        assert ended == [0]
        assert "{{" not in capsys.readouterr().out
    assert taken[2] <= 4.6 * taken[1]


def test_resources_of_a_kind_share_their_policy() -> None:
    options = MergeOptions(profile=profiles()["kubernetes"])
    one, other = (Identity("apps", "Deployment", "", name) for name in ("a", "b"))
    assert options.policy(one) is options.policy(other)
    assert options.policy(one) is not options.policy(Identity("", "Service", "", "a"))


LOADED = """
import sys
from plait.apps.cli import main
main(["merge", "low.yaml", "high.yaml"])
print(" ".join(sys.modules), file=sys.stderr)
"""


def run_alone(code: str, folder: Path) -> tuple[str, set[str]]:
    """What a process of its own prints on standard output, and the words that it prints on standard error."""
    words = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path = {sys.path!r}\n{code}"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | {"HOME": str(folder)}
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True, env=alone)
    return run.stdout, set(run.stderr.split())


def test_a_small_merge_loads_few_modules(tmp_path: Path) -> None:
    """Loading takes most of its time: nothing that it does not use, and no large part of the standard library."""
    (tmp_path / "low.yaml").write_text("a: 1\nb: {c: 2}\n")
    (tmp_path / "high.yaml").write_text("b: {c: 3}\n")
    printed, loaded = run_alone(LOADED, tmp_path)
    assert printed == "a: 1\nb:\n  c: 3\n"
    assert not loaded & {"argparse", "collections", "dataclasses", "enum", "functools", "json", "re", "typing"}
    assert not loaded & {"plait.merging.align", "plait.evaluate.finish", "plait.report.near", "plait.merging.account"}
    assert len([name for name in loaded if name.startswith("plait")]) <= 92


WORKING = ("plait.workspace", "plait.fronts", "plait.evaluate", "plait.merging", "plait.survey", "plait.review")
"""Where answers are made."""


def test_an_answer_that_is_found_again_needs_nothing_of_what_makes_answers(tmp_path: Path) -> None:
    """A command whose answers are kept is declared without what makes and prints them."""
    kept = [name for name in COMMANDS if load(name).kept is not never]
    assert {"merge", "explain", "blame", "diff", "lint", "layers", "why-not", "spiff merge"} <= {*kept}
    code = f"import plait.apps.cli.run as run\n[run.load(name) for name in {kept!r}]\n"
    _, loaded = run_alone(f'{code}print(" ".join(sys.modules), file=sys.stderr)', tmp_path)
    assert "plait.apps.cli.explain" in loaded
    assert not [name for name in loaded if name.startswith(WORKING) or name in ("re", "json", "plait.report.render")]
