"""`plait merge3 --install` and `--uninstall`: plait as a merge driver in git's configuration.

The driver is a line for the shell. It runs plait by its whole path and lets it write beside our side; where nothing was
written, because plait is not there or failed, git merges by lines: no side is lost.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys

from plait.access.git import git, git_root
from plait.report.catalog import BAD_OPTION

NAME = "plait"
SECTION = f"merge.{NAME}"
DRIVER = (
    "o=%A.merged; "
    "if {test}; then {plait} merge3 %O %A %B -o $o --name=%P; s=$?; "
    "else echo plait is not at {where}, so git merges by lines: %P >&2; fi; "
    "if test -f $o; then mv -f $o %A; exit $s; fi; "
    "exec git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
)
ATTRIBUTES = tuple(f"{pattern} merge={NAME}" for pattern in ("*.yaml", "*.yml", ".plait-meta.yaml"))
"""The lines of `.gitattributes` for YAML, and for the records of generated files also where only they are wanted."""
NO_SECTION = 128
"""The exit status of `git config --remove-section` where there is none."""


def install(everywhere: bool) -> str:
    """Register the driver in the configuration of this repository, or of the user. Return what was done."""
    done = [_set(everywhere, f"{SECTION}.{key}", value) for key, value in _settings().items()]
    said = f"registered the merge driver `{NAME}`" if any(done) else f"the merge driver `{NAME}` is registered already"
    lines = "".join(f"  {line}\n" for line in ATTRIBUTES)
    return f"{said} in {_named(everywhere)}\nadd these lines to .gitattributes, or those that you want:\n{lines}"


def uninstall(everywhere: bool) -> str:
    """Remove what `install` wrote. Return what was done."""
    status = _config(everywhere, "--remove-section", SECTION, ignored=NO_SECTION)
    said = "removed the merge driver" if status else "there is no merge driver"
    return f"{said} `{NAME}` {'from' if status else 'in'} {_named(everywhere)}\n"


def own_command() -> list[str]:
    """Return the words that run this plait from any folder."""
    program = os.path.abspath(sys.argv[0])
    if os.path.basename(program) == NAME and os.access(program, os.X_OK):
        return [program]
    found = shutil.which(NAME) if "frozen" in vars(sys) else None
    return [found] if found else [sys.executable, "-P", "-m", NAME]


def _settings() -> dict[str, str]:
    words = own_command()
    test, plait = f"test -x {shlex.quote(words[0])}", shlex.join(words)
    if "%" in plait:
        raise BAD_OPTION.error(why=f"git cannot run a driver whose path has a `%`: {plait}")
    return {
        "name": "YAML by fields and items",
        "driver": DRIVER.format(test=test, plait=plait, where=shlex.quote(words[0])),
    }


def _set(everywhere: bool, key: str, value: str) -> bool:
    """Set a key, unless it has the value already. Return whether it had not."""
    if _value(everywhere, key) == value:
        return False
    _config(everywhere, "--replace-all", key, value)
    return True


def _value(everywhere: bool, key: str) -> str:
    return git(("config", _scope(everywhere), "--get", key), _folder(everywhere)).text.removesuffix("\n")


def _config(everywhere: bool, *words: str, ignored: int = 0) -> bool:
    """Change the configuration. Return whether there was something to change."""
    answer = git(("config", _scope(everywhere), *words), _folder(everywhere))
    if answer.status and answer.status != ignored:
        raise BAD_OPTION.error(why=f"git cannot write {_named(everywhere)}: {answer.why}")
    return not answer.status


def _scope(everywhere: bool) -> str:
    return "--global" if everywhere else "--local"


def _folder(everywhere: bool) -> str:
    folder = os.sep if everywhere else git_root(os.curdir)
    if not folder:
        hint = "run it in a repository, or with --global for all repositories of this user"
        raise BAD_OPTION.error(why="there is no git repository here", hint=hint)
    return folder


def _named(everywhere: bool) -> str:
    return "the user's configuration of git" if everywhere else "the configuration of this repository"
