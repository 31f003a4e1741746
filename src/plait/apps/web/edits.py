"""Writes made on a page, and their undo."""

from __future__ import annotations

from plait.apps.web.markup import h
from plait.apps.web.pages.change import WantedChange, site_at, written
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from plait.apps.web.explorer import State
    from plait.apps.web.markup import Html

    Words = Mapping[str, str]


class Writes:
    """The writes of one run of the explorer: each file with the bytes before and after."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[str, bytes, bytes]] = {}

    def write(self, state: State, words: Words) -> Html:
        """Write a value at the place that was chosen, if exactly what was shown changes."""
        if not state.choices.edit:
            raise BAD_OPTION.error(why="editing is disabled", hint="start it with plait serve --edit")
        asked = wanted_change(words)
        edit = asked.edit(state)
        trial = edit.trial(site_at(edit, words.get("file", ""), words.get("place", "")))
        edit.commit(trial)
        return written(trial, self._remember(trial.site.path, trial.data, edit.bytes_after(trial)))

    def _remember(self, path: str, before: bytes, after: bytes) -> str:
        number = str(len(self._made) + 1)
        self._made[number] = (path, before, after)
        return number

    def undo(self, state: State, words: Words) -> Html:
        """Put a file back as it was before a write; refused where it has been changed since."""
        if not state.choices.edit or words.get("number", "") not in self._made:
            raise BAD_OPTION.error(why="there is no such edit to undo", hint="see the history of the file")
        path, before, after = self._made[words["number"]]
        state.workspace.replace(path, after, before)
        return h("div", h("p", "undone: the file is as it was before"), class_="outcome", role="status")


def wanted_change(words: Words) -> WantedChange:
    return WantedChange(
        words.get("target", ""),
        words.get("document", ""),
        words.get("path", ""),
        words.get("value", ""),
        words.get("remove", "") == "yes",
    )
