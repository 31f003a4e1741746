"""Remote sources: fetched once, kept with their revision, used when out of reach, and locked in their own folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.access.http import get
from plait.core.diagnostic import Passing, PlaitError
from plait.services.remote import Remote, RemoteAddress, checksum_of, is_remote, seconds_of
from tests.outside.permits import ENV, NETWORK, NOTHING
from tests.outside.project import git
from tests.outside.servers import Web
from tests.ports import free_port


def said(call, *arguments: object) -> str:
    with pytest.raises(PlaitError) as caught:
        call(*arguments)
    found = caught.value.diagnostics[0]
    return "\n".join(filter(None, (found.message, *found.notes, found.hint)))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a catalog, a tag, a branch, and links that lead in and out."""
    folder = tmp_path / "hub"
    (folder / "catalog/inner").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "catalog/vpc.yaml").write_text("vars: {cidr: 10.0.0.0/8}\n")
    (folder / "catalog/inner/link.yaml").symlink_to("../vpc.yaml")
    (folder / "catalog/out.yaml").symlink_to("/etc/hostname")
    (folder / "catalog/up.yaml").symlink_to("../../secret.yaml")
    (tmp_path / "secret.yaml").write_text("secret: 1\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    git(folder, "tag", "v1")
    (folder / "catalog/vpc.yaml").write_text("vars: {cidr: 192.168.0.0/16}\n")
    git(folder, "commit", "-qam", "two")
    return folder


def address(repository: Path, inner: str = "catalog/vpc.yaml", ref: str = "") -> RemoteAddress:
    return RemoteAddress(f"git::file://{repository}//{inner}" + (f"?ref={ref}" if ref else ""))


def text(path: str) -> str:
    return Path(path).read_text()


# Addresses


@pytest.mark.parametrize(
    ("written", "kind", "url", "inner", "ref"),
    [
        ("git::https://h/o/r.git//a/b.yaml?ref=v1", "git", "https://h/o/r.git", "a/b.yaml", "v1"),
        ("github.com/o/r//a/b.yaml?ref=v1", "git", "https://github.com/o/r", "a/b.yaml", "v1"),
        ("git::ssh://git@h/o/r//a", "git", "ssh://git@h/o/r", "a", ""),
        ("git::git@github.com:o/r.git//a", "git", "ssh://git@github.com/o/r.git", "a", ""),
        ("https://h/a/b.yaml", "http", "https://h/a/b.yaml", "", ""),
        ("https://raw.h/a/b.yaml?token=1", "http", "https://raw.h/a/b.yaml?token=1", "", ""),
        ("https://h/o/r.git//a.yaml", "git", "https://h/o/r.git", "a.yaml", ""),
        ("s3::https://s3.amazonaws.com/b/k.yaml", "s3", "https://s3.amazonaws.com/b/k.yaml", "", ""),
        ("file:///x/y.yaml", "file", "file:///x/y.yaml", "", ""),
        ("file:///x//y.yaml", "file", "file:///x", "y.yaml", ""),
    ],
)
def test_addresses(written: str, kind: str, url: str, inner: str, ref: str) -> None:
    found = RemoteAddress(written)
    assert is_remote(written)
    assert (found.kind, found.url, found.inner, found.ref) == (kind, url, inner, ref)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("hg::https://h/r", "`hg` is not a supported kind of source\navailable: git::, "),
        ("git::--upload-pack=x", "it begins with `-`"),
        ("git::https://h/r?ref=--x", "it begins with `-`"),
        ("git::https://h/r//a/../../b", "`a/../../b` is outside https://h/r"),
    ],
)
def test_addresses_that_are_refused(written: str, why: str) -> None:
    assert why in said(RemoteAddress, written)


def test_what_an_address_needs() -> None:
    assert RemoteAddress("git::https://h/r").capability == "network"
    assert RemoteAddress("git::file:///r").capability == "files"


# git


