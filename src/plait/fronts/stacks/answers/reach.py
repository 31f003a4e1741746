"""Finds what a change of files can affect: the stacks whose manifests import the files, and in these stacks the
components that depend on the differences.

A component depends on its own entry, the entries of its bases, the root sections of the manifests, and the data that
its functions read. So if two texts of a manifest differ only inside the entries of some components, only these
components and those that inherit from them can differ. If anything else differs, every component of the stacks that
import the file can differ. A stack with words that read other files or other components can always differ.
"""

from __future__ import annotations

import os
import re
from functools import cached_property, partial
from itertools import pairwise

from plait.core.diagnostic import Fault
from plait.core.node import MapNode
from plait.core.source import Source
from plait.core.struct import struct
from plait.fronts.stacks.answers.abstract import AbstractNames
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.stacks.session.reader import READER
from plait.yaml.build import Reading
from plait.yaml.outline import Outline, has_braces
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from plait.core.node import Node
    from plait.fronts.front import Changes
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.fronts.stacks.read.mentions import Mentions
    from plait.fronts.stacks.session.trace import Part

    Entry = tuple[str, str]
    """The type and the name of a component."""
    Parts = dict[Part, tuple[int, int, str]]
    """The parts of a manifest in order, each with its line, its column and its text."""
    Changed = Mapping[str, frozenset[Entry] | None]
    """The changed files, each with the entries that contain all its differences; None if other lines differ too."""

WORDS = (
    "include", "!terraform", "!store", "!secret", "!exec", "!aws", "!version", "!emulator", "atmos.", "readFile",
    "atasource", "ds ", "file.", "%TAG",
)  # fmt: skip
"""Words in a manifest that can make a value depend on more than the imported files."""
LOCKED, BRACES = "version", "{{"
"""Both together are a template that may read locked versions."""
OTHERS = ("!terraform", "atmos.", "%TAG")
"""Words that can make a value depend on components of other stacks."""
LISTING = ("components", "locals", "import")
"""Sections that decide what is in a file, besides the entries of components."""
TEMPLATE = re.compile(r"\{\{.*?\}\}(?:(?:(?!\{\{).)*\}\})?", re.DOTALL)
"""A template, and more where a later end may be its own: a literal in it may contain one."""
ESCAPED_TAG = re.compile(r"![\w.]*%")


def may_read_more(text: str) -> bool:
    """Whether a manifest may read other files or other components than those that it imports."""
    if any(word in text for word in WORDS) or (LOCKED in text and BRACES in text):
        return True
    return "%" in text and ESCAPED_TAG.search(text) is not None


def may_name_others(text: str) -> bool:
    """Whether a manifest may read components of other stacks."""
    return any(word in text for word in OTHERS) or ("%" in text and ESCAPED_TAG.search(text) is not None)


def changed_entries(before: Source, after: Source, depth: int) -> frozenset[Entry] | None:
    """The components whose entries contain all differences between two texts of a manifest; None if other lines differ
    too."""
    old, new = parts_of(before, depth), parts_of(after, depth)
    if old is None or new is None or _head(before, old) != _head(after, new):
        return None
    found = _differing(old, new)
    entries = _entries(found)
    return frozenset(entries) if len(entries) == len(found) else None


def _entries(parts: Iterable[Part]) -> list[Entry]:
    return [part for part in parts if isinstance(part, tuple)]


def _differing(old: Parts, new: Parts) -> list[Part]:
    """The parts that have not the same text in both."""
    return [part for part in {**old, **new} if part not in old or part not in new or old[part][2] != new[part][2]]


def _starts(source: Source, depth: int) -> dict[int, Part] | None:
    """Where each key of the first three levels begins, and the section or the entry that begins there."""
    outline = outline_of(source, depth)
    if outline is None:
        return None
    starts: dict[int, Part] = {at: key for key, at in outline.places.items()}
    types = outline.below("components") if "components" in outline else None
    for type, at in types.places.items() if types is not None else ():
        starts[at] = f"components.{type}"
        members = types.below(type) if types is not None else None
        starts |= {place: (type, name) for name, place in members.places.items()} if members is not None else {}
    return starts


