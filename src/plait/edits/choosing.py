"""The place that the user means: a file, a line of it, a layer, or where the value is defined."""

from __future__ import annotations

import os

from plait.core.path import format_path
from plait.report.catalog import AMBIGUOUS_PLACE, NO_PLACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import DocumentId, Target

NARROWEST, WHERE_DEFINED = "narrowest", "where-defined"
HINT = "--at takes FILE, FILE:LINE, a layer, narrowest or where-defined"


def chosen(sites: list[WrittenPlace], at: str, path: Path, folder: str) -> WrittenPlace:
    """The one place that a word of `--at` means. Of several in a file, the one that decides the value."""
    layered = [site for site in sites if at in site.layers]
    found = layered or [site for site in sites if _is_at(at, site, folder)]
    deciding = [site for site in found if site.decides]
    if not layered and len(found) > 1 and deciding:
        found = deciding
    if not found:
        raise NO_PLACE.error(path=format_path(path), at=at, notes=_rows(sites), hint=HINT)
    if len(found) > 1:
        raise AMBIGUOUS_PLACE.error(at=at, count=len(found), notes=_rows(found), hint="write FILE:LINE")
    return found[0]


def written_at(target: Target, document: DocumentId, path: Path, at: str) -> Node:
    """What is written about a value at one place."""
    sites = [site for site in target.places(document, path) if site.written is not None]
    site = sites[0] if at == NARROWEST and sites else chosen(sites, at, path, target.declaration.folder)
    assert site.written is not None
    return site.written


def _rows(sites: Iterable[WrittenPlace]) -> tuple[str, ...]:
    return tuple(f"{site.where}    {site.layer}    {site.about}" for site in sites)


def _is_at(at: str, site: WrittenPlace, folder: str) -> bool:
    """Whether a place is where the value is defined, or in a file that is named, by its path or the end of it."""
    if at == WHERE_DEFINED:
        return site.decides
    names = (site.file, os.path.relpath(site.path, folder), os.path.relpath(site.path), site.path)
    name, _, line = at.rpartition(":")
    wanted = name if name and line == str(site.line) else at
    return any(known == wanted or known.endswith(f"/{wanted}") for known in names)
