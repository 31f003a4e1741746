"""The native module, where it was built and is wanted: `PLAIT_NATIVE=0` turns it off."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.node import Node

    Columns = tuple[list[int], list[int], list[str | None], dict[int, tuple[str | None, str | None]]]

scan: Callable[[str, int], list[Columns] | None] | None = None
"""The columns of each document of a text; None for a text that the Python reader has to read."""
places: Callable[[str, int], list[tuple[Any, ...]] | None] | None = None
"""The same, each with where everything is, as compact columns: for `layout` alone."""
build: Callable[..., list[Any]] | None = None
"""The nodes of a document, for `build` alone."""
cut: Callable[..., list[str | None]] | None = None
"""The texts of some steps, for `program` alone."""
is_word: Callable[[str], bool] | None = None
ends_at: Callable[[str, int], bool] | None = None
"""For `words` and `written`, which say what they mean."""
known_texts: Callable[..., list[str]] | None = None
"""For `texts`, which says what it means."""
union: Callable[..., tuple[dict[Any, Any], dict[Any, list[Any]]]] | None = None
"""For `merging.combine`, which says what it means."""
reference: Callable[[str, int, int], tuple[int, tuple[str, ...], bool] | None] | None = None
"""For `notations.dynaml.parse`, which says what it means."""
merge: Callable[..., tuple[Node, list[Any]] | None] | None = None
"""For `merging.combine`, too: the merge of maps that say nothing about how they are merged."""
soon_equal: Callable[[Node | None, Node | None, int], bool] | None = None
unlike: Callable[[dict[Any, Node], dict[Any, Node], int], list[Any]] | None = None
"""For `alike`, which says what they mean."""
differing: Callable[..., list[tuple[str, int, int]] | None] | None = None
"""The fields in which two maps differ by what is written, with the steps of their values (-1: not there); None where
that cannot be told. For `yaml.build` alone."""
spans: Callable[..., dict[str, tuple[int, int]] | None] | None = None
"""For `outline`, which says what it means."""
split_map: Callable[..., str | None] | None = None
"""For the pages of stacks, which say what they mean."""
emit: Callable[..., None] | None = None
"""The lines of a container, for `emit` alone."""
written: Callable[..., tuple[list[Node], int] | None] | None = None
plain_rows: Callable[..., tuple[int, int, tuple[Any, Node, list[Node]] | None]] | None = None
"""For `merging.account` and `merging.runs`, which say what they mean."""
origins: Callable[..., list[str]] | None = None
"""For `places`, which says what it means."""
longest: Callable[[str, list[int]], int | None] | None = None
beside: Callable[[str, list[int], list[str], int, str], str | None] | None = None
"""For `report.margin`, which says what they mean."""
large_pages: Callable[[], None] | None = None
"""Keep all objects that are made from now on in large pages of memory: for a process that is plait and nothing else.
Where the system has none, nothing changes."""

INTERFACE = 16
"""What the two sides call of each other, as a number: a module that was built from older sources is not used."""

if os.environ.get("PLAIT_NATIVE") != "0":
    try:
        import plait._native as _native
        from plait._native import INTERFACE as BUILT
    except ImportError:
        pass
    else:
        if BUILT == INTERFACE:
            from plait.core.node import ListNode, MapNode, Scalar

            _native.prepare(Scalar, ListNode, MapNode)
            scan, build, is_word, ends_at = _native.scan, _native.build, _native.is_word, _native.ends_at
            known_texts, places, emit = _native.known_texts, _native.places, _native.emit
            cut, union, merge = _native.cut, _native.union, _native.merge
            spans, split_map, reference = _native.spans, _native.split_map, _native.reference
            written, plain_rows, origins = _native.written, _native.plain_rows, _native.origins
            longest, beside = _native.longest, _native.beside
            soon_equal, unlike, differing = _native.soon_equal, _native.unlike, _native.differing
            large_pages = _native.large_pages


def in_use() -> str:
    """Which reader is in use, as `plait version --verbose` shows it."""
    if scan is not None:
        return "native"
    return (
        "Python (PLAIT_NATIVE=0)" if os.environ.get("PLAIT_NATIVE") == "0" else "Python (the native one was not built)"
    )
