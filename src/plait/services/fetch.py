"""How each kind of remote source is fetched into an empty folder: one function each, in a table.

A fetcher gives the name of what it fetched inside the folder (`.` for the folder itself) and its revision. The table says which
capability each kind needs; a kind whose sources may lie on this machine needs `files` for those outside the project.
"""

from __future__ import annotations

import os

from plait.access.copies import copy_tree, write_private
from plait.access.environment import variable
from plait.access.git import git_in_own
from plait.access.trouble import MEGABYTE, missing, refused, unreachable
from plait.core.diagnostic import PlaitError
from plait.report.catalog import BAD_ADDRESS, NO_REF, TOO_BIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.access.door import Door
    from plait.services.remote import Address


def _git(address: Address, folder: str, limit: int, door: Door) -> tuple[str, str]:
    """One revision of a repository, without its history."""
    if address.local:
        door.check_inside(address.local)
    root = os.path.join(folder, "tree")
    _run(address, folder, "init", "-q", root)
    wanted = address.ref or "HEAD"
    try:
        _run(address, root, "fetch", "-q", "--depth=1", "--no-tags", "--", address.local or address.url, wanted)
    except _NoRef:
        raise NO_REF.error(what=address.what, ref=wanted, hint=_refs(address, root)) from None
    _run(address, root, "checkout", "-q", "--detach", "FETCH_HEAD")
    return "tree", _run(address, root, "rev-parse", "HEAD").strip()


class _NoRef(Exception):
    """The repository answers, but has no such revision."""


def _run(address: Address, folder: str, *words: str) -> str:
    try:
        done = git_in_own(words, folder)
    except PlaitError as error:
        raise unreachable(address.what, error.diagnostics[0].message.rpartition(": ")[2]) from None
    if done.status:
        raise _meaning(address, done.why)
    return done.text


def _meaning(address: Address, said: str) -> Exception:
    """What git's complaint means. Its exit status is the same for everything, so its words have to do."""
    lines = [line for line in said.splitlines() if line.startswith(("fatal:", "error:", "remote:"))] or [said.strip()]
    why = lines[0].partition(":")[2].strip() or lines[0]
    why = why.replace(address.local or address.url, address.what)
    if "couldn't find remote ref" in said or "not our ref" in said:
        return _NoRef()
    if "Authentication failed" in said or "could not read Username" in said or "Permission denied" in said:
        return refused(address.what, why)
    if "does not appear to be a git repository" in said or "not found" in said.lower():
        return PlaitError(*unreachable(address.what, why, "is it a repository, and is its address right?").diagnostics)
    return unreachable(address.what, why)


def _refs(address: Address, root: str) -> str:
    """Branches and tags like the one that is not there."""
    from plait.report.near import did_you_mean

    try:
        listed = _run(address, root, "ls-remote", "--heads", "--tags", "--", address.local or address.url)
    except (PlaitError, _NoRef):
        return ""
    names = [line.split("/", 2)[2].removesuffix("^{}") for line in listed.splitlines() if line.count("/") >= 2]
    some = ", ".join(dict.fromkeys(names[:8]))
    return did_you_mean(address.ref, names) or (f"there are: {some}" if some else "it has no branches")


def _http(address: Address, folder: str, limit: int, door: Door) -> tuple[str, str]:
    from plait.access.http import get

    if address.inner and not address.packed:
        hint = "begin with git:: if it is one; `?archive=zip` says that it is an archive"
        raise BAD_ADDRESS.error(address=address.what, why="`//` needs a repository or an archive before it", hint=hint)
    return _written(folder, address.url, get(address.url, what=address.what, limit=limit))


