"""A URL as Go's `net/url` has it: fields and methods."""

from __future__ import annotations

from plait.notations.gotemplate.function import methods
from plait.notations.gotemplate.sprig.paths import url_join, url_parts
from plait.notations.gotemplate.values import MISSING, Object, Strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_FIELDS = {
    "Scheme": "scheme", "Opaque": "opaque", "User": "userinfo", "Host": "host", "Path": "path", "RawQuery": "query",
    "Fragment": "fragment",
}  # fmt: skip
"""The fields of a URL, each with the name that Sprig's `urlParse` has for it."""


class Url(Object):
    """A URL in its parts."""

    __slots__ = ("bare", "parts")
    go_type = "*url.URL"
    go_kind = "ptr"

    def __init__(self, parts: dict[str, Any], bare: bool) -> None:
        self.parts = parts
        self.bare = bare
        """Whether it was written without a place for a host, as in `file:/a`."""

    @classmethod
    def parsed(cls, text: str) -> Url:
        parts = url_parts(text)
        return cls(parts, not text.lower().startswith(f"{parts['scheme']}://"))

    def field(self, name: str) -> Any:
        return self.parts[_FIELDS[name]] if name in _FIELDS else MISSING

    def go_string(self) -> str:
        text = url_join(self.parts)
        scheme = self.parts["scheme"]
        return text.replace("://", ":", 1) if self.bare and scheme and text.startswith(f"{scheme}:///") else text

    def port(self) -> str:
        after = str(self.parts["host"]).rpartition("]")[2]
        return after.rpartition(":")[2] if ":" in after else ""

    def query(self) -> UrlValues:
        from urllib.parse import parse_qs

        found = parse_qs(self.parts["query"], keep_blank_values=True, errors="surrogateescape")
        return UrlValues({name: Strings(values) for name, values in found.items()})


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
        from urllib.parse import urlencode

        return urlencode(sorted(self.values.items()), doseq=True, errors="surrogateescape")

    def go_string(self) -> str:
        shown = (f"{name}:[{' '.join(values)}]" for name, values in sorted(self.values.items()))
        return f"map[{' '.join(shown)}]"


Url.methods = methods(
    ("Hostname", "func() string", "The host without its port.", lambda url: url.parts["hostname"]),
    ("Port", "func() string", "The port.", Url.port),
    ("Query", "func() url.Values", "The query, by name.", Url.query),
    ("String", "func() string", "The whole URL.", Url.go_string),
    ("IsAbs", "func() bool", "Whether it has a scheme.", lambda url: bool(url.parts["scheme"])),
)
UrlValues.methods = methods(
    ("Get", "func(string) string", "The first value of a name.", UrlValues.get),
    ("Has", "func(string) bool", "Whether there is a name.", lambda values, name: name in values.values),
    ("Encode", "func() string", "The query as a text.", UrlValues.encoded),
)
