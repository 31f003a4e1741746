"""What trees of values are by themselves: which are equal, what failed in them, how they are shown."""

from __future__ import annotations

import pytest

from plait.core.diagnostic import Diagnostic, Fault, NotKnown
from plait.core.node import (
    Failure,
    ListNode,
    MapNode,
    Node,
    Scalar,
    Unknown,
    equal,
    hidden,
    in_place_of,
    is_null,
    key_text,
    plain_value,
    same_scalar,
    secrets_in,
    sorted_keys,
    whole_text,
)
from plait.core.resource import Identity
from plait.core.size import multiplied, written_out
from plait.core.source import Source
from plait.core.unknown import (
    failed_values,
    failures_in,
    fault_of,
    has_failures,
    mistakes_in,
    presented,
    unknown_of,
    unknown_values,
)
from plait.core.visible import code_escapes, counted, harmless, in_json, on_terminal, one_line, visible
from plait.core.walk import leaf_nodes, leaves_of, nodes_of, pairs_of, places_of, text_steps
from tests.yaml.nodes import core, of

WRONG = Failure((Diagnostic("PL2101", "`x` is not defined"),))
OTHER = Failure((Diagnostic("PL2101", "`y` is not defined"),))


def unknown(expression: str, *inputs: Node, known: Node | None = None) -> Unknown:
    about = (Diagnostic("PL4001", expression),)
    assert known is None or isinstance(known, MapNode | ListNode)
    return Unknown(about, why="not allowed", expression=expression, inputs=inputs, known=known)


SAME = [
    ("{a: 1, b: [x]}", "{b: [x], a: 1}"),
    ("[.nan]", "[.nan]"),
    ("{1: a}", "{1: a}"),
    ("!t {a: 1}", "!t {a: 1}"),
    ("0x10", "16"),
]
DIFFERENT = [
    ("1", "'1'"),
    ("1", "true"),
    ("1", "1.0"),
    (".nan", "1.0"),
    ("1.0", ".nan"),
    ("1", "!t 1"),
    ("[1]", "!t [1]"),
    ("{}", "!t {}"),
    ("{}", "[]"),
    ("[1]", "[1, 2]"),
    ("{a: 1}", "{b: 1}"),
    ("{a: 1}", "{a: 1, b: 2}"),
    ("{a: [1]}", "{a: [2]}"),
    ("[1, 2]", "[2, 1]"),
    ("{1: a}", "{'1': a}"),
]


@pytest.mark.parametrize(("left", "right"), [*SAME, *DIFFERENT])
def test_which_trees_are_equal(left: str, right: str) -> None:
    a, b = core(left), core(right)
    expected = (left, right) in SAME
    assert (equal(a, b), equal(b, a)) == (expected, expected)
    if isinstance(a, Scalar) and left != "[.nan]":
        assert same_scalar(a, b) is expected


def test_what_could_not_be_computed_is_equal_by_what_it_says() -> None:
    one = unknown("!env A", of(1))
    assert equal(WRONG, Failure(WRONG.diagnostics))
    assert not equal(WRONG, OTHER)
    assert not equal(WRONG, of(1))
    assert equal(one, unknown("!env A", of(1)))
    for other in (
        unknown("!env B", of(1)),
        unknown("!env A", of(2)),
        unknown("!env A"),
        unknown("!env A", of(1), known=of([1])),
        WRONG,
    ):
        assert not equal(one, other)
        assert not equal(other, one)
    part = unknown("!env A", known=of([1]))
    assert equal(part, unknown("!env A", known=of([1])))
    assert not equal(part, unknown("!env A", known=of([2])))
    assert not same_scalar(of(1), None)
    assert not same_scalar(None, None)


def test_what_failed_in_a_tree() -> None:
    part = unknown("!env A", known=ListNode([of(1), WRONG]))
    tree = MapNode({"a": ListNode([of(1), WRONG]), "b": part, "c": of(2)})
    assert [path for path, _ in failed_values(tree)] == [("a", 1), ("b",), ("b", 1)]
    assert [path for path, _ in unknown_values(tree)] == [("b",)]
    assert failures_in(tree) == [WRONG, part]
    assert [each.message for each in mistakes_in(tree)] == ["`x` is not defined"]
    assert mistakes_in(None) == []
    assert plain_value(tree) == {"a": [1, "(error)"], "b": [1, "(error)"], "c": 2}
    assert plain_value(presented(tree)) == plain_value(tree)
    assert plain_value(presented(unknown("!env A"))) == "(computed)"
    assert has_failures(tree)
    clean: set[int] = set()
    good = of({"a": [1, {}]})
    assert not has_failures(good, clean)
    assert id(good) in clean
    assert not has_failures(good, clean)


def test_the_error_of_what_needs_a_value() -> None:
    one = unknown("!env A")
    assert isinstance(fault_of([one, WRONG]), Fault)
    error = fault_of([one])
    assert isinstance(error, NotKnown)
    assert (error.value, error.why, unknown_of(error)) == (one, "not allowed", one)
    bare = unknown_of(NotKnown(Diagnostic("PL4001", "no")), "!x")
    assert (bare.why, bare.expression) == ("no", "!x")


