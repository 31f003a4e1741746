"""Path patterns as Atmos reads them: `*`, `**`, `?`, `[...]` and `{a,b}` over paths with `/`."""

from __future__ import annotations

import os
import re

from plait.fronts.project import Project
from plait.regexp import BadPattern, Regexp, quote_meta

SIGNS = frozenset("*?[{")


def is_pattern(text: str) -> bool:
    return any(sign in text for sign in SIGNS)


class Glob:
    """One pattern for whole paths."""

    __slots__ = ("_rule",)

    def __init__(self, pattern: str) -> None:
        self._rule = Regexp(rf"\A(?:{_pieces(pattern)})\z")

    def match(self, path: str) -> bool:
        return self._rule.found_in(path)


def matcher(pattern: str) -> Glob:
    """A pattern, ready to be compared with paths."""
    try:
        return Glob(pattern)
    except BadPattern:  # far too long to be a path
        return Glob("")


_PIECES = re.compile(r"(?:\*\*/)+|/\*\*(?=/|\Z)|\*\*|\*|\?|\[[^\]]*\]|\{[^{}]*\}|[^*?\[/{]+|.", re.DOTALL)
_MEANING = {"**/": "(?:[^/]+/)*", "/**": "(?:/.*)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _pieces(pattern: str) -> str:
    """The pattern as a regular expression."""
    out = []
    for piece in _PIECES.findall(pattern):
        if piece[:3] in _MEANING:
            out.append(_MEANING[piece[:3]])
        elif len(piece) > 2 and piece[0] == "[":
            out.append(_letters(piece[1:-1]))
        elif len(piece) > 2 and piece[0] == "{":
            out.append(f"(?:{'|'.join(map(_pieces, piece[1:-1].split(',')))})")
        else:
            out.append(quote_meta(piece))
    return "".join(out)


def _letters(inner: str) -> str:
    """A class of letters; one that makes no sense (`[z-a]`) stands for itself."""
    made = "[" + ("^" + inner[1:] if inner[0] in "!^" else inner).replace("\\", "\\\\").replace("[", "\\[") + "]"
    try:
        Regexp(made)
    except BadPattern:
        return quote_meta(f"[{inner}]")
    return made


def matching(project: Project, folder: str, pattern: str) -> list[str]:
    """The files below a folder that a pattern matches, sorted."""
    fixed = os.path.dirname(re.split(r"[*?\[{]", pattern, maxsplit=1)[0])
    rule = matcher(pattern)
    start = os.path.join(folder, fixed) if fixed else folder
    paths = (f"{fixed}/{path}" if fixed else path for path in project.files_below(start))
    return sorted(path for path in paths if rule.match(path))
