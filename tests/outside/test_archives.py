"""Archives as sources: what they hold is used like a repository's files, and nothing in them can leave their folder."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.services.remote import Remote, RemoteAddress
from tests.outside.permits import NETWORK
from tests.outside.project import Repository
from tests.outside.servers import Web

VPC = "components: {terraform: {vpc: {vars: {cidr: 10.0.0.0/8}}}}\n"


def tarred(*members: tuple[str, bytes | str, int], mode: str = "w:gz") -> bytes:
    """An archive of (name, content or target, kind); kinds are those of tarfile."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:
        for name, content, kind in members:
            info = tarfile.TarInfo(name)
            info.type = bytes([kind])
            if isinstance(content, str):
                info.linkname = content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


def zipped(*members: tuple[str, bytes, bool]) -> bytes:
    """An archive of (name, content, whether it is a link)."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, link in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (stat.S_IFLNK | 0o777 if link else stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)
    return made.getvalue()


FILE, HARD, LINK, DEVICE, FOLDER, PIPE = (ord(kind) for kind in "012356")
GOOD = {
    "x.tar.gz": tarred(
        ("catalog/vpc.yaml", VPC.encode(), FILE), ("catalog", b"", FOLDER), ("catalog/same.yaml", "vpc.yaml", LINK)
    ),
    "x.tgz": tarred(("catalog/vpc.yaml", VPC.encode(), FILE)),
    "x.tar.bz2": tarred(("./catalog/vpc.yaml", VPC.encode(), FILE), mode="w:bz2"),
    "x.tar.xz": tarred(("catalog/vpc.yaml", VPC.encode(), FILE), mode="w:xz"),
    "x.tar": tarred(("catalog/vpc.yaml", VPC.encode(), FILE), mode="w:"),
    "x.zip": zipped(("catalog/vpc.yaml", VPC.encode(), False), ("catalog/same.yaml", b"vpc.yaml", True)),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_stack_imports_from_an_archive(tmp_path: Path, web: Web, name: str) -> None:
    web.serve(f"/{name}", GOOD[name])
    repository = Repository(tmp_path / "repo")
    checksum = hashlib.sha256(GOOD[name]).hexdigest()
    address = f"http://127.0.0.1:{web.port}/{name}"
    repository.stack(
        "dev",
        f"import: ['{address}//catalog/vpc?checksum=sha256:{checksum}', "
        f"'{address}//catalog/*?checksum=sha256:{checksum}']\n",
    )
    assert repository.vars("vpc", "dev") == {"stage": "dev", "cidr": "10.0.0.0/8"}
    assert len(web.requests) == 1
    assert repository.vars("vpc", "dev") == {"stage": "dev", "cidr": "10.0.0.0/8"}
    assert len(web.requests) == 1, "what is pinned is not fetched again"


def fetched(web: Web, name: str, body: bytes, more: str = "", limit: int = 1 << 20) -> str:
    web.serve(f"/{name}", body)
    return Path(
        Remote(limit=limit).file(RemoteAddress(f"http://127.0.0.1:{web.port}/{name}{more}"), NETWORK)
    ).read_text()


def test_what_is_an_archive(web: Web) -> None:
    """By the ending, by `?archive=`, or not at all; other words behind the `?` go to the server."""
    import gzip

    assert fetched(web, "download", GOOD["x.zip"], "//catalog/same.yaml?archive=zip&token=abc") == VPC
    assert web.requests == [("GET", "/download?token=abc")]
    assert fetched(web, "v1.yaml.gz", gzip.compress(b"a: 1\n")) == "a: 1\n"
    assert fetched(web, "plain.yaml.gz", b"a: 2\n", "?archive=false") == "a: 2\n"
    found = RemoteAddress("https://github.com/o/r/archive/v1.tar.gz//r-1/catalog?checksum=sha256:00")
    assert (found.kind, found.url, found.inner, found.archive) == (
        "http",
        "https://github.com/o/r/archive/v1.tar.gz",
        "r-1/catalog",
        "tar.gz",
    )
    assert RemoteAddress("git::https://h/x.tar.gz").archive == ""


def test_a_file_of_this_machine_and_of_s3_may_be_an_archive(tmp_path: Path, aws: str) -> None:
    import boto3

    (tmp_path / "x.zip").write_bytes(GOOD["x.zip"])
    assert Path(Remote().file(RemoteAddress(f"file://{tmp_path}/x.zip//catalog/vpc.yaml"), NETWORK)).read_text() == VPC
    server = boto3.client("s3", endpoint_url=aws)
    server.create_bucket(Bucket="archives", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    server.put_object(Bucket="archives", Key="a/x.tgz", Body=GOOD["x.tgz"])
    assert (
        Path(Remote().file(RemoteAddress(f"s3::{aws}/archives/a/x.tgz//catalog/vpc.yaml"), NETWORK)).read_text() == VPC
    )


def headed(size: int) -> bytes:
    """A tar whose first member has an extended header of a size."""
    info = tarfile.TarInfo("vpc.yaml")
    info.pax_headers = {"comment": "x" * size}
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info, io.BytesIO())
    return made.getvalue()


SLIP = tarred(("a.yaml", b"a: 1", FILE), ("x", "../" * 6, LINK), ("x/.bash_profile", "repo/evil.sh", LINK))
ZEROS = b"\0" * (4 << 20)
BAD = {
    "a path that leads out": ("x.tgz", tarred(("../../evil.yaml", b"x: 1", FILE)), "`../../evil.yaml` is outside"),
    "one in the middle": ("x.tgz", tarred(("a/../../evil.yaml", b"x: 1", FILE)), "`a/../../evil.yaml` is outside"),
    "an absolute path": ("x.tgz", tarred(("/tmp/evil.yaml", b"x: 1", FILE)), "`/tmp/evil.yaml` is outside"),
    "a path of another system": ("x.zip", zipped(("..\\..\\evil.yaml", b"x: 1", False)), "is outside"),
    "a path of a drive": ("x.zip", zipped(("C:/evil.yaml", b"x: 1", False)), "is outside"),
    "a path that is outside a zip": (
        "x.zip",
        zipped(("../evil.yaml", b"x: 1", False)),
        "`../evil.yaml` is outside",
    ),
    "a folder that leads out": ("x.tgz", tarred(("../evil", b"", FOLDER)), "`../evil` is outside"),
    "an absolute link": ("x.tgz", tarred(("vpc.yaml", "/etc/hostname", LINK)), "`vpc.yaml` is outside"),
    "a link that leads out": ("x.tgz", tarred(("a/vpc.yaml", "../../x", LINK)), "`a/vpc.yaml` is outside"),
    "a link of a zip": ("x.zip", zipped(("vpc.yaml", b"../../x", True)), "`vpc.yaml` is outside"),
    "links that lead out together": (
        "x.tgz",
        tarred(("s", ".", LINK), ("vpc.yaml", "s/s/s/../../x", LINK)),
        "is outside",
    ),
    "a file through a link": ("x.tgz", tarred(("s", "/tmp", LINK), ("s/evil.yaml", b"x: 1", FILE)), "`s` is outside"),
    "a link planted through a link": ("x.tgz", SLIP, "is outside"),
    "a link behind a link": ("x.tgz", tarred(("s", "d", LINK), ("s/t", "x", LINK)), "`s/t` is outside"),
    "a link behind a file": ("x.tgz", tarred(("s", b"", FILE), ("s/t", "x", LINK)), "`s/t` is outside"),
    "a link that leads out by way of a folder": (
        "x.tgz",
        tarred(("d/e", b"", FOLDER), ("l", "d/e", LINK), ("vpc.yaml", "l/../../..", LINK)),
        "`vpc.yaml` is outside",
    ),
    "a link that is too long": ("x.tgz", tarred(("vpc.yaml", "d/" * 2048 + "x", LINK)), "`vpc.yaml` is outside"),
    "a link of a zip that is too long": (
        "x.zip",
        zipped(("vpc.yaml", b"d/" * 2048 + b"x", True)),
        "`vpc.yaml` is outside",
    ),
    "links in a ring": ("x.tgz", tarred(("a", "b", LINK), ("b", "a", LINK)), "is outside"),
    "a link in the place of a file": ("x.tgz", tarred(("s", b"", FILE), ("s", "/tmp", LINK)), "appears twice"),
    "a huge header": ("x.tgz", headed(3 << 20), "a header is too large"),
    "a hard link": ("x.tgz", tarred(("vpc.yaml", "/etc/hostname", HARD)), "`vpc.yaml` is not a regular file"),
    "a device": ("x.tgz", tarred(("vpc.yaml", b"", DEVICE)), "`vpc.yaml` is not a regular file"),
    "a pipe": ("x.tgz", tarred(("vpc.yaml", b"", PIPE)), "`vpc.yaml` is not a regular file"),
    "a bomb": ("x.tgz", tarred(("vpc.yaml", ZEROS, FILE)), "unpacks to is larger than 1 MB"),
    "a bomb of a zip": ("x.zip", zipped(("vpc.yaml", ZEROS, False)), "unpacks to is larger than 1 MB"),
    "a file without a name": ("x.zip", zipped(("", b"x: 1", False)), "a file in it has no name"),
    "half an archive": ("x.tgz", GOOD["x.tgz"][:60], "cannot unpack"),
    "half a zip": ("x.zip", GOOD["x.zip"][:60], "cannot unpack"),
    "no archive": ("x.zip", b"a: 1\n", "File is not a zip file"),
    "no archive either": ("x.tar.gz", b"<html>not found</html>", "cannot unpack"),
    "no compressed file": ("x.yaml.gz", b"a: 1\n", "cannot unpack"),
    "nothing": ("x.tgz", b"", "cannot unpack"),
}


@pytest.mark.parametrize(("name", "body", "why"), BAD.values(), ids=BAD)
def test_an_archive_that_is_refused(tmp_path: Path, nobody: Path, web: Web, name: str, body: bytes, why: str) -> None:
    with pytest.raises(PlaitError) as caught:
        fetched(web, name, body, "//vpc.yaml")
    assert why in caught.value.diagnostics[0].message
    left = [str(file) for file in nobody.rglob("*") if not file.is_dir()]
    assert left == [], "nothing of it stays"
    assert not any(os.path.exists(f"{place}/evil.yaml") for place in ("/tmp", tmp_path, nobody, nobody / "cache"))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("//vpc.yaml?archive=rar", "`rar` is not a kind of archive"),
        ("//no.yaml", "has no `no.yaml`"),
        ("//../x.yaml", "is outside"),
        ("//catalog/vpc.yaml?checksum=sha256:" + "0" * 64, "has the checksum"),
        ("//catalog/vpc.yaml?checksum=md5:00", "`md5` is not a supported checksum"),
        ("//catalog/vpc.yaml?archive=false", "`//` needs a repository or an archive before it"),
    ],
)
def test_an_address_in_an_archive_that_is_refused(web: Web, more: str, why: str) -> None:
    with pytest.raises(PlaitError) as caught:
        fetched(web, "x.tgz", GOOD["x.tgz"], more)
    assert why in caught.value.diagnostics[0].message
