"""Git, run so that a hostile repository cannot make it start anything.

The user's own configuration of git counts; that of the repository must not run commands. Its keys that name commands
are listed (which runs none of them) and overruled, hooks and watchers are switched off, and no transport may be
used.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress

from plait.access.child import TooMuch, TooSlow
from plait.access.commands import read_both
from plait.access.gitfolder import GitFolder
from plait.access.githelper import HELPERS
from plait.access.owners import foreign_owner
from plait.core.diagnostic import Fault
from plait.core.scope import CommandFailed
from plait.report.catalog import FOREIGN, UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence

    from plait.access.githelper import GitHelper
    from plait.core.diagnostic import PlaitError

SECONDS = 120
MOST_OUTPUT, MOST_MEMORY = 200_000_000, 250_000_000
"""Bytes that git may print, and hold. A small repository of trees that hold each other many times has endless
names."""
LARGEST_FILE = 1_000_000_000
"""Bytes of the largest file that git may write: a blob, or a pack that a server sends."""
SAFE = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "core.askPass=", "core.editor=true",
    "core.alternateRefsCommand=", "diff.external=true", "log.showSignature=false", "blame.ignoreRevsFile=",
    "mailmap.file=", "protocol.ext.allow=never", "safe.bareRepository=explicit", "advice.detachedHead=false",
    "core.ignoreStat=false", "core.trustctime=true", "core.checkStat=default", "core.untrackedCache=false",
    "submodule.recurse=false", "status.submoduleSummary=false", "diff.submodule=short",
)  # fmt: skip
"""Settings that hold whatever the repository says."""
QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
    "LC_ALL": "C",
}
"""git never prompts, changes nothing on the side, and answers in English."""
LOCAL, REMOTE = "none", "file:git:http:https:ssh"
"""Transports: questions to the repository at hand need none; fetching uses none that runs a command of its address."""
OVERRULED = (
    (r"filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|gpg\.(?:.*\.)?program|credential\.(?:.*\.)?helper", ""),
    (r"remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|pager\..*|interactive\.difffilter", ""),
    (r"core\.(?:sshcommand|gitproxy|attributesfile|excludesfile)|mailmap\.blob|diff\.orderfile", ""),
    (r"filter\..*\.required", "false"),
    (r"diff\..*\.command", "true"),
    (r"diff\..*\.textconv", "cat"),
)
"""Keys of a repository's own configuration that run a command or read a file of its choice, and what they are set
to."""
TRUSTED_SCOPES = ("system", "global", "command")
"""Where a configuration is the user's, or ours."""


class GitAnswer:
    """What git printed, and how it ended."""

    __slots__ = ("output", "status", "why")

    def __init__(self, status: int, output: bytes, why: str) -> None:
        self.status = status
        self.output = output
        self.why = why

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "surrogateescape")


def git(
    words: Sequence[str], folder: str, environment: Mapping[str, str] | None = None, given: bytes = b""
) -> GitAnswer:
    """Run git in a folder; `given` is its standard input.

    Raises where it is not installed, takes too long, or the folder belongs to another user.
    """
    tree = _named(GitFolder.of_tree(root)) if (root := git_root(folder)) else {}
    return _run(words, folder, {**_overruled(folder, tree), **tree, **(environment or {})}, given=given)


def _named(found: GitFolder) -> dict[str, str]:
    """A repository, named whole: git looks for no other, and its configuration cannot name one."""
    check_owner(found)
    return {"GIT_WORK_TREE": found.root, "GIT_DIR": found.folder, "GIT_COMMON_DIR": found.common}


def git_in_own(words: Sequence[str], folder: str) -> GitAnswer:
    """Run git in a repository that we made ourselves, to fetch from another: it may use the network."""
    return _run(words, folder, {}, REMOTE)


def _run(
    words: Sequence[str], folder: str, environment: Mapping[str, str], transports: str = LOCAL, given: bytes = b""
) -> GitAnswer:
    if HELPERS:
        return _asked_helper(HELPERS[-1], words, folder, {**environment, "GIT_ALLOW_PROTOCOL": transports}, given)
    return execute(words, folder, {"GIT_ALLOW_PROTOCOL": transports, **environment}, given)


