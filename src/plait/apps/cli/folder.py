"""`-C DIR`: run a command as if the shell had changed to a folder first."""

from __future__ import annotations

from plait.access.working import working_in
from plait.apps.cli.console import USAGE, standard_console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FLAGS = ("-C", "--chdir")


def run_in_folder(words: list[str], run: Callable[[list[str]], int]) -> int:
    """Run a command line in the folder that its words name, without these words, and return the exit status."""
    folders, rest = split_folders(words)
    try:
        with working_in(folders):
            return run(rest)
    except NotADirectoryError as trouble:
        standard_console().say(f"plait: -C {trouble.filename}: {trouble.strerror}\nname a folder that is there")
        return USAGE


def split_folders(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the values of `-C` and `--chdir` in a command line, and its other words. After `--` is no option."""
    folders: list[str] = []
    rest: list[str] = []
    left = words[::-1]
    while left:
        word = left.pop()
        if word == "--":
            return folders, [*rest, word, *left[::-1]]
        if word in FLAGS:
            folders.append(left.pop() if left else "")
        elif word.startswith(("--chdir=", "-C")):
            folders.append(word.removeprefix("--chdir=").removeprefix("-C").removeprefix("="))
        else:
            rest.append(word)
    return folders, rest
