"""Reuses the text of a stack from the cached answer if the changed files cannot have changed it.

A stack depends on its manifests and on the files that they import. If none of these changed, its text is the same. If a
file differs only inside the entries of some components, only these components and those that inherit from them are
recomputed; `reach` explains why that is enough. If the values of a stack may depend on more than these files, the whole
stack is recomputed.
"""

from __future__ import annotations

from functools import partial
from itertools import chain

from plait.core.diagnostic import Fault
from plait.core.node import ListNode
from plait.core.source import SENSITIVE, Source
from plait.core.struct import struct
from plait.fronts.stacks.answers.reach import changed_entries, entries_of, may_read_more
from plait.fronts.stacks.read.imports import all_manifests, files_of
from plait.fronts.stacks.session.nodes import DERIVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from plait.core.node import Node
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest

    Types = dict[str, dict[str, list[str]]]
    """The pieces of the text of each component, by type and name."""
    Row = tuple[str, str, tuple[str, ...], int, int]
    """A component: type, name, bases, and where its pieces are among those of its stack: the first one, how many."""
    Kept = tuple[tuple[str, ...], int, int, "list[Row] | None"]
    """A stack: its files, where its pieces begin and end in the answer, and its components where they are known."""
    NamedManifest = tuple[tuple[str, ...], tuple[str, ...]]
    """A manifest: the names of its stacks, and its files."""
    Written = tuple[bool, tuple[str, ...], "tuple[Entry, ...] | None"]
    """A file: whether all files that import it get the same content, the files it imports, and its component entries;
    None instead of the entries if it contains anything else."""
    Named = dict[Manifest, list[str]]
    """The names of the stacks that each manifest takes part in."""
    Wanted = Callable[[Manifest, str, str], bool]

ENTRIES_ONLY = frozenset(("import", "locals", "components"))
"""The only sections of a file that affects no components except those it has entries for."""
MANIFEST_HEADS, TYPE_HEADS, ENDS = 2, 2, 1
"""How many pieces precede the types, the components of a type and a component, and how many follow a map."""


@struct
class Reused:
    """The parts of the cached text of one stack that can be reused."""

    pieces: Callable[[], list[Any]]
    """Its earlier text, or its rows, read when they are needed."""
    rows: list[Row] | None
    touched: frozenset[Entry]
    """The components to recompute; empty if the whole text is unchanged."""

    def types(self) -> Types:
        """The components that are the same."""
        types: Types = {}
        pieces = self.pieces()
        for type, name, _, at, count in self.rows or ():
            if (type, name) not in self.touched:
                types.setdefault(type, {})[name] = pieces[at : at + count]
        return types

    def spliced(self, fresh: Types, bases: dict[Entry, tuple[str, ...]]) -> list[str] | None:
        """The cached text with the changed components replaced. None if the set of components changed, or one of them
        has other bases or another number of pieces."""
        again = {(type, name): pieces for type, members in fresh.items() for name, pieces in members.items()}
        rows = [row for row in self.rows or () if (row[0], row[1]) in self.touched]
        if len(rows) != len(again):
            return None
        pieces = self.pieces()
        for type, name, inherited, at, count in rows:
            made = again.get((type, name), [])
            if len(made) != count or bases.get((type, name)) != inherited:
                return None
            pieces[at : at + count] = made
        return pieces

    def bases(self) -> dict[Entry, tuple[str, ...]]:
        return {(type, name): bases for type, name, bases, _, _ in self.rows or ()}


