"""plait merges layered YAML files into one configuration and shows where every value comes from."""

from __future__ import annotations

from plait.version import __version__

__all__ = [
    "Created",
    "Diagnostic",
    "Document",
    "ListDocument",
    "PlaitError",
    "Regenerated",
    "ReportLine",
    "__version__",
    "blame",
    "create",
    "diff",
    "edit",
    "lint",
    "merge",
    "merge3",
    "open",
    "regenerate",
    "stacks",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.library import (
        Created,
        Document,
        ListDocument,
        Regenerated,
        ReportLine,
        blame,
        create,
        diff,
        edit,
        lint,
        merge,
        merge3,
        open,
        regenerate,
        stacks,
    )

_HOMES = {
    **dict.fromkeys(("Diagnostic", "PlaitError"), "plait.core.diagnostic"),
    **dict.fromkeys(
        (
            "Created", "Document", "ListDocument", "Regenerated", "ReportLine", "blame", "create", "diff", "edit",
            "lint", "merge",
            "merge3", "open", "regenerate", "stacks",
        ),
        "plait.library",
    ),
}  # fmt: skip


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    """The public names, loaded when they are used: the command line must not pay for the library."""
    if name not in _HOMES:
        raise AttributeError(f"module 'plait' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
