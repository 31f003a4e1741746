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
    if isinstance(nowhere.node, Scalar):
        return no_values_inside(nowhere.path[: nowhere.depth])
    return nowhere.labelled().diagnostics[0].hint


def no_values_inside(path: Path) -> str:
    """What to say where a path goes on from a scalar."""
    stop = f"`{format_path(path)}`" if path else "the document"
    return f"{stop} is a scalar, and only mappings and lists have values inside; shorten the path"
