"""Path patterns as Atmos reads them: `*`, `**`, `?`, `[...]` and `{a,b}` over paths with `/`."""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNS = frozenset("*?[{")


def is_pattern(text: str) -> bool:
    return any(sign in text for sign in SIGNS)


def alternatives(pattern: str) -> list[str]:
    """The patterns that `{a,b}` stands for; without recursion, from the left."""
    done: list[str] = []
    todo = [pattern]
    while todo:
        text = todo.pop(0)
        start = text.find("{")
        end = text.find("}", start)
        if start < 0 or end < 0:
            done.append(text)
            continue
        todo += [text[:start] + word + text[end + 1 :] for word in text[start + 1 : end].split(",")]
    return done


def matcher(pattern: str) -> re.Pattern[str]:
    """One pattern as a regular expression for whole paths."""
    return re.compile("|".join(f"(?:{_translated(text)})" for text in alternatives(pattern)) + r"\Z")


_PIECES = re.compile(r"\*\*/|/\*\*(?=/|\Z)|\*\*|\*|\?|\[[^\]]*\]|[^*?\[/]+|.", re.DOTALL)
_MEANING = {"**/": "(?:[^/]+/)*", "/**": "(?:/.*)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _translated(pattern: str) -> str:
    out = []
    for piece in _PIECES.findall(pattern):
        if piece in _MEANING:
            out.append(_MEANING[piece])
        elif len(piece) > 2 and piece[0] == "[":
            inner = piece[1:-1]
            out.append("[" + ("^" + inner[1:] if inner[0] in "!^" else inner).replace("\\", "\\\\") + "]")
        else:
            out.append(re.escape(piece))
    return r"\A" + "".join(out) + r"\Z"


def files_below(folder: str) -> Iterator[str]:
    """The files below a folder, as paths from it with `/`, sorted."""
    stack = [""]
    while stack:
        inner = stack.pop()
        try:
            with os.scandir(os.path.join(folder, inner)) as found:
                entries = sorted(found, key=lambda entry: entry.name, reverse=True)
        except OSError:
            continue
        names = []
        for entry in entries:
            path = f"{inner}/{entry.name}" if inner else entry.name
            if entry.is_dir():
                stack.append(path)
            else:
                names.append(path)
        yield from reversed(names)


def matching(folder: str, pattern: str) -> list[str]:
    """The files below a folder that a pattern matches, sorted."""
    fixed = os.path.dirname(re.split(r"[*?\[{]", pattern, maxsplit=1)[0])
    rule = matcher(pattern)
    start = os.path.join(folder, fixed) if fixed else folder
    paths = (f"{fixed}/{path}" if fixed else path for path in files_below(start))
    return sorted(path for path in paths if rule.match(path))
