"""The laws of saving: what was edited is what expanding the saved text gives, and no edit changes no byte."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.find import step_into
from plait.core.node import MapNode, Node, children, equal
from plait.fronts.project import Project
from plait.fronts.unfurl.edit import ValueEdit, edited
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.fronts.unfurl.restore import saved
from plait.fronts.unfurl.working import Working
from plait.notations.directives.grammar import parse_directive
from tests.examples import examples
from tests.unfurl.documents import changes, document_of, documents, flow, included, node_of, text_of

pytestmark = pytest.mark.long

QUICK = settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(data=st.data(), document=documents, other=included, style=flow, shared=st.booleans())
def test_expanding_what_was_saved_gives_what_was_edited(
    data: st.DataObject, document: object, other: object, style: object, shared: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        loaded = document_of(Path(name), text_of(document, style, shared), text_of(other, None))
        try:
            root = loaded.expanded()
        except PlaitError:
            assume(False)
        wanted = root
        for _ in range(data.draw(st.integers(1, 3))):
            wanted = edited(wanted, [data.draw(changes(wanted))])
        try:
            text = saved(loaded, wanted)
        except PlaitError:
            assert has_directives(wanted)  # brought in raw: as data they cannot be written
            return
        assert equal(loaded.with_text(text).expanded(), wanted)


NUMBERS = st.lists(st.integers(1, 4), max_size=3, unique=True)
BASES = st.fixed_dictionaries(
    {"x": st.just(1), "l": NUMBERS, "m": st.fixed_dictionaries({"l": NUMBERS, "o": st.just(2)})}
)


@st.composite
def users(draw: st.DrawFn) -> dict[str, Any]:
    """A map that brings lists in, itself or below, and perhaps has some of its own."""
    uses = draw(st.lists(st.sampled_from(["+/one", "+/two", "+/one/m"]), max_size=2, unique=True))
    own = st.one_of(NUMBERS, st.just(7), users() if draw(st.booleans()) else NUMBERS)
    return {**dict.fromkeys(uses), **draw(st.dictionaries(st.sampled_from(["l", "m", "x"]), own, max_size=2))}


@settings(QUICK, max_examples=examples(10))
@given(BASES, BASES, users(), st.data())
def test_a_compatible_form_is_read_alike(one: Any, two: Any, user: Any, data: st.DataObject) -> None:
    """Writing maps without their directives changes nothing for plait, and leaves nothing that Unfurl reads
    differently."""
    with tempfile.TemporaryDirectory() as name:
        text = text_of({"one": one, "two": two, "t": {"u": user}}, None)
        document_of(Path(name), text, "")
        working = Working(Project(name), str(Path(name) / "main.yaml"))
        lists = [path for path in (("l",), ("m", "l"), ("x", "l")) if value_at(working.wanted, ("t", "u", *path))]
        assume(lists)
        path = ("t", "u", *data.draw(st.sampled_from(lists)))
        working.change([ValueEdit(path, node_of(data.draw(NUMBERS)))])
        before = dict(working.texts)
        if working.detach() is None:
            assert working.texts == before
            return
        assert not working.read_differently()
        assert equal(working.document.with_text(working.texts.get(working.name, text)).expanded(), working.wanted)


def has_directives(node: Node) -> bool:
    """Whether a key that reads as a directive stands in a document as data."""
    keys = list(node.entries) if isinstance(node, MapNode) else []
    return any(isinstance(key, str) and parse_directive(key) is not None for key in keys) or any(
        has_directives(child) for _, child in children(node)
    )


@QUICK
@given(data=st.data(), document=documents, other=included, style=flow, shared=st.booleans())
def test_an_edit_in_the_source_is_seen_where_it_was_made_and_on_the_disk(
    data: st.DataObject, document: object, other: object, style: object, shared: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        loaded = document_of(Path(name), text_of(document, style, shared), text_of(other, None))
        try:
            working = Working(loaded.project, loaded.name)
        except PlaitError:
            assume(False)
        change = data.draw(changes(working.wanted))
        try:
            working.change_in_source([change])
        except PlaitError:
            return  # not written by itself, or something else would show there
        if change.value is not None:
            found = value_at(working.wanted, change.path)
            assert found is not None
            assert equal(found, change.value)
        working.save()
        assert equal(DirectiveDocument(Project(name), loaded.name).expanded(), working.wanted)


def value_at(node: Node | None, path: tuple[object, ...]) -> Node | None:
    for step in path:
        node = step_into(node, step) if node is not None else None  # type: ignore[arg-type]
    return node


@QUICK
@given(document=documents, other=included, style=flow, shared=st.booleans())
def test_no_edit_changes_no_byte(document: object, other: object, style: object, shared: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        text = text_of(document, style, shared)
        loaded = document_of(Path(name), text, text_of(other, None))
        try:
            root = loaded.expanded()
        except PlaitError:
            assume(False)
        assert saved(loaded, root) == text
        assert saved(loaded, loaded.with_text(text).expanded()) == text


@QUICK
@given(document=documents, other=included, shared=st.booleans())
def test_what_is_worked_out_at_its_own_place_is_the_same_where_it_lands(
    document: object, other: object, shared: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        text = text_of(document, None, shared)
        outcomes: list[Node | None] = []
        for shared_after in (0, 1, 10**6):
            loaded = document_of(Path(name), text, text_of(other, None))
            loaded.shared_after = shared_after
            try:
                outcomes.append(loaded.expanded())
            except PlaitError:
                outcomes.append(None)
        last = outcomes[-1]
        assert all(
            made is last is None or (made is not None and last is not None and equal(made, last)) for made in outcomes
        )


def test_what_was_found_once_stays_found(tmp_path: Path) -> None:
    """Edits that long runs of the laws found lost or refused."""
    texts = [
        ("c: {+%: nullout}\n+/a:\na: {a: {}}\n", ("a",)),
        ("c: {+*n: }\na: &x {+&: n, a: 0}\nagain: *x\n", ("a",)),
        ("a: {+%: mine}\n+include: inc.yaml\n", ("a", "+%")),
        ("a: &x []\nagain: *x\nb: {+/again: }\n", ("again", 0)),
    ]
    for text, path in texts:
        loaded = document_of(tmp_path, text, "k: 1\n")
        root = loaded.expanded()
        change = ValueEdit(path, None) if path[-1] == "+%" else ValueEdit(path, node_of(0))
        wanted = edited(root, [change])
        assert equal(loaded.with_text(saved(loaded, wanted)).expanded(), wanted), text


# Cycles

FEW = settings(QUICK, max_examples=examples(10))
ROOTS = 4
BELOW = ["a", "b"]


@st.composite
def ordered(draw: st.DrawFn) -> dict[str, Any]:
    """A document without cycles by construction: what stands below `r0` refers only to `r1` and what follows, and so
    on."""
    document: dict[str, Any] = {f"r{ROOTS}": {"a": {"x": 1}, "b": {"a": {"y": 2}}}}
    for number in reversed(range(ROOTS)):
        document = {f"r{number}": draw(part(number, list(document.items()))), **document}
    return document


@st.composite
def part(draw: st.DrawFn, number: int, later: list[tuple[str, Any]], depth: int = 0) -> dict[str, Any]:
    """A map that refers to parts that are written later, and has maps of the same names below it."""
    made: dict[str, Any] = {}
    for name, data in draw(st.lists(st.sampled_from(later), max_size=2)):
        path, node = [name], data
        while draw(st.booleans()) and (inner := [key for key in BELOW if isinstance(node.get(key), dict)]):
            path.append(draw(st.sampled_from(inner)))
            node = node[path[-1]]
        made["+/" + "/".join(path)] = None
    if depth < 2:
        for key in draw(st.lists(st.sampled_from(BELOW), max_size=2, unique=True)):
            made[key] = draw(part(number, later, depth + 1))
    return made


def expansion(name: str, document: object) -> Node | PlaitError:
    """What comes of a document, within 1,000 steps for each directive.

    The meter counts more than steps of evaluation: the memory that a merge takes, too.
    """
    text = text_of(document, None)
    (Path(name) / "main.yaml").write_text(text, encoding="utf-8")
    most = 1000 * max(text.count("+/"), 1)
    project = Project(name, budgets={"steps": 100 * most})
    try:
        return DirectiveDocument(project, str(Path(name) / "main.yaml")).expanded()
    except PlaitError as trouble:
        return trouble
    finally:
        assert project.counters.steps <= most


@FEW
@given(ordered())
def test_what_has_no_cycle_by_construction_expands(document: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        made = expansion(name, document)
        assert isinstance(made, Node), made


@FEW
@given(ordered(), st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=ROOTS))
def test_a_cycle_is_reported_with_its_chain(document: dict[str, Any], ring: list[str]) -> None:
    """Each of the first maps brings in the next one below a key, and the last of them the first."""
    for number, key in enumerate(ring):
        inner = document[f"r{number}"].setdefault(key, {})
        inner[f"+/r{(number + 1) % len(ring)}"] = None
    with tempfile.TemporaryDirectory() as name:
        made = expansion(name, document)
        assert isinstance(made, PlaitError)
        assert {finding.code for finding in made.diagnostics} == {"PL2104"}
        assert any(len(finding.labels) > 1 for finding in made.diagnostics)
