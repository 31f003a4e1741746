"""How each kind of remote source is fetched into an empty folder: one function each, in a table.

A fetcher gives the name of what it fetched inside the folder (`.` for the folder itself) and its revision. The table
says which capability each kind needs; a kind whose sources may be on this machine needs `files` for those outside
the project.
"""

from __future__ import annotations

import os

from plait.access.copies import copy_tree, write_private
from plait.access.objects import SIZES, too_much
from plait.access.trouble import MEGABYTE, missing, refused, unreachable
from plait.core.diagnostic import Fault
from plait.core.struct import struct
from plait.report.catalog import BAD_ADDRESS, BAD_ARCHIVE, NO_REF, TOO_BIG
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.access.door import Door
    from plait.core.scope import Permit


@struct
class Wanted:
    """What is to be fetched, as an address describes it."""

    what: str
    """Its address as messages show it."""
    url: str
    ref: str
    inner: str
    """The part of it that is meant: what follows `//`."""
    local: str
    """The path of a source on this machine; empty for others."""
    packed: bool
    """Whether it is an archive that will be unpacked."""


def _git(wanted: Wanted, folder: str, limit: int, door: Door, permit: Permit) -> tuple[str, str]:
    """One revision of a repository, without its history."""
    if wanted.local:
        door.check_repository(wanted.local)
    root = os.path.join(folder, "tree")
    _run(permit, wanted, folder, "init", "-q", root)
    ref = wanted.ref or "HEAD"
    try:
        _run(permit, wanted, root, "fetch", "-q", "--depth=1", "--no-tags", "--", wanted.local or wanted.url, ref)
    except _NoRef:
        raise NO_REF.error(what=wanted.what, ref=ref, hint=_refs(permit, wanted, root)) from None
    if why := too_much(_run(permit, wanted, root, *SIZES, "FETCH_HEAD").encode("utf-8", "surrogateescape")):
        raise BAD_ARCHIVE.error(what=wanted.what, why=why)
    _run(permit, wanted, root, "checkout", "-q", "--detach", "FETCH_HEAD")
    return "tree", _run(permit, wanted, root, "rev-parse", "HEAD").strip()


class _NoRef(Exception):
    """The repository answers, but has no such revision."""


def _run(permit: Permit, wanted: Wanted, folder: str, *words: str) -> str:
    try:
        done = permit.git(words, folder, bool(wanted.local))
    except Fault as error:
        raise unreachable(wanted.what, error.diagnostics[0].message.rpartition(": ")[2]) from None
    if done.status:
        raise _meaning(wanted, done.why)
    return str(done.text)


def _meaning(wanted: Wanted, text: str) -> Exception:
    """What git's complaint means. git uses the same exit status for all errors, so its message is parsed."""
    lines = [line for line in text.splitlines() if line.startswith(("fatal:", "error:", "remote:"))] or [text.strip()]
    why = lines[0].partition(":")[2].strip() or lines[0]
    why = why.replace(wanted.local or wanted.url, wanted.what)
    if "couldn't find remote ref" in text or "not our ref" in text:
        return _NoRef()
    if "Authentication failed" in text or "could not read Username" in text or "Permission denied" in text:
        return refused(wanted.what, why)
    if "does not appear to be a git repository" in text or "not found" in text.lower():
        return Fault(
            *unreachable(
                wanted.what, why, "check that it is a git repository and that its address is correct"
            ).diagnostics
        )
    return unreachable(wanted.what, why)


def _refs(permit: Permit, wanted: Wanted, root: str) -> str:
    """Branches and tags like the one that is not there."""
    try:
        listed = _run(permit, wanted, root, "ls-remote", "--heads", "--tags", "--", wanted.local or wanted.url)
    except (Fault, _NoRef):
        return ""
    names = [line.split("/", 2)[2].removesuffix("^{}") for line in listed.splitlines() if line.count("/") >= 2]
    some = ", ".join(dict.fromkeys(names[:8]))
    return did_you_mean(wanted.ref, names) or (f"available: {some}" if some else "it has no branches")


