"""`to_label` and its family, on their own: letters, lengths, digests, joining."""

from __future__ import annotations

from base64 import b32encode, urlsafe_b64encode
from hashlib import sha1

import pytest

from plait.notations.query.labels import to_label

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
LONG = "n" * 64


def digest(text: str, length: int, *, any_case: bool = True) -> str:
    hashed = sha1(text.encode(), usedforsecurity=False).digest()
    made = (urlsafe_b64encode if any_case else b32encode)(hashed).decode()
    return "".join(filter(str.isalnum, made))[:length]


@pytest.mark.parametrize(
    ("value", "options", "made"),
    [
        # letters
        ("abcd", {"allowed": "a-c"}, "abc"),
        ("abcd", {"allowed": "[a-c]"}, "abc"),
        ("a-b", {"allowed": "a-"}, "a-"),
        ("a-b", {"allowed": r"\-a"}, "a-"),
        ("ab c1", {"allowed": r"\w\s"}, "ab c1"),
        ("ab c1", {"allowed": r"b-d\d"}, "bc1"),
        ("a.b", {"replace": "__"}, "a__b"),
        ("_a", {}, "x_a"),
        ("_a", {"start_prepend": "n"}, "n_a"),
        ("_a", {"start": "_"}, "_a"),
        ("ab__", {"end": "a-z"}, "ab"),
        ("__", {"start": "_", "end": "a-z"}, ""),
        ("", {}, ""),
        ("aB", {"case": "upper"}, "AB"),
        ("aB", {"case": "lower"}, "ab"),
        (7, {}, 7),
        (["", "b"], {"sep": "-"}, "x-b"),
        # a text that is too long loses its middle; a short one its end
        (ALPHABET, {"digestlen": 0, "max": 26}, ALPHABET),
        (ALPHABET, {"digestlen": 0, "max": 25}, "abcdefghijklmopqrstuvwxyz"),
        (ALPHABET, {"digestlen": 0, "max": 12, "replace": "--"}, "abcde--vwxyz"),
        (ALPHABET, {"digestlen": 0, "max": 11, "replace": "--"}, "abcde--wxyz"),
        (ALPHABET, {"digestlen": 0, "max": 10, "replace": "--"}, "abcdefghij"),
        (ALPHABET, {"digestlen": 0, "max": 9}, "abcdewxyz"),
        (ALPHABET, {"digestlen": 0, "max": 8}, "abcdefgh"),
        # and gets a digest: of three letters where there is room, else of two
        (LONG[:63], {}, LONG[:63]),
        (LONG, {}, LONG[:60] + digest(LONG, 3)),
        (LONG, {"max": 32}, LONG[:29] + digest(LONG, 3)),
        (LONG, {"max": 31}, LONG[:29] + digest(LONG, 2)),
        (LONG, {"max": 12, "digestlen": 5}, LONG[:7] + digest(LONG, 5)),
        (LONG, {"max": 4, "digestlen": 9}, digest(LONG, 4)),
        (LONG, {"max": 32, "case": "lower"}, LONG[:29] + digest(LONG, 3, any_case=False).lower()),
        ("ab", {"digest": ""}, "ab" + digest("ab", 3)),
        ("ab", {"digest": "salt"}, "ab" + digest("absalt", 3)),
        # items have a share of the room; what short ones leave is for the others
        (["one", "two"], {"sep": "-"}, "one-two"),
        ([], {}, ""),
        (["abcd", "efgh"], {"max": 8}, "abcdefgh"),
        (["abcd", "efghi"], {"max": 8, "digestlen": 2}, "abcdef" + digest("abcdefghi", 2)),
        (["ab", ALPHABET], {"max": 12, "digestlen": 2, "sep": "-"}, "ab-abcdef" + digest("ab" + ALPHABET, 2)),
        (["ab", "cd"], {"max": 3, "digestlen": 3}, digest("abcd", 3)),
        ({"a b": "c d", "n": 5, "gone": None}, {}, {"ab": "cd", "n": 5}),
    ],
)
def test_label(value: object, options: dict[str, object], made: object) -> None:
    assert to_label("to_label", value, **options) == made


@pytest.mark.parametrize(
    ("kind", "value", "made"),
    [
        ("to_dns_label", "_My.Name_", "x--my--name"),
        ("to_kubernetes_label", "-my name.x-", "x-my__name.x"),
        ("to_googlecloud_label", "My.Name", "my__name"),
    ],
)
def test_kinds(kind: str, value: str, made: str) -> None:
    assert to_label(kind, value) == made


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max": 0}, "needs a `max` of at least 1, not 0"),
        ({"allowed": "z-a"}, "`z-a` is not a range"),
        ({"length": 3}, "has no option `length`"),
    ],
)
def test_wrong_options(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        to_label("to_label", "a", **options)
