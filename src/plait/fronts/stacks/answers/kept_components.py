"""What an earlier run of the same question said about each component, reused where no change can have reached it.

An answer about a component (its text, its row in a list, that nothing is wrong with it) reads the root sections of the
manifests of its stack, its own entry and those of its bases, in all files that they import. So the inputs are parts of
files: if two texts of a file differ only inside the entries of some components, only the answers about these and about
their heirs can differ; `reach` explains why that is enough. If other lines differ, those of all stacks that import the
file can. If values may depend on more than these files, nothing is reused.

Of the files, only those are read that what is to be computed may depend on: manifests that import no changed file are
left out, and in the others the files without an entry of one of those components are taken for empty.
"""

from __future__ import annotations

import marshal
from functools import cached_property, partial
from itertools import chain

from plait.core.diagnostic import Fault
from plait.core.node import ListNode
from plait.core.source import SENSITIVE, Source
from plait.core.struct import struct
from plait.fronts.stacks.answers.kept_keys import ChangedKeys
from plait.fronts.stacks.answers.reach import differing_parts, entries_of, may_read_more, opens_alike
from plait.fronts.stacks.answers.reached import changed_places
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.read.imports import all_manifests, files_of
from plait.fronts.stacks.session.nodes import DERIVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    from plait.core.node import Node
    from plait.fronts.stacks.answers.kept_keys import Keys, Values
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.reached import ByEntry
    from plait.fronts.stacks.answers.repository import Repository, Wanted
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest

    T = TypeVar("T")
    Basis = tuple[tuple[str, ...], "Keys | None"]
    """What an answer about a component was made of: its bases, and the keys that it writes (see `kept_keys`); None
    where it has to be asked about again whatever key differs."""
    Placed = tuple[str, str, Basis, int, int]
    """A component: type, name, what its answer was made of, and where it is among those of its stack: the first piece,
    how many."""
    KeptStack = tuple[tuple[str, ...], int, int, "list[Placed] | None"]
    """A stack: its files, where its pieces begin and end, and its components where they are known."""
    NamedManifest = tuple[tuple[str, ...], tuple[str, ...]]
    """A manifest: the names of its stacks, and its files."""
    Written = tuple[bool, tuple[str, ...], "tuple[Entry, ...] | None"]
    """A file: whether all files that import it get the same content, the files it imports, and its component entries;
    None instead of the entries if it contains anything else."""
    Named = dict[Manifest, list[str]]
    """The names of the stacks that each manifest takes part in."""

UNKNOWN: Basis = ((), None)
"""What nothing is known of."""
ENTRIES_ONLY = frozenset(("import", "locals", "components"))
"""The only sections of a file that affects no components except those it has entries for."""


@struct
class Reused:
    """The answers about the components of one stack that can be reused."""

    pieces: Callable[[], list[Any]]
    """All earlier ones, read when they are needed."""
    rows: list[Placed] | None
    touched: frozenset[Entry]
    """The components to ask about again; none if all answers are the same."""
    values: dict[Entry | str, Values] | None = None
    """What differs in the others: in single ones, and by type in those that are not among them."""

    def same(self) -> dict[Entry, list[Any]]:
        """The pieces of the answers that are the same, by component."""
        pieces = self.pieces()
        placed = ((row[:2], row[3], row[4]) for row in self.rows or ())
        return {entry: pieces[at : at + count] for entry, at, count in placed if entry not in self.touched}

    def patched(self, made: dict[Entry, list[Any]], bases: dict[Entry, Basis]) -> list[Any] | None:
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

    def bases(self) -> dict[Entry, Basis]:
        return {(type, name): basis for type, name, basis, _, _ in self.rows or ()}


