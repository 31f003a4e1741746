"""What the kernel lets a command do, by its arguments: see `access/reach.py`."""

from __future__ import annotations

import os

from plait.access.environment import variable
from plait.access.reach import UNLIMITED, Confinement, granted_by_trust, has_configuration
from plait.apps.cli.command import OUTPUTS, SEPARATOR
from plait.core.diagnostic import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.apps.cli.command import Command
    from plait.apps.cli.namespace import Namespace

FOLDERS = ("base_path", "config_path", "config", "folder")
"""The options that name another folder to work in."""
OF_STACKS = "base_path"
"""An option of commands about stacks, which may import files from git repositories inside the project."""
ALLOW = "--allow"
"""The option with which `watch` may let another command do more."""


def confined(command: Command, args: Namespace) -> Callable[[], None]:
    """Let the kernel hold this process to what the command may do. What is returned ends what was needed for that."""
    words = set(words_of(args))
    reach = Confinement()
    reach.name(words)
    for folder in (getattr(args, name, None) for name in FOLDERS):
        if isinstance(folder, str) and os.path.isdir(folder):
            reach.reads.append(Confinement(folder).root)
    granted = capabilities(args, reach)
    if is_unlimited(args, granted, words):
        return lambda: None
    if "files" in granted or command.roams:
        reach.everywhere()
    named = [
        getattr(args, option.name, None) for option in command.options if option.name in OUTPUTS and option.metavar
    ]
    outputs = [name for name in named if isinstance(name, str) and name != "-"]
    if getattr(args, "format", None) == "matrix":
        outputs += filter(None, [variable("GITHUB_OUTPUT")])
    if command.writes(args) or getattr(args, "edit", False):
        outputs += [reach.root, os.curdir, os.path.join(config_home_or_none(), "plait")]
        outputs += [os.path.dirname(os.path.realpath(word)) for word in words if os.path.exists(word)]
    reach.write(outputs)
    history = command.asks_git(args) or any(":" in word for word in words)
    if history:
        reach.make_scratch()
    asks = history or command.publishes(args) or any(option.name == OF_STACKS for option in command.options)
    helper = reach.enforce(asks)

    def end() -> None:
        if helper is not None:
            helper.close()
        if reach.scratch:
            import shutil

            shutil.rmtree(reach.scratch, ignore_errors=True)

    return end


def is_unlimited(args: Namespace, granted: frozenset[str], words: set[str]) -> bool:
    """Whether what the command starts needs the machine."""
    return bool(granted & UNLIMITED or getattr(args, "executor", None) or any(word.startswith(ALLOW) for word in words))


def narrowed(args: Namespace, folders: list[str]) -> Callable[[str], bool]:
    """Hold a server, which read nothing yet, to the folders that its client named. What is returned says whether a
    folder may be read."""
    reach = Confinement(folders[0] if folders else ".")
    for folder in folders[1:]:
        reach.reads += Confinement(folder).reads
    granted = capabilities(args, reach)
    if not folders or "files" in granted or is_unlimited(args, granted, set(words_of(args))):
        return lambda folder: True
    reach.narrow()
    roots = [os.path.join(Confinement(folder).root, "") for folder in folders]
    return lambda folder: os.path.join(os.path.realpath(folder), "").startswith(tuple(roots))


def config_home_or_none() -> str:
    base = variable("XDG_CONFIG_HOME")
    return base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".config")


def capabilities(args: Namespace, reach: Confinement) -> frozenset[str]:
    """What files may do in this run, by flags, variables and trust; never less than they may. A trusted folder counts
    only where a file of it can be read."""
    if getattr(args, "hermetic", False):
        return frozenset()
    words = [*(getattr(args, "allow", None) or ()), variable("PLAIT_ALLOW")]
    names = {name.strip() for word in words for name in word.split(",")} | set(allowed_by_user())
    if granted_by_trust():
        from plait.fronts.trust import read_trust

        names |= {name for folder, allow in read_trust().items() if reach.meets(folder) for name in allow}
    denied = {name for word in getattr(args, "deny", None) or () for name in word.split(",")}
    return frozenset(names - denied)


def allowed_by_user() -> list[str]:
    """What the user's own configuration allows. Few users have one; what is wrong in it is told by whoever runs."""
    if not has_configuration():
        return []
    from plait.fronts.project import configured

    try:
        return configured()[1]
    except Fault:
        return []


def words_of(args: Namespace) -> Iterator[str]:
    """Everything that the user typed and that may name a file."""
    for value in list(vars(args).values()):
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str):
                yield one
                yield one.rpartition("=")[2]
                yield from one.split(SEPARATOR)