class EarlierTexts:
    """The parts of a cached answer about all stacks that are still valid, and the data that the next run can reuse."""

    KEY = "pages"
    """Where it is among what a run leaves."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._project = repository.session.project
        notes = self._project.notes
        self._earlier = notes.earlier if notes is not None else None
        self._data: dict[str, Any] = self._earlier.more.get(self.KEY, {}) if self._earlier is not None else {}
        self._files: dict[str, tuple[ManifestFile, ...]] = {}
        self._differing: dict[str, frozenset[Entry] | None] = {}
        self._paths_of: dict[str, tuple[str, ...]] = {}
        self._reading: set[str] = set()
        """The files that may read others, or other components."""
        self._known: set[str] = set()
        """The files that were looked at for that."""
        self._closures: dict[Manifest, tuple[tuple[ManifestFile, ...], tuple[str, ...]]] = {}
        self._stacks: dict[str, Kept] = {}
        self._manifests: dict[str, NamedManifest] = {}
        self._untouched: dict[str, None] = {}
        """The names of stacks whose manifests are not read, because no change can affect them."""
        self._complete = True
        """Whether no stack may depend on more than its own files."""
        self._is_same = False
        """Whether only component entries differ, and imports, names and inheritance are unchanged."""
        self._touched: dict[str, frozenset[Entry] | None] = {}
        self._names: dict[str, str] = {}
        """The names of manifests by their paths."""
        self.bases: dict[Entry, tuple[str, ...]] = {}
        """The bases of the components that were computed for the last stack."""
        self._reports = 0
        """The number of errors and warnings before the last stack."""
        if self._is_usable():
            self._take_over()
        else:
            self._data = {}

    def _is_usable(self) -> bool:
        """Whether only manifests changed, and the numbers of pieces are those of the answer."""
        if self._earlier is None or not self._data or not self._is_numbered():
            return False
        return all(name in self._data["texts"] for name in self._earlier.changed)

    def _is_numbered(self) -> bool:
        """Whether the numbers of pieces are those of the answer."""
        return self._earlier is not None and bool(self._data["count"] == self._earlier.more["count"])

    def _slice(self, start: int, end: int) -> list[Any]:
        """Some pieces of the earlier answer."""
        assert self._earlier is not None
        return self._earlier.slice(start, end)

    def _is_shown(self, manifest: Manifest, type: str, name: str) -> bool:
        """Whether a component is part of the answer, as far as its own entry decides that."""
        return True

    def _take_over(self) -> None:
        """Reuse unchanged texts. The new answer then depends on everything that the cached answer depends on."""
        assert self._earlier is not None
        project, changed = self._project, self._earlier.changed
        project.trace.add(self._earlier.lasting())
        self._known = self._data["texts"].keys() - changed if self._data["complete"] else set()
        shown, sources = self.repository.session.shown, project.sources
        for path, text in self._data["texts"].items():
            if path not in changed and path not in sources and not project.door.is_foreign(path):
                sources[path] = Source(shown(path), text)
                project.meter.feed(len(text))

    # Which stacks there are

    def names(self, named: Callable[[], Named]) -> list[str]:
        """The names of all stacks, sorted; `named` gives those of every manifest that is read.

        Only manifests are read that a change may have reached, and those that share a stack with one.
        """
        found = (self._with_same_structure(named) or self._narrowed(named)) if self._data.get("complete") else None
        fresh = found if found is not None else named()
        for manifest, names in () if self._is_same else fresh.items():
            self._manifests[manifest.file.path] = (tuple(names), self._closure(manifest)[1])
        return sorted({name for names, _ in self._manifests.values() for name in names})

    def _with_same_structure(self, named: Callable[[], Named]) -> Named | None:
        """The manifests that a change may affect, if only component entries differ. Files without an entry for these
        components are not read. None if anything else may differ."""
        assert self._earlier is not None
        changed = self._earlier.changed
        rows: dict[str, NamedManifest] = self._data["manifests"]
        touched = [path for path, (_, files) in rows.items() if not changed.isdisjoint(files)]
        stacks = {name for path in touched for name in rows[path][0]}
        needed = self._needed(stacks) if self._data["uniform"] else None
        if needed is None or self._read_more_now(changed):
            return None
        written: dict[str, Written] = self._data["written"]
        idle = {
            path: imports
            for path, (_, imports, entries) in written.items()
            if entries is not None and path not in changed and needed.isdisjoint(entries)
        }
        manifests = self.repository.index.manifests
        manifests.loader.leave_empty(idle)
        manifests.narrow(touched)
        self._is_same = True
        fresh = named()
        if all(map(self._inherits_the_same, fresh, fresh.values())) and not self.repository.broken:
            self._manifests = rows
            self._untouched = dict.fromkeys(name for found, _ in rows.values() for name in found if name not in stacks)
            return fresh
        self._is_same = False
        self.repository.index.forget({manifest.file.path for manifest in fresh})
        manifests.loader.leave_empty({})
        manifests.narrow(None)
        manifests.broken.clear()
        return None

    def _needed(self, stacks: Iterable[str]) -> set[Entry] | None:
        """The entries of the components to recompute in some stacks, and of their bases; None if there may be
        others."""
        assert self._earlier is not None
        needed: set[Entry] = set()
        if not all(map(self._has_same_entries, self._earlier.changed)):
            return None
        for stack in stacks:
            kept: Kept | None = self._data["stacks"].get(stack)
            touched = self._touched_in(stack, kept) if kept is not None else None
            rows = {(row[0], row[1]): row[2] for row in (kept[3] or () if kept is not None else ())}
            if touched is None:
                return None
            needed |= touched
            needed.update((type, base) for type, name in touched for base in rows.get((type, name), ()))
        return needed

    def _has_same_entries(self, path: str) -> bool:
        """Whether all files that import a changed file get the same content, and it has entries for the same components
        as before, so that `written` is still correct for it."""
        written: dict[str, Written] = self._data["written"]
        if path not in written or not written[path][0] or self._differs(path) is None:
            return False
        now, depth = self._project.source(path), self._project.budgets.depth
        return entries_of(Source(now.name, self._data["texts"][path]), depth) == entries_of(now, depth)

    def _inherits_the_same(self, manifest: Manifest, stacks: list[str]) -> bool:
        """Whether the components to recompute are shown as before and have the same bases."""
        index = self.repository.index
        if not index.namer.uniform(manifest):
            return False
        manifest.imported.listed = self._imports_of(manifest)
        for stack in stacks:
            rows: list[Row] = self._data["stacks"][stack][3] or []
            touched = self._touched[stack] or frozenset()
            if not self.shows_the_same(manifest, rows, touched):
                return False
            for type, name, bases, _, _ in rows:
                if (type, name) in touched and self._bases_of(manifest, type, name) != bases:
                    return False
        return True

    def shows_the_same(self, manifest: Manifest, rows: list[Row], touched: frozenset[Entry]) -> bool:
        """Whether the same ones of some components are part of the answer as before."""
        before = touched.intersection([(row[0], row[1]) for row in rows])
        try:
            return before == {(type, name) for type, name in touched if self._is_there(manifest, type, name)}
        except Fault:
            return False

    def _is_there(self, manifest: Manifest, type: str, name: str) -> bool:
        return name in manifest.names(type) and self._is_shown(manifest, type, name)

    def _imports_of(self, manifest: Manifest) -> Node:
        """The names of the files that a manifest imports, without the lines of the imports."""
        index, known = self.repository.index, self._names
        paths = self._data["manifests"][manifest.file.path][1]
        known.update((path, index.manifests.name_of(path)) for path in paths if path not in known)
        names = {known[path] for path in paths} - {manifest.name}
        return ListNode([index.shared.fact(name) for name in sorted(names)], DERIVED)

    def _bases_of(self, manifest: Manifest, type: str, name: str) -> tuple[str, ...] | None:
        index = self.repository.index
        if name not in manifest.names(type):
            return None
        try:
            return tuple(self.repository.session.answer(partial(index.siblings(manifest, type).bases.chain, name)))
        except Fault:
            return None

    def _narrowed(self, named: Callable[[], Named]) -> Named | None:
        assert self._earlier is not None
        changed = self._earlier.changed
        rows: dict[str, NamedManifest] = self._data["manifests"]
        touched = {path for path, (_, files) in rows.items() if not changed.isdisjoint(files)}
        if len(touched) == len(rows):
            return None
        manifests = self.repository.index.manifests
        manifests.narrow(touched)
        fresh = named()
        names = {name for path in touched for name in rows[path][0]}.union(*fresh.values())
        beside = {path for path, row in rows.items() if not names.isdisjoint(row[0])}
        if not beside <= touched:
            touched |= beside
            manifests.narrow(touched)
            fresh = named()
        if self.repository.broken or self._read_more_now(changed):
            manifests.narrow(None)
            return None
        self._manifests = {path: row for path, row in rows.items() if path not in touched}
        self._untouched = dict.fromkeys(name for found, _ in self._manifests.values() for name in found)
        return fresh

    def _read_more_now(self, changed: Iterable[str]) -> bool:
        sources = self._project.sources
        return any(path in sources and may_read_more(sources[path].text) for path in changed)

    # What is still good

    def find(self, stack: str) -> Reused | None:
        """The parts of the cached text of a stack that can be reused; None if all of it must be recomputed."""
        kept: Kept | None = self._data["stacks"].get(stack) if self._data else None
        if stack in self._untouched and kept is None:
            return Reused(list, None, frozenset())
        if kept is None or self._earlier is None:
            return None
        paths, start, end, rows = kept
        pieces = partial(self._slice, start, end)
        if stack in self._untouched:
            return Reused(pieces, rows, frozenset())
        if self._is_same:
            return Reused(pieces, rows, self._touched[stack] or frozenset())
        if self._paths(stack) != paths or self._is_rendered(stack):
            return None
        touched = self._touched_in(stack, kept)
        return Reused(pieces, rows, touched) if touched is not None else None

    def _touched_in(self, stack: str, kept: Kept) -> frozenset[Entry] | None:
        """The components of a stack to recompute; None for all of them."""
        if stack not in self._touched:
            assert self._earlier is not None
            paths, _, _, rows = kept
            entries = self._entries(self._earlier.changed.intersection(paths))
            if entries is None or (entries and rows is None):
                self._touched[stack] = None
            else:
                heirs = heirs_of(entries, rows or ())
                self._touched[stack] = entries | heirs
        return self._touched[stack]

    def components(self, stack: str, touched: frozenset[Entry]) -> Iterable[Component]:
        return self.repository.components_named(stack, lambda _, type, name: (type, name) in touched)

    def _is_rendered(self, stack: str) -> bool:
        """Whether a changed file of a stack is rendered before it is read."""
        assert self._earlier is not None
        changed = self._earlier.changed
        return any(file.is_rendered for file in self._members(stack) if file.path in changed)

    def _entries(self, changed: frozenset[str]) -> frozenset[Entry] | None:
        """The entries in which changed files differ; None where other lines differ too."""
        touched: set[Entry] = set()
        for path in changed:
            entries = self._differs(path)
            if entries is None:
                return None
            touched |= entries
        return frozenset(touched)

    def _differs(self, path: str) -> frozenset[Entry] | None:
        if path not in self._differing:
            try:
                now = self._project.source(path, self.repository.session.shown(path))
            except Fault:
                self._differing[path] = None
            else:
                before = Source(now.name, self._data["texts"][path])
                self._differing[path] = changed_entries(before, now, self._project.budgets.depth)
        return self._differing[path]

    def _members(self, stack: str) -> tuple[ManifestFile, ...]:
        """The files of a stack, manifest by manifest."""
        if stack not in self._files:
            found = [self._closure(manifest) for manifest in self.repository.manifests_of(stack)]
            one = found[0] if len(found) == 1 else None
            self._files[stack] = one[0] if one else tuple(chain.from_iterable(files for files, _ in found))
            self._paths_of[stack] = one[1] if one else tuple(chain.from_iterable(paths for _, paths in found))
        return self._files[stack]

    def _closure(self, manifest: Manifest) -> tuple[tuple[ManifestFile, ...], tuple[str, ...]]:
        """The files of a manifest and their paths."""
        if manifest not in self._closures:
            files = tuple(files_of(manifest))
            self._closures[manifest] = (files, tuple([file.path for file in files]))
        return self._closures[manifest]

    def _paths(self, stack: str) -> tuple[str, ...]:
        self._members(stack)
        return self._paths_of[stack]

    # What the next answer may take

    def begin(self) -> None:
        """The text of a stack is about to be made."""
        self.bases = {}
        self._reports = self._reported()

    def _reported(self) -> int:
        return len(self.repository.broken) + self.repository.session.trace.reports

    def note(self, component: Component) -> None:
        """Record the bases of a component that was computed."""
        self.bases[component.type, component.name] = tuple(component.layers.chain)

    def keep_text(self, stack: str, start: int, end: int, types: Types | None, reused: Reused | None) -> None:
        """Record the numbers of the pieces of a finished stack. A stack with errors or warnings is not recorded, so
        that the next run recomputes it."""
        if self._reported() != self._reports:
            self._complete = False
            return
        rows = reused.rows if types is None and reused is not None else None
        if types is not None and len(self.repository.manifests_of(stack)) == 1:
            rows = layout(types, {**(reused.bases() if reused is not None else {}), **self.bases})
        self.keep(stack, start, end, rows, reused)

    def keep(self, stack: str, start: int, end: int, rows: list[Row] | None, reused: Reused | None) -> None:
        """Record the numbers that a finished stack has in the answer."""
        if stack in self._untouched and reused is not None:
            self._stacks[stack] = (self._data["stacks"][stack][0], start, end, reused.rows)
            return
        if not self._is_same and self._reads_more(stack):
            self._complete = False
            return
        paths = self._data["stacks"][stack][0] if self._is_same else self._paths(stack)
        self._stacks[stack] = (paths, start, end, rows)

    def _reads_more(self, stack: str) -> bool:
        """Whether values of a stack may depend on more than its files."""
        members, paths = self._members(stack), self._paths(stack)
        if not self._known.issuperset(paths):
            fresh = [file for file in members if file.path not in self._known]
            self._reading.update(file.path for file in fresh if may_read_more(file.source.text))
            self._known.update(paths)
        return not self._reading.isdisjoint(paths)

    def finish(self, count: int) -> None:
        """Store the data that the next run needs, unless values may depend on more than manifests."""
        session = self.repository.session
        texts = {file.path: file.source.text for files in self._files.values() for file in files}
        if self._untouched or self._is_same:
            texts = {**self._unchanged_texts(), **texts}
        if any(SENSITIVE in text for text in texts.values()):  # no secret is written
            return
        config = self.repository.index.shared.config
        notes = self._project.notes
        if (
            notes is None
            or session.trace.components
            or session.trace.files
            or (self._project.trace.is_shared and any(map(may_read_more, texts.values())))
            or not texts.keys().isdisjoint(config.files)
        ):
            return
        notes.left[self.KEY] = {
            **self._pieces(),
            "texts": texts,
            "stacks": self._stacks,
            "count": count,
            "manifests": self._manifests,
            "complete": self._complete and bool(self._manifests) and not self.repository.broken,
            "uniform": self._is_uniform(),
            "written": self._written(),
        }

    def _pieces(self) -> dict[str, object]:
        """What is left besides, where the pieces are not those of the answer."""
        return {}

    def _unchanged_texts(self) -> dict[str, str]:
        assert self._earlier is not None
        changed = self._earlier.changed
        now = {path: self._project.source(path).text for path in changed} if self._is_same else {}
        return {**{path: text for path, text in self._data["texts"].items() if path not in changed}, **now}

    def _is_uniform(self) -> bool:
        """Whether no name of a stack depends on a component."""
        uniform = self.repository.index.namer.uniform
        return all(map(uniform, self._closures)) and (not self._untouched or self._data["uniform"])

    def _written(self) -> dict[str, Written]:
        """The imports and entries of each file, if all files that import it get the same content."""
        known: dict[str, Written] = dict(self._data["written"]) if self._untouched or self._is_same else {}
        fresh: dict[str, Written] = {}
        for manifest in dict.fromkeys(one for top in self._closures for one in all_manifests(top)):
            file, imports = manifest.file, tuple([one.file.path for one in manifest.imports])
            plain = file.is_plain and not manifest.dynamic and file.path not in fresh
            says = file.components.listed.items() if plain and ENTRIES_ONLY.issuperset(file.keys) else None
            entries = tuple([(type, name) for type, names in says for name in names]) if says is not None else None
            fresh[file.path] = (plain, imports, entries)
        return {**known, **fresh}


def heirs_of(entries: frozenset[Entry], rows: Iterable[Row]) -> set[Entry]:
    """The components that inherit from one of some entries."""
    known: dict[tuple[str, tuple[str, ...]], bool] = {}
    heirs: set[Entry] = set()
    for type, name, bases, _, _ in rows:
        key = (type, bases)
        if key not in known:
            known[key] = any((type, base) in entries for base in bases)
        if known[key]:
            heirs.add((type, name))
    return heirs


def layout(types: Types, bases: dict[Entry, tuple[str, ...]]) -> list[Row]:
    """Where the pieces of each component are among those of its stack."""
    rows: list[Row] = []
    at = MANIFEST_HEADS
    for type, members in sorted(types.items()):
        at += TYPE_HEADS
        for name, pieces in sorted(members.items()):
            at += TYPE_HEADS
            rows.append((type, name, bases.get((type, name), ()), at, len(pieces)))
            at += len(pieces)
        at += ENDS
    return rows