def _http(wanted: Wanted, folder: str, limit: int, door: Door, permit: Permit) -> tuple[str, str]:
    if wanted.inner and not wanted.packed:
        hint = "for a repository, begin with git::; for an archive, add `?archive=zip`"
        raise BAD_ADDRESS.error(address=wanted.what, why="`//` needs a repository or an archive before it", hint=hint)
    return _written(folder, wanted.url, permit.get(wanted.url, what=wanted.what, limit=limit))


def _s3(wanted: Wanted, folder: str, limit: int, door: Door, permit: Permit) -> tuple[str, str]:
    """`s3::https://s3.amazonaws.com/bucket/key`, `https://bucket.s3.REGION.amazonaws.com/key`, or of a server of
    one's own."""
    from urllib.parse import urlsplit

    from plait.services.aws import asked, session_client

    parts = urlsplit(wanted.url)
    path = "/".join(filter(None, (parts.path.strip("/"), wanted.inner if not wanted.packed else "")))
    host = parts.hostname or ""
    amazon = host.endswith(".amazonaws.com")
    own = host.rpartition(".s3")[0] if amazon else ""
    bucket, key = (own, path) if own else path.partition("/")[::2]
    if not bucket or not key:
        raise BAD_ADDRESS.error(
            address=wanted.what, why="it names no bucket and key", hint="s3::https://s3.amazonaws.com/BUCKET/KEY"
        )
    server = session_client(permit, "s3", {}, wanted.what, "" if amazon else f"{parts.scheme}://{parts.netloc}")
    answer = asked(wanted.what, lambda: server.get_object(Bucket=bucket, Key=key), ("NoSuchKey", "NoSuchBucket", "404"))
    if answer is None:
        raise missing(wanted.what, key)
    body: bytes = asked(wanted.what, lambda: answer["Body"].read(limit + 1))
    if len(body) > limit:
        raise TOO_BIG.error(what=wanted.what, limit=f"{limit // MEGABYTE} MB", hint="--max-size raises the limit")
    return _written(folder, key, body, str(answer.get("ETag", "")).strip('"'))


def _gcs(wanted: Wanted, folder: str, limit: int, door: Door, permit: Permit) -> tuple[str, str]:
    """`gcs::https://www.googleapis.com/storage/v1/BUCKET/KEY`."""
    from urllib.parse import urlsplit

    from plait.services.objects import read_object
    from plait.services.tokens import google_token

    inner = wanted.inner if not wanted.packed else ""
    path = "/".join(filter(None, (urlsplit(wanted.url).path.strip("/").removeprefix("storage/v1/"), inner)))
    bucket, _, key = path.partition("/")
    body = read_object(permit, bucket, key, lambda: google_token(permit, "", wanted.what, door), wanted.what, limit)
    return _written(folder, key, body)


def _file(wanted: Wanted, folder: str, limit: int, door: Door, permit: Permit) -> tuple[str, str]:
    """A file or folder of this machine, copied; links stay links."""
    if door.is_folder(wanted.local):
        copy_tree(door, wanted.local, os.path.join(folder, "tree"), wanted.what, limit)
        return "tree", ""
    if not door.exists(wanted.local):
        raise missing("this machine", wanted.local)
    return _written(folder, wanted.local, door.read(wanted.local, limit))


def extensions(url: str) -> list[str]:
    """What the name of a file ends with, as `.yaml` and `.tmpl`: that says what it is.

    The name itself may be private.
    """
    name = os.path.basename(url.partition("?")[0].rstrip("/"))
    return [f".{part}" for part in name.split(".")[1:][-2:] if part.isalnum() and len(part) <= 8]


def _written(folder: str, url: str, body: bytes, revision: str = "") -> tuple[str, str]:
    name = "file" + "".join(extensions(url))
    write_private(os.path.join(folder, name), body)
    return name, revision


@struct
class Fetcher:
    """A kind of source: what it needs to be allowed, how its addresses begin, and the function that fetches."""

    capability: str
    schemes: tuple[str, ...]
    fetch: Callable[[Wanted, str, int, Door, Permit], tuple[str, str]]


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
"""Schemes of sources that are on this machine: whatever their kind, they need `files` where they are outside the
project."""