def _s3(address: Address, folder: str, limit: int, door: Door) -> tuple[str, str]:
    """`s3::https://s3.amazonaws.com/bucket/key`, `https://bucket.s3.REGION.amazonaws.com/key`, or of a server of one's own."""
    from urllib.parse import urlsplit

    from plait.services.aws import asked, session_client

    parts = urlsplit(address.url)
    path = "/".join(filter(None, (parts.path.strip("/"), address.inner if not address.packed else "")))
    host = parts.hostname or ""
    amazon = host.endswith(".amazonaws.com")
    own = host.split(".s3")[0] if amazon and ".s3" in host else ""
    bucket, key = (own, path) if own else path.partition("/")[::2]
    if not bucket or not key:
        raise BAD_ADDRESS.error(
            address=address.what, why="it names no bucket and key", hint="s3::https://s3.amazonaws.com/BUCKET/KEY"
        )
    server = session_client("s3", {}, address.what, "" if amazon else f"{parts.scheme}://{parts.netloc}")
    answer = asked(
        address.what, lambda: server.get_object(Bucket=bucket, Key=key), ("NoSuchKey", "NoSuchBucket", "404")
    )
    if answer is None:
        raise missing(address.what, key)
    body: bytes = asked(address.what, lambda: answer["Body"].read(limit + 1))
    if len(body) > limit:
        raise TOO_BIG.error(what=address.what, limit=f"{limit // MEGABYTE} MB", hint="--max-size raises it")
    return _written(folder, key, body, str(answer.get("ETag", "")).strip('"'))


def _gcs(address: Address, folder: str, limit: int, door: Door) -> tuple[str, str]:
    """`gcs::https://www.googleapis.com/storage/v1/BUCKET/KEY`."""
    from urllib.parse import quote, urlsplit

    from plait.access.http import get
    from plait.services.tokens import google_token

    inner = address.inner if not address.packed else ""
    path = "/".join(filter(None, (urlsplit(address.url).path.strip("/").removeprefix("storage/v1/"), inner)))
    bucket, _, key = path.partition("/")
    emulator = variable("STORAGE_EMULATOR_HOST")
    base = emulator or "https://storage.googleapis.com"
    headers = {} if emulator else {"Authorization": f"Bearer {google_token('', address.what, door)}"}
    body = get(
        f"{base}/storage/v1/b/{quote(bucket, safe='')}/o/{quote(key, safe='')}?alt=media",
        headers,
        what=address.what,
        limit=limit,
    )
    return _written(folder, key, body)


def _file(address: Address, folder: str, limit: int, door: Door) -> tuple[str, str]:
    """A file or folder of this machine, copied; links stay links."""
    if door.is_folder(address.local):
        copy_tree(door, address.local, os.path.join(folder, "tree"), address.what, limit)
        return "tree", ""
    if not door.exists(address.local):
        raise missing("this machine", address.local)
    return _written(folder, address.local, door.read(address.local, limit))


def extensions(url: str) -> list[str]:
    """What the name of a file ends with, as `.yaml` and `.tmpl`: that says what it is. The name itself is nobody's business."""
    name = os.path.basename(url.partition("?")[0].rstrip("/"))
    return [f".{part}" for part in name.split(".")[1:][-2:] if part.isalnum() and len(part) <= 8]


def _written(folder: str, url: str, body: bytes, revision: str = "") -> tuple[str, str]:
    name = "file" + "".join(extensions(url))
    write_private(os.path.join(folder, name), body)
    return name, revision


class Fetcher:
    """A kind of source: what it needs to be allowed, how its addresses begin, and the function that fetches."""

    __slots__ = ("capability", "fetch", "schemes")

    def __init__(
        self, capability: str, schemes: tuple[str, ...], fetch: Callable[[Address, str, int, Door], tuple[str, str]]
    ) -> None:
        self.capability = capability
        self.schemes = schemes
        self.fetch = fetch


WEB = ("http", "https")
FETCHERS: dict[str, Fetcher] = {
    "git": Fetcher("network", (*WEB, "ssh", "git", "file", ""), _git),
    "http": Fetcher("network", WEB, _http),
    "https": Fetcher("network", WEB, _http),
    "s3": Fetcher("network", WEB, _s3),
    "gcs": Fetcher("network", WEB, _gcs),
    "file": Fetcher("files", ("file", ""), _file),
}
LOCAL = ("file", "")
"""Schemes of sources that lie on this machine: whatever their kind, they need `files` where they are outside the project."""
