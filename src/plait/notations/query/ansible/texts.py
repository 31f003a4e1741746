"""Filters on texts: regular expressions, digests, comments, addresses, paths."""

from __future__ import annotations

import ntpath
import posixpath

from plait.regexp import Regexp, quote_meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter
    from plait.regexp import Match


# Regular expressions


def _pattern(meter: Meter, pattern: Any, ignorecase: bool, multiline: bool) -> Regexp:
    flags = ("i" if ignorecase else "") + ("m" if multiline else "")
    meter.step(len(str(pattern)) * 4)
    return Regexp(f"(?{flags}){pattern}" if flags else str(pattern))


def regex_replace(
    meter: Meter,
    value: Any,
    pattern: Any = "",
    replacement: Any = "",
    ignorecase: bool = False,
    multiline: bool = False,
    count: int = 0,
) -> str:
    pieces = _reference_pieces(str(replacement))
    compiled = _pattern(meter, pattern, ignorecase, multiline)
    for piece, is_text in pieces:
        if not is_text:
            _check_group(compiled.groups, piece)
    left = [count]

    def written(match: Match) -> str:
        left[0] -= 1
        if count and left[0] < 0:
            return match.whole()
        return "".join(piece if is_text else match.group(piece) for piece, is_text in pieces)

    return compiled.replace(str(value), written, meter)


