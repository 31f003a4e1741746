"""How the changed lines of a file are taken apart, as a table: into keys and items that can be undone one by one."""

from __future__ import annotations

from itertools import combinations

import pytest

from plait.review.hunks import FileChange, Hunk

ROWS: dict[str, tuple[str | None, str | None, list[str]]] = {
    "a value": ("a: 1\nb: 1\n", "a: 2\nb: 1\n", ["1 a: 1 -> 2"]),
    "values that follow each other": ("a: 1\nb: 1\n", "a: 2\nb: 2\n", ["1 a: 1 -> 2", "2 b: 1 -> 2"]),
    "a key that comes": ("a: 1\nc: 1\n", "a: 1\nb: 1\nc: 1\n", ["2 added: b: 1"]),
    "a key that goes": ("a: 1\nb: 1\nc: 1\n", "a: 1\nc: 1\n", ["2 removed: b: 1"]),
    "keys that come and go": ("a: 1\nb: 1\n", "b: 2\nc: 3\n", ["1 removed: a: 1", "1 b: 1 -> 2", "2 added: c: 3"]),
    "a key that comes before": ("b: 1\n", "a: 0\nb: 2\n", ["1 added: a: 0", "2 b: 1 -> 2"]),
    "keys that come around others": (
        "b: 1\nd: 1\n",
        "a: 0\nb: 2\nc: 0\nd: 2\ne: 0\n",
        ["1 added: a: 0", "2 b: 1 -> 2", "3 added: c: 0", "4 d: 1 -> 2", "5 added: e: 0"],
    ),
    "keys in another order": ("a: 1\nb: 1\n", "b: 2\na: 2\n", ["1 a: 1 -> b: 2"]),
    "a key twice": ("a: 1\na: 2\n", "a: 3\n", ["1 a: 1 -> a: 3"]),
    "a key twice now": ("a: 1\n", "a: 3\na: 4\n", ["1 a: 1 -> a: 3"]),
    "a block": ("a:\n  x: 1\n  y: 1\n", "a: # b\n  x: 2\n  y: 1\n", ["1 a: -> a: # b"]),
    "a block instead of a value": ("a: 1\n", "a:\n  x: 1\n", ["1 a: 1 -> a:"]),
    "nothing instead of a block": ("a:\nb:\n", "a: 1\nb: 1\n", ["1 a: (a block) -> 1", "2 b: (a block) -> 1"]),
    "two blocks": ("a:\n  x: 1\nb:\n  x: 1\n", "a: {}\nb: {}\n", ["1 a: -> a: {}", "2 b: -> b: {}"]),
    "the end of a text, and a key": ("a: |\n  1\nb: 1\n", "a: |\n  2\nb: 2\n", ["2 1 -> 2", "3 b: 1 -> 2"]),
    "the end of a text, and keys": (
        "a: |\n  1\n    x\nb: 1\nc: 1\n",
        "a: |\n  2\n    y\nb: 2\nc: 2\n",
        ["2 1 -> 2", "4 b: 1 -> 2", "5 c: 1 -> 2"],
    ),
    "a line without a key": ("a\n", "b\n", ["1 a -> b"]),
    "a line without a key goes": ("a: 1\nb\n", "a: 2\n", ["1 a: 1 -> a: 2"]),
    "a line without a key comes": ("a: 1\n", "a: 2\nb\n", ["1 a: 1 -> a: 2"]),
    "keys in quotes": ("'a: b': 1\n\"c\": 1\n", "'a: b': 2\n\"c\": 2\n", ["1 'a: b': 1 -> 2", '2 "c": 1 -> 2']),
    "an empty key": ("'': 1\nb: 1\n", "'': 2\nb: 2\n", ["1 '': 1 -> 2", "2 b: 1 -> 2"]),
    "an item without a key before its colon": ("- : 1\n", "- : 2\n", ["1 - : 1 -> - : 2"]),
    "a quote that is not closed": ("'a: 1\nb: 1\n", "'a: 2\nb: 2\n", ["1 'a: 1 -> 'a: 2"]),
    "items in quotes": ("- 'a'\n- 'b'\n", "- 'c'\n- 'd'\n", ["1 - 'a' -> - 'c'", "2 - 'b' -> - 'd'"]),
    "a colon that ends no key": (
        "- http://a\n- x:y\n",
        "- http://c\n- x:z\n",
        ["1 - http://a -> - http://c", "2 - x:y -> - x:z"],
    ),
    "a map in braces": ("{a: 1}\n", "{a: 2}\n", ["1 {a: 1} -> {a: 2}"]),
    "a list in brackets": ("[a: 1]\n", "[a: 2]\n", ["1 [a: 1] -> [a: 2]"]),
    "a tab after the colon": ("a:\t1\nb: 1\n", "a:\t2\nb: 2\n", ["1 a: 1 -> 2", "2 b: 1 -> 2"]),
    "items": ("- 1\n- 2\n", "- 3\n- 4\n", ["1 - 1 -> - 3", "2 - 2 -> - 4"]),
    "more items": ("- 1\n", "- 2\n- 3\n", ["1 removed: - 1", "1 added: - 2", "2 added: - 3"]),
    "items with keys": ("- a: 1\n- b: 1\n", "- a: 2\n- b: 2\n", ["1 - a: 1 -> 2", "2 - b: 1 -> 2"]),
    "an item with a key instead of one without": (
        "- a\n- b: 1\n",
        "- c\n- d: 2\n",
        ["1 removed: - a", "1 removed: - b: 1", "1 added: - c", "2 added: - d: 2"],
    ),
    "other keys": (
        "a: 1\nb: 1\n",
        "c: 1\nd: 1\n",
        ["1 removed: a: 1", "1 removed: b: 1", "1 added: c: 1", "2 added: d: 1"],
    ),
    "items below keys": ("a:\n- 1\nb:\n- 1\n", "a:\n- 2\nb:\n- 2\n", ["2 - 1 -> - 2", "4 - 1 -> - 2"]),
    "comments": ("# a\n# b\nx: 1\n", "# c\n# d\nx: 2\n", ["1 # a -> # c ~", "2 # b -> # d ~", "3 x: 1 -> 2"]),
    "a comment that comes": ("x: 1\n", "# a\nx: 2\n", ["1 added: # a ~", "2 x: 1 -> 2"]),
    "a comment inside": ("a:\n  x: 1\n", "a:\n  # b\n  x: 1\n", ["2 added: # b ~"]),
    "a comment instead of a key": ("a: 1\n", "# a\n", ["1 removed: a: 1", "1 added: # a ~"]),
    "a key instead of a comment in it": ("a: # x\n", "a: # y\n", ["1 a: # x -> # y"]),
    "an empty line between": ("a: 1\n\nb: 1\n", "a: 2\n\nb: 2\n", ["1 a: 1 -> 2", "3 b: 1 -> 2"]),
    "an empty line that comes": ("a: 1\nb: 1\n", "a: 1\n\nb: 1\n", ["2 added:  ~"]),
    "an empty line that goes": ("a: 1\n\nb: 1\n", "a: 1\nb: 1\n", ["2 removed:  ~"]),
    "a key instead of an empty line": ("a: 1\n\nb: 1\n", "a: 1\nc: 1\nb: 1\n", ["2 removed:  ~", "2 added: c: 1"]),
    "an empty line below a value": ("a: 1\nb: 1\n", "a: 2\n\nb: 2\n", ["1 a: 1 -> a: 2", "3 b: 1 -> 2"]),
    "no newline at the end": ("a: 1\n", "a: 1", []),
    "a newline at the end": ("a: 1", "a: 1\n", []),
    "a last line without one": ("a: 1\nb: 1", "a: 1\nb: 2", ["2 b: 1 -> 2"]),
    "a line more, and none ends": ("a: 1\nb: 1", "a: 1\nb: 2\nc: 1", ["2 b: 1 -> 2", "3 added: c: 1"]),
    "a line more, and it ends": ("a: 1\nb: 1", "a: 1\nb: 2\nc: 1\n", ["2 b: 1 -> 2", "3 added: c: 1"]),
    "a line less, and none ends": ("a: 1\nb: 1\nc: 1", "a: 1\nb: 2", ["2 b: 1 -> 2", "3 removed: c: 1"]),
    "lines that end otherwise": ("a: 1\r\nb: 1\r\n", "a: 2\r\nb: 2\r\n", ["1 a: 1 -> 2", "2 b: 1 -> 2"]),
    "all lines": ("a: 1\n", "", ["1 removed: a: 1"]),
    "a new file": (None, "a: 1\nb: 1\n", ["file added"]),
    "a file that goes": ("a: 1\nb: 1\n", None, ["file deleted"]),
    "a new file of comments": (None, "# a\n\n", ["file added ~"]),
}
"""Before, after, and what is said of each piece: its line, what it changes, and `~` where that is no value."""


