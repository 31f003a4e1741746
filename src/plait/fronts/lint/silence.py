"""Which findings are wanted: `--select`, `--ignore`, and comments such as `# plait: ignore PL2301` on a line."""

from __future__ import annotations

import re

from plait.core.diagnostic import Diagnostic, Label
from plait.core.source import Source
from plait.report.catalog import BAD_OPTION, CATALOG, UNCHECKED_CODES, UNUSED_IGNORE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_COMMENT = re.compile(r"#[ \t]*plait:[ \t]*ignore(?P<codes>(?:[ \t,]+PL\d+)*)")
SEPARATORS = re.compile(r"[ ,]+")


class CodeSelection:
    """The codes that are wanted, and those that are not; a beginning such as PL23 stands for all that begin so."""

    def __init__(self, select: Iterable[str] = (), ignore: Iterable[str] = ()) -> None:
        self.select = _codes(select)
        self.ignore = _codes(ignore)

    def wants(self, code: str) -> bool:
        """Return whether a finding with this code is shown. What was not checked is hidden only by `--ignore`."""
        chosen = not self.select or code in UNCHECKED_CODES or any(code.startswith(one) for one in self.select)
        return chosen and not any(code.startswith(one) for one in self.ignore)


def _codes(words: Iterable[str]) -> tuple[str, ...]:
    codes = tuple(code for word in words for code in SEPARATORS.split(word) if code)
    for code in codes:
        if not any(known.startswith(code) for known in CATALOG):
            group = [known for known in CATALOG if known[:4] == code[:4]]  # other numbers mean something else
            raise BAD_OPTION.error(why=f"unknown code `{code}`", hint=did_you_mean(code, group))
    return codes


def kept(diagnostics: list[Diagnostic], sources: Iterable[Source], choice: CodeSelection) -> list[Diagnostic]:
    """The findings that no comment silences, and the comments that silence nothing."""
    comments = {(source.name, line): (source, at, codes) for source in sources for line, at, codes in _comments(source)}
    if not comments:
        return diagnostics
    used: set[tuple[str, int]] = set()
    left = [one for one in diagnostics if not _silenced(one, comments, used)]
    if choice.wants(UNUSED_IGNORE.code):
        left += [
            UNUSED_IGNORE(Label.at(source, at), hint="remove the comment")
            for place, (source, at, _) in comments.items()
            if place not in used
        ]
    return left


def _silenced(
    one: Diagnostic, comments: dict[tuple[str, int], tuple[Source, int, tuple[str, ...]]], used: set[tuple[str, int]]
) -> bool:
    """Whether a comment on the line of one of its places, or on the line above, names its code."""
    for label in one.labels:
        for line in (label.origin.line, label.origin.line - 1):
            place = (label.origin.file, line)
            if place in comments and (not comments[place][2] or one.code in comments[place][2]):
                used.add(place)
                return True
    return False


def _comments(source: Source) -> Iterable[tuple[int, int, tuple[str, ...]]]:
    if "plait:" not in source.text:
        return
    for found in _COMMENT.finditer(source.text):
        yield source.position(found.start())[0], found.start(), tuple(re.findall(r"PL\d+", found["codes"]))