def execute(words: Sequence[str], folder: str, environment: Mapping[str, str], given: bytes) -> GitAnswer:
    """Start git."""
    import subprocess  # most runs do not ask git
    import tempfile

    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings = [word for setting in SAFE for word in ("-c", setting)]
    with tempfile.TemporaryFile() if given else open(os.devnull, "rb") as asked:
        if given:
            asked.write(given)
            asked.seek(0)
        try:
            process = subprocess.Popen(
                ["git", *settings, *words],
                cwd=folder,
                env={**kept, **QUIET, **environment},
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except FileNotFoundError:
            raise _out_of_reach("git is not installed") from None
        except PermissionError:
            raise _out_of_reach("this command may not start git") from None
    return _answer(process)


def _answer(process: subprocess.Popen[bytes]) -> GitAnswer:
    """What git prints until it ends. It is stopped where that takes too long or is too much, and where the run ends."""
    assert process.stdout is not None
    assert process.stderr is not None
    _bound(process.pid)
    with process.stdout, process.stderr:
        try:
            output, errors = read_both(process.stdout.fileno(), process.stderr.fileno(), SECONDS, MOST_OUTPUT)
            return GitAnswer(process.wait(), output, errors.decode("utf-8", "replace").strip())
        except CommandFailed as failed:
            raise _out_of_reach(f"git was stopped: {failed.why}") from None
        finally:
            process.kill()
            process.wait()


def _bound(process: int) -> None:
    """Limit the memory of git and the files that it writes, where the system can: it compares trees in memory. Packs
    that it maps do not count."""
    if sys.platform == "linux":
        import resource

        with suppress(OSError):  # it has ended already
            resource.prlimit(process, resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
            resource.prlimit(process, resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))


def _out_of_reach(why: str) -> PlaitError:
    return UNREACHABLE.error(what="the history of this repository", why=why)


def _overruled(folder: str, tree: Mapping[str, str]) -> dict[str, str]:
    """The environment that takes the meaning from keys of the repository's own configuration which run commands: that
    of the repository, of this work tree, and of the files that they include."""
    listed = _run(("config", "--show-scope", "--includes", "--name-only", "--list", "-z"), folder, tree)
    words = listed.text.split("\0")
    keys = sorted({key for scope, key in zip(words[::2], words[1::2], strict=False) if scope not in TRUSTED_SCOPES})
    rules = [(re.compile(rule, re.DOTALL | re.IGNORECASE), value) for rule, value in OVERRULED]
    pairs = [(key, value) for key in keys for rule, value in rules if rule.fullmatch(key)]
    made = {"GIT_CONFIG_COUNT": str(len(pairs))} if pairs else {}
    for number, (key, value) in enumerate(pairs):
        made[f"GIT_CONFIG_KEY_{number}"] = key
        made[f"GIT_CONFIG_VALUE_{number}"] = value
    return made


def check_owner(found: GitFolder) -> None:
    """Refuse to run git in a repository of another user, unless the user's own configuration of git calls it safe."""
    for name in dict.fromkeys((found.root, found.mark, found.folder, found.common)):
        owner = foreign_owner(name) if os.path.lexists(name) else None
        if owner is not None and not {found.root, "*"} & _called_safe():
            hint = f"if you trust it: git config --global --add safe.directory {found.root}"
            raise FOREIGN.error(name=name, owner=owner, hint=hint)


def _called_safe() -> set[str]:
    """The folders that the user's own configuration of git calls safe."""
    return set(_run(("config", "--global", "--get-all", "safe.directory"), os.sep, {}).text.splitlines())


def git_root(folder: str) -> str:
    """The folder of the work tree around a folder; empty where there is none."""
    at = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return ""
        at = above
    return at


def _asked_helper(
    helper: GitHelper, words: Sequence[str], folder: str, environment: Mapping[str, str], given: bytes
) -> GitAnswer:
    """What git answers to the helper of this process."""
    import json

    plain = [list(words), os.path.abspath(folder), dict(environment), given.decode("latin-1")]
    try:
        answer = helper.ask(json.dumps(plain).encode(), SECONDS + 10)
    except (TooSlow, TooMuch):
        raise _out_of_reach("the process that runs git is gone") from None
    status, why, output = answer.split(b"\0", 2)
    text = bytes.fromhex(why.decode()).decode("utf-8", "replace")
    if not status:
        raise _out_of_reach(text)
    return GitAnswer(int(status), output, text)


def helped(message: bytes) -> bytes:
    """In the helper: what git answers; without a status, why it could not be asked."""
    import json

    words, folder, environment, given = json.loads(message)
    try:
        answer = execute(words, folder, environment, given.encode("latin-1"))
    except Fault as trouble:
        return b"\0" + str(trouble.diagnostics[0].message).partition(": ")[2].encode().hex().encode() + b"\0"
    return b"\0".join((str(answer.status).encode(), answer.why.encode().hex().encode(), answer.output))