def said(hunk: Hunk) -> str:
    return f"{hunk.place} {hunk.summary}{' ~' if hunk.is_blank else ''}".removeprefix("f.yaml").lstrip(" :")


@pytest.mark.parametrize("name", ROWS)
def test_the_pieces_of_a_change(name: str) -> None:
    before, after, expected = ROWS[name]
    assert [said(hunk) for hunk in FileChange("f.yaml", before, after).hunks] == expected


@pytest.mark.parametrize("name", ROWS)
def test_any_of_the_pieces_can_be_undone(name: str) -> None:
    before, after, _ = ROWS[name]
    change = FileChange("f.yaml", before, after)
    assert lines(change.without(change.hunks)) == lines(before)
    for count in range(len(change.hunks)):
        for undone in combinations(change.hunks, count):
            rest = lines(after)
            for hunk in reversed(undone):
                start = hunk.new_line - 1
                rest[start : start + len(hunk.new)] = [line.rstrip("\r\n") for line in hunk.old]
            assert lines(change.without(undone)) == rest


@pytest.mark.parametrize("name", ROWS)
def test_what_is_shown_are_the_lines(name: str) -> None:
    before, after, _ = ROWS[name]
    for hunk in FileChange("f.yaml", before, after).hunks:
        for text, shown, old in ((before, hunk.shown[0], True), (after, hunk.shown[1], False)):
            assert list(shown) == [(text or "").splitlines(keepends=True)[number - 1] for number in hunk.lines(old)]


def lines(text: str | None) -> list[str]:
    return (text or "").splitlines()


def test_secrets_are_shown_as_masks() -> None:
    (hunk,) = FileChange("f.yaml", "a: x hush\n", "a: hush hush\n").hunks
    hunk.hide(["hush"])
    assert hunk.summary == "a: x <sensitive> -> <sensitive> <sensitive>"
    assert hunk.old == ("a: x hush\n",)


def test_where_to_look_for_what_goes_from_the_top() -> None:
    assert [hunk.line for hunk in FileChange("f.yaml", "a: 1\nb: 1\n", "b: 1\n").hunks] == [1]
    assert [hunk.line for hunk in FileChange("f.yaml", "a: 1\n", None).hunks] == [1]
