"""Errors about paths that are not there."""

from __future__ import annotations

from plait.core.node import Scalar
from plait.core.path import Path, format_path
from plait.report.catalog import UNKNOWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError
    from plait.evaluate.nowhere import NotThere


def never_set(nowhere: NotThere, path: Path) -> PlaitError:
    """The error about a path that no layer ever had, with similar paths."""
    return UNKNOWN_PATH.error(path=format_path(path), hint=_hint(nowhere))


def unknown_path(nowhere: NotThere, path: Path) -> PlaitError:
    """The error about a path that a result does not have."""
    trouble, hint = nowhere.labelled().diagnostics[0], _hint(nowhere)
    return UNKNOWN_PATH.error(path=format_path(path), hint=hint, notes=(trouble.message,) if not hint else ())


def _hint(nowhere: NotThere) -> str:
    stop = format_path(nowhere.path[: nowhere.depth])
    if stop and isinstance(nowhere.node, Scalar):
        return f"`{stop}` is a scalar, and only mappings and lists have values inside; shorten the path"
    return nowhere.labelled().diagnostics[0].hint