class KeptComponents:
    """The answers of an earlier run that are still true, and what this run leaves for the next one.

    The pieces of an answer are those that the command prints, or else what `leave` is given.
    """

    def __init__(
        self, repository: Repository, kind: str, is_shown: Wanted | None = None, reads_values: bool = True
    ) -> None:
        """`kind` is the kind of answers; `is_shown` says whether there is one about a component, as far as its own
        entry decides that; `reads_values` whether answers are about more than the facts about a component."""
        self.repository = repository
        self._kind = kind
        self._reads_values = reads_values
        self._is_shown = is_shown or (lambda manifest, type, name: True)
        self._project = repository.session.project
        notes = self._project.notes
        self._left = notes.left if notes is not None else {}
        self._earlier = notes.earlier if notes is not None else None
        data: dict[str, Any] = self._earlier.more.get(kind, {}) if self._earlier is not None else {}
        self._data = data if data and self._is_usable(data) else {}
        """What the earlier run left."""
        self.changed = self._earlier.changed if self._earlier is not None and self._data else frozenset[str]()
        self._parts: dict[str, frozenset[Entry | None] | None] = {}
        self._closures: dict[Manifest, tuple[tuple[ManifestFile, ...], tuple[str, ...]]] = {}
        self._touched: dict[str, frozenset[Entry] | None] = {}
        self._reading: set[str] = set()
        """The files that may read others, or other components."""
        self._looked_at: set[str] = set()
        """The files that were looked at for that."""
        self._idle: dict[str, tuple[str, ...]] = {}
        """The files that are taken for empty, with those that they import."""
        self._untouched: frozenset[str] = frozenset()
        """The names of stacks whose manifests are not read, because no change can affect them."""
        self.is_narrowed = False
        self.named: Named = {}
        """The manifests that were read, once `names` was asked."""
        self._names: dict[str, str] = {}
        """The names of manifests by their paths."""
        self._manifests: dict[str, NamedManifest] = {}
        self._stacks: dict[str, KeptStack] = {}
        self._complete = True
        """Whether no stack may depend on more than its own files."""
        if self._data:
            self._take_over()

    def _is_usable(self, data: dict[str, Any]) -> bool:
        """Whether only manifests changed, and the numbers of pieces are those of the answer."""
        assert self._earlier is not None
        numbered = "items" in data or data["count"] == self._earlier.more["count"]
        return numbered and all(name in data["texts"] for name in self._earlier.changed)

    def _take_over(self) -> None:
        """Reuse unchanged texts. The new answer then depends on everything that the cached answer depends on."""
        assert self._earlier is not None
        project = self._project
        project.trace.add(self._earlier.lasting())
        self._looked_at = self._data["texts"].keys() - self.changed if self._data["complete"] else set()
        shown, sources = self.repository.session.shown, project.sources
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
        """The manifests that a change may affect; None where all of them have to be read."""
        rows: dict[str, NamedManifest] = self._data["manifests"]
        is_reached = self._reads_values or self._reaches_facts()
        touched = {path for path, (_, files) in rows.items() if is_reached and not self.changed.isdisjoint(files)}
        first = self._not_needed({name for path in touched for name in rows[path][0]})
        for idle in (first, {}) if first else ({},):
            self._idle = idle
            fresh = self._read(touched, named)
            stacks = {name for path in touched for name in rows[path][0]}.union(*fresh.values())
            beside = {path for path, row in rows.items() if not stacks.isdisjoint(row[0])}
            if not beside <= touched:
                touched |= beside
                fresh = self._read(touched, named)
            is_sure = not self.repository.broken and not self._read_more_now()
            if is_sure and (not idle or all(map(self._inherits_the_same, fresh, fresh.values()))):
                self._manifests = {path: row for path, row in rows.items() if path not in touched}
                self._untouched = frozenset(name for found, _ in self._manifests.values() for name in found)
                self.is_narrowed = True
                return fresh
            self._widen()
        return None

    def _read(self, paths: set[str], named: Callable[[], Named]) -> Named:
        manifests = self.repository.index.manifests
        if self._idle:
            manifests.loader.leave_empty(self._idle)
        manifests.narrow(paths)
        return named()

    def _widen(self) -> None:
        """Read all files of all manifests again."""
        manifests = self.repository.index.manifests
        self.repository.index.restart()
        manifests.loader.leave_empty({})
        manifests.narrow(None)
        manifests.broken.clear()
        self._idle, self._untouched, self.is_narrowed = {}, frozenset(), False
        self._closures, self._stacks = {}, {}

    def start_over(self) -> None:
        """Take nothing from the earlier answer."""
        self._data = {}
        if self.repository.index.manifests.is_narrowed:
            self._widen()

    def _read_more_now(self) -> bool:
        sources = self._project.sources
        return any(path in sources and may_read_more(sources[path].text) for path in self.changed)

    def _not_needed(self, stacks: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The files without an entry of the components to ask about again in some stacks or of their bases, each with
        what it imports. None of them, unless only entries of the same names differ."""
        needed: set[Entry] = set()
        if not self._data["uniform"] or self._read_more_now() or not all(map(self._has_same_entries, self.changed)):
            return {}
        for stack in stacks:
            kept: KeptStack | None = self._data["stacks"].get(stack)
            touched = self._touched_in(stack, kept) if kept is not None else None
            if kept is None or touched is None:
                return {}
            needed |= touched
            needed.update(
                (type, base) for type, name, basis, *_ in kept[3] or () for base in basis[0] if (type, name) in touched
            )
        written: dict[str, Written] = self._data["written"]
        return {
            path: imports
            for path, (_, imports, entries) in written.items()
            if entries is not None and path not in self.changed and needed.isdisjoint(entries)
        }

    def _has_same_entries(self, path: str) -> bool:
        """Whether all files that import a changed file get the same content, and it has entries for the same components
        as before, so that `written` is still correct for it."""
        written: dict[str, Written] = self._data["written"]
        if path not in written or not written[path][0] or self._differs(path) is None:
            return False
        before, now = (entries_of(source, self._project.budgets.depth) for source in self._sides(path))
        return before == now

    def _inherits_the_same(self, manifest: Manifest, stacks: list[str]) -> bool:
        """Whether the components to ask about again are shown as before and have the same bases."""
        if not self.repository.index.namer.uniform(manifest):
            return False
        manifest.imported.listed = self._imports_of(manifest)
        for stack in stacks:
            touched = self._touched.get(stack)
            if touched is None:
                return False
            rows: list[Placed] = self._data["stacks"][stack][3] or []
            if not self.shows_the_same(manifest, rows, touched):
                return False
            for type, name, basis, _, _ in rows:
                if (type, name) in touched and self._bases_of(manifest, type, name) != basis[0]:
                    return False
        return True

    def shows_the_same(self, manifest: Manifest, rows: list[Placed], touched: frozenset[Entry]) -> bool:
        """Whether the same ones of some components are part of the answer as before."""
        before = touched.intersection([(row[0], row[1]) for row in rows])
        try:
            return before == {
                entry for entry in touched if entry[1] in manifest.names(entry[0]) and self._is_shown(manifest, *entry)
            }
        except Fault:
            return False

    def _imports_of(self, manifest: Manifest) -> Node:
        """The names of the files that a manifest imports, without the lines of the imports."""
        index, known = self.repository.index, self._names
        paths = self._data["manifests"][manifest.file.path][1]
        known.update((path, index.manifests.name_of(path)) for path in paths if path not in known)
        names = {known[path] for path in paths} - {manifest.name}
        return ListNode([index.shared.fact(name) for name in sorted(names)], DERIVED)

    def _bases_of(self, manifest: Manifest, type: str, name: str) -> tuple[str, ...] | None:
        siblings = self.repository.index.siblings(manifest, type)
        try:
            return tuple(self.repository.session.answer(partial(siblings.bases.chain, name)))
        except Fault:
            return None

    # What is still good

    @property
    def is_narrowing(self) -> bool:
        """Whether an earlier answer knows all manifests, so that some of them need not be read."""
        return bool(self._data.get("complete"))

    @property
    def has_same_files(self) -> bool:
        """Whether no manifest has a file that was in none before, and all that import a changed file get the same."""
        known, written = self._data["texts"].keys(), self._data["written"]
        is_plain = all(path in written and written[path][0] for path in self.changed)
        return is_plain and all(known >= {*paths} for _, paths in self._closures.values())

    def find(self, stack: str) -> Reused | None:
        """The answers about a stack that can be reused; None if all of them must be found again."""
        kept: KeptStack | None = self._data["stacks"].get(stack) if self._data else None
        if kept is None:
            return Reused(list, None, frozenset()) if stack in self._untouched else None
        paths, start, end, rows = kept
        reused = partial(Reused, partial(self._slice, start, end))
        if stack in self._untouched:
            self._count(rows)
            return reused(rows, frozenset())
        if self._paths(stack) != paths or self._is_rendered(stack):
            return None
        touched = self._touched_in(stack, kept)
        found = reused(rows, touched) if touched is not None else self._reached_in(stack, kept, reused)
        if found is not None:
            self._count(rows, found.touched)
        return found

    def _reached_in(self, stack: str, kept: KeptStack, reused: Callable[..., Reused]) -> Reused | None:
        """The same where lines outside entries differ, too, which reach keys of sections."""
        paths, _, _, rows = kept
        manifests, changed, keys = self.repository.manifests_of(stack), self.changed.intersection(paths), self._keys
        by_type = keys.by_type(changed, {row[0] for row in rows or ()})
        if by_type is None or rows is None or len(manifests) != 1 or not keys.knows(paths):
            return None
        by_entry = keys.by_entry(changed)
        whole = set().union(*(keys.naming[path] for path in keys.naming.keys() & {*paths}))
        whole |= {entry for entry, found in by_entry.items() if found is None}
        for path in changed:
            whole |= (self._parts_of(path) or {None}) if self._places[path] is None else set()
        if None in whole:
            return None
        entries: frozenset[Entry] = frozenset(whole)  # type: ignore[arg-type]
        touched = entries | heirs_of(entries, rows)
        differing = frozenset(by_entry) | heirs_of(frozenset(by_entry), rows)
        values: dict[Entry | str, Values] = {}
        for type, found in by_type.items():
            shared = self._tried(partial(keys.values, manifests[0], type, found))
            if shared is None:
                return None
            values[type] = shared
        made, reached = list(rows), {type: frozenset(found) for type, found in by_type.items()}
        for at, (type, name, (bases, written), first, count) in enumerate(rows):
            entry, found = (type, name), by_type[type]
            if entry in touched or (
                entry not in differing and written is not None and reached[type].isdisjoint(written)
            ):
                continue
            of_entries = [*chain(*(by_entry.get((type, one)) or () for one in (name, *bases)))]
            sections = {section for section, _ in (*of_entries, *reached[type].intersection(written or ()))}
            wanted = tuple(key for key in (*found, *of_entries) if key[0] in sections)
            own = self._own(manifests[0], entry, wanted) if written is not None else None
            if own is None or own[1][0] != bases:
                touched |= {entry}
            else:
                values[entry], made[at] = own[0], (type, name, own[1], first, count)
        return reused(made, touched, values)

    def _own(self, manifest: Manifest, entry: Entry, keys: Keys) -> tuple[Values, Basis] | None:
        """What a component has under some keys, some of which it writes, and what it is made of; None where that is
        computed."""
        siblings = self.repository.index.siblings(manifest, entry[0])
        component = self._tried(partial(self.repository.session.answer, partial(Component, siblings, entry[1])))
        found = self._tried(partial(self._keys.own_values, component, keys)) if component is not None else None
        return (found, basis_of(component)) if component is not None and found is not None else None

    @staticmethod
    def _tried(work: Callable[[], T | None]) -> T | None:
        try:
            return work()
        except Fault:
            return None

    @cached_property
    def _keys(self) -> ChangedKeys:
        """What plain values reach that differ."""
        outside = {path for path in self.changed if None in (self._parts_of(path) or (None,))}
        found = {path: places for path, places in self._places.items() if places is not None or path in outside}
        return ChangedKeys(self.repository, found, self._open_texts)

    @cached_property
    def _places(self) -> dict[str, ByEntry | None]:
        """The plain values in which each changed file differs; None where it differs in more, or cannot be read."""
        found = [path for path in self.changed if self._parts_of(path) is not None]
        depth = self._project.budgets.depth
        return {**dict.fromkeys(self.changed), **{path: changed_places(*self._sides(path), depth) for path in found}}

    @cached_property
    def _open_texts(self) -> dict[str, Source]:
        """The files that show what is computed in them."""
        sources, texts, written = self._project.sources, self._data["texts"], self._data["written"]
        return {
            path: sources[path] if path in sources else Source(path, text)
            for path, text in texts.items()
            if path in written and written[path][0]
        }

    def _reaches_facts(self) -> bool:
        """Whether a change may reach more than values: the names of stacks, what components there are, and facts about
        them."""
        namer, depth = self.repository.index.namer, self._project.budgets.depth
        if namer.mentions is None or not self._open_texts.keys() >= self._data["texts"].keys():
            return True
        if not ChangedKeys(self.repository, self._places, self._open_texts).reach_values_only:
            return True
        return not all(opens_alike(*self._sides(path), depth, namer.mentions, plain=True) for path in self.changed)

    def _count(self, rows: list[Placed] | None, touched: frozenset[Entry] = frozenset()) -> None:
        """Note how many answers are reused."""
        assert self._project.notes is not None
        self._project.notes.reused += len(rows or ()) - sum(row[:2] in touched for row in rows or () if touched)

    def _touched_in(self, stack: str, kept: KeptStack) -> frozenset[Entry] | None:
        """The components of a stack to ask about again; None for all of them."""
        if stack not in self._touched:
            paths, _, _, rows = kept
            entries: frozenset[Entry] | None = frozenset()
            for path in self.changed.intersection(paths):
                found = self._differs(path)
                entries = entries | found if entries is not None and found is not None else None
            is_known = entries is not None and (not entries or rows is not None)
            self._touched[stack] = entries | heirs_of(entries, rows or ()) if is_known and entries is not None else None
        return self._touched[stack]

    def _differs(self, path: str) -> frozenset[Entry] | None:
        """The entries in which a changed file differs; None where other lines differ too."""
        parts = self._parts_of(path)
        return parts if parts is not None and None not in parts else None  # type: ignore[return-value]

    def _parts_of(self, path: str) -> frozenset[Entry | None] | None:
        """The entries in which a changed file differs, and None where other lines do; None if that is not known."""
        if path not in self._parts:
            try:
                self._parts[path] = differing_parts(*self._sides(path), self._project.budgets.depth)
            except Fault:
                self._parts[path] = None
        return self._parts[path]

    def _sides(self, path: str) -> tuple[Source, Source]:
        """The two texts of a changed file."""
        now = self._project.source(path, self.repository.session.shown(path))
        return Source(now.name, self._data["texts"][path]), now

    def _is_rendered(self, stack: str) -> bool:
        """Whether a changed file of a stack is rendered before it is read."""
        return any(file.is_rendered for file in self._files(stack) if file.path in self.changed)

    def components(self, stack: str, touched: frozenset[Entry]) -> Iterable[Component]:
        return self.repository.components_named(stack, lambda _, type, name: (type, name) in touched)

    def _files(self, stack: str) -> Iterable[ManifestFile]:
        """The files of a stack, manifest by manifest."""
        return chain.from_iterable(self._closure(one)[0] for one in self.repository.manifests_of(stack))

    def _paths(self, stack: str) -> tuple[str, ...]:
        found = [self._closure(manifest)[1] for manifest in self.repository.manifests_of(stack)]
        return found[0] if len(found) == 1 else tuple(chain.from_iterable(found))

    def _closure(self, manifest: Manifest) -> tuple[tuple[ManifestFile, ...], tuple[str, ...]]:
        """The files of a manifest and their paths."""
        if manifest not in self._closures:
            files = tuple(files_of(manifest))
            self._closures[manifest] = (files, tuple([file.path for file in files]))
        return self._closures[manifest]

    # What the next answer may take

    def keep(self, stack: str, start: int, end: int, rows: list[Placed] | None, reused: Reused | None) -> None:
        """Record the numbers that the pieces of a finished stack have."""
        if stack in self._untouched and reused is not None:
            self._stacks[stack] = (self._data["stacks"][stack][0], start, end, reused.rows)
        elif self._reads_more(stack):
            self._complete = False
        else:
            known = rows if len(self.repository.manifests_of(stack)) == 1 else None
            self._stacks[stack] = (self._paths(stack), start, end, known)

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
        trace, sources = self.repository.session.trace, self._project.sources
        paths = dict.fromkeys(path for _, files in self._manifests.values() for path in files)
        texts = {path: sources[path].text if path in sources else self._data["texts"][path] for path in paths}
        if (
            any(SENSITIVE in text for text in texts.values())  # no secret is written
            or trace.components
            or trace.files
            or (self._project.trace.is_shared and any(map(may_read_more, texts.values())))
            or not texts.keys().isdisjoint(self.repository.index.shared.config.files)
        ):
            return
        uniform = self.repository.index.namer.uniform
        self._left[self._kind] = {
            **pieces,
            "texts": texts,
            "stacks": self._stacks,
            "manifests": self._manifests,
            "complete": self._complete and bool(self._manifests) and not self.repository.broken,
            "uniform": all(map(uniform, self._closures)) and (not self.is_narrowed or self._data["uniform"]),
            "written": self._written(),
        }

    def _written(self) -> dict[str, Written]:
        """The imports and entries of each file, if all files that import it get the same content."""
        fresh: dict[str, Written] = {}
        for manifest in dict.fromkeys(one for top in self._closures for one in all_manifests(top)):
            file, imports = manifest.file, tuple([one.file.path for one in manifest.imports])
            if file.path not in self._idle:
                plain = file.is_plain and not manifest.dynamic and file.path not in fresh
                says = file.components.listed.items() if plain and ENTRIES_ONLY.issuperset(file.keys) else None
                entries = tuple([(type, name) for type, names in says for name in names]) if says is not None else None
                fresh[file.path] = (plain, imports, entries)
        return {**(self._data["written"] if self.is_narrowed else {}), **fresh}


def basis_of(component: Component) -> Basis:
    """What an answer about a component is made of."""
    return tuple(component.layers.chain), component.layers.shared.keys()


def heirs_of(entries: frozenset[Entry], rows: Iterable[Placed]) -> set[Entry]:
    """The components that inherit from one of some entries."""
    known: dict[tuple[str, tuple[str, ...]], bool] = {}
    heirs: set[Entry] = set()
    for type, name, (bases, _), _, _ in rows:
        key = (type, bases)
        if key not in known:
            known[key] = any((type, base) in entries for base in bases)
        if known[key]:
            heirs.add((type, name))
    return heirs
