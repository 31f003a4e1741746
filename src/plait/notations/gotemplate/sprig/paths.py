"""Paths, URLs, and what the process knows: environment and host names."""

from __future__ import annotations

import re

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

_IN_PATH, _IN_FRAGMENT, _IN_USER, _IN_HOST = "$&+,/:;=@", "$&+,/:;=?@!()*", "$&+,;=", "!$&'()*+,;=:[]<>\""
"""What each part of a URL holds as it is, besides letters, digits and `-._~`."""
_ODD_IN_HOST = re.compile(r"%[0-9a-fA-F]{0,2}|[\x00-\x20#/?@\\^`{|}]")
_DECIMAL = re.compile("[0-9]+")
_USER = re.compile("[-A-Za-z0-9._:~!$&'()*+,;=%@]*")


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


def _escaped(text: str, safe: str) -> str:
    from urllib.parse import quote as escape

    return escape(text, safe=safe, errors="surrogateescape")


def _host(text: str) -> str:
    """The host of a URL. Only what is not ASCII may be escaped in it; the zone of an address may hold more."""
    end = text.rfind("]") if text.startswith("[") else text.find(":", text.rfind(":"))
    if end < 0 and text.startswith("["):
        raise CallError("missing ']' in host")
    port = text[end + 1 if text.startswith("[") else end :] if end >= 0 else ""
    if port and not (port[0] == ":" and (port == ":" or _DECIMAL.fullmatch(port, 1))):
        raise CallError(f"invalid port {quote(port)} after host")
    zone = text.find("%25", 0, end) if text.startswith("[") else -1
    if zone < 0:
        return _of_host(text)
    return _of_host(text[:zone]) + _unescaped(text[zone:end]) + _of_host(text[end:])


def _of_host(text: str) -> str:
    for found in _ODD_IN_HOST.finditer(text):
        if found[0][0] != "%":
            raise CallError(f"invalid character {quote(found[0])} in host name")
        if found[0] != "%25" and (len(found[0]) < 3 or found[0][1] < "8"):
            raise CallError(f"invalid URL escape {quote(text[found.start() :][:3])}")
    return _unescaped(text)


def _authority(text: str) -> tuple[str, str]:
    """User information and host of a URL."""
    user, found, host = text.rpartition("@")
    host = _host(host)
    if not found:
        return "", host
    if not _USER.fullmatch(user):
        raise CallError("net/url: invalid userinfo")
    name, colon, password = user.partition(":")
    return _escaped(_unescaped(name), _IN_USER) + colon + _escaped(_unescaped(password), _IN_USER), host


def url_parts(url: str) -> dict[str, Any]:
    """The parts of a URL. An error names the URL up to what is wrong."""
    before, _, fragment = url.partition("#")
    try:
        parts = _before_fragment(before)
    except CallError as problem:
        raise CallError(f"parse {quote(before)}: {problem}") from None
    try:
        return {**parts, "fragment": _unescaped(fragment)}
    except CallError as problem:
        raise CallError(f"parse {quote(url)}: {problem}") from None


def _before_fragment(url: str) -> dict[str, Any]:
    if any(c < " " or c == "\x7f" for c in url):
        raise CallError("net/url: invalid control character in URL")
    scheme, rest = _scheme(url)
    rest, _, query = rest.partition("?")
    out = {"scheme": scheme.lower(), "host": "", "hostname": "", "path": "", "query": query, "opaque": "",
           "fragment": "", "userinfo": ""}  # fmt: skip
    if scheme and not rest.startswith("/"):
        return {**out, "opaque": rest}
    if not scheme and ":" in rest.partition("/")[0]:
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
        raise CallError(f"unable to parse url: {problem}") from None


@function("urlJoin", "func(map[string]interface {}) string", "A URL of its parts.",
          '{{ urlJoin (dict "scheme" "https" "host" "h" "path" "/p") }}', "https://h/p")  # fmt: skip
def url_join(parts: dict[str, Any]) -> str:
    get = {
        name: to_text(parts.get(name) or "")
        for name in ("scheme", "host", "path", "query", "opaque", "fragment", "userinfo")
    }
    out = f"{get['scheme']}:" if get["scheme"] else ""
    if get["userinfo"]:
        try:
            get["userinfo"] = url_parts(f"proto://{get['userinfo']}@host")["userinfo"]
        except CallError as problem:
            raise CallError(f"unable to parse userinfo in dict: {problem}") from None
    out += get["opaque"] or _joined_authority(get)
    if get["query"]:
        out += f"?{get['query']}"
    return f"{out}#{_escaped(get['fragment'], _IN_FRAGMENT)}" if get["fragment"] else out


def _joined_authority(get: dict[str, str]) -> str:
    path = "*" if get["path"] == "*" else _escaped(get["path"], _IN_PATH)
    if not (get["scheme"] or get["host"] or get["userinfo"]):
        return f"./{path}" if ":" in path.partition("/")[0] else path
    user = f"{get['userinfo']}@" if get["userinfo"] else ""
    authority = f"//{user}{_escaped(get['host'], _IN_HOST)}" if get["host"] or user or path else ""
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
