"""A value moves into another file: with its comments, and so that every result stays as it is."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault, Label
from plait.core.node import MapNode
from plait.core.path import format_path, split_prefix
from plait.core.steps import outcome
from plait.fronts.typed import typed_path
from plait.report.catalog import BAD_OPTION, CANNOT_MOVE
from plait.report.near import did_you_mean
from plait.tidy.proposal import Proposal
from plait.tidy.tidy import ProvedChanges
from plait.tidy.transfer import spread
from plait.yaml.edits import Delete
from plait.yaml.emit import emit_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.path import Path
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import DocumentId, Target, World
    from plait.tidy.written import WrittenFile, WrittenValue

MOVE = "move"


class Moving(ProvedChanges):
    """The one proposal to move a value into a file."""

    asked = True

    def __init__(self, world: World, paths: Iterable[str], text: str, to: str) -> None:
        """`paths` are files that it is moved out of; all of them where there are none."""
        super().__init__(world)
        self._from = [os.path.realpath(path) for path in paths]
        self.only, rest = split_prefix(text)
        self.path: Path = typed_path(rest if self.only else text)
        self.to = os.path.realpath(to)
        self.sources: dict[tuple[str, int, Path], tuple[WrittenFile, WrittenValue]] = {}
        """The places that it is moved out of."""
        self.rows: list[tuple[str, Path]] = []
        self._new: tuple[Path, int] | None = None
        """Where it will be in the file, and in which of its documents."""
        self._wins = True
        """Whether the file overrides those that it is moved out of."""
        self._known: dict[str, None] = {}
        self._computed: tuple[Label, ...] = ()
        """Where an expression is written that gives it."""
        for address in world.targets.names():
            self._look(address, world.targets[address])
        if self._new is None:
            raise (self._unread(text, to) if not self.rows else self.no_value(text, ""))
        outcome(self.settle([self._proposal(self._new, text)]))

    def _unread(self, text: str, to: str) -> Exception:
        if self._computed and not self._known:
            hint = "move its text by hand; plait review then shows whether a result changes"
            return CANNOT_MOVE.error(*self._computed[:1], path=text, why="it is computed", hint=hint)
        if not self._known:
            return self.no_value(text, "name a value of a target, as plait render prints it")
        names = list(self._known)
        hint = did_you_mean(to, names) or f"files that can have it: {', '.join(names[:8])}"
        return BAD_OPTION.error(why=f"`--to {to}`: no target reads `{text}` from this file", hint=hint)

    def _look(self, address: str, target: Target) -> None:
        try:
            for document in target.documents():
                names = (target.name, *document.names)
                if not self.only or self.only in names:
                    self._places(address, target, document)
        except Fault:
            self.failing.append(address)

    def _places(self, address: str, target: Target, document: DocumentId) -> None:
        found: list[WrittenPlace] = []
        try:
            found = [place for place in target.places(document, self.path) if place.within is None]
        except Fault as refused:  # a document without it, or one in which it is computed
            self._computed = self._computed or refused.diagnostics[0].labels
        written = [place for place in found if place.written is not None]
        if not written:
            return
        self._known.update(dict.fromkeys(place.file for place in found))
        steps = {place.steps for place in written}
        here = [place for place in found if os.path.realpath(place.path) == self.to]
        here.sort(key=lambda place: (place.written is None, place.steps not in steps))
        if not here:
            return
        self.rows.append((address, self.path))
        self._new = self._new or (here[0].steps, here[0].number)
        for place in written:
            if os.path.realpath(place.path) != self.to and (place.decides or self._is_map(place)):
                self._source(place)
                self._wins = self._wins and found.index(here[0]) < found.index(place)

    @staticmethod
    def _is_map(place: WrittenPlace) -> bool:
        return isinstance(place.written, MapNode)

    def _source(self, place: WrittenPlace) -> None:
        path = os.path.realpath(place.path)
        file = self.open(place.file, path)
        if file is None or place.written is None or (self._from and path not in self._from):
            return
        value = next((one for one in file.at.values() if (one.number, one.steps) == (place.number, place.steps)), None)
        if value is not None:
            self.sources[path, place.number, place.steps] = (file, value)

    def _nothing_to_move(self, into: WrittenFile | None) -> str:
        if into is None:
            return f"`{os.path.relpath(self.to)}` is outside of the project"
        if self._from:
            return f"{', '.join(f'`{os.path.relpath(path)}`' for path in self._from)} does not set it"
        return f"`{into.name}` sets it already, and no other file decides it"

    def _label(self, file: WrittenFile, value: WrittenValue) -> Label:
        """The place of a value in a report. What a target has found to be secret is masked there."""
        for target in self.world.targets:
            for _ in target.results():
                pass
        sources = self.project.sources
        return Label.at(sources.get(file.path) or sources.get(file.name) or file.source, value.node.at)

    def _proposal(self, new: tuple[Path, int], text: str) -> Proposal:
        into = self.open(os.path.relpath(self.to), self.to)
        places = list(self.sources.values())
        if not places or into is None:
            raise CANNOT_MOVE.error(path=text, why=self._nothing_to_move(into), hint="")
        if len({emit_json(value.node, reveal=True) for _, value in places}) > 1:
            labels = [self._label(file, value) for file, value in places]
            hint = f"name the file to take it from: plait tidy {places[0][0].name} --move {text} --to {into.name}"
            raise CANNOT_MOVE.error(*labels, path=text, why="files set it to different values", hint=hint)
        file, value = places[0]
        made = Proposal(
            MOVE, file, value, f"to {into.name}{f': {format_path(new[0])}' if new[0] != value.steps else ''}"
        )
        made.more = [f"{one.name}:{there.line}" for one, there in places] if len(places) > 1 else []
        made.edits = [(one.path, Delete(there.steps, there.number)) for one, there in places]
        made.edits += [(into.path, edit) for edit in spread(self.project, into, *new, file, value, self._wins)]
        made.places = self.rows
        return made
