"""Reads manifests with their imports: each file once, or once for each context.

Reading may have to wait (`Blocked`) for a value that determines what is imported. The files read so far are stored, so
that the same question continues from there when it is asked again.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, PlaitError
from plait.fronts.stacks.language.scope import merged_values
from plait.fronts.stacks.read.file import ManifestFile
from plait.fronts.stacks.read.items import ImportItem, read_items
from plait.fronts.stacks.read.manifest import Manifest
from plait.fronts.stacks.read.resolve import Resolver, chain_notes, chained
from plait.fronts.stacks.read.text import PLAIN, ImportContext
from plait.report.catalog import TOO_DEEP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from plait.fronts.stacks.ask.remote import RemoteImports
    from plait.fronts.stacks.language.scope import Language

DEPTH = 100
"""How many imports may lead from one to the next."""


class Loader:
    """The manifests of one repository."""

    def __init__(self, language: Language, remote: RemoteImports) -> None:
        self._language = language
        self._session = language.session
        self._policies = language.config.policies
        self._remote = remote
        self._resolver = Resolver(language, remote)
        self._manifests: dict[tuple[object, ...], Manifest | PlaitError] = {}
        self._files: dict[tuple[str, str], ManifestFile] = {}
        self._by_path: dict[str, Manifest] = {}
        """The manifest that a path without any options means, once it was read."""
        self._hollow: dict[str, tuple[str, ...]] = {}
        """The files that are not read, each with those that it imports."""

    def leave_empty(self, files: dict[str, tuple[str, ...]]) -> None:
        """Begin again, and treat some files as if they held nothing but their imports, which are given: for a question
        that nothing else in them can change."""
        self._hollow = files
        self._manifests.clear()
        self._by_path.clear()

    def load(
        self, path: str, context: ImportContext = PLAIN, chain: tuple[str, ...] = (), earlier: tuple[Manifest, ...] = ()
    ) -> Manifest:
        """A file with its imports. `chain` are the files that lead here, `earlier` what was imported before it."""
        key = (path, context.key)
        known = self._manifests.get(key) or self._manifests.get((*key, *earlier))
        if known is None:
            try:
                known = self._load(path, context, chain, earlier)
            except Fault as error:
                if not chain:
                    self._manifests[key] = error
                raise
            self._manifests[(*key, *earlier) if known.dynamic else key] = known
        if isinstance(known, PlaitError):
            raise known
        return known

    def _load(
        self, path: str, context: ImportContext, chain: tuple[str, ...], earlier: tuple[Manifest, ...]
    ) -> Manifest:
        chain = (*chain, path)
        if len(chain) > DEPTH:
            raise TOO_DEEP.error(limit=DEPTH, notes=chain_notes(chain, self._session))
        if path in self._hollow and context is PLAIN:
            return self._emptied(path, chain)
        try:
            file = self.file(path, context)
            known = self._known_imports(file, context)
            if known is not None:
                return Manifest(file, known, tuple(range(len(known))), False, self._policies)
            items = read_items(file.section("import"), file.scope)
        except PlaitError as error:
            raise chained(error, chain, self._session) from None
        return self._with_imports(file, items, context, chain, earlier)

    def _emptied(self, path: str, chain: tuple[str, ...]) -> Manifest:
        """A manifest that only imports other files."""
        file = ManifestFile(self._language, path, self.name_of(path), empty=True)
        imports = tuple([self.load(one, PLAIN, chain) for one in self._hollow[path]])
        return Manifest(file, imports, tuple(range(len(imports))), False, self._policies)

    def _with_imports(
        self,
        file: ManifestFile,
        items: list[ImportItem],
        context: ImportContext,
        chain: tuple[str, ...],
        earlier: tuple[Manifest, ...],
    ) -> Manifest:
        imports: list[Manifest] = []
        asked: list[int] = []
        dynamic = any("{{" in item.path for item in items)
        if len(items) > 1:
            self._remote.start(items)
        for at, item in enumerate(items):
            inner = _inner_context(item, context)
            for found in self._resolver.files(item, file, context, chain, (*earlier, *imports)):
                one = self.load(found, inner, chain, (*earlier, *imports))
                imports.append(one)
                asked.append(at)
                if context is PLAIN and item.simple and not one.dynamic and self._resolver.is_plain(item.path, found):
                    self._by_path[item.path] = one
        dynamic = dynamic or any(one.dynamic for one in imports)
        return Manifest(file, tuple(imports), tuple(asked), dynamic, self._policies)

    def _known_imports(self, file: ManifestFile, context: ImportContext) -> tuple[Manifest, ...] | None:
        """What a file imports, where that is a list of paths that were all read before, each with all that it
        imports."""
        paths = file.import_paths() if context is PLAIN else None
        if paths is None:
            return None
        known = self._by_path
        manifests = tuple([known[path] for path in paths if path in known])
        return manifests if len(manifests) == len(paths) else None

    def file(self, path: str, context: ImportContext = PLAIN) -> ManifestFile:
        """A file without its imports, its locals checked."""
        key = (path, context.key)
        file = self._files.get(key)
        if file is None:
            file = self._files[key] = ManifestFile(self._language, path, self.name_of(path), context)
        file.open()
        return file

    def has_read(self, paths: Iterable[str]) -> bool:
        """Whether all of these files were read as manifests."""
        return {path for path, _ in self._files}.issuperset(paths)

    def forget(self, paths: Collection[str]) -> set[Manifest]:
        """Read some files again when they are needed; returns the manifests that depend on them."""
        dropped: set[Manifest] = set()
        for key, known in self._manifests.items():  # what a manifest imports precedes it
            if isinstance(known, Manifest) and (
                known.file.path in paths or not dropped.isdisjoint(known.imports) or not dropped.isdisjoint(key[2:])
            ):
                dropped.add(known)
        self._manifests = {
            key: known for key, known in self._manifests.items() if isinstance(known, Manifest) and known not in dropped
        }
        self._by_path = {path: known for path, known in self._by_path.items() if known not in dropped}
        self._files = {key: file for key, file in self._files.items() if key[0] not in paths}
        self._resolver.forget()
        return dropped

    def name_of(self, path: str) -> str:
        """The name of a manifest: its path below the stacks folder, without its extension."""
        return self._resolver.name_of(path)


def _inner_context(item: ImportItem, context: ImportContext) -> ImportContext:
    """The context with which an imported file is rendered: the import's own context under that of the importing
    file."""
    ignore_missing = item.ignore_missing or context.ignore_missing
    if not item.context and not context.values and not item.skip and not ignore_missing:
        return PLAIN
    return ImportContext(merged_values(item.context, context.values), item.skip, ignore_missing)
