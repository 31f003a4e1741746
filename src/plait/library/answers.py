"""Questions to layers and files that are answered at once: what differs, likely mistakes, who wrote what,
and edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Unpack

from plait.core.diagnostic import Diagnostic
from plait.core.path import format_path
from plait.core.plain import from_plain
from plait.core.source import Source
from plait.core.struct import struct
from plait.library.data import Data, shown_data
from plait.library.inputs import Layer, given_layers
from plait.library.merging import Document, ListDocument, ReadingOptions, merge, merge_options
from plait.merging.diff import compare
from plait.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.evaluate.explain import Leaf


@struct
class Difference:
    """One place where two documents differ, secrets masked: `kind` is added, removed, changed or moved."""

    kind: str
    path: str
    before: Data
    after: Data
    before_at: str
    after_at: str

    def __repr__(self) -> str:
        return f"{self.path}: {self.kind}, {self.before!r} -> {self.after!r} ({self.after_at or self.before_at})"


class Blamed:
    """One value of a result: its path, where it was written, and the places of what it overrides."""

    __slots__ = ("column", "file", "line", "overrides", "path", "value")

    def __init__(self, leaf: Leaf) -> None:
        origin = leaf.winner.node.origin
        self.path = format_path(leaf.path)
        self.value: Data = shown_data(leaf.winner.result)
        self.file = origin.file
        self.line = origin.line
        self.column = origin.column
        self.overrides = [str(lost.node.origin) for lost, _ in leaf.losers]

    def __repr__(self) -> str:
        overrides = f", overrides {', '.join(self.overrides)}" if self.overrides else ""
        return f"{self.path}: {self.value!r} ({self.file}:{self.line}:{self.column}{overrides})"


def diff(
    a: Layer | Document | ListDocument, b: Layer | Document | ListDocument, *, lists: Iterable[str] = ()
) -> list[Difference]:
    """What differs between two documents: each is a merged document, or anything that `merge` takes."""
    left, right = (one if isinstance(one, Document | ListDocument) else merge(one) for one in (a, b))
    workspace = Workspace()
    found = compare(
        left._workspace.value(left._tree), right._workspace.value(right._tree), workspace.policy(list(lists))
    )
    return [
        Difference(
            one.kind,
            format_path(one.path),
            shown_data(one.before),
            shown_data(one.after),
            str(one.before.origin) if one.before is not None else "",
            str(one.after.origin) if one.after is not None else "",
        )
        for one in found
    ]


def lint(
    layers: Layer | Iterable[Layer],
    *,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    templates: str = "",
    folder: str = ".",
    **options: Unpack[ReadingOptions],
) -> list[Diagnostic]:
    """Likely mistakes in layers. The options of reading and merging are those of `merge`."""
    workspace = Workspace(folder, cache=False)
    chosen = merge_options(workspace, options)
    bundle = workspace.layers(_known(workspace, layers), chosen)
    return workspace.lint(bundle, chosen, select=select, ignore=ignore, templates=templates)


def blame(layers: Layer | Iterable[Layer], *, folder: str = ".", **options: Unpack[ReadingOptions]) -> list[Blamed]:
    """Every value of the merged layers with the place it comes from, and the places of what it overrides. The options
    of reading and merging are those of `merge`."""
    workspace = Workspace(folder, cache=False)
    bundle = workspace.layers(_known(workspace, layers), merge_options(workspace, options))
    return [Blamed(leaf) for member in bundle.members for leaf in workspace.blame(member.tree).leaves]


def _known(workspace: Workspace, layers: Layer | Iterable[Layer]) -> list[str]:
    """The names of layers; those that are not files are made known to the workspace."""
    given = given_layers(layers)
    for layer in given:
        if layer.text is not None:
            workspace.project.sources[layer.name] = Source(layer.name, layer.text)
    return [layer.name for layer in given]


def edit(
    file: str,
    sets: Mapping[str, object] | None = None,
    *,
    unset: Iterable[str] = (),
    create: bool = False,
    dry_run: bool = False,
) -> str:
    """Change values of a file, by path, and nothing else in its text; the new text. A dry run writes nothing."""
    editor = Workspace(cache=False).editor
    pairs = [(path, from_plain(value)) for path, value in (sets or {}).items()]
    removed = list(unset)

    def change(source: Source) -> str:
        text = editor.set(source, pairs, create=create) if pairs else source.text
        return editor.unset(Source(source.name, text), removed) if removed else text

    return editor.change(str(file), change, dry=dry_run)[1]
