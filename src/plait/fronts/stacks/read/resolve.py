"""Which files an entry of an import list means: with or without an extension, one file or all that a pattern matches,
a path that is rendered first, a file of another repository."""

from __future__ import annotations

import os
from functools import partial

from plait.core.diagnostic import Label, PlaitError
from plait.core.meter import like
from plait.core.node import Node
from plait.core.source import TEMPLATE_ENDINGS
from plait.fronts.project import Project
from plait.fronts.stacks.language.scope import CONTEXT, merged_values
from plait.fronts.stacks.language.view import place_of
from plait.fronts.stacks.read.paths import file_named, is_relative
from plait.fronts.stacks.session.globs import has_extension, is_pattern, matching_files, seen_from
from plait.notations.gotemplate.errors import TemplateError
from plait.report.catalog import IMPORTS_ITSELF, LOCAL_IN_IMPORT, NO_IMPORT, STACK_TEMPLATE
from plait.report.near import nearest
from plait.services.remote import is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.ask.remote import RemoteImports
    from plait.fronts.stacks.language.scope import Language
    from plait.fronts.stacks.language.templates import Parsed
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.items import ImportItem
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.fronts.stacks.read.text import ImportContext
    from plait.fronts.stacks.session.session import StackSession


class Resolver:
    """Finds the files that imports mean."""

    def __init__(self, language: Language, remote: RemoteImports) -> None:
        self._language = language
        self._session = language.session
        self._remote = remote
        self._base = language.config.stacks_path
        self._inside = language.config.base_path.rstrip("/") + "/"
        self._found: dict[str, list[str]] = {}
        """The files that paths from the stacks folder mean."""
        self._earlier: dict[tuple[object, ...], Node | None] = {}
        """Sections of the imports before one, merged; kept, because what has to be computed in them is known by its
        node."""

    def restart(self) -> None:
        """Begin a new question."""
        self._found.clear()
        self._earlier.clear()

    def named(self, path: str) -> list[str]:
        """The files that a path from the stacks folder means."""
        work = partial(self._files_named, self._base, path)
        found = self._found[path] = self._session.memory.recall(("imported", path), work)
        return found

    def is_plain(self, path: str, pattern: str) -> bool:
        """Whether a path means the same file in every importing file."""
        return self._found.get(path) == [pattern]

    def name_of(self, path: str) -> str:
        """The name of a manifest: its path below the stacks folder, without its extension."""
        address = self._session.addresses.get(path)
        if address is not None:  # fetched from elsewhere
            return address
        inside = path.startswith(self._base + "/")
        name = path[len(self._base) + 1 :] if inside else os.path.relpath(path, self._base).replace(os.sep, "/")
        return without_extension(name)

    def files(
        self,
        item: ImportItem,
        file: ManifestFile,
        context: ImportContext,
        chain: tuple[str, ...],
        earlier: tuple[Manifest, ...],
    ) -> list[str]:
        """The files that an import means, in order. `chain` are the files that lead here."""
        path = item.path
        if "{{" in path and not item.skip and self._session.options.templates:
            path = self._rendered(item, file, context, earlier)
        found = self._find(path, file, item)
        written_out = "{{" not in path  # a template that is not to be rendered names nothing
        if not found and written_out and not is_remote(path):
            folder = os.path.dirname(file.path) if is_relative(path) else self._base
            self._session.project.door.check_not_of_git(os.path.join(folder, path), item.node)
        if not found and not item.skip_missing and written_out:
            raise self._not_found(item, path, file, chain)
        for name in found:
            if not name.startswith(self._inside) and name not in self._session.addresses:
                self._session.project.check_inside(name, item.node)
            if name in chain:
                ring = (*chain[chain.index(name) :], name)
                raise IMPORTS_ITSELF.error(
                    Label(item.node.origin),
                    file=self._session.shown(name),
                    notes=chain_notes(ring, self._session),
                    hint="remove one of these imports",
                )
        return found

    def _files_named(self, base: str, path: str) -> list[str]:
        return files_named(self._session.project, base, path)

    def _find(self, path: str, file: ManifestFile, item: ImportItem) -> list[str]:
        remote = self._remote
        if is_remote(path):
            return remote.find(item, path, self._files_named)
        if is_relative(path):
            remote.check_inside(file.path, path, item.node)
            return remote.kept_inside(file.path, self._files_named(os.path.dirname(file.path), path), item.node)
        base = remote.base_of(file.path, self._base)
        if base != self._base:
            return remote.kept_inside(file.path, self._files_named(base, path), item.node)
        return self.named(path)

    def _not_found(self, item: ImportItem, path: str, file: ManifestFile, chain: tuple[str, ...]) -> PlaitError:
        base = os.path.dirname(os.path.normpath(os.path.join(self._base, path)))
        names = [self.name_of(os.path.join(base, name)) for name in self._session.project.listing(base)]
        near = nearest(path, names, 1)
        hint = f"did you mean `{near[0]}`?" if near else "if the file may be missing, set `skip_if_missing: true`"
        return NO_IMPORT.error(
            Label(item.node.origin), path=path, file=file.scope.file, notes=chain_notes(chain, self._session), hint=hint
        )

    # Paths that are templates

    def _rendered(
        self, item: ImportItem, file: ManifestFile, context: ImportContext, earlier: tuple[Manifest, ...]
    ) -> str:
        """A path that is a template: it sees what earlier imports say, and the import's own context."""
        templates = self._language.templates
        if templates.names(item.path):
            raise LOCAL_IN_IMPORT.error(
                Label(item.node.origin),
                notes=("imports are resolved before locals",),
                hint="use settings, vars or env of an earlier import, the import's `context`, or an "
                "environment variable",
            )
        missing = "default" if item.ignore_missing or file.scope.ignore_missing else "error"
        try:
            data = self._visible(templates.parse(item.path), file, earlier)
            data.update(merged_values(item.context, context.values))
            return self._session.secrets.public(
                "an import path",
                data,
                lambda known: templates.render(item.path, known, missing=missing),
                Label(item.node.origin),
            )
        except TemplateError as error:
            why = f"failed to render Go template in import path: {error.message}"
            hint = "a path can read settings, vars and env of the imports before it, and the import's own `context`"
            raise like(error, STACK_TEMPLATE(place_of(error, item.path, item.node), why=why, hint=hint)) from None

    def _visible(self, parsed: Parsed, file: ManifestFile, earlier: tuple[Manifest, ...]) -> dict[str, object]:
        """What a path can read of earlier imports: no more of it is evaluated."""
        data: dict[str, object] = {}
        for name in CONTEXT:
            node = self._section(name, earlier)
            if node is not None:
                data[name] = self._session.plain(parsed.used(node, name), file.scope.place.child(name))
        return data

    def _section(self, name: str, earlier: tuple[Manifest, ...]) -> Node | None:
        key = (name, *earlier)
        if key not in self._earlier:
            parts = [part for one in earlier if (part := one.section(name)) is not None]
            self._earlier[key] = self._language.config.policies.merge(parts, name)
        return self._earlier[key]


