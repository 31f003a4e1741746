"""Remote sources: `git::https://host/repo//folder?ref=v1`, `https://host/file.yaml`, `https://host/x.tar.gz//folder`,
`s3::`, `file://`.

A source is fetched once in a run, however many imports name files of it, and kept in the user's cache folder with
its revision and the checksum of what came. A copy younger than `ttl` is used as it is; so is any copy when the
source cannot be reached, with a warning. A pinned commit is never fetched again. Nothing that a source holds can
reach a file outside its own folder.
"""

from __future__ import annotations

import os
from time import time

from plait.access.copies import checksum_of, own_text, private_folder, replace_private
from plait.access.door import Door
from plait.access.environment import cache_home
from plait.access.trouble import SIZE_LIMIT, missing, without_password
from plait.core.diagnostic import Diagnostic, Passing, without
from plait.core.struct import struct
from plait.core.urls import is_url
from plait.report.catalog import BAD_ADDRESS, CHECKSUM, FROM_CACHE, LEAVES
from plait.services.fetch import FETCHERS, LOCAL, WEB, Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.scope import Permit

FORMS = ("git::", "s3::", "gcs::", "http://", "https://", "file://", "github.com/", "gitlab.com/", "bitbucket.org/")
"""How a remote address begins."""
HOSTS = ("github.com/", "gitlab.com/", "bitbucket.org/")
ARCHIVES = ("tar.gz", "tgz", "tar.bz2", "tbz2", "tar.xz", "txz", "tar", "zip", "gz", "bz2", "xz")
"""What the names of archives end with; longer endings first. `access/archives.py` reads them."""
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


OURS = ("checksum", "archive")
"""Words after a `?` that are for us, not for the server."""


def is_remote(address: str) -> bool:
    return address.startswith(FORMS)


class RemoteAddress:
    """Where a source is (`kind`, `url`, `ref`), and which part of it is meant (`inner`).

    `secrets` in it are never shown.
    """

    __slots__ = ("archive", "checksum", "inner", "kind", "ref", "secrets", "text", "url")

    def __init__(self, text: str, secrets: Iterable[str] = ()) -> None:
        from urllib.parse import parse_qs

        self.text = text
        self.secrets = secrets
        body, _, query = text.partition("?")
        options = parse_qs(query, keep_blank_values=True)
        self.checksum = options.get("checksum", [""])[-1]
        kind, mark, rest = body.partition("::")
        forced = bool(mark)
        if not forced:
            kind, rest = "", body
        rest = _with_scheme(rest)
        url, self.inner = _split(rest)
        archive = kind_of(url)
        self.kind = kind or _guessed(url, bool(self.inner or "ref" in options) and not archive)
        self.ref = options.get("ref", [""])[-1] if self.kind == "git" else ""
        self.archive = "" if self.kind == "git" else options.get("archive", [archive])[-1]
        """What it has to be unpacked as, once it is here; empty for what is not an archive."""
        kept = "&".join(part for part in query.split("&") if part.partition("=")[0] not in OURS)
        self.url = url + (f"?{kept}" if kept and self.kind in ("http", "https") else "")
        self._check(forced)

    @property
    def what(self) -> str:
        return without(without_password(self.url), self.secrets)

    @property
    def source(self) -> tuple[str, str, str]:
        """What is fetched: two imports of one repository at one revision are one source."""
        return (self.kind, self.url, self.ref or self.archive)

    @property
    def packed(self) -> bool:
        """Whether it is to be unpacked."""
        return self.archive in ARCHIVES

    @property
    def pinned(self) -> bool:
        """Whether it can never change: a whole commit, or a checksum."""
        return bool(self.checksum) or (len(self.ref) == 40 and all(letter in "0123456789abcdef" for letter in self.ref))

    @property
    def local(self) -> str:
        """The path of a source that is on this machine; empty for any other."""
        path = self.url.removeprefix("file://")
        return os.path.abspath(path) if self._scheme in LOCAL else ""

    @property
    def capability(self) -> str:
        """What its kind declares; `files` for what is on this machine, whatever its kind."""
        return "files" if self._scheme in LOCAL else FETCHERS[self.kind].capability

    @property
    def wanted(self) -> Wanted:
        """What is to be fetched."""
        return Wanted(self.what, self.url, self.ref, self.inner, self.local, self.packed)

    @property
    def _scheme(self) -> str:
        scheme, mark, _ = self.url.partition("://")
        if mark:
            return scheme
        return "ssh" if ":" in self.url.partition("/")[0] else ""  # git reads `host:path` so

    def _check(self, forced: bool) -> None:
        if self.kind not in FETCHERS:
            known = ", ".join(f"{kind}::" for kind in FETCHERS)
            raise BAD_ADDRESS.error(
                address=without(without_password(self.text), self.secrets),
                why=f"`{self.kind}` is not a supported kind of source",
                hint=f"available: {known}",
            )
        if self._scheme not in FETCHERS[self.kind].schemes or "::" in self.url:
            known = ", ".join(f"{scheme}://" for scheme in FETCHERS[self.kind].schemes if scheme)
            raise BAD_ADDRESS.error(
                address=without(without_password(self.text), self.secrets),
                why=f"a source of the kind `{self.kind}` has no such address",
                hint=f"it begins with one of: {known}",
            )
        if self._scheme in WEB and not is_url(self.url):
            raise BAD_ADDRESS.error(
                address=without(without_password(self.text), self.secrets),
                why="it is no URL",
                hint="check its host, its port and what follows each %",
            )
        if self.ref.startswith("-") or self.url.startswith("-"):
            raise BAD_ADDRESS.error(
                address=without(without_password(self.text), self.secrets),
                why="it begins with `-`",
                hint="it could be read as an option; check the address",
            )
        if self.archive not in ("", "false", *ARCHIVES):
            known = ", ".join(ARCHIVES)
            raise BAD_ADDRESS.error(
                address=self.what,
                why=f"`{self.archive}` is not a kind of archive",
                hint=f"available: {known}, and `false`",
            )
        if ".." in self.inner.split("/"):
            raise LEAVES.error(path=self.inner, what=self.what, hint="name a folder inside it")