def test_one_fetch_serves_all_files_of_a_repository(repository: Path) -> None:
    remote = Remote()
    assert text(remote.file(address(repository), NETWORK)) == "vars: {cidr: 192.168.0.0/16}\n"
    assert (
        text(remote.file(address(repository, "catalog/inner/link.yaml"), NETWORK)) == "vars: {cidr: 192.168.0.0/16}\n"
    )
    assert remote.fetches == 1
    assert text(remote.file(address(repository, ref="v1"), NETWORK)) == "vars: {cidr: 10.0.0.0/8}\n"
    assert remote.fetches == 2
    assert remote.copy(address(repository, ref="v1"), NETWORK).revision == git(repository, "rev-parse", "v1")


def test_a_pinned_commit_is_fetched_once_for_ever(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    first = Remote()
    first.file(address(repository, ref=commit), NETWORK)
    second = Remote()
    assert text(second.file(address(repository, ref=commit), NETWORK)) == "vars: {cidr: 192.168.0.0/16}\n"
    assert (first.fetches, second.fetches) == (1, 0)


def test_ttl(repository: Path) -> None:
    clock = [1000.0]

    def later() -> Remote:
        return Remote(now=lambda: clock[0])

    later().file(address(repository), NETWORK, 60)
    (repository / "catalog/vpc.yaml").write_text("new: 1\n")
    git(repository, "commit", "-qam", "three")
    clock[0] += 59
    young = later()
    assert text(young.file(address(repository), NETWORK, 60)) == "vars: {cidr: 192.168.0.0/16}\n"
    assert young.fetches == 0
    clock[0] += 2
    assert text(later().file(address(repository), NETWORK, 60)) == "new: 1\n"
    assert [seconds_of(t) for t in ("90s", "10m", "1h", "7d", "5", "1.5h", "soon")] == [
        90,
        600,
        3600,
        604800,
        5,
        5400,
        None,
    ]


def test_a_copy_serves_when_the_source_is_out_of_reach(repository: Path, web: Web) -> None:
    web.serve("/a.yaml", "a: 1\n")
    url = f"http://127.0.0.1:{web.port}/a.yaml"
    Remote(now=lambda: 0).file(RemoteAddress(url), NETWORK)
    web.close()
    remote = Remote(now=lambda: 7300)
    assert text(remote.file(RemoteAddress(url), NETWORK)) == "a: 1\n"
    assert [w.message for w in remote.warnings] == [f"{url} cannot be reached; using a copy fetched 2h ago"]
    with pytest.raises(Passing, match="cannot be reached"):
        remote.file(RemoteAddress(url.replace("a.yaml", "b.yaml")), NETWORK)


def test_a_damaged_cache_is_fetched_again(repository: Path) -> None:
    first = Remote()
    kept = Path(first.file(address(repository), NETWORK))
    record = next(parent / "copy.json" for parent in kept.parents if (parent / "copy.json").exists())
    record.write_text("{broken")
    again = Remote()
    assert text(again.file(address(repository), NETWORK, 1e9)) == "vars: {cidr: 192.168.0.0/16}\n"
    assert again.fetches == 1


def test_revisions_and_repositories_that_are_not_there(repository: Path, tmp_path: Path) -> None:
    found = said(Remote().file, address(repository, ref="v2"), NETWORK)
    assert found == f"file://{repository} has no revision `v2`\ndid you mean `v1`?"
    assert "available: main, v1" in said(Remote().file, address(repository, ref="feature/x"), NETWORK)
    assert (
        said(Remote().file, address(repository, "catalog/nope.yaml"), NETWORK)
        == f"file://{repository} has no `catalog/nope.yaml`"
    )
    assert "cannot be reached" in said(Remote().file, RemoteAddress(f"git::file://{tmp_path}/none"), NETWORK)


@pytest.mark.parametrize("inner", ["catalog/out.yaml", "catalog/up.yaml"])
def test_links_cannot_leave_the_repository(repository: Path, inner: str) -> None:
    assert said(Remote().file, address(repository, inner), NETWORK).startswith(
        f"`{inner}` is outside file://{repository}"
    )


def test_git_runs_no_command_of_others(tmp_path: Path, repository: Path) -> None:
    mark = tmp_path / "mark"
    hook = repository / ".git/hooks/post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    Remote().file(address(repository), NETWORK)
    assert "has no such address" in said(RemoteAddress, f"git::ext::sh -c touch% {mark}")
    assert not mark.exists()


@pytest.mark.parametrize("written", ["gcs::file:///etc/hostname", "s3::/etc/hostname", "http::file:///etc/hostname",
                                     "git::FILE:///r", "file::https://h/x", "git::fd::17/x"])  # fmt: skip
def test_a_spelling_does_not_go_around_a_capability(written: str) -> None:
    """Each kind declares the addresses it has and what they need."""
    assert "has no such address" in said(RemoteAddress, written)


@pytest.mark.parametrize("written", ["file:///r", "file://r", "git::file:///r", "git::file://x/r", "git::/r", "git::r"])
def test_what_lies_on_this_machine_needs_files(written: str) -> None:
    found = RemoteAddress(written)
    assert found.capability == "files"
    assert found.local.startswith("/")


def test_a_web_client_speaks_http_only(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("secret: 1\n")
    assert "cannot be reached" in said(get, f"file://{tmp_path}/x.yaml")
    assert "cannot be reached" in said(get, "data:text/plain,x")


# https


def test_https_with_a_certificate_that_is_trusted(
    https: Web, authority: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    https.serve("/a.yaml", "a: 1\n")
    monkeypatch.setenv("SSL_CERT_FILE", authority[0])
    assert text(Remote().file(RemoteAddress(f"https://localhost:{https.port}/a.yaml"), NETWORK)) == "a: 1\n"
    wrong = said(Remote().file, RemoteAddress(f"https://127.0.0.1:{https.port}/a.yaml"), NETWORK)
    assert "its certificate is not trusted: IP address mismatch" in wrong


def test_https_with_a_certificate_of_a_stranger(https: Web) -> None:
    found = said(Remote().file, RemoteAddress(f"https://localhost:{https.port}/a.yaml"), NETWORK)
    assert "its certificate is not trusted: unable to get local issuer certificate" in found
    assert "SSL_CERT_FILE names the certificates that are trusted" in found


def test_redirects(web: Web) -> None:
    other = Web()
    other.serve("/b", "stolen\n")
    web.serve("/here", b"", 302, Location="/a")
    web.serve("/there", b"", 302, Location=f"http://localhost:{other.port}/b?token=x")
    web.serve("/a", "a: 1\n")
    base = f"http://127.0.0.1:{web.port}"
    assert get(f"{base}/here") == b"a: 1\n"
    found = said(get, f"{base}/there", {"Authorization": "t"})
    assert (
        found
        == f"{base}/there redirects to localhost:{other.port}\nif you trust that host, use its address: http://localhost:{other.port}/b"
    )
    assert not other.requests
    other.close()


def test_servers_that_are_slow_or_talk_too_much(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from plait.access import http

    monkeypatch.setattr(http, "SECONDS", 0.3)
    web.pages.append(lambda request: time.sleep(1.5) if request.path == "/slow" else None)
    web.serve("/big", b"x" * 3000)
    base = f"http://127.0.0.1:{web.port}"
    with pytest.raises(Passing, match="no answer within"):
        get(f"{base}/slow")
    with pytest.raises(PlaitError, match="is larger than 2000 bytes"):
        get(f"{base}/big", limit=2000)
    assert "unknown host name" in said(get, "http://no-such-host.invalid/")
    assert "cannot be reached" in said(get, f"http://u:geheim@127.0.0.1:{free_port()}/")


def test_checksums(web: Web) -> None:
    web.serve("/a.yaml", "a: 1\n")
    url = f"http://127.0.0.1:{web.port}/a.yaml"
    right = "sha256:" + Remote().copy(RemoteAddress(url), NETWORK).checksum
    assert text(Remote().file(RemoteAddress(f"{url}?checksum={right}"), NETWORK)) == "a: 1\n"
    found = said(Remote().file, RemoteAddress(f"{url}?checksum=sha256:{'0' * 64}"), NETWORK)
    assert found.startswith(f"{url} has the checksum {right[7:]}\nexpected {'0' * 64}")
    assert "`md5` is not a supported checksum" in said(Remote().file, RemoteAddress(f"{url}?checksum=md5:00"), NETWORK)


def test_the_checksum_of_a_folder_is_that_of_its_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "x").mkdir(parents=True)
        (tmp_path / name / "x/y").write_text("same")
    assert checksum_of(str(tmp_path / "a")) == checksum_of(str(tmp_path / "b"))
    (tmp_path / "b/x/z").write_text("")
    assert checksum_of(str(tmp_path / "a")) != checksum_of(str(tmp_path / "b"))


# s3 and files


def test_s3(aws: str) -> None:
    import boto3

    server = boto3.client("s3")
    server.create_bucket(Bucket="catalogs", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    server.put_object(Bucket="catalogs", Key="a/b.yaml", Body=b"b: 1\n")
    assert text(Remote().file(RemoteAddress(f"s3::{aws}/catalogs/a/b.yaml"), NETWORK)) == "b: 1\n"
    assert (
        said(Remote().file, RemoteAddress(f"s3::{aws}/catalogs/a/c.yaml"), NETWORK)
        == f"{aws}/catalogs/a/c.yaml has no `a/c.yaml`"
    )
    assert "names no bucket and key" in said(Remote().file, RemoteAddress(f"s3::{aws}/catalogs"), NETWORK)


def test_files_and_folders_of_this_machine(tmp_path: Path) -> None:
    (tmp_path / "d/e").mkdir(parents=True)
    (tmp_path / "d/e/f.yaml").write_text("f: 1\n")
    (tmp_path / "d/out").symlink_to("/etc")
    assert text(Remote().file(RemoteAddress(f"file://{tmp_path}/d//e/f.yaml"), NETWORK)) == "f: 1\n"
    assert text(Remote().file(RemoteAddress(f"file://{tmp_path}/d/e/f.yaml"), NETWORK)) == "f: 1\n"
    assert "is outside" in said(Remote().file, RemoteAddress(f"file://{tmp_path}/d//out/hostname"), NETWORK)
    assert "this machine has no" in said(Remote().file, RemoteAddress(f"file://{tmp_path}/none"), NETWORK)


# Data sources


def test_data_sources(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plait.services.datasource import DataSource

    (tmp_path / "r.yaml").write_text("a: 1\n")
    monkeypatch.setenv("WHO", "me")
    web.pages.append(lambda request: (200, {}, request.headers.get("Accept", "").encode()))
    found = DataSource("r", "./r.yaml", folder=str(tmp_path))
    assert (found.read(NOTHING), found.kind()) == ("a: 1\n", "yaml")
    assert DataSource("r", ".", folder=str(tmp_path)).read(NOTHING, ("r.yaml",)) == "a: 1\n"
    assert DataSource("w", "env:WHO").read(ENV) == "me"
    assert DataSource("w", "env:///NOBODY?default=x&type=application/json").kind() == "json"
    http = DataSource("h", f"http://127.0.0.1:{web.port}/x", {"Accept": ["application/json"]})
    assert (http.read(NETWORK, ("sub",)), http.kind(("sub",))) == ("application/json", "json")
    assert web.requests == [("GET", "/x/sub")]
    assert (
        said(DataSource("w", "env:NOBODY").read, ENV)
        == "the data source `w` reads the environment variable `NOBODY`, which is not set"
    )
    assert "has the unsupported scheme `ftp`" in said(DataSource, "f", "ftp://h")
    assert "has no url" in said(DataSource, "f", "")
