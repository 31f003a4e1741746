"""What follows from both sides of a change about the states between them is what evaluating them gives."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import Fault, PlaitError
from plait.core.path import ANYWHERE, Places, is_near
from plait.evaluate.tree import Tree
from plait.fronts.catalog import world_of
from plait.fronts.front import Changes, DocumentId
from plait.fronts.project import Project
from plait.fronts.stacks.answers.target import OpenStacks, opened_in
from plait.fronts.stacks.answers.usable import is_abstract
from plait.review.causes import ALONE, ERRORS, ProofBudget, TargetResult
from plait.review.compared import ComparedTargets
from plait.review.finding import TargetFinding
from plait.review.hunks import Hunk
from plait.review.idle import LineFates
from plait.review.review import Review, Reviewer, review
from plait.review.sides import Side
from tests.examples import examples
from tests.review.laws import Files, change_of, opened, write

ATMOS = """\
base_path: ""
stacks: {base_path: stacks, included_paths: ["orgs/**"], name_pattern: "{stage}"}
components: {terraform: {base_path: components}}
"""
VALUES = [
    *("1", "2", "null", "''", "[1]", "[2]", "{x: 1}", "{x: 2}", "{x: 1, y: 1}", "{x: {z: 1}}", "{x: {z: 2}, y: 1}"),
    *("'{{ .settings.s }}'", "'{{ .locals.l }}'", "!unset"),
]


def entry(lines: dict[str, str], base: str, abstract: bool) -> str:
    metadata = ", ".join(filter(None, (f"inherits: [{base}]" if base else "", "type: abstract" if abstract else "")))
    head = f"      metadata: {{{metadata}}}\n" if metadata else ""
    return head + "      vars:\n" + "".join(f"        {key}: {value}\n" for key, value in lines.items())


@st.composite
def catalogs(draw: st.DrawFn) -> dict[str, list[str]]:
    """Files of a repository, each as lines that a change may replace."""
    lines = st.dictionaries(st.sampled_from("abc"), st.sampled_from(VALUES), min_size=1, max_size=3)
    found: dict[str, str] = {}
    for name in ("one", "two"):
        found[f"stacks/catalog/{name}.yaml"] = (
            f"settings:\n  s: {draw(st.integers(1, 2))}\n  {name}: 1\n"
            + f"locals:\n  l: {draw(st.integers(1, 2))}\n"
            + "components:\n  terraform:\n"
            + f"    {name}/base:\n{entry(draw(lines), '', True)}"
            + f"    {name}:\n{entry(draw(lines), f'{name}/base', False)}"
        )
    for stage in ("dev", "prod"):
        own = entry(draw(lines), draw(st.sampled_from(["", "one/base"])), False)
        found[f"stacks/orgs/{stage}.yaml"] = (
            f"import: [catalog/one, catalog/two]\nvars:\n  stage: {stage}\n  r: 1\n"
            + f"components:\n  terraform:\n    two:\n{own}"
        )
    return {name: text.splitlines(keepends=True) for name, text in found.items()}


REPLACED = {
    "        ": [f"        {key}: {value}\n" for key in ("a", "b", "stage") for value in VALUES],
    "      metadata": [
        "      metadata: {type: abstract}\n",
        "      metadata: {inherits: [one/base]}\n",
        "      metadata: 1\n",
    ],
    "  l:": ["  l: 3\n", "  m: 1\n"],
    "  s:": ["  s: 3\n", ""],
    "  r:": ["  r: 2\n", "  stage: test\n"],
    "    two:": ["    three:\n"],
    "import": ["import: [catalog/two]\n"],
}


@st.composite
def changes(draw: st.DrawFn) -> tuple[Files, Files]:
    before = draw(catalogs())
    after = {name: list(lines) for name, lines in before.items()}
    for _ in range(draw(st.integers(2, 5))):
        name = draw(st.sampled_from(sorted(after)))
        at = draw(st.integers(0, len(after[name]) - 1))
        choices = [text for start, texts in REPLACED.items() if after[name][at].startswith(start) for text in texts]
        if choices:
            after[name][at] = draw(st.sampled_from(choices))
    sides = ({name: "".join(lines) for name, lines in side.items()} for side in (before, after))
    old, new = ({"atmos.yaml": ATMOS, **side} for side in sides)
    return old, new


@st.composite
def changes_in_entries(draw: st.DrawFn) -> tuple[Files, Files]:
    """Other values and other metadata of one or two components."""
    before = draw(catalogs())
    after = {name: list(lines) for name, lines in before.items()}
    for name in draw(st.sets(st.sampled_from(sorted(after)), min_size=1, max_size=2)):
        rows = [at for at, line in enumerate(after[name]) if line.startswith("      ") and "vars" not in line]
        at = draw(st.sampled_from(rows))
        key, _, _ = after[name][at].partition(":")
        choices = REPLACED[key][:2] if key in REPLACED else [f"{key}: {value}\n" for value in ("1", "2", "[1]")]
        after[name][at] = draw(st.sampled_from(choices))
    sides = ({name: "".join(lines) for name, lines in side.items()} for side in (before, after))
    old, new = ({"atmos.yaml": ATMOS, **side} for side in sides)
    return old, new


LEAVES = ["1", "2", "x", "null", "''", "'{{ .settings.a }}'", "[1]", "!unset"]
"""What is at a place; the plain ones are drawn most often."""
PLACES = ["a", "b", "m.x", "m.z", "p.x"]


@st.composite
def written(draw: st.DrawFn) -> dict[str, str]:
    """The values of a section by their places, which are one or two keys."""
    leaves = st.sampled_from([*LEAVES[:3] * 40, *LEAVES])
    return draw(st.dictionaries(st.sampled_from(PLACES), leaves, max_size=4))


def section(values: dict[str, str]) -> str:
    """Some values as a map in one line."""
    alone = [f"{place}: {value}" for place, value in values.items() if "." not in place]
    for key in ("m", "p"):
        inner = [f"{place[2:]}: {value}" for place, value in values.items() if place.startswith(f"{key}.")]
        alone += [f"{key}: {{{', '.join(inner)}}}"] if inner else []
    return f"{{{', '.join([*alone, 'k: 0'])}}}"


SECTIONS = [
    f"{file} {place}"
    for file, places in {
        "catalog/one": ("settings", "vars", "terraform vars", "base vars", "base env", "own vars", "own settings"),
        "catalog/two": ("settings", "vars", "terraform settings", "own vars", "overrides vars"),
        "orgs/dev": ("vars", "settings", "own vars", "own env", "overrides vars"),
    }.items()
    for place in places
]
"""The sections in which a component gets its values from many layers: all of a file, a type, a base, its own."""


def layered(sections: dict[str, dict[str, str]]) -> Files:
    """A repository with these sections: two components, of which one has a base, in a stack that imports two files."""
    files = {"atmos.yaml": ATMOS}
    for file in ("catalog/one", "catalog/two", "orgs/dev"):
        mine = {name.split(" ", 1)[1]: section(values) for name, values in sections.items() if name.startswith(file)}
        lines = ["import: [catalog/one, catalog/two]"] if file == "orgs/dev" else []
        inner: dict[str, list[str]] = {}
        for place, text in mine.items():
            where, _, name = place.rpartition(" ")
            text = f"{text[:-1]}, stage: dev}}" if place == "vars" and lines else text
            if where in ("base", "own"):
                inner.setdefault(where, []).append(f"{name}: {text}")
            else:
                lines.append(f"{where}: {{{name}: {text}}}" if where else f"{name}: {text}")
        if file == "catalog/one":
            inner.setdefault("base", []).append("metadata: {type: abstract}")
            inner.setdefault("own", []).append("metadata: {inherits: [base]}")
        entries = [f"{name}: {{{', '.join(rows)}}}" for name, rows in inner.items()]
        lines.append(f"components: {{terraform: {{{', '.join([*entries, 'other: {vars: {o: 1}}'])}}}}}")
        files[f"stacks/{file}.yaml"] = "\n".join(lines) + "\n"
    return files


@st.composite
def layered_changes(draw: st.DrawFn) -> tuple[Files, Files]:
    """Other values at some places of some layers."""
    before = {name: draw(written()) for name in SECTIONS}
    after = {name: dict(values) for name, values in before.items()}
    for name in draw(st.lists(st.sampled_from(SECTIONS), min_size=1, max_size=3)):
        place = draw(st.sampled_from(PLACES))
        value = draw(st.sampled_from([*LEAVES[:3] * 4, *[""] * 4, *LEAVES]))
        after[name].pop(place, None)
        after[name] |= {place: value} if value else {}
    return layered(before), layered(after)


@settings(
    max_examples=examples(8),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(layered_changes())
def test_what_layers_write_otherwise_is_what_evaluation_gives(sides: tuple[Files, Files]) -> None:
    """A component of the old side that follows from the new one and its layers is that of a side on its own."""
    with tempfile.TemporaryDirectory() as place:
        change = change_of(*sides, Path(place))
        try:
            reviewer = Reviewer(change, opened, set(), ProofBudget(100))
            names = reviewer.touched([*reviewer.after.targets.names()])
        except PlaitError:
            return
        for name in names:
            reviewer.both(name)
            share_what_is_equal(reviewer, name)
        change.close()


def evaluated(side: Side, name: str) -> TargetResult | None:
    """A target in a state, without anything that is known of another; None where it is not there."""
    found = ComparedTargets(world_of(Project(side.folder, altered=side.altered), side.folder))
    return found.result(name) if name in found.targets else None


@pytest.mark.long
@settings(
    max_examples=examples(8),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(changes(), st.data())
def test_what_follows_is_what_evaluation_gives(sides: tuple[Files, Files], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as place:
        change = change_of(*sides, Path(place))
        try:
            reviewer = Reviewer(change, opened, set(), ProofBudget(100))
            reviewer.everywhere = {*reviewer.after.targets.names(), *reviewer.before.targets.names()}
        except PlaitError:
            return
        names = reviewer.touched(sorted(reviewer.everywhere))
        for name in names:
            reviewer.both(name)
            share_what_is_equal(reviewer, name)
        for _ in range(3 if change.hunks else 0):
            reverted = frozenset(data.draw(st.sets(st.sampled_from(change.hunks), min_size=1)))
            for name in names:
                hold(reviewer, reverted, name)
                reach_all(reviewer, reverted, name)
        for side, old in ((reviewer.after, False), (reviewer.before, True)):
            assert fates(reviewer, side, old, names) == fates(reviewer, LookedThrough(side), old, names)
        change.close()


class LookedThrough(ComparedTargets):
    """A side whose documents are looked through for a line, wherever it reaches."""

    def __init__(self, side: ComparedTargets) -> None:
        super().__init__(side.world)
        self.targets = side.targets

    def trees(self, name: str, changes: Changes) -> Iterator[tuple[Tree, Places]]:
        return ((tree, ANYWHERE) for tree, _ in super().trees(name, changes))


def fates(reviewer: Reviewer, side: ComparedTargets, old: bool, names: list[str]) -> list[tuple[object, ...]]:
    """What became of the changed lines on a side."""
    hunks = [hunk for hunk in reviewer.change.hunks if old is not bool(hunk.new)]
    found = LineFates(hunks, old, side)
    for name in names:
        found.look(name, reviewer.changed.only(hunk.file for hunk in hunks))
    return [(hunk.place, list(one.by), list(one.reasons), list(one.kept)) for hunk, one in found.known.items()]


@settings(
    max_examples=examples(8),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(changes_in_entries())
def test_what_a_change_reaches_is_known_from_the_texts_beside(sides: tuple[Files, Files]) -> None:
    """Which components may differ is told without putting them together; asking each of them gives the same."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        write(folder, sides[0])
        before = world_of(Project(str(folder)))
        altered = {str(folder / name): text.encode() for name, text in sides[1].items() if text != sides[0][name]}
        after = before.with_texts(altered)
        try:
            known = before.targets.names()
            names = [name for name in after.targets.names() if name in known]
        except PlaitError:
            return
        stacks = opened_in(after)
        for name in names if stacks is not None and after.changes else ():
            both = [world.targets[name].reached_by(after.changes) for world in (before, after)]
            if None in both:
                continue
            shortly = reached(stacks, name, both[0] | both[1])
            beside, stacks.reach.beside = stacks.reach.beside, None
            assert shortly == reached(stacks, name, both[0] | both[1])
            stacks.reach.beside = beside


