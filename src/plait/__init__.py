"""plait merges layered YAML files into one configuration and shows where every value comes from."""

from __future__ import annotations

from plait.version import __version__

__all__ = [
    "Blamed",
    "Contribution",
    "Created",
    "Data",
    "DeployedTarget",
    "Diagnostic",
    "Difference",
    "Document",
    "DocumentList",
    "DocumentMap",
    "Explained",
    "Hop",
    "Label",
    "Layer",
    "Leaf",
    "ListDocument",
    "MergeConflict",
    "Merged3",
    "Origin",
    "Plain",
    "PlaitError",
    "Readable",
    "ReadingOptions",
    "Regenerated",
    "ReportLine",
    "ResultChange",
    "Stacks",
    "TargetFolder",
    "TidyProposal",
    "Value",
    "View",
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
    from plait.core.diagnostic import Diagnostic, Label, PlaitError
    from plait.core.source import Origin
    from plait.evaluate.explain import Contribution, Leaf
    from plait.evaluate.hops import Hop
    from plait.fronts.patterns.merge3 import MergeConflict, Merged3
    from plait.library import Created, Regenerated, ReportLine, Stacks, create, merge3, regenerate, stacks
    from plait.library.answers import Blamed, Difference, blame, diff, edit, lint
    from plait.library.data import Data, Value
    from plait.library.inputs import Layer, Plain, Readable
    from plait.library.merging import Document, Explained, ListDocument, ReadingOptions, merge
    from plait.library.repository import DeployedTarget, ResultChange, TargetFolder, TidyProposal, open
    from plait.library.views import DocumentList, DocumentMap, View

_NAMES = {
    "plait.core.diagnostic": ("Diagnostic", "Label", "PlaitError"),
    "plait.core.source": ("Origin",),
    "plait.evaluate.explain": ("Contribution", "Leaf"),
    "plait.evaluate.hops": ("Hop",),
    "plait.fronts.patterns.merge3": ("MergeConflict", "Merged3"),
    "plait.library": ("Created", "Regenerated", "ReportLine", "Stacks", "create", "merge3", "regenerate", "stacks"),
    "plait.library.answers": ("Blamed", "Difference", "blame", "diff", "edit", "lint"),
    "plait.library.data": ("Data", "Value"),
    "plait.library.inputs": ("Layer", "Plain", "Readable"),
    "plait.library.merging": ("Document", "Explained", "ListDocument", "ReadingOptions", "merge"),
    "plait.library.repository": ("DeployedTarget", "ResultChange", "TargetFolder", "TidyProposal", "open"),
    "plait.library.views": ("DocumentList", "DocumentMap", "View"),
}  # fmt: skip
"""The public names, by the module that has them."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    """The public names, loaded when they are used: the command line must not pay for the library."""
    if name not in _HOMES:
        raise AttributeError(f"module 'plait' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
