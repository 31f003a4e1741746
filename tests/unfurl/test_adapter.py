"""What the adapter of the shared cases takes for the error that a case expects."""

from __future__ import annotations

import pytest

from plait.core.diagnostic import Diagnostic, Label, PlaitError
from plait.core.source import Source
from tests.conformance.unfurl import check_expand, refused

MISSING = {"main": "a.yaml", "files": {"a.yaml": "a: {+/b: null}\n"}}
"""It includes what is nowhere: PL3302."""
RIGHT = {"main": "a.yaml", "files": {"a.yaml": "a: 1\n"}}


@pytest.mark.parametrize("kind", ["missing-include", "any", "a-kind-of-tomorrow"])
def test_the_kind_of_the_error_or_one_without_a_code_of_its_own_is_right(kind: str) -> None:
    check_expand({**MISSING, "error": {"kind": kind}}, "")


def test_another_kind_of_error_is_wrong() -> None:
    with pytest.raises(AssertionError, match=r"expected an error of the kind recursive, got .*PL3302"):
        check_expand({**MISSING, "error": {"kind": "recursive"}}, "")


@pytest.mark.parametrize("kind", ["missing-include", "any", "a-kind-of-tomorrow"])
def test_a_result_instead_of_an_error_is_wrong(kind: str) -> None:
    with pytest.raises(AssertionError, match=r"no error, but {'a': 1}"):
        check_expand({**RIGHT, "error": {"kind": kind}}, "")


def test_an_error_instead_of_a_result_is_wrong() -> None:
    with pytest.raises(AssertionError, match="refused"):
        check_expand({**MISSING, "expected": {"a": {}}}, "")


PLACE = (Label.at(Source("a.yaml", "a: 1\n"), 0),)
UNCLEAN: dict[str, tuple[Diagnostic, ...]] = {
    "nothing": (),
    "no place": (Diagnostic("PL3302", "it is missing"),),
    "no text": (Diagnostic("PL3302", "", PLACE),),
    "one of two": (Diagnostic("PL3302", "it is missing", PLACE), Diagnostic("PL3302", "it is missing")),
}


@pytest.mark.parametrize("found", UNCLEAN.values(), ids=UNCLEAN)
@pytest.mark.parametrize("kind", ["missing-include", "any", "a-kind-of-tomorrow"])
def test_an_error_without_a_place_or_a_text_is_wrong_for_every_kind(kind: str, found: tuple[Diagnostic, ...]) -> None:
    with pytest.raises(AssertionError, match=r"says nothing|without a place or a text"):
        refused({"error": {"kind": kind}}, PlaitError(*found))
