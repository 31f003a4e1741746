"""Label selectors as Kubernetes reads them: `app=web,tier!=db,env in (a, b),!old,size>3`."""

from __future__ import annotations

import re

from plait.core.diagnostic import Label
from plait.report.catalog import KUSTOMIZE_FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.diagnostic import PlaitError
    from plait.core.node import Node

    Test = Callable[[dict[str, str]], bool]

_TOKENS = re.compile(r"\s*(==|!=|[=!(),<>]|[^\s=!(),<>]+)")
_WORD = r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)"
_KEY = re.compile(rf"(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/)?{_WORD}\Z")
_VALUE = re.compile(rf"{_WORD}?\Z")
LONGEST = 63
SIGNS = frozenset("=!(),<>") | {"==", "!="}


def label_test(text: str, node: Node) -> Test:
    """Whether labels fit a selector; all fit an empty one."""
    tests = LabelSelector(text, node).tests()
    return lambda labels: all(test(labels) for test in tests)


class LabelSelector:
    """The words of one selector, read from left to right."""

    __slots__ = ("_node", "_text", "_words")

    def __init__(self, text: str, node: Node) -> None:
        self._text = text
        self._node = node
        self._words: list[str] = _TOKENS.findall(text)[::-1]

    def tests(self) -> list[Test]:
        found = [self._requirement()] if self._words else []
        while self._words:
            if self._words.pop() != ",":
                raise self._bad()
            found.append(self._requirement())
        return found

    def _bad(self) -> PlaitError:
        hint = "write `app=web`, `app!=web`, `app in (a, b)`, `app`"
        why = f"`{self._text}` is not a label selector"
        return KUSTOMIZE_FIELD.error(Label(self._node.origin), why=why, hint=hint)

    def _next(self) -> str:
        return self._words[-1] if self._words else ""

    def _requirement(self) -> Test:
        is_absent = self._next() == "!"
        if is_absent:
            self._words.pop()
        key = self._words.pop() if self._words else ""
        if not _KEY.match(key) or len(key.rpartition("/")[2]) > LONGEST:
            raise self._bad()
        if is_absent:
            return lambda labels: key not in labels
        if self._next() in ("", ","):
            return lambda labels: key in labels
        sign = self._words.pop()
        if sign in ("in", "notin"):
            return _among(key, self._values(), sign == "in")
        if sign in ("=", "==", "!="):
            return _among(key, {self._value()}, sign != "!=")
        if sign in ("<", ">"):
            return _compared(key, self._number(), sign == ">")
        raise self._bad()

    def _value(self) -> str:
        """A value; nothing is the empty one."""
        if self._next() in SIGNS or not self._words:
            return ""
        found = self._words.pop()
        if not _VALUE.match(found) or len(found) > LONGEST:
            raise self._bad()
        return found

    def _values(self) -> set[str]:
        if not self._words or self._words.pop() != "(":
            raise self._bad()
        found = {self._value()}
        while self._next() == ",":
            self._words.pop()
            found.add(self._value())
        if not self._words or self._words.pop() != ")":
            raise self._bad()
        return found

    def _number(self) -> int:
        try:
            return int(self._value())
        except ValueError:
            raise self._bad() from None


def _among(key: str, values: set[str], wanted: bool) -> Test:
    return lambda labels: (labels.get(key) in values) is wanted


def _compared(key: str, limit: int, is_greater: bool) -> Test:
    def fits(labels: dict[str, str]) -> bool:
        try:
            number = int(labels.get(key, ""))
        except ValueError:
            return False
        return number > limit if is_greater else number < limit

    return fits