def test_secrets() -> None:
    secret = Scalar("hush", "hush", secret=True)
    tree = MapNode({"a": ListNode([secret, of("x")]), "b": of(1)})
    assert secrets_in(tree) == [secret]
    assert secrets_in(of({"a": [1]})) == []
    assert (plain_value(tree), plain_value(tree, reveal=True)) == (
        {"a": ["<sensitive>", "x"], "b": 1},
        {"a": ["hush", "x"], "b": 1},
    )
    assert [node.secret for node in secrets_in(hidden(tree))] == [True] * 3
    assert secrets_in(in_place_of(of("y"), of(1), secret)) != []
    assert secrets_in(in_place_of(of("y"), of(1))) == []
    assert whole_text(Source("a", "x: !sensitive y")).secret
    assert not whole_text(Source("a", "x: y")).secret


def test_what_is_in_a_tree() -> None:
    tree = core("{a: [1, {}], 2: x}")
    assert [text_steps(path) for path, _ in places_of(tree)] == [(), ("a",), ("a", 0), ("a", 1), ("2",)]
    assert [text_steps(path) for path, _ in leaves_of(tree)] == [("a", 0), ("a", 1), ("2",)]
    assert [node.kind for node in nodes_of(tree)] == ["mapping", "sequence", "scalar", "mapping", "scalar"]
    assert [plain_value(node) for node in leaf_nodes(tree)] == [1, {}, "x"]
    other = core("{a: [1], 3: x}")
    assert [(path, beside is None) for path, _, beside in pairs_of(tree, other)][1:4] == [
        (("a",), False),
        (("a", 0), False),
        (("a", 1), True),
    ]
    assert list(pairs_of(tree, tree)) == []
    assert [key_text(key) for key in sorted_keys(core("{b: 1, 10: 1, a: 1}"))] == ["10", "a", "b"]  # type: ignore[arg-type]
    assert (is_null(of(None)), is_null(of("")), is_null(None)) == (True, False, False)


def test_how_large_a_tree_is_when_it_is_written_out() -> None:
    assert written_out(of("abc")) == (1, 5, 1)
    assert written_out(of({})) == (1, 0, 1)
    assert written_out(of([])) == (1, 2, 1)
    assert written_out(of({"ab": ["c", 1]})) == (4, 22, 4)
    shared = of(["x"])
    assert written_out(ListNode([shared, shared])) == (5, 24, 3)
    assert (multiplied(ListNode([shared, shared])), multiplied(of({"a": [1]}))) == (2, 0)


def test_texts_that_could_deceive() -> None:
    assert visible("a\tb\n") == "a\tb\n"
    assert visible("\x1b[31m\u202eé\x7f\x85") == "\\x1b[31m\\u202eé\\x7f\\x85"
    assert one_line("a\tb\né") == "a\\tb\\né"
    assert in_json('"\x7f\u2028é\n"') == '"\\u007f\\u2028é\n"'
    assert code_escapes("a\tb\u200eé") == "a\\u0009b\\u200eé"
    assert [harmless(line) for line in ("::error::", " ##[x]", "# x", "a ::b")] == [
        "\\::error::",
        "\\ ##[x]",
        "# x",
        "a ::b",
    ]
    assert [counted(number, "item") for number in (0, 1, 2)] == ["0 items", "1 item", "2 items"]
    ours = {"1"}
    assert on_terminal("\x1b[1mé\x1b[0m\n", {"0", "1"}) == "\x1b[1mé\x1b[0m\n"
    assert on_terminal("é\x1b[2Jx\x1b[1mb", ours) == "é\\x1b[2Jx\x1b[1mb"
    assert on_terminal("\x1b[1é", ours) == "\\x1b[1é"
    assert on_terminal("plain\n", ours) == "plain\n"
    assert on_terminal("\x07", ours) == "\\x07"


def test_what_a_resource_is_called() -> None:
    text = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: prod}}"
    found = Identity.of(core(text))
    assert found is not None
    assert found.exact == ("apps/v1", "Deployment", "prod", "web")
    assert found.without_version == ("apps", "Deployment", "prod", "web")
    assert found.names == ("Deployment/prod/web", "Deployment/web", "web")
    short = Identity.of(core("{apiVersion: v1, kind: Pod, metadata: {name: a}}"))
    assert short is not None
    assert (short.group, short.label) == ("", "Pod/a")
    for none in (
        "{kind: Pod}",
        "{metadata: {name: a}}",
        "[1]",
        "{kind: Pod, metadata: {name: 1}}",
        "{kind: Pod, metadata: x}",
    ):
        assert Identity.of(core(none)) is None
    secret = MapNode({"kind": of("Pod"), "metadata": MapNode({"name": Scalar("hush", "hush", secret=True)})})
    hushed = Identity.of(secret)
    assert hushed is not None
    assert hushed.name == "<sensitive>"
