"""URLs in their parts, as Go's net/url reads and writes them: what is refused, what percent escapes mean where, and
which text a URL has. Texts are Go's: see `quoting.py` for bytes that are not UTF-8."""

from __future__ import annotations

from plait.core.lazy import LazyPattern
from plait.core.quoting import from_bytes, quote, to_bytes
from plait.core.struct import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PATH, _FRAGMENT, _USER, _HOST = "$&+,/:;=@", "$&+,/:;=?@!()*", "$&+,;=", "!$&'()*+,;=:[]<>\""
"""What each part of a URL holds as it is, besides letters, digits and `-._~`."""

_SCHEME = LazyPattern("([A-Za-z][-A-Za-z0-9+.]*):")
_CONTROL = LazyPattern("[\x00-\x1f\x7f]")
_PORT = LazyPattern(r":[0-9]*\Z")
_LOGIN = LazyPattern(r"[-A-Za-z0-9._:~!$&'()*+,;=%@]*\Z")
_ESCAPE = LazyPattern("%[0-9A-Fa-f]{2}")
_BAD_ESCAPE = LazyPattern("%(?![0-9A-Fa-f]{2})")
_NOT_OF_HOSTS = LazyPattern(r"""[\x00-\x7f](?<![-._~A-Za-z0-9!$&'()*+,;=:\[\]<>"])""")
_PLAIN_PATH = LazyPattern(r"[-._~A-Za-z0-9!$&'()*+,;=:@%/\[\]]*\Z")
_PLAIN_FRAGMENT = LazyPattern(r"[-._~A-Za-z0-9!$&'()*+,;=:@%/?\[\]]*\Z")


class BadUrl(ValueError):
    """A text that is no URL, in Go's words."""


@struct
class Login:
    """Who asks, before the host of a URL. The password is None where no colon was written."""

    name: str
    password: str | None

    @property
    def text(self) -> str:
        return _escaped(self.name, _USER) + ("" if self.password is None else f":{_escaped(self.password, _USER)}")


@struct
class Url:
    """A URL, with the percent escapes resolved in all parts but `opaque` and `query`."""

    scheme: str = ""
    host: str = ""
    """With the port."""
    path: str = ""
    query: str = ""
    opaque: str = ""
    """What follows a scheme without a slash: `a@b` of `mailto:a@b`."""
    fragment: str = ""
    login: Login | None = None
    raw_path: str = ""
    """The path as it was written, where that is not how it would be escaped."""
    raw_fragment: str = ""
    bare: bool = False
    """Whether it was written without a place for a host, as `file:/a`."""
    asks: bool = False
    """Whether a `?` was written with nothing behind it."""

    @property
    def hostname(self) -> str:
        """The host without its port and without the brackets of an address."""
        name = self._host_and_port[0]
        return name[1:-1] if name.startswith("[") and name.endswith("]") else name

    @property
    def port(self) -> str:
        return self._host_and_port[1]

    @property
    def _host_and_port(self) -> tuple[str, str]:
        name, colon, port = self.host.rpartition(":")
        return (name, port) if colon and _PORT.match(f":{port}") else (self.host, "")

    @property
    def text(self) -> str:
        """The whole URL. Escapes that were written and are right stay as they were."""
        out = f"{self.scheme}:" if self.scheme else ""
        out += self.opaque or self._authority() + self._path_in_text()
        if self.asks or self.query:
            out += f"?{self.query}"
        return f"{out}#{self.escaped_fragment}" if self.fragment else out

    def _authority(self) -> str:
        if not (self.host or self.login or (self.scheme and self.path and not self.bare)):
            return ""
        return "//" + (f"{self.login.text}@" if self.login else "") + _escaped(self.host, _HOST)

    def _path_in_text(self) -> str:
        path = self.escaped_path
        if self.host:
            return path if path[:1] in ("", "/") else f"/{path}"
        is_first = not (self.scheme or self.login)
        return f"./{path}" if is_first and ":" in path.partition("/")[0] else path

    @property
    def escaped_path(self) -> str:
        if self.raw_path and _PLAIN_PATH.match(self.raw_path):
            return self.raw_path
        return _escaped(self.path, _PATH) if self.path != "*" else "*"

    @property
    def escaped_fragment(self) -> str:
        written = self.raw_fragment
        return written if written and _PLAIN_FRAGMENT.match(written) else _escaped(self.fragment, _FRAGMENT)


def url(text: str) -> Url:
    """The parts of a URL, which may be one that is relative to another. BadUrl names it up to what is wrong."""
    before, _, fragment = text.partition("#")
    try:
        found = _before_fragment(before)
    except BadUrl as problem:
        raise BadUrl(f"parse {quote(before)}: {problem}") from None
    try:
        found.fragment, found.raw_fragment = _resolved(fragment, _FRAGMENT)
    except BadUrl as problem:
        raise BadUrl(f"parse {quote(text)}: {problem}") from None
    return found


