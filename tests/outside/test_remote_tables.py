"""What is said of remote sources that no server of a test refuses: git's complaints, ages and checksums."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.access.door import Door
from plait.access.git import GitAnswer
from plait.core.diagnostic import PlaitError
from plait.services.datasource import DataSource
from plait.services.fetch import FETCHERS, Wanted, extensions
from plait.services.remote import RemoteAddress

COMPLAINTS = {
    "fatal: Authentication failed for 'https://host/r'": "the source refused the request: Authentication failed",
    "fatal: could not read Username for 'https://host': no": "the source refused the request: could not read Username",
    "git@host: Permission denied (publickey).\nfatal: Could not read": "the source refused the request: Could not read",
    "fatal: '/r' does not appear to be a git repository": "the source cannot be reached: '/r' does not appear",
    "remote: Not Found\nfatal: repository 'https://host/r' not found": "the source cannot be reached: Not Found",
    "fatal: unable to access 'https://host/r': no": "the source cannot be reached: unable to access 'the source'",
    "something else": "the source cannot be reached: something else",
    "fatal: couldn't find remote ref main": "the source has no revision `main`",
    "error: Server does not allow request for not our ref 123": "the source has no revision `main`",
}
"""What git writes to its standard error, and what is said."""
REFS = "1\trefs/heads/maim\n2\trefs/heads/other/one\n3\trefs/tags/v1\n4\trefs/tags/v1^{}\n"


class Git:
    """What is permitted: a git that makes repositories, and can fetch nothing."""

    def __init__(self, complaint: str, refs: str = "") -> None:
        self.complaint = complaint
        self.refs = refs

    def git(self, words: tuple[str, ...], folder: str, local: bool) -> GitAnswer:
        if words[0] == "fetch":
            return GitAnswer(128, b"", self.complaint)
        return GitAnswer(0, self.refs.encode() if words[0] == "ls-remote" else b"", "")


def refusal(permit: Git, folder: Path, ref: str = "main") -> str:
    wanted = Wanted("the source", "https://host/r", ref, "", "", False)
    with pytest.raises(PlaitError) as caught:
        FETCHERS["git"].fetch(wanted, str(folder), 1000, Door(), permit)  # type: ignore[arg-type]
    return str(caught.value)


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_what_git_complains_of(complaint: str, tmp_path: Path) -> None:
    assert COMPLAINTS[complaint] in refusal(Git(complaint), tmp_path)


@pytest.mark.parametrize(
    ("ref", "refs", "hint"),
    [
        ("main", REFS, "did you mean `maim`?"),
        ("nothing-like-it", REFS, "available: maim, other/one, v1"),
        ("main", "", "it has no branches"),
    ],
)
def test_a_revision_that_is_not_there(ref: str, refs: str, hint: str, tmp_path: Path) -> None:
    assert hint in refusal(Git("fatal: couldn't find remote ref", refs), tmp_path, ref)


@pytest.mark.parametrize(
    ("text", "is_pinned"),
    [
        (f"git::https://host/r?ref={'0123456789abcdef' * 2}01234567", True),
        (f"git::https://host/r?ref={'0123456789abcdef' * 2}0123456", False),
        (f"git::https://host/r?ref={'g' * 40}", False),
        ("git::https://host/r?ref=v1", False),
        ("https://host/a.yaml?checksum=sha256:00", True),
        ("https://host/a.yaml", False),
    ],
)
def test_what_can_never_change(text: str, is_pinned: bool) -> None:
    assert RemoteAddress(text).pinned is is_pinned


KINDS_OF_SOURCES = [
    ("a.json", {}, (), "json"),
    ("a.yml", {}, (), "yaml"),
    ("folder", {}, ("b.env",), "env"),
    ("a.json?type=application/yaml", {}, (), "yaml"),  # what is asked for counts more than the name
    ("a.json", {"Accept": ["text/yaml"]}, (), "json"),  # and the name more than a header
    ("a", {"Accept": ["text/yaml"]}, (), "yaml"),
    ("a", {"accept": "application/json"}, (), "json"),
    ("a", {"Accept": []}, (), "text"),
    ("a", {}, (), "text"),
]
"""Addresses of data sources with their headers, what is asked of them, and what their text is read as."""


@pytest.mark.parametrize(("url", "headers", "asked", "kind"), KINDS_OF_SOURCES)
def test_what_the_text_of_a_source_is(url: str, headers: dict[str, object], asked: tuple[str, ...], kind: str) -> None:
    assert DataSource("s", url, headers).kind(asked) == kind


ENDINGS = {
    "https://h/a.yaml?b.c": [".yaml"],
    "https://h/a.b.yaml.tmpl": [".yaml", ".tmpl"],
    "https://h/a.12345678": [".12345678"],
    "https://h/a.123456789": [],
    "https://h.org/a/": [],
    "https://h/my.secret-word.json": [".json"],
}
"""Addresses, and what of the name of their file is kept: only what says what it is."""


@pytest.mark.parametrize("url", ENDINGS)
def test_what_is_kept_of_a_name(url: str) -> None:
    assert extensions(url) == ENDINGS[url]
