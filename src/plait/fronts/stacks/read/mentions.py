"""Whether a text may set certain values: a quick check that may give false positives, but no false negatives."""

from __future__ import annotations

import re

ESCAPED_KEY = re.compile(r'"[^"\n]*\\[^"\n]*"\s*:')
"""A key that is spelled with escapes: what it is cannot be seen in the text."""


class Mentions:
    """Values by their sections and keys, and whether a text may say something about one of them.

    It may say yes too often.
    """

    __slots__ = ("_hidden", "_keys")

    def __init__(self, paths: list[tuple[str, ...]]) -> None:
        self._keys = sorted({path[1] for path in paths})
        self._hidden = [
            re.compile(rf"""{re.escape(section)}["']?:\s*[!&*]""") for section in sorted({path[0] for path in paths})
        ]

    def found_in(self, text: str) -> bool:
        for key in self._keys:
            if key in text and re.search(rf"""{re.escape(key)}["']?\s*:""", text):
                return True
        return (
            "<<" in text or ESCAPED_KEY.search(text) is not None or any(hidden.search(text) for hidden in self._hidden)
        )
