"""What a Terraform file declares: its `variable` and `output` blocks, with their attributes as they are written.

Only the outline of a file is read: blocks, labels and attributes. Expressions are skipped, not understood, so a file
that Terraform would refuse may be read here.
"""

from __future__ import annotations

import re

from plait.core.struct import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_GAP = re.compile(r"(?:\s+|#[^\n]*|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_HEREDOC = re.compile(r"<<-?([A-Za-z_]\w*)[^\n]*\n")
_SKIP = re.compile(r"#[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL)
OPEN, CLOSE = "{[(", "}])"
KINDS = ("variable", "output")


@struct
class Declared:
    """A variable or an output: where it is declared, and its attributes as they are written."""

    kind: str
    name: str
    at: int
    """The offset of its name."""
    attributes: dict[str, str]
    places: dict[str, int]
    """The offset of each attribute."""

    @property
    def required(self) -> bool:
        return "default" not in self.attributes

    @property
    def sensitive(self) -> bool:
        return self.attributes.get("sensitive") == "true"

    @property
    def type(self) -> str:
        """The type of a variable without spaces; empty where it has none."""
        return re.sub(r"\s+", "", self.attributes.get("type", "")).strip('"')

    @property
    def description(self) -> str:
        """The description, if it is a plain text or a heredoc."""
        written = self.attributes.get("description", "")
        heredoc = _HEREDOC.match(written)
        if heredoc is not None:
            return " ".join(written[heredoc.end() :].split()[:-1])
        found = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', written, re.DOTALL)
        return re.sub(r"\\(.)", r"\1", found[1]) if found is not None else ""


def declarations(text: str) -> Iterator[Declared]:
    """The variables and outputs that a file declares, in its order."""
    at = 0
    while (found := _next_name(text, at)) is not None:
        labels, after = _labels(text, found.end())
        if text[after : after + 1] != "{":
            at = _end_of_line(text, after)
            continue
        end = _matching(text, after)
        if found.group() in KINDS and len(labels) == 1:
            name, place = labels[0]
            found_in = list(_attributes(text, after + 1, end - 1))
            attributes = {attribute: value for attribute, value, _ in found_in}
            places = {attribute: start for attribute, _, start in found_in}
            yield Declared(found.group(), name, place, attributes, places)
        at = end


def _next_name(text: str, at: int) -> re.Match[str] | None:
    """The next word at which a block or an attribute begins."""
    while at < len(text):
        gap = _GAP.match(text, at)
        at = gap.end() if gap is not None else at
        found = _NAME.match(text, at)
        if found is not None:
            return found
        at = _past(text, at) if at < len(text) else at
    return None


def _labels(text: str, at: int) -> tuple[list[tuple[str, int]], int]:
    """The labels after the word of a block, each with its offset, and where they end."""
    labels: list[tuple[str, int]] = []
    while True:
        gap = _GAP.match(text, at)
        at = gap.end() if gap is not None else at
        if text[at : at + 1] != '"':
            return labels, at
        end = _past(text, at)
        labels.append((text[at + 1 : end - 1], at + 1))
        at = end


def _attributes(text: str, at: int, end: int) -> Iterator[tuple[str, str, int]]:
    """The attributes of a block, each with the text of its value and where it begins; blocks inside are skipped."""
    while (found := _next_name(text, at)) is not None and found.start() < end:
        _, after = _labels(text, found.end())
        if text[after : after + 1] == "=":
            stop = min(_end_of_line(text, after + 1), end)
            yield found.group(), _without_comments(text[after + 1 : stop]).strip(), found.start()
            at = stop
        else:
            at = _matching(text, after) if text[after : after + 1] == "{" else _end_of_line(text, after)


def _without_comments(text: str) -> str:
    """An expression without its comments; what looks like one inside a text stays."""
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = _past(text, at)
        if not (text[at] in "#/" and end > at + 1):
            pieces.append(text[at:end])
        at = end
    return "".join(pieces)


def _end_of_line(text: str, at: int) -> int:
    """The end of the line on which an expression ends: brackets, texts and heredocs may take several."""
    while at < len(text) and text[at] != "\n":
        at = _matching(text, at) if text[at] in OPEN else _past(text, at)
    return min(at + 1, len(text))


def _matching(text: str, at: int) -> int:
    """The offset after the bracket that closes the one at a place; the end of the text where none does."""
    depth = 0
    while at < len(text):
        if text[at] in OPEN:
            depth += 1
        elif text[at] in CLOSE:
            depth -= 1
            if depth <= 0:
                return at + 1
        at = _past(text, at)
    return at


def _past(text: str, at: int) -> int:
    """The offset after what begins at a place: a text, a heredoc, a comment, or one character."""
    sign = text[at]
    if sign == '"':
        return _past_text(text, at + 1)
    if sign == "<" and (found := _HEREDOC.match(text, at)) is not None:
        end = re.compile(rf"^[ \t]*{re.escape(found[1])}[ \t]*$", re.MULTILINE).search(text, found.end())
        return end.end() if end is not None else len(text)
    if sign in "#/" and (found := _SKIP.match(text, at)) is not None:
        return found.end()
    return at + 1


def _past_text(text: str, at: int) -> int:
    """The offset after a quoted text. `${...}` in it may have texts of its own, and so on."""
    braces = [0]
    """Of each text that is open, how many braces are open in it: none where its letters are."""
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
        elif sign == '"' and braces[-1]:
            braces.append(0)
        elif sign == '"':
            braces.pop()
            if not braces:
                return at + 1
        elif braces[-1]:
            braces[-1] += (sign == "{") - (sign == "}")
        elif text.startswith(("${", "%{"), at):
            braces[-1] = 1
            at += 1
        at += 1
    return len(text)
