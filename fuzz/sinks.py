"""Files x commands, for the places where values leave plait: whatever is written in which way, no secret, no credential
and no control character gets out, and nothing runs.

A file is put together from pieces that mean something: how a secret is written, how it is used, what is around it. Some
are cut off or damaged, because errors show excerpts. Every command and format is a sink; so are the cache and the disk.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from plait.apps.cli.run import run

SECRET, VARIABLE, CREDENTIAL = "canary7Q2x", "envvalue8R3y", "tokenvalue9S4z"
"""A secret, what a harmless variable holds, and what a variable holds that no file may read."""
EVIL = "e\x1b]52;c;cm0=\x07\x9b2J\u202e"
DECEIVING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")
COLOURS = re.compile(r"\x1b\[[0-9;]*m|\r\x1b\[K")

WRITTEN = (
    "!sensitive {s}", '!sensitive "{s}"', "!sensitive '{s}'", "!sensitive |\n    {s}\n    more",
    "!sensitive >-\n    {s}", "!sensitive {{pw: {s}, list: [{s}, {{deep: {s}}}]}}", "!sensitive [{s}, '{s}']",
    "!sensitive\n    pw: {s}\n    more: 1", "!sensitive\n    pw: '{s}-{{{{ .user }}}}'",
    "!sensitive {{pw: !env NO_SUCH {s}}}", '!sensitive {{pw: (( "{s}" user ))}}',
    "!sensitive\n    - {s}\n    - '{{{{ .user }}}}{s}'", "&a !sensitive {s}", "!sensitive &a {s}",
    "!sensitive {s}: more", "!sensitive [{s}", '!sensitive "{s}', "!sensitive {{pw: {s}", "!<!sensitive> {s}",
    "!sensitive !unset {s}", "!sensitive {s} # {s}",
)  # fmt: skip
"""How a secret may be written, with `{s}` for it: also where it is not YAML."""
USES = (
    "!ref secret", "!ref secret.pw", "!ref secret.nothing.there", "'{{ .secret }}'", "'{{ .secret.pw }}-x'",
    "'{{ .secret | upper | nope }}'", "(( secret ))", '(( "x" secret.pw ))', "(( secret.nothing ))", "*a",
    "[!ref secret]", "{<<: *a}", "!include own.yaml secret", "!include.raw own.yaml", "!exec touch ran",
    "!env HARMLESS fallback", "!env A_TOKEN fallback", "!append [!ref secret]", "!unset", "{eval: ::secret}",
    "[!merge-by name, {name: !ref secret}]", "'{{ env \"HARMLESS\" }}'", "'{{ toJson .secret }}'", "!ref use1",
    "!ref use2", "!sensitive {x: !ref secret}",
)  # fmt: skip
"""How it may be used."""
LAYERS = (
    "secret: plain",
    "secret: !ref user",
    "secret: {pw: other}",
    "secret: [x]",
    "use1: over",
    "secret: ~",
    "user: 2",
)
COMMANDS = (
    "merge own.yaml", "merge own.yaml over.yaml --lint", "merge own.yaml over.yaml --origins",
    "merge own.yaml --path use1", "explain secret own.yaml over.yaml", "explain use1 own.yaml",
    "explain ** own.yaml over.yaml", "blame own.yaml over.yaml", "blame own.yaml over.yaml --gone",
    "lint own.yaml over.yaml", "layers own.yaml over.yaml", "get own.yaml secret", "get own.yaml **",
    "why-not secret own.yaml own.yaml over.yaml", "diff own.yaml over.yaml", "diff over.yaml own.yaml",
    "spiff merge own.yaml", "spiff merge own.yaml over.yaml", "expand own.yaml", "query ::secret own.yaml",
    "render", "lint", "render t --path use1", "review HEAD", "merge3 own.yaml over.yaml own.yaml",
    "set own.yaml user 3 --dry-run", "targets", "explain secret own.yaml --front spiff",
    "merge HEAD:own.yaml over.yaml", "merge own.yaml --hermetic",
)  # fmt: skip
NOTATIONS = ("", "gotemplate", "dynaml", "query")
FORMATS = ("", "json", "yaml", "sarif", "github", "markdown", "html", "text")
PUBLISHED = ("review", "verify")
PUBLISHED_FORMATS = ("sarif", "github")
SETTINGS = "targets: [{name: t, layers: [own.yaml, over.yaml]}]\n"
SMALL = ["--max-steps", "20000", "--max-memory", "2000000", "--max-seconds", "20"]


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and has the size of one."""

    def __init__(self, handle: int) -> None:
        super().__init__()
        self.handle = handle

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.handle


