"""What an earlier run of the same question said about each component, reused where no change can have reached it.

An answer about a component (its text, its row in a list, that nothing is wrong with it) reads the root sections of the
manifests of its stack, its own entry and those of its bases, in all files that they import. So the inputs are parts of
files: if two texts of a file differ only inside the entries of some components, only the answers about these and about
their heirs can differ; `reach` explains why that is enough. If other lines differ, those of all stacks that import the
file can. If values may depend on more than these files, nothing is reused.

Manifests of stacks in which nothing is to be computed are not read.
"""

from __future__ import annotations

import marshal
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain

from plait.access.trace import TEXT
from plait.core.diagnostic import Fault
from plait.core.source import SENSITIVE, Source
from plait.core.struct import struct
from plait.fronts.stacks.answers.reach import changed_entries, may_read_more, opens_alike
from plait.fronts.stacks.read.imports import merged_files, showing_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    from plait.access.trace import Input
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.repository import Repository, Wanted
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest

    Bases = tuple[str, ...] | None
    """The bases of a component, the lowest first; None where they are not known."""
    Sides = tuple[Source, Source] | None
    """The two texts of a changed file; None where one cannot be read."""
    Placed = tuple[str, str, Bases, int, int]
    """A component: type, name, bases, and where its answer is among those of its stack: the first piece, how many."""
    Placements = tuple[Placed, ...]
    """The components of a stack."""
    KeptStack = tuple[tuple[str, ...], int, int, Placements | None]
    """A stack: its files in the order in which they are merged, where its pieces begin and end, and its components
    where they are known."""
    NamedManifest = tuple[tuple[str, ...], tuple[str, ...]]
    """A manifest: the names of its stacks, and its files."""
    Named = dict[Manifest, list[str]]
    """The names of the stacks that each manifest takes part in."""

    class ComparedAnswers(Protocol):
        """Answers that compare the files with others."""

        def holds(self, data: dict[str, Any], changed: frozenset[str]) -> bool:
            """Whether the others are those of an earlier run that left some data, where some files changed since."""

        def moved(self, answers: list[Any], changed: frozenset[str]) -> frozenset[Entry]:
            """The components whose answers name lines of changed files."""


BESIDES = "besides"
"""Where the inputs are that a question read, and no answer about a component."""
NONE: frozenset[Input] = frozenset()
UNTOUCHED: frozenset[Entry] = frozenset()


@struct
class Reused:
    """The answers about the components of one stack that can be reused."""

    paths: tuple[str, ...]
    """The files of the stack."""
    pieces: Callable[[], list[Any]]
    """All earlier ones, read when they are needed."""
    rows: Placements | None
    touched: frozenset[Entry]
    """The components to ask about again; none if all answers are the same."""

    def same(self) -> dict[Entry, list[Any]]:
        """The pieces of the answers that are the same, by component."""
        pieces = self.pieces()
        placed = ((row[:2], row[3], row[4]) for row in self.rows or ())
        return {entry: pieces[at : at + count] for entry, at, count in placed if entry not in self.touched}

    def patched(self, made: dict[Entry, list[Any]], bases: dict[Entry, Bases]) -> list[Any] | None:
        """All pieces, those of some components replaced; None unless these are the ones to ask about again, with as
        many pieces and the same bases as before."""
        rows = [row for row in self.rows or () if row[:2] in self.touched]
        now = {entry: (bases.get(entry), len(pieces)) for entry, pieces in made.items()}
        if now != {(type, name): (inherited, count) for type, name, inherited, _, count in rows}:
            return None
        pieces = self.pieces()
        for type, name, _, at, count in rows:
            pieces[at : at + count] = made[type, name]
        return pieces

    def bases(self) -> dict[Entry, Bases]:
        return {(type, name): bases for type, name, bases, _, _ in self.rows or ()}


