"""Which texts libyaml may read differently than YAML 1.2 says.

libyaml knows YAML 1.1. For nearly every text both versions mean the same, and a look at a few characters shows that.
The others are left to the careful reader. A text that is needlessly doubted is only read more slowly.
"""

from __future__ import annotations

import re

from yaml import YAMLError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BREAKS = ("\x85", "\u2028", "\u2029", "\ufeff")
"""Characters that end a line in YAML 1.1 only, and the byte order mark inside a text."""
_COMMENTS = ('"#', "'#", "[#", "]#", "{#", "}#", ",#")
"""A comment that touches what is before it."""
_DASHES = ("-,", "-[", "-]", "-{", "-}")
"""Perhaps a dash alone, between brackets."""


class Ambiguous(YAMLError):
    """libyaml is not used for this text, or its result is discarded."""


class _Patterns:
    """Made for the first text that needs one of them."""

    def __init__(self) -> None:
        begins = r"(?<![^ \n\[{,:].)"  # after the sign, because a pattern that begins with a letter is searched quickly
        self.tab = re.compile(r"\t(?:(?<=[-?:,\[{|>\n].)|(?<![^\n].)|(?<= .)|(?=[^\w \n]))")
        self.dash = re.compile(r"-(?<=[\[{, \n].)(?=[,\[\]{}])")
        self.question = re.compile(r"\?(?<![^ \n\[{,\"'\]}].)(?:[^ \n]|\s+:)")
        self.name = re.compile(rf"[&*]{begins}(?![A-Za-z0-9_-]*(?:[ \n,\]}}](?!\s*:[^ \n])|\Z))")
        self.tag = re.compile(rf"!{begins}(?![A-Za-z0-9_.:/!-]*(?:[ \n](?!\s*:[^ \n])|\Z))")


class Ambiguity:
    """Looks at texts and events. One for each run of the reader, so that patterns are made when they are needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    def check_text(self) -> None:
        """Whatever can be seen without reading: `Ambiguous` where YAML 1.1 and 1.2 may differ."""
        text = self.text
        if "\r" in text:
            plain = text.replace("\r\n", "\n")
            if "\r" in plain:
                raise Ambiguous
            text = plain
        if text.startswith("%") or "\n%" in text or text[-1:] == " ":
            raise Ambiguous
        if not text.isascii() and any(sign in text for sign in _BREAKS):
            raise Ambiguous
        if "#" in text and any(words in text for words in _COMMENTS):
            raise Ambiguous
        self._check_words(text)

    def _check_words(self, text: str) -> None:
        wanted = [
            name
            for name, signs in (("tab", "\t"), ("question", "?"), ("tag", "!"), ("name", "&"), ("name", "*"))
            if signs in text
        ]
        if any(words in text for words in _DASHES):
            wanted.append("dash")
        if wanted:
            patterns = _Patterns()
            if any(getattr(patterns, name).search(text) for name in wanted):
                raise Ambiguous

    def check_scalar(self, event: Any, level: int) -> None:
        """A text in quotes, or a block: its lines are indented by rules that libyaml does not hold it to."""
        style = event.style
        if style in "\"'":
            if event.start_mark.line != event.end_mark.line:
                raise Ambiguous
        elif event.start_mark.line < 0:
            return  # by the careful reader
        elif level == 0 or event.tag is not None or event.anchor is not None:
            raise Ambiguous
        else:
            self._check_block(event.start_mark.index)

    def _check_block(self, at: int) -> None:
        text = self.text
        end = text.find("\n", at)
        header, before = text[at:end], text[text.rfind("\n", 0, at) + 1 : at]
        if end == -1 or "#" in header or not before.strip(" ") or text[end + 1 : end + 2] in ("\n", "\r"):
            raise Ambiguous
        line = text[end + 1 : text.find("\n", end + 1)]
        if not line.strip(" \r"):
            raise Ambiguous