def outline_of(source: Source, depth: int) -> Outline | None:
    """A manifest by its parts; None if it cannot be taken apart."""
    try:
        documents = scan(source, depth)
        if len(documents) != 1 or has_braces(documents[0]):
            return None
        outline = Outline.of(documents[0], source, Reading(READER.schema))
    except Fault:
        return None
    return outline if isinstance(outline, Outline) else None


def opens_alike(before: Source, after: Source, depth: int, mentions: Mentions) -> bool:
    """Return whether two texts of a manifest have the same sections and entries, and differ inside of these in nothing
    that decides which stacks there are and whether the file can be opened: values that a stack's name is made of,
    imports and locals, templates that are checked when the file is opened."""
    old, new = parts_of(before, depth), parts_of(after, depth)
    if old is None or new is None or list(old) != list(new) or _head(before, old) != _head(after, new):
        return False
    return all(
        _are_alike((before, old[part][2]), (after, new[part][2]), part, mentions, depth)
        for part in _differing(old, new)
    )


def _are_alike(
    before: tuple[Source, str], after: tuple[Source, str], part: Part, mentions: Mentions, depth: int
) -> bool:
    """Whether two texts of a part, each with that of its file, say nothing that decides which stacks there are or
    whether the file can be opened."""
    sides = (before, after)
    if any(mentions.found_in(text) for _, text in sides):
        return False
    if not isinstance(part, tuple):
        return not part.startswith(LISTING) and all(_is_map(source, part, depth) for source, _ in sides)
    if not any(BRACES in source.text for source, _ in sides):
        return True
    if TEMPLATE.findall(before[1]) != TEMPLATE.findall(after[1]):
        return False
    return all(_is_plain(_entry(source, part, depth)) for source, _ in sides)


def _is_map(source: Source, section: str, depth: int) -> bool:
    """Whether a section of a manifest is a map without templates."""
    outline = outline_of(source, depth)
    try:
        node = outline.get(section) if outline is not None else None
    except Fault:
        return False
    return isinstance(node, MapNode) and BRACES not in source.text


def _head(source: Source, parts: Parts) -> str:
    """What is above all parts."""
    return source.text[: len(source.text) - sum(len(text) for _, _, text in parts.values())]


def members_outline(source: Source, type: str, depth: int) -> Outline | None:
    """The entries of the components of a type; None where they are not there or cannot be taken apart."""
    outline = outline_of(source, depth)
    types = outline.below("components") if outline is not None else None
    return types.below(type) if types is not None else None


def _entry(source: Source, entry: Part, depth: int) -> Node | None:
    """The entry of a component; None where it is not there or cannot be built."""
    members = members_outline(source, entry[0], depth)
    try:
        return members.get(entry[1]) if members is not None else None
    except Fault:
        return None


def _is_plain(node: Node | None) -> bool:
    """Whether an entry is a map with names as keys, as its metadata are."""
    if not isinstance(node, MapNode) or not all(isinstance(key, str) for key in node.entries):
        return False
    metadata = node.entries.get("metadata", node)
    return isinstance(metadata, MapNode) and all(isinstance(key, str) for key in metadata.entries)


def parts_of(source: Source, depth: int) -> Parts | None:
    """The parts of a manifest in order, each with its line, its column and its text; None where it cannot be taken
    apart."""
    starts, text = _starts(source, depth), source.text
    if starts is None:
        return None
    parts: Parts = {}
    line = done = 0
    ordered = [*sorted(starts), len(text)]
    for start, end in pairwise(ordered):
        line += text.count("\n", done, start)
        done = start
        parts[starts[start]] = (line, start - text.rfind("\n", 0, start), text[start:end])
    return parts if len(parts) == len(starts) else None  # a key may be called as a part is


@struct
class Closure:
    """A manifest with all that it imports: the files, whether they may depend on others, and those that are rendered
    before they are read."""

    files: frozenset[str]
    reading: bool
    rendered: frozenset[str]