def _with_scheme(rest: str) -> str:
    """`github.com/org/repo` as people write it."""
    if rest.startswith(HOSTS):
        return f"https://{rest}"
    if rest.startswith("git@"):
        return "ssh://" + rest.replace(":", "/", 1)
    return rest


def _split(rest: str) -> tuple[str, str]:
    """The source and what follows `//` after its scheme."""
    scheme, mark, path = rest.partition("://")
    if not mark:
        scheme, path = "", rest
    head, double, inner = path.partition("//") if not path.startswith("/") else _split_rooted(path)
    return (f"{scheme}://{head}" if scheme else head), inner.strip("/") if double else ""


def _split_rooted(path: str) -> tuple[str, str, str]:
    head, double, inner = path[1:].partition("//")
    return "/" + head, double, inner


def kind_of(path: str) -> str:
    """The kind of archive that a name says it is; empty for none."""
    return next((kind for kind in ARCHIVES if path.endswith(f".{kind}")), "")


def _guessed(url: str, parts: bool) -> str:
    """The kind of an address that does not say it: hosts of repositories and `.git` are repositories."""
    scheme, _, rest = url.partition("://")
    if scheme == "ssh" or url.endswith(".git") or (rest.startswith(HOSTS) and (parts or rest.count("/") == 2)):
        return "git"
    return {"http": "http", "https": "http", "file": "file"}.get(scheme, scheme or "file")


@struct
class FetchedCopy:
    """What was fetched: its folder or file, and what is known of it."""

    path: str
    revision: str
    checksum: str
    fetched: float