def reached(stacks: OpenStacks, stack: str, entries: frozenset[tuple[str, str]]) -> dict[tuple[str, str], bool | str]:
    """The components of a stack, each with whether it has some entries, or why that is not known."""
    found: dict[tuple[str, str], bool | str] = {}
    for manifest in stacks.repository.manifests_of(stack):
        for type in manifest.types():
            for name in manifest.names(type):
                found[type, name] = known(partial(stacks.reach.has, entries, manifest, type, name))
                words = (manifest, type, name)
                whole = known(partial(is_abstract, stacks.repository, *words))
                assert known(partial(stacks.reach.abstract.has, *words)) == whole or isinstance(whole, str)
    return found


def known(asked: Callable[[], bool]) -> bool | str:
    """An answer, or why there is none."""
    try:
        return asked()
    except Fault as error:
        return error.diagnostics[0].message


def share_what_is_equal(reviewer: Reviewer, name: str) -> None:
    """That the old side, which shares sections with the new one, is what evaluating it alone gives."""
    if name in reviewer.answers:
        known = reviewer.answers[name].sides[1][2]
        direct = evaluated(reviewer.change.before, name) or TargetResult({})
        assert not part(direct, known.ids()).differences(known)


def hold(reviewer: Reviewer, reverted: frozenset[Hunk], name: str) -> None:
    """That a target in a state is what evaluating it there gives; a document that no changed line reaches is that of
    the new side."""
    followed = reviewer.followed(reverted, name)
    known = followed or reviewer.reverted(reverted, [name])[name]
    direct = evaluated(reviewer.change.partly(reverted), name)
    if direct is None:
        assert not known.documents
        return
    assert not part(direct, known.ids()).differences(known)
    if followed is not None:
        rest = direct.ids().keys() - followed.ids().keys()
        assert not part(reviewer.after.result(name), rest).differences(part(direct, rest))