class ChangeReach:
    """The dependencies between the files of one repository. Paths are relative to `root`."""

    def __init__(
        self, repository: Repository, config_files: Iterable[str], root: str, plain: Mapping[str, str] | None = None
    ) -> None:
        """`plain` are files that are known to read no others, each with its path from the root."""
        self.repository = repository
        self._root = os.path.join(root, "")
        self._reading: dict[str, bool] = dict.fromkeys(plain or (), False)
        self._paths: dict[str, str] = dict(plain or {})
        self._touched: dict[Manifest, bool] = {}
        """Whether `_changed` may reach something in a manifest."""
        self._changed: Changed | None = None
        self._closures: dict[Manifest, Closure] = {}
        self.beside: tuple[ChangeReach, Changed] | None = None
        """The same repository with other texts of some files, and what differs from it here."""
        self._heirs: dict[tuple[Manifest, frozenset[Entry]], frozenset[Entry] | None] = {}
        self._own: dict[tuple[Manifest, frozenset[Entry]], frozenset[Entry]] = {}
        """What `_may_have` and `_having` found."""
        self._bases: dict[tuple[Manifest, str, str], tuple[str, ...]] = {}
        self._deployed: dict[tuple[Manifest, str], list[str]] = {}
        """The components of a type in a manifest that are not known to be only inherited from."""
        self.abstract = AbstractNames(repository)
        self.settings = frozenset(self.path(name) for name in config_files)
        """The files of the configuration: every component may depend on them."""

    def path(self, name: str) -> str:
        """A file as a path from the root, by where it really is."""
        real = self.repository.session.project.door.paths.real(os.path.abspath(name))
        return real[len(self._root) :] if real.startswith(self._root) else os.path.relpath(real, self._root)

    def closure(self, manifest: Manifest) -> Closure:
        """The files of a manifest. Without recursion; the result for an import is stored for all files that import
        it."""
        for one in imports_first(manifest, self._closures):
            self._closures[one] = self._joined(one.file, [self._closures[below] for below in one.imports])
        return self._closures[manifest]

    def _joined(self, file: ManifestFile, below: list[Closure]) -> Closure:
        path, reading = self._name_of(file), self._reads_more(file)
        return Closure(
            frozenset((path,)).union(*(one.files for one in below)),
            reading or any(one.reading for one in below),
            frozenset((path,) if file.is_rendered else ()).union(*(one.rendered for one in below)),
        )

    def _name_of(self, file: ManifestFile) -> str:
        """A file of a manifest as a path from the root."""
        if file.path not in self._paths:
            self._paths[file.path] = self.path(file.path)
        return self._paths[file.path]

    def _reads_more(self, file: ManifestFile) -> bool:
        if file.path not in self._reading:
            there = self.beside[0] if self.beside is not None and self._name_of(file) not in self.beside[1] else None
            self._reading[file.path] = may_read_more(file.source.text) if there is None else there._reads_more(file)
        return self._reading[file.path]

    # Stacks

    def files_of(self, stack: str) -> frozenset[str]:
        """The manifests of a stack and all that they import."""
        return frozenset().union(*(self.closure(manifest).files for manifest in self.repository.manifests_of(stack)))

    def reads_more(self, stack: str) -> bool:
        """Whether values of a stack may depend on other files or components than those that its manifests import."""
        return any(self.closure(manifest).reading for manifest in self.repository.manifests_of(stack))

    def can_touch(self, manifest: Manifest, changed: Changed) -> bool:
        """Whether a change may reach something in a manifest."""
        if self._changed is not changed:
            self._changed, self._touched = changed, {}
        for one in imports_first(manifest, self._touched):
            self._touched[one] = self._is_touched(one, changed)
        return self._touched[manifest] or not self.settings.isdisjoint(changed)

    def _is_touched(self, manifest: Manifest, changed: Changed) -> bool:
        if any(self._touched[imported] for imported in manifest.imports):
            return True
        return self._reads_more(manifest.file) or self._name_of(manifest.file) in changed

    def touches(self, stack: str, changed: Changed) -> bool:
        """Whether a change may reach something in a stack."""
        return any(self.can_touch(manifest, changed) for manifest in self.repository.manifests_of(stack))

    # Components

    def entries(self, stack: str, changed: Changed) -> frozenset[Entry] | None:
        """The entries of a stack that differ: these components and those that inherit from them may change. None if
        every component may."""
        touched: frozenset[Entry] = frozenset()
        for manifest in self.repository.manifests_of(stack):
            found = self._entries_in(manifest, changed)
            if found is None:
                return None
            touched |= found
        return touched

    def _entries_in(self, manifest: Manifest, changed: Changed) -> frozenset[Entry] | None:
        if not self.settings.isdisjoint(changed):
            return None
        closure = self.closure(manifest)
        if closure.reading:
            return None
        touched: frozenset[Entry] = frozenset()
        for name in closure.files.intersection(changed):
            entries = changed[name]
            if entries is None or name in closure.rendered:
                return None
            touched |= entries
        return touched

    def components(self, stack: str, entries: frozenset[Entry] | None) -> Iterator[Component]:
        """The deployed components of a stack that have one of these entries or inherit from it; all components if None
        is given."""
        candidates = partial(self._candidates, entries)
        for one in self.repository.components_named(stack, partial(self.has, entries), candidates):
            self._bases[one.manifest, one.type, one.name] = tuple(one.layers.chain)
            yield one

    def _candidates(self, entries: frozenset[Entry] | None, manifest: Manifest, type: str) -> list[str]:
        """The components of a type without those that are known not to be deployed, or not to have one of these
        entries: `has` is asked of the others."""
        names = self._deployed.get((manifest, type))
        if names is None:
            words = self.abstract.words(manifest, type)
            names = self._deployed[manifest, type] = [name for name in manifest.names(type) if not words.get(name)]
        may = self._may_have(entries, manifest) if entries is not None else None
        return names if may is None else [name for name in names if (type, name) in may]

    def has(self, entries: frozenset[Entry] | None, manifest: Manifest, type: str, name: str) -> bool:
        """Whether a deployed component has one of these entries or inherits from it."""
        if entries is not None:
            may = self._may_have(entries, manifest)
            if may is not None and (type, name) not in may:
                return False
        word = self.abstract.word(manifest, type, name)
        if word or (word is False and entries is None):
            return not word
        return self.repository.session.answer(lambda: self._is_wanted(entries, manifest, type, name))

    def _is_wanted(self, entries: frozenset[Entry] | None, manifest: Manifest, type: str, name: str) -> bool:
        if self.abstract.has(manifest, type, name):
            return False
        if entries is None or (type, name) in entries:
            return True
        return any((type, base) in entries for base in self.bases(manifest, type, name))

    def _may_have(self, entries: frozenset[Entry], manifest: Manifest) -> frozenset[Entry] | None:
        """The components of a manifest that may have one of these entries or inherit from it; None where that is not
        known.

        They are those of the same manifest beside, if nothing else differs from it here: a component that is made of
        other entries there has the same bases here.
        """
        if self.beside is None:
            return self._having(entries, manifest)
        key = (manifest, entries)
        if key not in self._heirs:
            there, changed = self.beside
            same = there._by_path.get(manifest.file.path)
            own = there._entries_in(same, changed) if same is not None else None
            sure = own is not None and own <= entries
            self._heirs[key] = there._having(entries, same) if sure and same is not None else None
        return self._heirs[key]

    @cached_property
    def _by_path(self) -> dict[str, Manifest]:
        return {manifest.file.path: manifest for manifest in self.repository.manifests()}

    def _having(self, entries: frozenset[Entry], manifest: Manifest) -> frozenset[Entry]:
        """These entries, the components of a manifest that inherit from one of them, and those whose bases are not
        known; without those that are known not to be deployed."""
        key = (manifest, entries)
        if key not in self._own:
            found = list(entries)
            for type in manifest.types():
                for name in self._candidates(None, manifest, type):
                    try:
                        for base in self.bases(manifest, type, name):
                            if (type, base) in entries:
                                found.append((type, name))
                                break
                    except Fault:
                        found.append((type, name))
            self._own[key] = frozenset(found)
        return self._own[key]

    def bases(self, manifest: Manifest, type: str, name: str) -> tuple[str, ...]:
        """The bases of a component; PlaitError where one is missing."""
        key = (manifest, type, name)
        if key not in self._bases:
            written = self.repository.index.siblings(manifest, type).members.written
            self._bases[key] = tuple(self.repository.session.answer(partial(written, name)).chain)
        return self._bases[key]

    def opens_alike(self, stack: str, changes: Changes) -> bool:
        """Whether the manifests of a stack can be opened, and all stacks have the same names, where some of their files
        differ so."""
        namer, depth = self.repository.index.namer, self.repository.session.project.budgets.depth
        mentions = namer.mentions
        if mentions is None:
            return False

        def alike(name: str, before: str | None, after: str | None) -> bool:
            if before is None or after is None:
                return False
            return opens_alike(Source(name, before), Source(name, after), depth, mentions)

        found = changes.each("opens alike", alike)
        return all(
            self.repository.session.answer(partial(namer.uniform, manifest))
            and all(found[name] for name in self.closure(manifest).files.intersection(found))
            for manifest in self.repository.manifests_of(stack)
        )

    def knows(self, changed: Iterable[str]) -> bool:
        """Whether all of these files are manifests, so that no external data depends on them."""
        seen: dict[Manifest, None] = dict.fromkeys(self.repository.manifests())
        queue = list(seen)
        for manifest in queue:  # grows while it is walked
            fresh = [imported for imported in manifest.imports if imported not in seen]
            seen.update(dict.fromkeys(fresh))
            queue += fresh
        opened = {manifest.file.path for manifest in queue}
        left = {name for name in changed if os.path.join(self._root, name) not in opened}
        return not left or {self._name_of(manifest.file) for manifest in queue}.issuperset(left)

    def narrow(self, others: Repository, changed: Changed, wanted: frozenset[str] | None = None) -> None:
        """Restrict the same repository with other texts of these files to the manifests that depend on them, and those
        that share a stack with one; or to those of the `wanted` stacks, which have the same manifests there."""
        mine = self.repository
        if not self.settings.isdisjoint(changed) or mine.broken.manifests():
            return
        there = others.session.project.door.is_file
        if wanted is not None:
            paths = {one.file.path for name in wanted for one in mine.manifests_of(name)}
            others.index.manifests.narrow(filter(there, paths))
            return
        touched = [manifest for manifest in mine.manifests() if self.can_touch(manifest, changed)]
        if self._read_others(touched):
            return
        paths = {manifest.file.path for manifest in touched if there(manifest.file.path)}
        others.index.manifests.narrow(paths)
        names = {name for manifest in touched for name in mine.names_of(manifest)}
        names |= {name for manifest in others.manifests() for name in others.names_of(manifest)}
        more = {one.file.path for name in names for one in mine.manifests_of(name) if there(one.file.path)}
        if not more <= paths:
            others.index.manifests.narrow(paths | more)

    def _read_others(self, manifests: list[Manifest]) -> bool:
        """Whether one of these manifests may read components of other stacks."""
        reading = {one for manifest in manifests if self.closure(manifest).reading for one in files_of(manifest)}
        return any(may_name_others(file.source.text) for file in reading)


def imports_first(manifest: Manifest, known: Container[Manifest]) -> Iterator[Manifest]:
    """The manifest and all that it imports, as far as they are not known, each after its own imports; the caller adds
    each one to those known."""
    stack = [manifest]
    while stack:
        if stack[-1] in known:
            stack.pop()
        elif missing := [imported for imported in stack[-1].imports if imported not in known]:
            stack += missing
        else:
            yield stack.pop()
