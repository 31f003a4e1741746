"""A manifest's imports as a whole: every file that it is made of, the lines that ask for them, and how far away they
are."""

from __future__ import annotations

from plait.core.find import items_of
from plait.core.node import MapNode, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.node import Node
    from plait.core.source import Source
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest

    Way = list[tuple[Manifest, Node | None]]
    """Manifests, each but the first with the item that imports it."""


def files_of(manifest: Manifest) -> list[ManifestFile]:
    """The manifest's file and all that it imports, each once, nearest first."""
    return list(dict.fromkeys([one.file for one in all_manifests(manifest)]))


def merged_files(manifest: Manifest) -> list[ManifestFile]:
    """The same files in the order in which they are merged, the lowest first: one that is imported several times where
    it is merged last."""
    seen: dict[Manifest, None] = {}
    stack = [manifest]
    while stack:  # from the highest to the lowest
        one = stack.pop()
        if one not in seen:
            seen[one] = None
            stack += one.imports
    return [*dict.fromkeys([one.file for one in seen])][::-1]


def import_lines(manifest: Manifest) -> dict[str, Node]:
    """All imported files by name, each as its name at the line that asks for it; the nearest one."""
    by_name: dict[str, Node] = {}
    for one in reversed(all_manifests(manifest)):
        if one.imports:
            by_name.update(_lines(one))
    by_name.pop(manifest.name, None)
    return by_name


def _lines(manifest: Manifest) -> list[tuple[str, Node]]:
    """What a manifest itself imports, made once for all that import it; of several lines for one file, the first comes
    last."""
    if manifest.imported.lines is None:
        found = reversed(import_words(manifest))
        manifest.imported.lines = [(one.name, text(one.name, word.source, word.at)) for one, word in found]
    return manifest.imported.lines


def import_words(manifest: Manifest) -> list[tuple[Manifest, Node]]:
    """What a manifest itself imports, each with the word that asks for it."""
    return [(imported, word_of(item)) for imported, item in import_items(manifest)]


def import_items(manifest: Manifest) -> list[tuple[Manifest, Node]]:
    """What a manifest itself imports, each with the item of its list that asks for it."""
    items = items_of(manifest.file.section("import"))
    return [(imported, items[at]) for imported, at in zip(manifest.imports, manifest.asked, strict=True)]


def word_of(item: Node) -> Node:
    """The word of an import that names the file."""
    return item.entries.get("path", item) if isinstance(item, MapNode) else item


def ways_from(manifest: Manifest) -> dict[Manifest, Way]:
    """A manifest and all that it imports, nearest first, each with what leads to it: the manifest, and each that is
    imported on the way, with the item that imports it; of several ways the shortest."""
    ways: dict[Manifest, Way] = {manifest: [(manifest, None)]}
    queue = [manifest]
    for one in queue:  # grows while it is walked
        for imported, item in import_items(one) if one.imports else ():
            if imported not in ways:
                ways[imported] = [*ways[one], (imported, item)]
                queue.append(imported)
    return ways


def way_to(ways: dict[Manifest, Way], file: Source) -> Way:
    """The one of some ways that leads to a file; nothing where none does."""
    for one, way in ways.items():
        if one.file.source is file or one.file.text.rendered is file:
            return way
    return []


def depths_of(manifest: Manifest) -> dict[str, int]:
    """For each file, how many imports away it is; the manifest itself is 1."""
    depths: dict[str, int] = {}
    level, queue = 1, [manifest]
    while queue:
        below: list[Manifest] = []
        for one in queue:
            if one.file.scope.file not in depths:
                depths[one.file.scope.file] = level
                below.extend(one.imports)
        level, queue = level + 1, below
    return depths


def all_manifests(manifest: Manifest) -> list[Manifest]:
    """A manifest and its imports, each once, nearest first."""
    if manifest.imported.closure is None:
        manifest.imported.closure = with_imports([manifest])
    return manifest.imported.closure


def with_imports(manifests: Iterable[Manifest]) -> list[Manifest]:
    """Some manifests and the imports of all of them, each once."""
    seen = dict.fromkeys(manifests)
    queue = [*seen]
    for one in queue:  # grows while it is walked
        for imported in one.imports:
            if imported not in seen:
                seen[imported] = None
                queue.append(imported)
    return queue


def showing_files(manifests: Iterable[Manifest]) -> dict[str, ManifestFile | None]:
    """The files of some manifests, by path; None for one that does not show what is computed in it, or that does not
    have the same content for all that import it."""
    found: dict[str, ManifestFile | None] = {}
    for one in with_imports(manifests):
        is_showing = one.file.path not in found and one.file.is_plain and not one.dynamic
        found[one.file.path] = one.file if is_showing else None
    return found