def reach_all(reviewer: Reviewer, reverted: frozenset[Hunk], name: str) -> None:
    """That a target in a state differs from each side only at places that the changed lines are said to reach."""
    if name not in reviewer.answers:
        return
    answers = reviewer.answers[name]
    direct = evaluated(reviewer.change.partly(reverted), name) or TargetResult({})
    alike = answers.alike([reverted])
    places = answers.places(reverted, set(alike.values()))
    if reviewer.target(name).id() in places:
        return  # nothing is said
    for number, (_, _, side) in enumerate(answers.sides):
        for document, path in part(side, side.ids()).differences(part(direct, side.ids())):
            reached = places.get(alike.get(document, document), ((), ANYWHERE))[number]
            assert is_near(reached, path if path != ERRORS else ()), f"{document} {path} is not among {reached}"


def part(result: TargetResult, documents: Iterable[DocumentId]) -> TargetResult:
    """Some documents of a result."""
    found = TargetResult({}, tree=result.tree)
    for document in documents:
        found.take(document, result)
    return found


def catalog(number: int, level: str) -> str:
    name = f"c{number}"
    return f"components:\n  terraform:\n    {name}:\n      vars:\n        level: {level}\n        size: 1\n"


def many(count: int, level: str) -> Files:
    """Three stacks that import as many catalogs."""
    names = ", ".join(f"catalog/c{number}" for number in range(count))
    stages = {
        f"stacks/orgs/{stage}.yaml": f"import: [{names}]\nvars: {{stage: {stage}}}\n" for stage in ("a", "b", "c")
    }
    return {"atmos.yaml": ATMOS, **stages, **{f"stacks/catalog/c{n}.yaml": catalog(n, level) for n in range(count)}}


