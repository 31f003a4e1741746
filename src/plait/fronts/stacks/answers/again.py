"""Texts of stacks from an earlier answer, where the files that changed since cannot have changed them.

A stack is made of its manifests and what they import. Where none of these changed, its text is the same. Where the
texts of a file differ only inside the entries of some components, only these and their heirs are worked out again: see
`reach`, which says why that is enough. A stack is worked out as a whole where its values may depend on more than that.
"""

from __future__ import annotations

from functools import partial
from itertools import chain

from plait.core.source import Source
from plait.fronts.stacks.answers.reach import changed_entries, may_read_more
from plait.fronts.stacks.read.imports import files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

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
    Named = dict[Manifest, list[str]]
    """The names of the stacks that each manifest takes part in."""

MANIFEST_HEADS, TYPE_HEADS, ENDS = 2, 2, 1
"""How many pieces precede the types, the components of a type and a component, and how many follow a map."""


class Reused:
    """What can be taken from the earlier text of one stack."""

    __slots__ = ("pieces", "rows", "touched")

    def __init__(self, pieces: Callable[[], list[str]], rows: list[Row] | None, touched: frozenset[Entry]) -> None:
        self.pieces = pieces
        """Its earlier text, read when it is needed."""
        self.rows = rows
        self.touched = touched
        """The components that have to be worked out again; none where the whole text is the same."""

    def types(self) -> Types:
        """The components that are the same."""
        types: Types = {}
        pieces = self.pieces()
        for type, name, _, at, count in self.rows or ():
            if (type, name) not in self.touched:
                types.setdefault(type, {})[name] = pieces[at : at + count]
        return types

    def spliced(self, fresh: Types, bases: dict[Entry, tuple[str, ...]]) -> list[str] | None:
        """The text with the touched components replaced; None where there are other components than before, or one
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


class Again:
    """What an earlier answer about all stacks is still good for, and what the next one may take from this one."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._project = repository.ground.project
        self._earlier = self._project.earlier
        self._data: dict[str, Any] = self._earlier.more.get("pages", {}) if self._earlier is not None else {}
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
        """The names of stacks whose manifests are not read: no change can have reached them."""
        self._complete = True
        """Whether no stack may depend on more than its own files."""
        self.bases: dict[Entry, tuple[str, ...]] = {}
        """What the components inherit from that were worked out for the last stack."""
        if self._is_usable():
            self._take_over()
        else:
            self._data = {}

    def _is_usable(self) -> bool:
        """Whether only manifests changed, and the numbers of pieces are those of the answer."""
        if self._earlier is None or not self._data or self._data["count"] != self._earlier.more["count"]:
            return False
        return all(name in self._data["texts"] for name in self._earlier.changed)

    def _take_over(self) -> None:
        """Use the texts that did not change. Whatever comes of it depends on what the earlier answer read."""
        assert self._earlier is not None
        project, changed, trace = self._project, self._earlier.changed, self._earlier.trace
        trace.files = {name: file for name, file in trace.files.items() if name not in changed}
        project.trace.add(trace)
        self._known = self._data["texts"].keys() - changed if self._data["complete"] else set()
        shown, sources = self.repository.ground.shown, project.sources
        for path, text in self._data["texts"].items():
            if path not in changed and path not in sources and not project.door.is_foreign(path):
                sources[path] = Source(shown(path), text)
                project.meter.feed(len(text))

    # Which stacks there are

    def names(self, named: Callable[[], Named]) -> list[str]:
        """The names of all stacks, sorted; `named` gives those of every manifest that is read.

        Only manifests are read that a change may have reached, and those that share a stack with one.
        """
        found = self._narrowed(named) if self._data.get("complete") else None
        fresh = found if found is not None else named()
        for manifest, names in fresh.items():
            self._manifests[manifest.file.path] = (tuple(names), self._closure(manifest)[1])
        return sorted({name for names, _ in self._manifests.values() for name in names})

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
        """What can be taken from the earlier text of a stack; None where all of it has to be worked out."""
        kept: Kept | None = self._data["stacks"].get(stack) if self._data else None
        if stack in self._untouched and kept is None:
            return Reused(list, None, frozenset())
        if kept is None or self._earlier is None:
            return None
        paths, start, end, rows = kept
        pieces = partial(self._earlier.slice, start, end)
        if stack in self._untouched:
            return Reused(pieces, rows, frozenset())
        if self._paths(stack) != paths:
            return None
        entries = self._entries(stack, self._earlier.changed.intersection(paths))
        if entries is None or (entries and rows is None):
            return None
        heirs = {(type, name) for type, name, bases, _, _ in rows or () if any((type, one) in entries for one in bases)}
        return Reused(pieces, rows, entries | heirs)

    def components(self, stack: str, touched: frozenset[Entry]) -> Iterable[Component]:
        return self.repository.components_named(stack, lambda _, type, name: (type, name) in touched)

    def _entries(self, stack: str, changed: frozenset[str]) -> frozenset[Entry] | None:
        """The entries of a stack in which its changed files differ; None where other lines differ too."""
        touched: set[Entry] = set()
        rendered = {file.path for file in self._members(stack) if file.path in changed and file.is_rendered}
        for path in changed:
            entries = self._differs(path)
            if entries is None or path in rendered:
                return None
            touched |= entries
        return frozenset(touched)

    def _differs(self, path: str) -> frozenset[Entry] | None:
        if path not in self._differing:
            now = self._project.source(path)
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

    def note(self, component: Component) -> None:
        """A component is worked out: remember what it inherits from."""
        self.bases[component.type, component.name] = tuple(component.layers.chain)

    def keep(self, stack: str, start: int, end: int, types: Types | None, reused: Reused | None) -> None:
        """The text of a stack is complete: its pieces have these numbers in the answer."""
        if stack in self._untouched and reused is not None:
            self._stacks[stack] = (self._data["stacks"][stack][0], start, end, reused.rows)
            return
        if self._reads_more(stack):
            self._complete = False
            return
        rows = reused.rows if types is None and reused is not None else None
        if types is not None and len(self.repository.manifests_of(stack)) == 1:
            rows = layout(types, {**(reused.bases() if reused is not None else {}), **self.bases})
        self._stacks[stack] = (self._paths(stack), start, end, rows)

    def _reads_more(self, stack: str) -> bool:
        """Whether values of a stack may depend on more than its files."""
        members, paths = self._members(stack), self._paths(stack)
        if not self._known.issuperset(paths):
            fresh = [file for file in members if file.path not in self._known]
            self._reading.update(file.path for file in fresh if may_read_more(file.source.text))
            self._known.update(paths)
        return not self._reading.isdisjoint(paths)

    def finish(self, count: int) -> None:
        """Leave for the next run what it needs, unless values may depend on more than manifests."""
        ground = self.repository.ground
        texts = {file.path: file.source.text for files in self._files.values() for file in files}
        if self._untouched:
            texts = {**self._unchanged_texts(), **texts}
        config = self.repository.index.shared.config
        leaving = self._project.leaving
        if (
            leaving is None
            or ground.trace.components
            or ground.trace.files
            or not texts.keys().isdisjoint(config.files)
        ):
            return
        leaving["pages"] = {
            "texts": texts,
            "stacks": self._stacks,
            "count": count,
            "manifests": self._manifests,
            "complete": self._complete and bool(self._manifests),
        }

    def _unchanged_texts(self) -> dict[str, str]:
        assert self._earlier is not None
        changed = self._earlier.changed
        return {path: text for path, text in self._data["texts"].items() if path not in changed}


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