class Remote:
    """The remote sources of one run."""

    def __init__(
        self,
        cache: str = "",
        *,
        limit: int = SIZE_LIMIT,
        now: Callable[[], float] = time,
        door: Door | None = None,
    ) -> None:
        self.cache = cache or os.path.join(cache_home(), "plait", "remote")
        self.door = door or Door()
        self.limit = limit
        self.now = now
        self.fetches = 0
        self.warnings: list[Diagnostic] = []
        self._copies: dict[tuple[str, str, str], FetchedCopy] = {}

    def file(self, address: RemoteAddress, permit: Permit, ttl: float | None = None) -> str:
        """The path of the file that an address means; fetched where it has to be."""
        copy = self.copy(address, permit, ttl)
        if os.path.isfile(copy.path):
            return copy.path
        return inside(copy.path, address.inner, address.what)

    def copy(self, address: RemoteAddress, permit: Permit, ttl: float | None = None) -> FetchedCopy:
        """The source of an address, fetched once in a run."""
        if address.source not in self._copies:
            self._copies[address.source] = self._current(address, permit, ttl)
        copy = self._copies[address.source]
        _check_sum(address, copy)
        return copy

    def _current(self, address: RemoteAddress, permit: Permit, ttl: float | None) -> FetchedCopy:
        folder = os.path.join(self.cache, _digest("\n".join(address.source).encode())[:32])
        kept = _kept(folder)
        if kept is not None and (address.pinned or (ttl is not None and self.now() - kept.fetched < ttl)):
            return kept
        try:
            self.fetches += 1
            return self._fetched(address, permit, folder)
        except Passing:
            if kept is None:
                raise
            hint = f"revision {kept.revision}" if kept.revision else ""
            self.warnings.append(FROM_CACHE(what=address.what, age=_age(self.now() - kept.fetched), hint=hint))
            return kept

    def _fetched(self, address: RemoteAddress, permit: Permit, folder: str) -> FetchedCopy:
        """Fetch beside the copy there is, and put it in place whole.

        A second process finds a copy that is as good as its own.
        """
        import json
        import shutil
        import tempfile

        private_folder(folder)
        fresh = tempfile.mkdtemp(prefix="new-", dir=folder)
        try:
            name, revision = FETCHERS[address.kind].fetch(address.wanted, fresh, self.limit, self.door, permit)
            checksum = checksum_of(os.path.join(fresh, name))
            _check_sum(address, FetchedCopy("", revision, checksum, 0))
            if address.packed:
                name = self._unpacked(address, fresh, name)
            place = os.path.join(folder, checksum[:16])
            if not os.path.exists(place):
                os.rename(fresh, place)
            record = {
                "name": f"{checksum[:16]}/{name}",
                "revision": revision,
                "checksum": checksum,
                "fetched": self.now(),
            }
            record["url"] = address.what
            replace_private(os.path.join(folder, "copy.json"), json.dumps(record))
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        return FetchedCopy(os.path.join(place, name), revision, checksum, self.now())

    def _unpacked(self, address: RemoteAddress, folder: str, name: str) -> str:
        """What an archive holds, in its place."""
        from plait.access.archives import unpack  # heavy, and most sources are not archives

        packed = os.path.join(folder, name)
        if os.path.isdir(packed):
            return name
        found = unpack(packed, address.archive, os.path.join(folder, "unpacked"), address.what, self.limit)
        os.unlink(packed)
        return os.path.relpath(found, folder)


def _kept(folder: str) -> FetchedCopy | None:
    """The copy in a folder of the cache; a damaged one is none."""
    import json

    try:
        record = json.loads(own_text(os.path.join(folder, "copy.json")))
        path = os.path.join(folder, record["name"])
        return (
            FetchedCopy(path, str(record["revision"]), str(record["checksum"]), float(record["fetched"]))
            if os.path.exists(path)
            else None
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def inside(folder: str, inner: str, what: str) -> str:
    """A path inside a fetched folder. Links and `..` that lead out of it are refused."""
    root = os.path.realpath(folder)
    full = os.path.realpath(os.path.join(root, inner))
    if full != root and not full.startswith(root + os.sep):
        raise LEAVES.error(path=inner, what=what, hint="a remote source cannot refer to files of this machine")
    if not os.path.exists(full):
        raise missing(what, inner)
    return full


def _check_sum(address: RemoteAddress, copy: FetchedCopy) -> None:
    kind, colon, wanted = address.checksum.partition(":")
    if colon and kind != "sha256":
        raise BAD_ADDRESS.error(
            address=address.what, why=f"`{kind}` is not a supported checksum", hint="use sha256:..."
        )
    wanted = wanted if colon else kind
    if wanted and wanted.lower() != copy.checksum:
        raise CHECKSUM.error(
            what=address.what,
            found=copy.checksum,
            notes=(f"expected {wanted}",),
            hint="find out what changed before you update the checksum",
        )


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _age(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s"


def seconds_of(ttl: str) -> float | None:
    """`90s`, `10m`, `1h`, `7d` as seconds; a bare number is seconds; None for what is not a duration."""
    text = ttl.strip()
    unit = SECONDS.get(text[-1:], 0)
    number = text[:-1] if unit else text
    try:
        return float(number) * (unit or 1)
    except ValueError:
        return None