def reviewed(sides: tuple[Files, Files], place: Path) -> tuple[Review, list[Side]]:
    """A review, and the states that were opened for it beside both sides."""
    change = change_of(*sides, place)
    opened_states: list[Side] = []
    undo = change.partly
    change.partly = lambda reverted: opened_states.append(undo(reverted)) or opened_states[-1]  # type: ignore[method-assign]
    return review(change, opened), opened_states


def test_changes_that_reach_different_components_are_not_undone(tmp_path: Path) -> None:
    report, states = reviewed((many(6, "info"), many(6, "debug")), tmp_path)
    assert [len(group.effects) for group in report.groups] == [3] * 6
    assert {group.proof for group in report.groups} == {ALONE}
    assert not states


def test_changes_of_different_values_of_a_component_are_not_undone(tmp_path: Path) -> None:
    before, after = many(6, "info"), many(6, "debug")
    after["stacks/catalog/c0.yaml"] = after["stacks/catalog/c0.yaml"].replace("size: 1", "size: 2")
    report, states = reviewed((before, after), tmp_path)
    assert not states
    assert len(report.values) == 3 * 7
    assert all(len(effect.cause.hunks) == 1 for effect in report.values)


def shared(level: str, size: str) -> Files:
    """Two catalogs with settings that every component reads, one value of them in both."""
    files = many(3, "info")
    files["stacks/catalog/c0.yaml"] += f"settings:\n  level: {level}\n  size: {size}\n"
    files["stacks/catalog/c1.yaml"] += f"settings:\n  level: {level}\n"
    return files


@pytest.mark.parametrize(
    ("before", "after", "worlds"),
    [
        pytest.param("1", "2", 0, id="a scalar is that of the file that is merged last"),
        pytest.param("[1]", "[2]", 2, id="lists may be merged: one world for each line that sets `level`"),
    ],
)
def test_changes_of_one_value_are_undone_one_by_one(before: str, after: str, worlds: int, tmp_path: Path) -> None:
    report, states = reviewed((shared(before, "1"), shared(after, "2")), tmp_path)
    assert len(states) == worlds
    causes = {(effect.path[:2], tuple(hunk.place for hunk in effect.cause.hunks)) for effect in report.values}
    assert causes == {
        (("settings", "level"), ("stacks/catalog/c1.yaml:8",)),
        (("settings", "size"), ("stacks/catalog/c0.yaml:9",)),
    }
    assert [hunk.place for hunk, _ in report.idle] == ["stacks/catalog/c0.yaml:8"]


