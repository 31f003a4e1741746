"""`path` and `filepath`: parts of paths and patterns for them. `filepath` is that of a system with slashes."""

from __future__ import annotations

from plait.core import slashes
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate.casts import text
from plait.notations.gotemplate.sprig import paths
from plait.notations.gotemplate.sprig.patterns import compiled
from plait.notations.gotemplate.values import Strings
from plait.regexp import quote_meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PATHS = FunctionGroup("gomplate paths", "gomplate: path and filepath")
function = PATHS.function


@function("path.Base filepath.Base", "func(interface {}) string", "The last element of a path.",
          '{{ path.Base "a/b.txt" }}', "b.txt")  # fmt: skip
def base(value: Any) -> str:
    return slashes.base(text(value))


@function("path.Clean filepath.Clean", "func(interface {}) string", "The shortest path that means the same.",
          '{{ path.Clean "a/../b//c/" }}', "b/c")  # fmt: skip
def clean(value: Any) -> str:
    return slashes.clean(text(value))


@function("path.Dir filepath.Dir", "func(interface {}) string", "A path without its last element.",
          '{{ path.Dir "a/b/c" }}', "a/b")  # fmt: skip
def directory(value: Any) -> str:
    return slashes.directory(text(value))


@function("path.Ext filepath.Ext", "func(interface {}) string", "The extension of a file name.",
          '{{ path.Ext "a.tar.gz" }}', ".gz")  # fmt: skip
def ext(value: Any) -> str:
    return paths.ext(text(value))


@function("path.IsAbs filepath.IsAbs", "func(interface {}) bool", "Whether a path begins at the root.",
          '{{ path.IsAbs "/a" }}', "true")  # fmt: skip
def is_abs(value: Any) -> bool:
    return paths.is_abs(text(value))


@function("path.Join filepath.Join", "func(...interface {}) string", "A path of its parts.",
          '{{ path.Join "a" 1 "../b" }}', "a/b")  # fmt: skip
def join(*parts: Any) -> str:
    joined = "/".join(part for part in map(text, parts) if part)
    return slashes.clean(joined) if joined else ""


@function("path.Split filepath.Split", "func(interface {}) []string", "The folder of a path, and the rest.",
          '{{ path.Split "/a/b.txt" }}', "[/a/ b.txt]")  # fmt: skip
def split(value: Any) -> Strings:
    folder, slash, name = text(value).rpartition("/")
    return Strings([folder + slash, name])


@function("filepath.FromSlash filepath.ToSlash", "func(interface {}) string", "The path, whose separator is a slash.",
          '{{ filepath.FromSlash "a/b" }}', "a/b")  # fmt: skip
def same(value: Any) -> str:
    return text(value)


@function("filepath.VolumeName", "func(interface {}) string", "Empty: there are no volumes.",
          '{{ filepath.VolumeName "a/b" }}', "")  # fmt: skip
def volume(value: Any) -> str:
    return ""


@function("filepath.Rel", "func(interface {}, interface {}) (string, error)", "The way from one path to another.",
          '{{ filepath.Rel "/a/b" "/a/c/d" }}', "../c/d")  # fmt: skip
def relative(start: Any, target: Any) -> str:
    before, after = slashes.clean(text(start)), slashes.clean(text(target))
    steps, wanted = ([part for part in path.split("/") if part not in ("", ".")] for path in (before, after))
    if before.startswith("/") != after.startswith("/"):
        raise CallError(f"Rel: can't make {text(target)} relative to {text(start)}")
    shared = 0
    while shared < min(len(steps), len(wanted)) and steps[shared] == wanted[shared]:
        shared += 1
    if ".." in steps[shared:]:
        raise CallError(f"Rel: can't make {text(target)} relative to {text(start)}")
    return "/".join([*[".."] * (len(steps) - shared), *wanted[shared:]]) or "."


@function("path.Match filepath.Match", "func(interface {}, interface {}) (bool, error)",
          "Whether a pattern with * ? [a-z] and \\ matches a whole name; no sign of it matches a slash.",
          '{{ path.Match "*.[ch]" "a.c" }} {{ path.Match "*" "a/b" }}', "true false", context=True)  # fmt: skip
def match(frame: Any, pattern: Any, value: Any) -> bool:
    return compiled(f"^(?s:{_as_regexp(text(pattern))})$").found_in(text(value), frame.meter)


def _as_regexp(pattern: str) -> str:
    """The regular expression of a pattern for names."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        if sign == "[":
            made, at = _class(pattern, at)
            out.append(made)
        elif sign in _SIGNS:
            out.append(_SIGNS[sign])
        else:
            at -= 1
            letter, at = _letter(pattern, at, "")
            out.append(quote_meta(letter))
    return "".join(out)


_SIGNS = {"*": "[^/]*", "?": "[^/]"}


def _letter(pattern: str, at: int, special: str) -> tuple[str, int]:
    """A letter of a pattern, perhaps after a backslash, and where the next begins."""
    if pattern[at : at + 1] == "\\":
        at += 1
    elif pattern[at : at + 1] in special and special:
        raise _bad()
    if at >= len(pattern):
        raise _bad()
    return pattern[at], at + 1


def _class(pattern: str, at: int) -> tuple[str, int]:
    """The letters between brackets."""
    negated = pattern.startswith("^", at)
    at += negated
    ranges: list[str] = []
    while not (ranges and pattern.startswith("]", at)):
        low, at = _letter(pattern, at, "-]")
        high = low
        if pattern.startswith("-", at):
            high, at = _letter(pattern, at + 1, "-]")
        if low <= high:
            ranges.append(f"\\x{{{ord(low):x}}}-\\x{{{ord(high):x}}}")
        else:
            ranges.append("")
    inside = "".join(ranges)
    if not inside:
        return ("[\\x00-\\x{10FFFF}]" if negated else "[^\\x00-\\x{10FFFF}]"), at + 1
    return f"[{'^' if negated else ''}{inside}]", at + 1


def _bad() -> CallError:
    return CallError("syntax error in pattern")
