"""A URL as Go's `net/url` has it: fields and methods."""

from __future__ import annotations

from plait.core.urls import BadUrl, parameters, query_of
from plait.core.urls import url as read_url
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import methods
from plait.notations.gotemplate.values import MISSING, Object, Strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.core.urls import Login, Url


class UserInfo(Object):
    """Who asks, before the host of a URL; Go's nil pointer where nobody was written."""

    __slots__ = ("login",)
    go_type = "*url.Userinfo"
    go_kind = "ptr"

    def __init__(self, login: Login | None) -> None:
        self.login = login

    def __bool__(self) -> bool:
        return self.login is not None

    def go_string(self) -> str:
        return self.login.text if self.login else ""


_FIELDS: dict[str, Callable[[Url], Any]] = {
    "Scheme": lambda parts: parts.scheme,
    "Opaque": lambda parts: parts.opaque,
    "User": lambda parts: UserInfo(parts.login),
    "Host": lambda parts: parts.host,
    "Path": lambda parts: parts.path,
    "RawPath": lambda parts: parts.raw_path,
    "OmitHost": lambda parts: parts.bare,
    "ForceQuery": lambda parts: parts.asks,
    "RawQuery": lambda parts: parts.query,
    "Fragment": lambda parts: parts.fragment,
    "RawFragment": lambda parts: parts.raw_fragment,
}


class GoUrl(Object):
    """A URL in its parts."""

    __slots__ = ("parts",)
    go_type = "*url.URL"
    go_kind = "ptr"

    def __init__(self, parts: Url) -> None:
        self.parts = parts

    @classmethod
    def parsed(cls, text: str) -> GoUrl:
        try:
            return cls(read_url(text))
        except BadUrl as problem:
            raise CallError(str(problem)) from None

    def field(self, name: str) -> Any:
        return _FIELDS[name](self.parts) if name in _FIELDS else MISSING

    def go_string(self) -> str:
        return self.parts.text

    def query(self) -> UrlValues:
        return UrlValues({name: Strings(values) for name, values in parameters(self.parts.query).items()})


class UrlValues(Object):
    """The query of a URL: the values of each name."""

    __slots__ = ("values",)
    go_type = "url.Values"
    go_kind = "map"

    def __init__(self, values: dict[str, Strings]) -> None:
        self.values = values

    def field(self, name: str) -> Any:
        return self.values.get(name, Strings())

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        return iter(sorted(self.values.items()))

    def get(self, name: str) -> str:
        return str(self.values[name][0]) if self.values.get(name) else ""

    def encoded(self) -> str:
        return query_of(self.values)

    def go_string(self) -> str:
        shown = (f"{name}:[{' '.join(values)}]" for name, values in sorted(self.values.items()))
        return f"map[{' '.join(shown)}]"


UserInfo.methods = methods(
    ("Username", "func() string", "The name.", lambda user: user.login.name if user.login else ""),
    ("String", "func() string", "Name and password.", UserInfo.go_string),
)
GoUrl.methods = methods(
    ("Hostname", "func() string", "The host without its port.", lambda url: url.parts.hostname),
    ("Port", "func() string", "The port.", lambda url: url.parts.port),
    ("Query", "func() url.Values", "The query, by name.", GoUrl.query),
    ("String", "func() string", "The whole URL.", GoUrl.go_string),
    ("EscapedPath", "func() string", "The path with its escapes.", lambda url: url.parts.escaped_path),
    ("EscapedFragment", "func() string", "The fragment with its escapes.", lambda url: url.parts.escaped_fragment),
    ("IsAbs", "func() bool", "Whether it has a scheme.", lambda url: bool(url.parts.scheme)),
)
UrlValues.methods = methods(
    ("Get", "func(string) string", "The first value of a name.", UrlValues.get),
    ("Has", "func(string) bool", "Whether there is a name.", lambda values, name: name in values.values),
    ("Encode", "func() string", "The query as a text.", UrlValues.encoded),
)
