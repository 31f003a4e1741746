"""Errors about paths that are not there."""

from __future__ import annotations

from plait.core.path import Path, format_path
from plait.report.catalog import UNKNOWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError
    from plait.evaluate.engine import NotThere


def never_set(nowhere: NotThere, path: Path) -> PlaitError:
    """The error about a path that no layer ever had, with similar paths."""
    return UNKNOWN_PATH.error(path=format_path(path), hint=nowhere.labelled().diagnostics[0].hint)


def unknown_path(nowhere: NotThere, path: Path) -> PlaitError:
    """The error about a path that a result does not have."""
    trouble = nowhere.labelled().diagnostics[0]
    return UNKNOWN_PATH.error(
        path=format_path(path), hint=trouble.hint, notes=(trouble.message,) if not trouble.hint else ()
    )
