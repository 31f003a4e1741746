"""Paths, URLs, and what the process knows: environment and host names."""

from __future__ import annotations

from plait.notations.gotemplate.casts import to_text
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PATHS = FunctionGroup("paths", "Paths, URLs, environment")
function = PATHS.function


@function("base osBase", "func(string) string", "The last element of a path.", '{{ base "a/b.txt" }}', "b.txt")
def base(path: str) -> str:
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


@function("dir osDir", "func(string) string", "A path without its last element.", '{{ dir "a/b/c" }}', "a/b")
def directory(path: str) -> str:
    return clean(path[: path.rfind("/") + 1])


@function("clean osClean", "func(string) string", "The shortest path that means the same.", '{{ clean "a/../b" }}', "b")
def clean(path: str) -> str:
    rooted = path.startswith("/")
    out: list[str] = []
    for part in path.split("/"):
        if part == ".." and out and out[-1] != "..":
            out.pop()
        elif part not in ("", ".") and not (part == ".." and rooted):
            out.append(part)
    return ("/" if rooted else "") + "/".join(out) or "."


@function("ext osExt", "func(string) string", "The extension of a file name.", '{{ ext "a.tar.gz" }}', ".gz")
def ext(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


@function("isAbs osIsAbs", "func(string) bool", "Whether a path begins at the root.", '{{ isAbs "/a" }}', "true")
def is_abs(path: str) -> bool:
    return path.startswith("/")


# -- URLs

_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")

_SAFE = "/:@!$&'()*+,;=-._~"


def _scheme(url: str) -> tuple[str, str]:
    """The scheme of a URL, and the rest."""
    for at, sign in enumerate(url):
        if sign == ":":
            if at == 0:
                raise CallError("missing protocol scheme")
            return url[:at], url[at + 1 :]
        if sign not in _SCHEME or (at == 0 and not sign.isalpha()):
            break
    return "", url


def _unescaped(text: str) -> str:
    """Percent escapes resolved; an escape that is none is an error."""
    from urllib.parse import unquote

    at = text.find("%")
    while at >= 0:
        digits = text[at + 1 : at + 3]
        if len(digits) < 2 or not all(c in "0123456789abcdefABCDEF" for c in digits):
            raise CallError(f"invalid URL escape {quote(text[at : at + 3])}")
        at = text.find("%", at + 1)
    return unquote(text, errors="surrogateescape")


def _authority(text: str) -> tuple[str, str]:
    """User information and host of a URL."""
    user, found, host = text.rpartition("@")
    port = host.rpartition(":")[2] if ":" in host.rpartition("]")[2] else ""
    if port and not port.isdecimal():
        raise CallError(f'invalid port "{":" + port}" after host')
    if " " in host:
        raise CallError('invalid character " " in host name')
    return (user if found else ""), _unescaped(host)


def url_parts(url: str) -> dict[str, Any]:
    if any(c < " " or c == "\x7f" for c in url):
        raise CallError("net/url: invalid control character in URL")
    rest, _, fragment = url.partition("#")
    scheme, rest = _scheme(rest)
    rest, _, query = rest.partition("?")
    out = {"scheme": scheme.lower(), "host": "", "hostname": "", "path": "", "query": query, "opaque": "",
           "fragment": _unescaped(fragment), "userinfo": ""}  # fmt: skip
    if scheme and not rest.startswith("/"):
        return {**out, "opaque": rest}
    if not scheme and ":" in rest.partition("/")[0] and not rest.startswith("/"):
        raise CallError("first path segment in URL cannot contain colon")
    path = rest
    if rest.startswith("//") and (scheme or not rest.startswith("///")):
        authority, slash, path = rest[2:].partition("/")
        out["userinfo"], out["host"] = _authority(authority)
        path = slash + path
    out["path"] = _unescaped(path)
    out["hostname"] = _hostname(out["host"])
    return out


def _hostname(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host


@function(
    "urlParse",
    "func(string) map[string]interface {}",
    "The parts of a URL.",
    '{{ (urlParse "https://h:80/p").host }}',
    "h:80",
)
def url_parse(url: str) -> dict[str, Any]:
    try:
        return url_parts(url)
    except CallError as problem:
        raise CallError(f"unable to parse url: parse {quote(url)}: {problem}") from None


@function("urlJoin", "func(map[string]interface {}) string", "A URL of its parts.",
          '{{ urlJoin (dict "scheme" "https" "host" "h" "path" "/p") }}', "https://h/p")  # fmt: skip
def url_join(parts: dict[str, Any]) -> str:
    from urllib.parse import quote as escape

    get = {
        name: to_text(parts.get(name) or "")
        for name in ("scheme", "host", "path", "query", "opaque", "fragment", "userinfo")
    }
    out = f"{get['scheme']}:" if get["scheme"] else ""
    if get["opaque"]:
        out += get["opaque"]
    else:
        out += _joined_authority(get, escape(get["path"], safe=_SAFE))
    if get["query"]:
        out += f"?{get['query']}"
    fragment = escape(get["fragment"], safe=_SAFE + "?")
    return f"{out}#{fragment}" if fragment else out


def _joined_authority(get: dict[str, str], path: str) -> str:
    if not (get["scheme"] or get["host"] or get["userinfo"]):
        return path
    user = f"{get['userinfo']}@" if get["userinfo"] else ""
    authority = f"//{user}{get['host']}" if get["host"] or user or path.startswith("//") else ""
    return authority + ("/" if path and not path.startswith("/") and get["host"] else "") + path


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