@contextlib.contextmanager
def streams(terminal: bool) -> Iterator[list[io.StringIO]]:
    """Standard output and standard error."""
    handles: list[int] = list(os.openpty()) if terminal else []
    try:
        found: list[io.StringIO] = [Terminal(handles[1]) if terminal else io.StringIO() for _ in range(2)]
        with contextlib.redirect_stdout(found[0]), contextlib.redirect_stderr(found[1]):
            yield found
    finally:
        for handle in handles:
            os.close(handle)


@st.composite
def documents(draw: st.DrawFn) -> str:
    lines = [f"user: {json.dumps(EVIL) if draw(st.booleans()) else 'u'}"]
    lines += [f"secret: {draw(st.sampled_from(WRITTEN)).format(s=SECRET)}"]
    lines += [f"use{number}: {use}" for number, use in enumerate(draw(st.lists(st.sampled_from(USES), max_size=4)), 1)]
    lines += [f"{json.dumps(EVIL)}: 1"] * draw(st.integers(0, 1))
    text = "\n".join(draw(st.permutations(lines))) + "\n"
    end = draw(st.one_of(st.none(), st.integers(0, len(text))))
    at = text.find(SECRET)
    cut = end is not None and not at <= end < at + len(SECRET)  # half a secret could not be found
    return text[:end] if cut else text


def commands() -> st.SearchStrategy[list[str]]:
    def words(command: str, form: str, notation: str) -> list[str]:
        more = ["--format", form] if form else []
        return [*command.split(), *more, *(["--notation", notation] if notation and command.startswith("m") else [])]

    return st.builds(words, st.sampled_from(COMMANDS), st.sampled_from(FORMATS), st.sampled_from(NOTATIONS))


@given(documents(), st.sampled_from(LAYERS), st.lists(commands(), min_size=1, max_size=6), st.booleans())
def sinks(own: str, over: str, lines: list[list[str]], terminal: bool) -> None:
    """No secret is printed or kept, no credential is read, no report shows the environment, no terminal is driven, and
    nothing runs."""
    with tempfile.TemporaryDirectory() as base, surroundings(base):
        Path("plait.yaml").write_text(SETTINGS)
        Path("over.yaml").write_text("user: before\n")
        Path("own.yaml").write_text(own)
        for words in ("init", "-q"), ("add", "-A"), ("-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x"):
            subprocess.run(["git", *words], check=True, stdout=subprocess.DEVNULL)
        Path("over.yaml").write_text(over + "\n")
        for line in lines:
            _check(line, base, terminal)


@contextlib.contextmanager
def surroundings(base: str) -> Iterator[None]:
    """A folder of its own, and a user with a home of their own."""
    before = dict(os.environ)
    project = os.path.join(base, "project")
    os.mkdir(project)
    os.environ.update(HOME=base, HARMLESS=VARIABLE, A_TOKEN=CREDENTIAL, GIT_CONFIG_GLOBAL=os.devnull)
    os.environ.update({f"XDG_{kind}_HOME": os.path.join(base, kind.lower()) for kind in ("CACHE", "CONFIG", "STATE")})
    try:
        with contextlib.chdir(project):
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _check(words: list[str], base: str, terminal: bool) -> None:
    with streams(terminal) as found:
        status = run([*words, *SMALL, *(["--no-pager"] if terminal else [])])
    printed = "".join(stream.getvalue() for stream in found)
    assert status in (0, 1, 2, 3, 5), (words, printed)
    assert SECRET not in printed, (words, printed)
    assert CREDENTIAL not in printed, (words, printed)
    if words[0] in PUBLISHED or set(words) & set(PUBLISHED_FORMATS):
        assert VARIABLE not in printed, (words, printed)
    if terminal:
        assert not DECEIVING.search(COLOURS.sub("", printed)), (words, printed)
    assert not os.path.exists("ran"), words
    for folder, _, names in os.walk(base):
        if not folder.startswith(os.path.join(base, "project")):
            kept = b"".join(Path(folder, name).read_bytes() for name in names)
            assert SECRET.encode() not in kept, (words, folder)
            assert CREDENTIAL.encode() not in kept, (words, folder)
