"""A command that is one text, in words, as Compose takes it apart: no shell runs it."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry, members_of, word
from plait.core.node import Scalar
from plait.report.catalog import COMMAND_CUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node

COMMANDS = ("command", "entrypoint")
SPACES = " \t\r\n"
STOPS = ";&|<>"
"""What a shell would begin something else with: outside of quotes, the command ends there, and nothing says so."""
_QUOTES = {'"': "'(", "'": '"('}
"""Quotes that are no part of the word, each with those between which it is a letter like any other."""
_BRACKETS = {"`": ("`", "'\"("), "(": ("(", "'\"`"), ")": ("(", "'\"`")}
"""Quotes that are a part of the word: what each opens or closes, and between which it does not."""


class OpenQuote(Exception):
    """A quote or bracket is not closed, or not opened."""


def command_words(text: str) -> tuple[list[str], str]:
    """The words of a command, and what of the text is dropped: from where a shell would begin another one."""
    words: list[str] = []
    word: str | None = None
    dropped, opened = "", set[str]()
    letters = enumerate(text)
    for at, letter in letters:
        if letter == "\\" and "'" not in opened:
            word = (word or "") + _escaped(letters)
        elif letter in SPACES and not opened:
            words += [] if word is None else [word]
            word = None
        elif letter in STOPS and not opened:
            if letter == ">" and word and word[0] in "0123456789":  # 2>: the number belongs to what is dropped
                word = None
            dropped = text[at:]
            break
        elif letter in _QUOTES and opened.isdisjoint(_QUOTES[letter]):
            opened ^= {letter}
            word = word or ""
        else:
            _open_or_close(letter, opened, word or "")
            word = (word or "") + letter
    if opened:
        raise OpenQuote
    return words if word is None else [*words, word], dropped


def cut_commands(project: Node) -> Iterator[Diagnostic]:
    """The commands of services that end before their text does."""
    for service in members_of(project, "services").values():
        for name in COMMANDS:
            node = entry(service, name)
            rest = _dropped(word(node))
            if isinstance(node, Scalar) and rest:
                yield COMMAND_CUT(Label(node.origin), rest=rest.strip(), hint='write `sh -c "..."` around all of it')


def _dropped(text: str) -> str:
    try:
        return command_words(text)[1]
    except OpenQuote:
        return ""


def _escaped(letters: enumerate[str]) -> str:
    letter = next(letters, (0, ""))[1]
    if not letter:
        raise OpenQuote
    return letter


def _open_or_close(letter: str, opened: set[str], word: str) -> None:
    """A bracket begins only after a dollar sign, and never inside another one."""
    bracket, blocking = _BRACKETS.get(letter, ("", ""))
    if not bracket or not opened.isdisjoint(blocking):
        return
    if letter == "(" and (bracket in opened or not word.endswith("$")):
        raise OpenQuote
    opened ^= {bracket}