def test_a_manifest_that_belongs_to_no_stack_is_on_both_sides(tmp_path: Path) -> None:
    before, after = many(2, "info"), many(2, "info")
    circle = "{c0: {metadata: {inherits: [c1]}, vars: {stage: x}}, c1: {metadata: {inherits: [c0]}}}"
    for side in (before, after):
        side["stacks/orgs/b.yaml"] += f"components: {{terraform: {circle}}}\n"
    after["stacks/orgs/a.yaml"] += "# more\n"
    report, _ = reviewed((before, after), tmp_path)
    assert (report.total, report.broken) == (3, [])


def test_a_new_manifest_of_a_stack_is_not_there_without_it(tmp_path: Path) -> None:
    before, after = many(2, "info"), many(2, "debug")
    after["stacks/orgs/more.yaml"] = after["stacks/orgs/a.yaml"]
    report, _ = reviewed((before, after), tmp_path)
    assert not report.tied
    assert [hunk.place for hunk, _ in report.idle] == ["stacks/orgs/more.yaml"]


def test_a_value_that_an_expression_reads_reaches_the_expression(tmp_path: Path) -> None:
    before, after = shared("1", "1"), shared("2", "2")
    for side in (before, after):
        side["stacks/orgs/a.yaml"] += "components: {terraform: {c2: {vars: {level: '{{ .settings.level }}'}}}}\n"
    report, states = reviewed((before, after), tmp_path)
    found = [effect for effect in report.values if effect.path == ("vars", "level")]
    assert [[hunk.place for hunk in effect.cause.hunks] for effect in found] == [["stacks/catalog/c1.yaml:8"]]
    assert len(states) == 2, "the expression may fail without one of the lines that set `level`"


def test_a_change_of_what_all_components_read_is_undone(tmp_path: Path) -> None:
    before, after = many(3, "info"), many(3, "debug")
    after["stacks/catalog/c0.yaml"] += "vars:\n  region: x\n"
    report, states = reviewed((before, after), tmp_path)
    by_cause = {group.hunks[0].place: len(group.effects) for group in report.groups}
    assert sum(by_cause.values()) == 3 * 3 + 3 * 3
    assert states


def proved_in(sides: tuple[Files, Files], place: Path, *only: str, alone: int | None = None) -> list[object]:
    """The targets that the worlds of proofs are restricted to; None for a world with all of them. With `alone`, only so
    many targets are compared by this process."""
    found: list[object] = []

    class Seen(Reviewer):
        def staying(self, names: list[str], reverted: frozenset[Hunk]) -> frozenset[str] | None:
            found.append(super().staying(names, reverted))
            return found[-1]  # type: ignore[return-value]

        def findings(self, names: list[str]) -> list[TargetFinding]:
            return super().findings(names[:alone])

    Seen(change_of(*sides, place), opened, set(only), ProofBudget(100)).review()
    return found


def test_targets_that_surely_stay_are_not_looked_for_in_proofs(tmp_path: Path) -> None:
    everything, scalars = frozenset(("a", "b", "c")), (shared("1", "1"), shared("2", "2"))
    assert proved_in(scalars, tmp_path / "scalars") == [], "what is written without one line follows"
    assert proved_in(scalars, tmp_path / "scalar", "a") == [None, None]
    sides = shared("[1]", "1"), shared("[2]", "2")
    assert proved_in(sides, tmp_path / "all") == [everything, everything]
    assert proved_in(sides, tmp_path / "one", "a") == [None, None], "others may hide, and were not compared"
    assert proved_in(sides, tmp_path / "share", alone=1) == [None, None], "another process compares the others"


def test_a_target_that_may_have_another_name_is_looked_for_in_proofs(tmp_path: Path) -> None:
    before, after = shared("1", "1"), shared("2", "2")
    for side, stage in ((before, "x"), (after, "y")):
        side["stacks/catalog/c1.yaml"] += f"vars:\n  stage: {stage}\n"
        side["stacks/orgs/c.yaml"] = side["stacks/orgs/c.yaml"].replace("vars: {stage: c}\n", "")
    found = proved_in((before, after), tmp_path)
    assert found
    assert {*found} == {None}