def _reference_pieces(text: str) -> list[tuple[str, bool]]:
    """A replacement as Python reads it: texts, and the groups that `\\1` and `\\g<name>` refer to."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] != "\\" or not following:
            pieces.append((text[at], True))
            at += 1
        elif following.isdecimal():
            digits = following + (text[at + 2] if text[at + 2 : at + 3].isdecimal() else "")
            pieces.append((digits, False))
            at += 1 + len(digits)
        elif following == "g" and text[at + 2 : at + 3] == "<" and ">" in text[at:]:
            end = text.index(">", at)
            pieces.append((text[at + 3 : end], False))
            at = end + 1
        else:
            pieces.append((ESCAPES.get(following, text[at : at + 2]), True))
            at += 2
    return pieces


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
"""What a letter after a backslash stands for in a replacement."""


def _check_group(groups: list[str], name: str) -> None:
    if name not in groups and not (name.isdecimal() and int(name) <= len(groups)):
        raise ValueError(f"there is no group `{name}` in the pattern")


def regex_search(
    meter: Meter, value: Any, pattern: Any, *groups: Any, ignorecase: bool = False, multiline: bool = False
) -> object:
    names = [_reference_pieces(str(group)) for group in groups]
    if any(len(pieces) != 1 or pieces[0][1] for pieces in names):
        raise ValueError("regex_search: a group is written as '\\\\1' or '\\\\g<name>'")
    compiled = _pattern(meter, pattern, ignorecase, multiline)
    match = compiled.search(str(value), 0, meter)
    if match is None:
        return None
    for pieces in names:
        _check_group(compiled.groups, pieces[0][0])
    return [match.group(pieces[0][0]) for pieces in names] if names else match.whole()


def regex_findall(
    meter: Meter, value: Any, pattern: Any, multiline: bool = False, ignorecase: bool = False
) -> list[object]:
    """All matches; of a pattern with groups, those of each."""
    made: list[object] = []
    for match in _pattern(meter, pattern, ignorecase, multiline).matches(str(value), meter):
        groups = [match.group(str(number)) for number in range(1, len(match.spans))]
        made.append(match.whole() if not groups else groups[0] if len(groups) == 1 else groups)
    return made


def regex_escape(meter: Meter, value: Any, re_type: str = "python") -> str:
    if re_type not in ESCAPED:
        raise ValueError(f"regex_escape: `re_type` is {' or '.join(ESCAPED)}, not {re_type!r}")
    return ESCAPED[re_type](str(value))


ESCAPED: dict[str, Callable[[str], str]] = {
    "python": lambda text: "".join(f"\\{one}" if one in "#&-~ \t\n\r\v\f" else quote_meta(one) for one in text),
    "posix_basic": lambda text: "".join(f"\\{one}" if one in "].[^$*\\" else one for one in text),
}


def matches(meter: Meter, value: Any, pattern: Any = "", ignorecase: bool = False, multiline: bool = False) -> bool:
    match = _pattern(meter, pattern, ignorecase, multiline).search(str(value), 0, meter)
    return match is not None and match.start == 0


def searched(meter: Meter, value: Any, pattern: Any = "", ignorecase: bool = False, multiline: bool = False) -> bool:
    return _pattern(meter, pattern, ignorecase, multiline).found_in(str(value), meter)


# Digests


def hashed(meter: Meter, value: Any, hashtype: str = "sha1") -> str:
    from hashlib import new

    return new(hashtype, str(value).encode(), usedforsecurity=False).hexdigest()


def to_uuid(meter: Meter, value: Any, namespace: str = "361E6D51-FAEC-444A-9079-341386DA8E2E") -> str:
    from uuid import UUID, uuid5

    return str(uuid5(UUID(str(namespace)), str(value)))


# Addresses


def urldecode(meter: Meter, value: Any) -> str:
    from urllib.parse import unquote_plus

    return unquote_plus(str(value))


def urlsplit(meter: Meter, value: Any, query: str = "") -> object:
    """The parts of an address, or one of them."""
    from urllib.parse import urlsplit as split_url

    parts = split_url(str(value))
    found: dict[str, object] = {
        name: getattr(parts, name) for name in (*parts._fields, "username", "password", "hostname", "port")
    }
    if query and query not in found:
        raise ValueError(f"urlsplit: there is no part `{query}`; available: {', '.join(sorted(found))}")
    return found[query] if query else found


# Comments


STYLES: dict[str, dict[str, str]] = {
    "plain": {"decoration": "# "},
    "erlang": {"decoration": "% "},
    "c": {"decoration": "// "},
    "cblock": {"beginning": "/*", "decoration": " * ", "end": " */"},
    "xml": {"beginning": "<!--", "decoration": " - ", "end": "-->"},
}


def comment(meter: Meter, value: Any, style: str = "plain", **given: Any) -> str:
    """A text as a comment of a language."""
    if style not in STYLES:
        raise ValueError(f"comment: there is no style {style!r}; available: {', '.join(STYLES)}")
    chosen = {**STYLES[style], **given}
    decoration = str(chosen["decoration"])
    bare = decoration.rstrip()
    newline = str(chosen.get("newline", "\n"))
    before, after = str(chosen.get("prefix", bare)), str(chosen.get("postfix", bare))
    counts = int(chosen.get("prefix_count", 1)), int(chosen.get("postfix_count", 1))
    text = str(value)
    meter.make(
        len(text)
        + (text.count(newline) + 1) * len(decoration)
        + sum(counts) * (len(before) + len(after) + len(newline))
    )
    lines = (decoration + text.replace(newline, newline + decoration)).replace(decoration + newline, bare + newline)
    head = f"{chosen['beginning']}{newline}" if chosen.get("beginning") else ""
    first = ((before if before != newline else "") + newline) * counts[0] if before else ""
    last = newline.join(["", *[after] * counts[1]])
    return head + first + lines + last + (f"{newline}{chosen['end']}" if chosen.get("end") else "")


# Paths, as texts


def path_join(meter: Meter, value: Any) -> str:
    return posixpath.join(*map(str, value)) if isinstance(value, list) else str(value)


FILTERS: dict[str, Callable[..., object]] = {
    "regex_replace": regex_replace,
    "regex_search": regex_search,
    "regex_findall": regex_findall,
    "regex_escape": regex_escape,
    "hash": hashed,
    "md5": lambda meter, value: hashed(meter, value, "md5"),
    **dict.fromkeys(("sha1", "checksum"), hashed),
    "to_uuid": to_uuid,
    "urldecode": urldecode,
    "urlsplit": urlsplit,
    "comment": comment,
    "split": lambda meter, value, sep=None, maxsplit=-1: str(value).split(sep, maxsplit),
    "basename": lambda meter, value: posixpath.basename(value),
    "dirname": lambda meter, value: posixpath.dirname(value),
    "splitext": lambda meter, value: list(posixpath.splitext(value)),
    "normpath": lambda meter, value: posixpath.normpath(value),
    "commonpath": lambda meter, value: posixpath.commonpath(value),
    "path_join": path_join,
    "win_basename": lambda meter, value: ntpath.basename(value),
    "win_dirname": lambda meter, value: ntpath.dirname(value),
    "win_splitdrive": lambda meter, value: list(ntpath.splitdrive(value)),
}
TESTS: dict[str, Callable[..., bool]] = {"match": matches, "search": searched, "regex": searched}
