"""Paths, URLs, and what the process knows: environment and host names."""

from __future__ import annotations

from plait.core.slashes import base, clean, directory
from plait.core.urls import BadUrl, Url, url
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.values import kind_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

PATHS = FunctionGroup("paths", "Paths, URLs, environment")
function = PATHS.function


function("base osBase", "func(string) string", "The last element of a path.", '{{ base "a/b.txt" }}', "b.txt")(base)
function("dir osDir", "func(string) string", "A path without its last element.", '{{ dir "a/b/c" }}', "a/b")(directory)
function("clean osClean", "func(string) string", "The shortest path that means the same.",
         '{{ clean "a/../b" }}', "b")(clean)  # fmt: skip


@function("ext osExt", "func(string) string", "The extension of a file name.", '{{ ext "a.tar.gz" }}', ".gz")
def ext(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


@function("isAbs osIsAbs", "func(string) bool", "Whether a path begins at the root.", '{{ isAbs "/a" }}', "true")
def is_abs(path: str) -> bool:
    return path.startswith("/")


# -- URLs


@function(
    "urlParse",
    "func(string) map[string]interface {}",
    "The parts of a URL.",
    '{{ (urlParse "https://h:80/p").host }}',
    "h:80",
)
def url_parse(text: str) -> dict[str, Any]:
    try:
        found = url(text)
    except BadUrl as problem:
        raise CallError(f"unable to parse url: {problem}") from None
    return {
        "scheme": found.scheme,
        "host": found.host,
        "hostname": found.hostname,
        "path": found.path,
        "query": found.query,
        "opaque": found.opaque,
        "fragment": found.fragment,
        "userinfo": found.login.text if found.login else "",
    }


@function("urlJoin", "func(map[string]interface {}) string", "A URL of its parts.",
          '{{ urlJoin (dict "scheme" "https" "host" "h" "path" "/p") }}', "https://h/p")  # fmt: skip
def url_join(parts: dict[str, Any]) -> str:
    scheme, host, path = (_part(parts, name) for name in ("scheme", "host", "path"))
    query, opaque, fragment = (_part(parts, name) for name in ("query", "opaque", "fragment"))
    out = Url(scheme, host, path, query, opaque, fragment)
    userinfo = _part(parts, "userinfo")
    try:
        out.login = url(f"proto://{userinfo}@host").login if userinfo else None
    except BadUrl as problem:
        raise CallError(f"unable to parse userinfo in dict: {problem}") from None
    return out.text


def _part(parts: dict[str, Any], name: str) -> str:
    value = parts.get(name, "")
    if value is None:
        raise CallError("runtime error: invalid memory address or nil pointer dereference")
    if not isinstance(value, str):
        raise CallError(f"unable to parse {name} key, must be of type string, but {kind_name(value)} found")
    return value


# -- the process


@function(
    "env",
    "func(string) string",
    "A variable of the environment.",
    '{{ env "SURELY_NOT_SET" | empty }}',
    "true",
    context=True,
)
def env(frame: Any, name: str) -> str:
    return str(frame.host.env(name))


@function("expandenv", "func(string) string", "A text with $NAME and ${NAME} replaced by the environment's values.",
          '{{ expandenv "a${SURELY_NOT_SET}b" }}', "ab", context=True)  # fmt: skip
def expandenv(frame: Any, text: str) -> str:
    return expanded(text, lambda name: str(frame.host.env(name)))


def expanded(text: str, variable: Callable[[str], str]) -> str:
    """A text whose $NAME and ${NAME} are replaced by variables."""
    import re

    def value(match: re.Match[str]) -> str:
        braced, plain, special = match.groups()
        if braced is not None:
            return variable(braced) if braced else ""
        return variable(plain or special)

    return re.sub(r"\$(?:\{([^}]*)\}|([A-Za-z0-9_]+)|([*#$@!?-]))", value, text)


@function("getHostByName", "func(string) string", "The address of a host name.", "", "", context=True)
def get_host_by_name(frame: Any, name: str) -> str:
    return str(frame.host.address_of(name))
