"""How each kind of remote source is fetched into an empty folder: one function each, in a table.

A fetcher gives the name of what it fetched inside the folder (`.` for the folder itself) and its revision.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError
from plait.report.catalog import BAD_ADDRESS, NO_REF, TOO_BIG
from plait.services.trouble import MEGABYTE, missing, refused, unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.services.remote import Address

SECONDS = 120
QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
    "LC_ALL": "C",
}
"""git asks nobody, speaks no transport that runs commands, and says things in one language."""
SAFE = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "advice.detachedHead=false")


def _git(address: Address, folder: str, limit: int) -> tuple[str, str]:
    """One revision of a repository, without its history."""
    root = os.path.join(folder, "tree")
    _run(address, folder, "init", "-q", root)
    wanted = address.ref or "HEAD"
    try:
        _run(address, root, "fetch", "-q", "--depth=1", "--no-tags", "--", address.url, wanted)
    except _NoRef:
        raise NO_REF.error(what=address.what, ref=wanted, hint=_refs(address, root)) from None
    _run(address, root, "checkout", "-q", "--detach", "FETCH_HEAD")
    return "tree", _run(address, root, "rev-parse", "HEAD").strip()


class _NoRef(Exception):
    """The repository answers, but has no such revision."""


def _run(address: Address, folder: str, *words: str) -> str:
    import subprocess

    env = {**{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}, **QUIET}
    try:
        done = subprocess.run(
            ["git", *SAFE, *words],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise unreachable(address.what, "git is not installed") from None
    except subprocess.TimeoutExpired:
        raise unreachable(address.what, f"no answer within {SECONDS} seconds") from None
    if done.returncode:
        raise _meaning(address, done.stderr)
    return done.stdout


def _meaning(address: Address, said: str) -> Exception:
    """What git's complaint means. Its exit status is the same for everything, so its words have to do."""
    lines = [line for line in said.splitlines() if line.startswith(("fatal:", "error:", "remote:"))] or [said.strip()]
    why = lines[0].partition(":")[2].strip() or lines[0]
    why = why.replace(address.url, address.what)
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
        listed = _run(address, root, "ls-remote", "--heads", "--tags", "--", address.url)
    except (PlaitError, _NoRef):
        return ""
    names = [line.split("/", 2)[2].removesuffix("^{}") for line in listed.splitlines() if line.count("/") >= 2]
    some = ", ".join(dict.fromkeys(names[:8]))
    return did_you_mean(address.ref, names) or (f"there are: {some}" if some else "it has no branches")


def _http(address: Address, folder: str, limit: int) -> tuple[str, str]:
    from plait.services.http import get

    if address.inner and not address.packed:
        hint = "begin with git:: if it is one; `?archive=zip` says that it is an archive"
        raise BAD_ADDRESS.error(address=address.what, why="`//` needs a repository or an archive before it", hint=hint)
    return _written(folder, address.url, get(address.url, what=address.what, limit=limit))


def _s3(address: Address, folder: str, limit: int) -> tuple[str, str]:
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


def _gcs(address: Address, folder: str, limit: int) -> tuple[str, str]:
    """`gcs::https://www.googleapis.com/storage/v1/BUCKET/KEY`."""
    from urllib.parse import quote, urlsplit

    from plait.services.http import get
    from plait.services.tokens import google_token

    inner = address.inner if not address.packed else ""
    path = "/".join(filter(None, (urlsplit(address.url).path.strip("/").removeprefix("storage/v1/"), inner)))
    bucket, _, key = path.partition("/")
    emulator = os.environ.get("STORAGE_EMULATOR_HOST", "")
    base = emulator or "https://storage.googleapis.com"
    headers = {} if emulator else {"Authorization": f"Bearer {google_token('', address.what)}"}
    body = get(
        f"{base}/storage/v1/b/{quote(bucket, safe='')}/o/{quote(key, safe='')}?alt=media",
        headers,
        what=address.what,
        limit=limit,
    )
    return _written(folder, key, body)


def _file(address: Address, folder: str, limit: int) -> tuple[str, str]:
    """A file or folder of this machine, copied; links stay links."""
    import shutil

    path = address.url.removeprefix("file://")
    if os.path.isdir(path):
        shutil.copytree(path, os.path.join(folder, "tree"), symlinks=True)
        return "tree", ""
    try:
        with open(path, "rb") as file:
            return _written(folder, path, file.read(limit + 1))
    except OSError as trouble:
        raise missing("this machine", path, trouble.strerror or "") from None


def extensions(url: str) -> list[str]:
    """What the name of a file ends with, as `.yaml` and `.tmpl`: that says what it is. The name itself is nobody's business."""
    name = os.path.basename(url.partition("?")[0].rstrip("/"))
    return [f".{part}" for part in name.split(".")[1:][-2:] if part.isalnum() and len(part) <= 8]


def _written(folder: str, url: str, body: bytes, revision: str = "") -> tuple[str, str]:
    name = "file" + "".join(extensions(url))
    with open(os.path.join(folder, name), "wb") as file:
        file.write(body)
    return name, revision


FETCHERS: dict[str, Callable[[Address, str, int], tuple[str, str]]] = {
    "git": _git,
    "http": _http,
    "https": _http,
    "s3": _s3,
    "gcs": _gcs,
    "file": _file,
}
