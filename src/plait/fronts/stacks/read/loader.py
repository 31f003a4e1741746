"""Reads manifests with their imports: each file once, or once for each context.

Reading may have to wait (`Blocked`) for a value that determines what is imported. The files read so far are stored, so
that the same question continues from there when it is asked again. In a program that runs for long, files and manifests
are queries: one is read again where something changed that it read.
"""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault, PlaitError
from plait.fronts.stacks.language.scope import merged_values
from plait.fronts.stacks.read.file import ManifestFile
from plait.fronts.stacks.read.items import ImportItem, read_items
from plait.fronts.stacks.read.manifest import NO_IMPORTS, ImportList, Manifest
from plait.fronts.stacks.read.resolve import Resolver, chain_notes, chained
from plait.fronts.stacks.read.text import PLAIN, ImportContext
from plait.report.catalog import TOO_DEEP

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        self._memory = self._session.memory
        self._failed: dict[tuple[str, str], PlaitError] = {}
        """The manifests that cannot be read."""
        self._plain: set[str] = set()
        """The paths without any options that were read, each as one manifest, whoever imports it."""

    def restart(self) -> None:
        """Begin a new question."""
        self._failed.clear()
        self._plain.clear()
        self._resolver.restart()

    def load(
        self, path: str, context: ImportContext = PLAIN, chain: tuple[str, ...] = (), earlier: tuple[Manifest, ...] = ()
    ) -> Manifest:
        """A file with its imports. `chain` are the files that lead here, `earlier` what was imported before it."""
        key = (path, context.key)
        if key in self._failed:
            raise self._failed[key]
        work = partial(self._load, path, context, chain, earlier)
        try:
            question = ("manifest", *key)
            known, before = self._memory.recall(question, lambda: (work(), earlier))
            if known.dynamic and before != earlier:
                known = self._memory.recall((*question, *earlier), work)
        except Fault as error:
            if not chain:
                self._failed[key] = error
            raise
        return known

    def _load(
        self, path: str, context: ImportContext, chain: tuple[str, ...], earlier: tuple[Manifest, ...]
    ) -> Manifest:
        chain = (*chain, path)
        if len(chain) > DEPTH:
            raise TOO_DEEP.error(limit=DEPTH, notes=chain_notes(chain, self._session))
        try:
            file = self.file(path, context)
            known = self._known_imports(file, context)
            if known is not None:
                return Manifest(file, known, tuple(range(len(known.manifests))), False, self._policies)
            items = read_items(file.section("import"), file.scope)
        except PlaitError as error:
            raise chained(error, chain, self._session) from None
        return self._with_imports(file, items, context, chain, earlier)

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
                    self._plain.add(item.path)
        dynamic = dynamic or any(one.dynamic for one in imports)
        return Manifest(file, ImportList(tuple(imports)), tuple(asked), dynamic, self._policies)

    def _known_imports(self, file: ManifestFile, context: ImportContext) -> ImportList | None:
        """What a file imports, where that is a list of paths that were all read before, each with all that it
        imports."""
        paths = file.import_paths() if context is PLAIN else None
        if paths is None or not self._plain.issuperset(paths):
            return None
        if not paths:
            return NO_IMPORTS
        return self._memory.recall(("imports", *paths), partial(self._all_named, paths))

    def _all_named(self, paths: list[str]) -> ImportList:
        return ImportList(tuple([self.load(self._resolver.named(path)[0]) for path in paths]))

    def file(self, path: str, context: ImportContext = PLAIN) -> ManifestFile:
        """A file without its imports, its locals checked."""
        name = self.name_of(path)
        make = partial(ManifestFile, self._language, path, name, context)
        file = self._memory.recall(("file", path, context.key), make)
        file.open()
        return file

    def name_of(self, path: str) -> str:
        """The name of a manifest: its path below the stacks folder, without its extension."""
        return self._resolver.name_of(path)


def _inner_context(item: ImportItem, context: ImportContext) -> ImportContext:
    """The context with which an imported file is rendered: the import's own context under that of the importing
    file."""
    if not item.context and not context.values and not item.skip and not item.ignore_missing:
        return PLAIN
    return ImportContext(merged_values(item.context, context.values), item.skip, item.ignore_missing)