def files_named(project: Project, base: str, path: str) -> list[str]:
    """The files that an import path means, seen from a folder, in order. A pattern without an extension means files
    that end with `.yaml`, and one with an extension any file."""
    path = seen_from(base, path)
    if is_pattern(path):
        return matching_files(project, base, path if has_extension(path) else path + ".yaml")
    one = file_named(project, os.path.normpath(os.path.join(base, path)))
    return [one] if one else []


def without_extension(path: str) -> str:
    for extension in reversed(TEMPLATE_ENDINGS):
        if path.endswith(extension):
            return path[: -len(extension)]
    return path


def chain_notes(chain: tuple[str, ...], session: StackSession) -> tuple[str, ...]:
    """The files that led to an error, from the manifest on."""
    shown = [session.shown(path) for path in chain]
    lines = [f"{'  ' if index == 0 else '    '}→ {name}" for index, name in enumerate(shown)]
    return (f"File being processed: {shown[-1]}", "Import chain:", *lines)


def chained(error: PlaitError, chain: tuple[str, ...], session: StackSession) -> PlaitError:
    """An error in a file with the imports that lead to it."""
    if len(chain) < 2 or any("Import chain:" in d.notes for d in error.diagnostics):
        return error
    notes = chain_notes(chain, session)
    return like(error, *(diagnostic.also_noting(*notes) for diagnostic in error.diagnostics))