def is_url(text: str) -> bool:
    """Whether a text is a URL. Where one may hold a password this is asked, for a fault shows parts of the text."""
    try:
        url(text)
    except BadUrl:
        return False
    return True


def _before_fragment(text: str) -> Url:
    if _CONTROL.search(text):
        raise BadUrl("net/url: invalid control character in URL")
    if text == "*":
        return Url(path="*")
    if text.startswith(":"):
        raise BadUrl("missing protocol scheme")
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest, mark, query = text[match.end() if match else 0 :].partition("?")
    found = Url(scheme, query=query, asks=bool(mark) and not query)
    if scheme and not rest.startswith("/"):
        found.opaque = rest
        return found
    if not scheme and ":" in rest.partition("/")[0]:
        raise BadUrl("first path segment in URL cannot contain colon")
    path = rest
    if rest.startswith("//") and (scheme or not rest.startswith("///")):
        authority, slash, path = rest[2:].partition("/")
        login, at, host = authority.rpartition("@")
        found.host = _host(host)
        found.login = _login(login) if at else None
        path = slash + path
    else:
        found.bare = bool(scheme)
    found.path, found.raw_path = _resolved(path, _PATH)
    return found


def _login(text: str) -> Login:
    if not _LOGIN.match(text):
        raise BadUrl("net/url: invalid userinfo")
    name, colon, password = text.partition(":")
    return Login(_unescaped(name), _unescaped(password) if colon else None)


def _host(text: str) -> str:
    """The host of a URL. Escapes stand in it only for what is not ASCII; the zone of an address may have others."""
    is_address = text.startswith("[")
    end = text.rfind("]") if is_address else text.rfind(":")
    if is_address and end < 0:
        raise BadUrl("missing ']' in host")
    port = text[end + is_address :] if end >= 0 else ""
    if port and not _PORT.match(port):
        raise BadUrl(f"invalid port {quote(port)} after host")
    zone = text.find("%25", 0, end) if is_address else -1
    if zone < 0:
        return _name(text, False)
    return _name(text[:zone], False) + _name(text[zone:end], True) + _name(text[end:], False)


def _name(text: str, is_zone: bool) -> str:
    """A part of a host. What a host may hold as it is, a zone may not hold escaped; blanks are the other way round."""
    for found in _NOT_OF_HOSTS.compiled().finditer(text):
        if found[0] != "%":
            raise BadUrl(f"invalid character {quote(found[0])} in host name")
        match = _ESCAPE.match(text, found.start())
        sign = chr(int(match[0][1:], 16)) if match else ""
        if is_zone:
            fits = sign in ("%", " ") or (sign and sign.isascii() and not _NOT_OF_HOSTS.match(sign))
        else:
            fits = sign == "%" or (sign and not sign.isascii())
        if not fits:
            raise _bad_escape(text, found.start())
    return _unescaped(text)


def _bad_escape(text: str, at: int) -> BadUrl:
    return BadUrl(f"invalid URL escape {quote(from_bytes(to_bytes(text[at : at + 3])[:3]))}")


def _unescaped(text: str) -> str:
    """A text with its percent escapes resolved; an escape that is none is an error."""
    if "%" not in text:
        return text
    bad = _BAD_ESCAPE.search(text)
    if bad:
        raise _bad_escape(text, bad.start())
    from urllib.parse import unquote_to_bytes

    return from_bytes(unquote_to_bytes(to_bytes(text)))


def _resolved(text: str, safe: str) -> tuple[str, str]:
    """A text with its escapes resolved; and the text itself, where it would be escaped in another way."""
    plain = _unescaped(text)
    return plain, "" if _escaped(plain, safe) == text else text


def _escaped(text: str, safe: str) -> str:
    from urllib.parse import quote_from_bytes

    return quote_from_bytes(to_bytes(text), safe)


def escaped_for_query(text: str) -> str:
    """A text as it stands in a query: blanks are plus signs."""
    return _escaped(text, " ").replace(" ", "+")


def parameters(query: str) -> dict[str, list[str]]:
    """The values of each name of a query. What cannot be read is left out, as are pieces with a semicolon."""
    found: dict[str, list[str]] = {}
    for piece in query.split("&"):
        if not piece or ";" in piece or _BAD_ESCAPE.search(piece):
            continue
        name, _, value = (_unescaped(part) for part in piece.replace("+", " ").partition("="))
        found.setdefault(name, []).append(value)
    return found


def query_of(values: Mapping[str, Iterable[str]]) -> str:
    """The query that has these values, by name."""
    pairs = ((name, value) for name, found in sorted(values.items()) for value in found)
    return "&".join(f"{escaped_for_query(name)}={escaped_for_query(value)}" for name, value in pairs)
