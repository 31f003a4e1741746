"""The values of all documents as texts, gathered one document at a time: what the search looks through, and what the
first page compares. No page waits for all of them."""

from __future__ import annotations

import re
from contextlib import suppress
from time import monotonic

from plait.apps.cli.explanation import brief
from plait.core.diagnostic import Fault
from plait.core.path import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.apps.web.earlier import EarlierValues, Instance, Row
    from plait.core.path import Path
    from plait.survey.seen import SeenValue
    from plait.survey.survey import FoldedValue, Survey

    Places = list[tuple[str, str]]
    """The targets that have a value, each with the file and line that it comes from."""

    ByPath = dict[str, dict[str, Places]]
    """The values of a document by their paths and texts."""

PIECE = re.compile(r"[^\s.:/\[\]'\"]+").findall
"""The parts of a word that a file has somewhere: keys of a path are on lines of their own."""


class Gathered:
    """What is known so far: by document, path and value as a text, the targets and places."""

    def __init__(self, survey: Survey, reveal: bool) -> None:
        self._survey = survey
        self._reveal = reveal
        self.texts: dict[str, ByPath] = {}
        self.order: list[Instance] = []
        """All documents, those first in which a search may find something; empty before the first search."""
        self._sought: list[str] = []
        self._left: Iterator[Instance] = iter(())
        self._known: set[Instance] = set()
        self._paths: dict[Path, str] = {}
        """Paths as texts: many documents have the same."""
        self._target = ""
        self._shared: dict[int, tuple[list[SeenValue], list[Row]]] = {}
        """The sections of that target, by identity."""
        self.held: dict[Instance, list[list[Row]]] = {}
        """What each document has, section by section: for what is gathered when files have changed."""
        self.read: dict[str, frozenset[str]] = {}
        """The files of each target."""
        self.earlier: EarlierValues | None = None
        """What was gathered before files changed."""
        self.looked = 0
        """How many documents were evaluated."""

    @property
    def wanted(self) -> bool:
        """Whether somebody waits for all of them: then they are gathered between the questions."""
        return bool(self.order)

    def is_known(self, target: str, document: str) -> bool:
        return (target, document) in self._known

    def seek(self, words: list[str], instances: list[Instance]) -> None:
        """Gather all documents; those of targets whose files have the words come first."""
        if self._sought != words or not self.order:
            counts = self._survey.mentions({piece for word in words for piece in (word, *PIECE(word))})
            self._sought, self.order = words, sorted(instances, key=lambda one: -counts.get(one[0], 0))
            self._left = iter(self.order)

    def look(self, instances: list[Instance], seconds: float) -> int:
        """Look at some documents for a moment; how many of them are known now."""
        until = monotonic() + seconds
        for one in instances:
            if one not in self._known and monotonic() < until:
                self._add(*one)
        return sum(one in self._known for one in instances)

    def rest(self) -> Iterator[None]:
        """Look at all others, one at each step; another search may change their order meanwhile."""
        while (one := next(self._left, None)) is not None:
            if one not in self._known:
                self._add(*one)
                yield

    def _add(self, target: str, document: str) -> None:
        self._known.add((target, document))
        with suppress(Fault):  # its page says what is wrong
            by_path = self.texts.setdefault(document, {})
            for rows in self._sections(target, document):
                for path, text, place in rows:
                    by_text = by_path.get(path) or by_path.setdefault(path, {})
                    (by_text.get(text) or by_text.setdefault(text, [])).append(place)

    def _sections(self, target: str, document: str) -> list[list[Row]]:
        """The values of a document: those that it had before, where nothing reaches it that has changed."""
        found = self.earlier.rows(self._survey, target, document) if self.earlier is not None else None
        if found is None:
            self.looked += 1
            found = [self._rows(target, section) for section in self._survey.sections(target, document)]
        if target not in self.read:
            self.read[target] = self._survey.of[target].read
        self.held[target, document] = found
        return found

    def _rows(self, target: str, section: list[SeenValue]) -> list[Row]:
        """The values of a section as texts; of one that documents of a target share, the same list again."""
        if target != self._target:
            self._target, self._shared = target, {}
        key = id(section)
        if key not in self._shared:
            rows = [(self._path(one.path), shown_value(one, self._reveal), (target, one.where)) for one in section]
            self._shared[key] = (section, rows)
        return self._shared[key][1]

    def _path(self, steps: Path) -> str:
        if steps not in self._paths:
            self._paths[steps] = format_path(steps)
        return self._paths[steps]


def shown_value(one: FoldedValue | SeenValue, reveal: bool) -> str:
    """A value as pages show it: a secret is masked."""
    return brief(one.value, reveal) if one.value is not None else f"error: {one.error}"