class KeptComponents:
    """The answers of an earlier run that are still true, and what this run leaves for the next one.

    The pieces of an answer are those that the command prints, or else what `leave` is given.
    """

    def __init__(
        self,
        repository: Repository,
        kind: str,
        is_shown: Wanted | None = None,
        compared: ComparedAnswers | None = None,
    ) -> None:
        """`kind` is the kind of answers; `is_shown` says whether there is one about a component, as far as its own
        entry decides that; `compared` knows more of answers that compare with other files."""
        self._repository = repository
        self._kind = kind
        self._compared = compared
        self._is_shown = is_shown or (lambda manifest, type, name: True)
        self._project = repository.session.project
        notes = self._project.notes
        self._left = notes.left if notes is not None else {}
        self._earlier = notes.earlier if notes is not None else None
        data: dict[str, Any] = self._earlier.more.get(kind, {}) if self._earlier is not None else {}
        self._data = data if data and self._is_usable(data) else {}
        """What the earlier run left."""
        self.changed = frozenset[str]()
        """The manifests that changed since."""
        self._closures: dict[Manifest, tuple[tuple[ManifestFile, ...], tuple[str, ...]]] = {}
        self._reached: dict[str, frozenset[Entry] | None] = {}
        self._quiet: dict[str, bool] = {}
        self._reading: set[str] = set()
        """The files that may read others, or other components."""
        self._looked_at: set[str] = set()
        """The files that were looked at for that."""
        self._untouched: frozenset[str] = frozenset()
        """The names of stacks whose manifests are not read, because nothing in them is computed again."""
        self.is_narrowed = False
        self.named: Named = {}
        """The manifests that were read, once `names` was asked."""
        self._manifests: dict[str, NamedManifest] = {}
        self._stacks: dict[str, KeptStack] = {}
        self._placements: dict[Placements, Placements] = {}
        """What is known of components, once for all stacks that are alike in it."""
        self._complete = True
        """Whether no stack may depend on more than its own files."""
        if self._data:
            self._take_over()

    def _is_usable(self, data: dict[str, Any]) -> bool:
        """Whether only manifests changed, and the numbers of pieces are those of the answer."""
        earlier, texts, besides = self._earlier, data["texts"], data.get(BESIDES, NONE)
        assert earlier is not None
        numbered = "items" in data or data["count"] == earlier.more["count"]
        known = earlier.others <= besides and all(name in texts or (TEXT, name) in besides for name in earlier.changed)
        return numbered and known and (self._compared is None or self._compared.holds(data, earlier.changed))

    def _take_over(self) -> None:
        """Reuse unchanged texts. The new answer then depends on everything that the cached answer depends on."""
        assert self._earlier is not None
        project = self._project
        lasting = self._earlier.lasting(self._data.get(BESIDES, NONE))
        project.trace.add(lasting)
        project.trace.share(lasting)
        self.changed = self._earlier.changed & self._data["texts"].keys()
        self._looked_at = self._data["texts"].keys() - self.changed if self._data["complete"] else set()
        shown, sources = self._repository.session.shown, project.sources
        for path, text in self._data["texts"].items():
            if path not in self.changed and path not in sources and not project.door.is_foreign(path):
                sources[path] = Source(shown(path), text)
                project.meter.feed(len(text))

    @cached_property
    def _items(self) -> list[Any]:
        found: list[Any] = marshal.loads(self._data["items"])
        return found

    def _slice(self, start: int, end: int) -> list[Any]:
        """Some pieces of the earlier answers."""
        assert self._earlier is not None
        return self._items[start:end] if "items" in self._data else self._earlier.slice(start, end)

    # Which stacks there are

    def names(self, named: Callable[[], Named]) -> list[str]:
        """The names of all stacks, sorted; `named` gives those of every manifest that is read.

        Only manifests are read that a change may have reached, and those that share a stack with one.
        """
        fresh = self._narrowed(named) if self._data.get("complete") else None
        if fresh is None:
            fresh, self._manifests = named(), {}
        self.named = fresh
        for manifest, names in fresh.items():
            self._manifests[manifest.file.path] = (tuple(names), self._closure(manifest)[1])
        return sorted({name for names, _ in self._manifests.values() for name in names})

    def _narrowed(self, named: Callable[[], Named]) -> Named | None:
        """The manifests in which something is computed again; None where all of them have to be read."""
        if self._read_more_now():
            return None
        rows: dict[str, NamedManifest] = self._data["manifests"]
        touched = {path for path, (names, files) in rows.items() if self._is_reached(names, files)}
        fresh = self._read(touched, named)
        stacks = {name for path in touched for name in rows[path][0]}.union(*fresh.values())
        beside = {path for path, row in rows.items() if not stacks.isdisjoint(row[0])}
        if not beside <= touched:
            touched |= beside
            fresh = self._read(touched, named)
        if self._repository.broken:
            self._widen()
            return None
        self._manifests = {path: row for path, row in rows.items() if path not in touched}
        self._untouched = frozenset(name for found, _ in self._manifests.values() for name in found)
        self._repository.index.manifests.left_out = self._untouched
        self.is_narrowed = True
        return fresh

    def _is_reached(self, names: Iterable[str], files: tuple[str, ...]) -> bool:
        """Whether something in a manifest has to be computed again, or what is in it may be something else."""
        changed = self.changed.intersection(files)
        if not all(map(self._is_quiet, changed)):
            return True
        found = [self._reach(name) for name in names] if changed else []
        return any(one is None or one for one in found)

    def _is_quiet(self, path: str) -> bool:
        """Whether a changed file gives all that import it the same content, and differs in nothing that decides which
        stacks and components there are."""
        if path not in self._quiet:
            sides, mentions = self._sides[path], self._repository.index.namer.mentions
            self._quiet[path] = (
                self._shows_all(path)
                and sides is not None
                and mentions is not None
                and self._differing[path] is not None
                and opens_alike(*sides, self._project.budgets.depth, mentions)
            )
        return self._quiet[path]

    def _shows_all(self, path: str) -> bool:
        """Whether a file had the same content for all that import it, and showed what is computed in it."""
        return path in self._data["showing"]

    def _read(self, paths: set[str], named: Callable[[], Named]) -> Named:
        self._repository.index.manifests.narrow(paths)
        return named() if paths else {}

    def _widen(self) -> None:
        """Read all manifests again."""
        self._repository.index.restart()
        self._repository.index.manifests.narrow(None)
        self._untouched, self.is_narrowed = frozenset(), False
        self._closures, self._stacks = {}, {}

    def narrow_beside(self, other: Repository) -> None:
        """Read of another state of the files what is read of this one."""
        is_file = other.session.project.door.is_file
        other.index.manifests.narrow({one.file.path for one in self.named if is_file(one.file.path)})

    def read_left_out(self, stack: str) -> None:
        """Read all manifests, if those of a stack were left out."""
        manifests = self._repository.index.manifests
        if stack in manifests.left_out:
            manifests.narrow(None)
            self._closures = {}

    def start_over(self) -> None:
        """Take nothing from the earlier answer."""
        self._data = {}
        if self._repository.index.manifests.is_narrowed:
            self._widen()

    def _read_more_now(self) -> bool:
        """Whether a changed file cannot be read, or may read others now."""
        return any(both is None or may_read_more(both[1].text) for both in self._sides.values())

    def shows_the_same(self, manifest: Manifest, rows: Placements, touched: frozenset[Entry]) -> bool:
        """Whether the same ones of some components are part of the answer as before."""
        before = touched.intersection([(row[0], row[1]) for row in rows])
        try:
            return before == {
                entry for entry in touched if entry[1] in manifest.names(entry[0]) and self._is_shown(manifest, *entry)
            }
        except Fault:
            return False

    # What is still good

    @property
    def is_narrowing(self) -> bool:
        """Whether an earlier answer knows all manifests, so that some of them need not be read."""
        return bool(self._data.get("complete"))

    @property
    def has_same_files(self) -> bool:
        """Whether no manifest has a file that was in none before, and all that import a changed file get the same."""
        known = self._data["texts"].keys()
        return all(map(self._shows_all, self.changed)) and all(
            known >= {*paths} for _, paths in self._closures.values()
        )

    def find(self, stack: str) -> Reused | None:
        """The answers about a stack that can be reused; None if all of them must be found again."""
        kept: KeptStack | None = self._data["stacks"].get(stack) if self._data else None
        if kept is None:
            return Reused((), list, None, UNTOUCHED) if stack in self._untouched else None
        paths, start, end, rows = kept
        if stack not in self._untouched and (self._paths(stack) != paths or self._is_rendered(stack)):
            return None
        touched = self._reach(stack)
        if touched is None:
            return None
        self._count(rows, touched)
        return Reused(paths, partial(self._slice, start, end), rows, touched)

    def _reach(self, stack: str) -> frozenset[Entry] | None:
        """The components of a stack that changes reach; None where all may have to be asked about again."""
        if stack not in self._reached:
            kept: KeptStack | None = self._data["stacks"].get(stack)
            if kept is not None and self.changed.isdisjoint(kept[0]):
                self._reached[stack] = UNTOUCHED
            elif kept is None or kept[3] is None:
                self._reached[stack] = None
            else:
                found = self._heirs(self._entries(kept[0]), kept[3])
                if found is not None and self._compared is not None:
                    found |= self._compared.moved(self._slice(*kept[1:3]), self.changed)
                self._reached[stack] = found
        return self._reached[stack]

    def _entries(self, paths: Iterable[str]) -> frozenset[Entry] | None:
        """The entries of components that contain all differences of some files; None if other lines differ, too."""
        found: frozenset[Entry] = frozenset()
        for path in self.changed.intersection(paths):
            entries = self._differing[path]
            if entries is None:
                return None
            found |= entries
        return found

    def _heirs(self, entries: frozenset[Entry] | None, rows: Placements) -> frozenset[Entry] | None:
        """Some entries, and the components that inherit from one of them, or whose bases are not known."""
        if not entries:
            return entries
        heirs = {
            (type, name)
            for type, name, bases, *_ in rows
            if bases is None or not entries.isdisjoint([(type, base) for base in bases])
        }
        return entries | heirs

    @cached_property
    def _differing(self) -> dict[str, frozenset[Entry] | None]:
        """The entries that contain all differences of each changed file; None if other lines differ, too."""
        depth, sides = self._project.budgets.depth, self._sides
        return {path: changed_entries(*both, depth) if both is not None else None for path, both in sides.items()}

    @cached_property
    def _sides(self) -> dict[str, Sides]:
        """The two texts of each changed file; None where it cannot be read."""
        found: dict[str, Sides] = {}
        for path in self.changed:
            try:
                now = self._project.source(path, self._repository.session.shown(path))
                found[path] = (Source(now.name, self._data["texts"][path]), now)
            except Fault:
                found[path] = None
        return found

    def _count(self, rows: Placements | None, touched: frozenset[Entry] = frozenset()) -> None:
        """Note how many answers are reused."""
        assert self._project.notes is not None
        self._project.notes.reused += len(rows or ()) - sum(row[:2] in touched for row in rows or () if touched)

    def _is_rendered(self, stack: str) -> bool:
        """Whether a changed file of a stack is rendered before it is read."""
        return any(file.is_rendered for file in self._files(stack) if file.path in self.changed)

    def _files(self, stack: str) -> Iterable[ManifestFile]:
        """The files of a stack, manifest by manifest."""
        return chain.from_iterable(self._closure(one)[0] for one in self._repository.manifests_of(stack))

    def _paths(self, stack: str) -> tuple[str, ...]:
        found = [self._closure(manifest)[1] for manifest in self._repository.manifests_of(stack)]
        return found[0] if len(found) == 1 else tuple(chain.from_iterable(found))

    def _closure(self, manifest: Manifest) -> tuple[tuple[ManifestFile, ...], tuple[str, ...]]:
        """The files of a manifest, in the order in which they are merged, and their paths."""
        if manifest not in self._closures:
            files = tuple(merged_files(manifest))
            self._closures[manifest] = (files, tuple([file.path for file in files]))
        return self._closures[manifest]

    # What the next answer may take

    def keep(self, stack: str, start: int, end: int, rows: Placements | None, reused: Reused | None) -> None:
        """Record the numbers that the pieces of a finished stack have."""
        if stack in self._untouched and reused is not None:
            self._stacks[stack] = (self._data["stacks"][stack][0], start, end, reused.rows)
        elif self._reads_more(stack):
            self._complete = False
        else:
            known = rows if len(self._repository.manifests_of(stack)) == 1 else None
            shared = self._placements.setdefault(known, known) if known is not None else None
            self._stacks[stack] = (self._paths(stack), start, end, shared)

    def keep_items(
        self,
        items: Mapping[str, list[Any]],
        fresh: Mapping[str, dict[Entry, Bases]],
        reused: Mapping[str, Reused | None],
        **more: object,
    ) -> None:
        """Store answers that are data, stack by stack. `fresh` are the bases of the components that were asked about;
        what is neither there nor in `reused` is not known of a stack."""
        kept: list[Any] = []
        for stack, own in items.items():
            found, bases = reused.get(stack), fresh.get(stack)
            if found is not None:
                same = {entry: known for entry, known in found.bases().items() if entry not in found.touched}
                bases = {**same, **(bases or {})} if found.rows is not None else None
            rows = tuple([(*entry, one, 0, 0) for entry, one in bases.items()]) if bases is not None else None
            self.keep(stack, len(kept), len(kept) + len(own), rows, found)
            kept += own
        with suppress(ValueError):  # a value that cannot be written
            self.leave({"items": marshal.dumps(kept), **more})

    def leave_out(self) -> None:
        """Do not cache a stack, so that the next run reads all manifests."""
        self._complete = False

    def _reads_more(self, stack: str) -> bool:
        """Whether values of a stack may depend on more than its files."""
        paths = self._paths(stack)
        if not self._looked_at.issuperset(paths):
            fresh = [file for file in self._files(stack) if file.path not in self._looked_at]
            self._reading.update(file.path for file in fresh if may_read_more(file.source.text))
            self._looked_at.update(paths)
        return not self._reading.isdisjoint(paths)

    def leave(self, pieces: dict[str, object]) -> None:
        """Store the data that the next run needs, unless values may depend on more than manifests. `pieces` are the
        `items` that the stacks are numbered by, or the `count` of those that are printed."""
        trace, sources = self._repository.session.trace, self._project.sources
        paths = dict.fromkeys(path for _, files in self._manifests.values() for path in files)
        texts = {path: sources[path].text if path in sources else self._data["texts"][path] for path in paths}
        if (
            any(SENSITIVE in text for text in texts.values())  # no secret is written
            or trace.components
            or trace.files
            or (self._project.trace.is_shared and any(map(may_read_more, texts.values())))
            or not texts.keys().isdisjoint(self._repository.index.shared.config.files)
        ):
            return
        self._left[self._kind] = {
            **pieces,
            "texts": texts,
            "stacks": self._stacks,
            "manifests": self._manifests,
            "complete": self._complete and bool(self._manifests) and not self._repository.broken,
            "showing": self._showing(),
        }

    def _showing(self) -> set[str]:
        """The files that show what is computed in them, and from which all that import them get the same content."""
        read = showing_files(self._closures)
        known = self._data["showing"] - read.keys() if self.is_narrowed else set()
        return known | {path for path, file in read.items() if file is not None}
