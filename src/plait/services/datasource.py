"""Data sources of templates: the text at a `file:`, `env:` or `http(s):` URL, and what kind of text it is.

datasources:
  regions: {url: ./regions.yaml}
  user:    {url: "env:USER"}
  ip:      {url: https://api.example.org/ip, headers: {Accept: [application/json]}}
"""

from __future__ import annotations

import os

from plait.access.door import Door
from plait.core.urls import is_url, parameters
from plait.core.urls import url as read_url
from plait.report.catalog import BAD_SOURCE
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plait.core.scope import Permit

KINDS = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".env": "env"}
TYPES = {"application/json": "json", "application/yaml": "yaml", "text/yaml": "yaml", "application/x-env": "env"}


class DataSource:
    """One declared source."""

    __slots__ = ("door", "folder", "headers", "name", "parts", "url")

    def __init__(
        self,
        name: str,
        url: str,
        headers: Mapping[str, object] | None = None,
        folder: str = ".",
        door: Door | None = None,
    ) -> None:
        self.door = door
        self.name = name
        self.url = url
        self.headers = headers or {}
        self.folder = folder
        if not url:
            raise BAD_SOURCE.error(name=name, why="has no url", hint="see templates.settings.gomplate.datasources")
        if not is_url(url):
            hint = "check its host, its port and what follows each %"
            raise BAD_SOURCE.error(name=name, why="has a `url` that is none", hint=hint)
        self.parts = read_url(url)
        if self.parts.scheme not in SCHEMES:
            known = ", ".join(filter(None, SCHEMES))
            raise BAD_SOURCE.error(
                name=name, why=f"has the unsupported scheme `{self.parts.scheme}`", hint=f"supported: {known}"
            )

    @property
    def capability(self) -> str:
        """What reading it needs to be allowed; a file is checked by where it is."""
        return {"http": "network", "https": "network", "env": "env"}.get(self.parts.scheme, "")

    def file(self, arguments: tuple[str, ...] = ()) -> str:
        """The path of a source that is a file."""
        return os.path.normpath(os.path.join(self.folder, self.parts.host, self._path, *arguments))

    @property
    def _path(self) -> str:
        return self.parts.path or self.parts.opaque

    def read(self, permit: Permit, arguments: tuple[str, ...] = ()) -> str:
        return SCHEMES[self.parts.scheme](self, permit, arguments)

    def kind(self, arguments: tuple[str, ...] = ()) -> str:
        """What the text is: `json`, `yaml`, `env`, or plain `text`."""
        asked = parameters(self.parts.query).get("type", [""])[-1]
        last = arguments[-1] if arguments else self._path
        return TYPES.get(asked) or KINDS.get(os.path.splitext(last)[1]) or self._promised() or "text"

    def _promised(self) -> str | None:
        """The kind that the headers ask for."""
        wanted = self.headers.get("Accept") or self.headers.get("accept")
        first = wanted[0] if isinstance(wanted, list) and wanted else wanted
        return TYPES.get(str(first))


def _env(source: DataSource, permit: Permit, arguments: tuple[str, ...]) -> str:
    name = (source.parts.opaque or source.parts.path or source.parts.host).strip("/")
    default = parameters(source.parts.query).get("default")
    found = permit.variable(name)
    found = default[-1] if found is None and default else found
    if found is None:
        raise BAD_SOURCE.error(name=source.name, why=f"reads the environment variable `{name}`, which is not set")
    return found


def _http(source: DataSource, permit: Permit, arguments: tuple[str, ...]) -> str:
    headers = {
        name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in source.headers.items()
    }
    base = source.url.partition("#")[0].partition("?")[0]
    url = "/".join([base.rstrip("/"), *arguments]) if arguments else base
    body = permit.get(
        url + (f"?{source.parts.query}" if source.parts.query else ""), headers, what=f"the data source `{source.name}`"
    )
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise BAD_SOURCE.error(name=source.name, why="is not text") from None


def _file(source: DataSource, permit: Permit, arguments: tuple[str, ...]) -> str:
    return read_source(source.file(arguments), door=source.door).text


SCHEMES: dict[str, Callable[[DataSource, Permit, tuple[str, ...]], str]] = {
    "": _file,
    "file": _file,
    "env": _env,
    "http": _http,
    "https": _http,
}
