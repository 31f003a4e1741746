"""The native reader, where it was built and is wanted: `PLAIT_NATIVE=0` turns it off."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Columns = tuple[list[int], list[int], list[str | None], dict[int, tuple[str | None, str | None]]]

__all__ = ["build", "ends_at", "in_use", "is_word", "scan"]

scan: Callable[[str, int], list[Columns] | None] | None = None
"""The columns of each document of a text; None for a text that the Python reader has to read."""
build: Callable[..., list[Any]] | None = None
"""The nodes of a document, for `build` alone."""
is_word: Callable[[str], bool] | None = None
ends_at: Callable[[str, int], bool] | None = None
"""For `words` and `written`, which say what they mean."""

if os.environ.get("PLAIT_NATIVE") != "0":
    try:
        from plait._native import build, ends_at, is_word, prepare, scan
    except ImportError:  # not built, or built from older sources
        pass
    else:
        from plait.core.node import Mapping, Scalar, Sequence

        prepare(Scalar, Sequence, Mapping)


def in_use() -> str:
    """Which reader is in use, as `plait version --verbose` shows it."""
    if scan is not None:
        return "native"
    return (
        "Python (PLAIT_NATIVE=0)" if os.environ.get("PLAIT_NATIVE") == "0" else "Python (the native one was not built)"
    )
