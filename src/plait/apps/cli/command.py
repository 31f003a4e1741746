"""The declaration of a command, by which its arguments are read, and from which its help, completion and reference
page are made."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.console import Console
    from plait.apps.cli.namespace import Namespace

SEPARATOR = "\x1f"
"""Separates the words of a command line that a completion script hands over as one."""
LIMITS = {
    "depth": "maximum levels of nesting (default: 1,000)",
    "nodes": "maximum values after aliases and references are expanded (default: 1,000,000)",
    "size": "maximum bytes of one document or computed string (default: 64,000,000)",
    "steps": "maximum steps of evaluation for each 256 kB of files (default: 3,000,000)",
    "memory": "maximum bytes that functions allocate for each 256 kB of files (default: 128,000,000)",
    "output": "maximum characters printed for each 256 kB of files (default: 128,000,000)",
    "seconds": "maximum seconds for the command (default: 60)",
    "call": "maximum seconds for one call to a server or command (default: 30)",
}
"""The budgets that an option raises, and the help of that option."""


class Option:
    """A flag, or a flag with a value; `many` may be repeated. `group` is the heading it is under in the help."""

    __slots__ = (
        "choices", "default", "flags", "group", "help", "many", "metavar", "name", "number", "old", "placed", "switch",
        "takes_value", "undone", "words",
    )  # fmt: skip

    def __init__(
        self,
        flags: str,
        help: str,
        *,
        metavar: str = "",
        many: bool = False,
        choices: tuple[str, ...] = (),
        default: object = None,
        number: bool = False,
        switch: bool = False,
        group: str = "Options",
        old: str = "",
        undone: str = "",
        placed: bool = False,
        words: int = 1,
    ) -> None:
        self.flags = flags.split()
        self.old = old
        """What it was called: that still works, and is answered with a warning."""
        self.help = help
        self.metavar = metavar
        self.many = many
        self.choices = choices
        self.default = default
        self.number = number
        self.switch = switch
        """Whether it takes an optional value: `--name` and `--name=true` turn it on, `--name=false` turns it off."""
        self.group = group
        long = next((flag for flag in self.flags if flag.startswith("--")), self.flags[0])
        self.name = long.lstrip("-").replace("-", "_")
        """What the value is called in the parsed arguments: its first long flag."""
        self.words = words
        """How many words its value has; a list of them where that is more than one."""
        self.takes_value = bool(metavar or choices or switch)
        self.undone = undone
        """What plait does not do that the flag asks for in another tool: said in a warning. Empty for all others."""
        self.placed = placed
        """Whether its value is one of the words of an argument that takes several, at its place among them."""


def never(args: Namespace) -> bool:
    """For a command of which something is true in no case."""
    return False


def always(args: Namespace) -> bool:
    """For a command of which something is true in every case."""
    return True


TINY = 2_000
"""Bytes of files up to which reading them again takes no longer than looking for an earlier answer."""


def when_large(*arguments: str) -> Callable[[Namespace], bool]:
    """For a command that reads the files that some of its arguments name: whether it is worth looking for an earlier
    answer. Without such arguments it reads targets."""

    def is_large(args: Namespace) -> bool:
        given = [getattr(args, name) for name in arguments]
        names = [name for one in given for name in (one if isinstance(one, list) else [one]) if name is not None]
        return not names or sum(map(_size, names)) > TINY

    return is_large


def _size(name: str) -> int:
    """The size of a file; nothing for what is not one."""
    try:
        return os.path.getsize(name)
    except (OSError, ValueError):
        return 0


class Argument:
    """A word that belongs to a command. `count` is `1`, `?`, `*` or `+`."""

    __slots__ = ("count", "help", "name")

    def __init__(self, name: str, help: str, count: str = "1") -> None:
        self.name = name
        self.help = help
        self.count = count


class Command:
    """One command of the command line."""

    __slots__ = (
        "arguments", "asks_git", "examples", "grow", "kept", "later", "more", "name", "options", "publishes", "roams",
        "run", "summary", "writes",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        summary: str,
        examples: tuple[str, ...],
        run: Callable[[Namespace, Console], int],
        arguments: tuple[Argument, ...] = (),
        options: tuple[Option, ...] = (),
        more: str = "",
        grow: Callable[[Command, list[str]], Command] | None = None,
        writes: Callable[[Namespace], bool] | None = None,
        common: tuple[Option, ...] | None = None,
        kept: Callable[[Namespace], bool] = never,
        publishes: Callable[[Namespace], bool] = never,
        asks_git: Callable[[Namespace], bool] = never,
        roams: bool = False,
        later: bool = False,
    ) -> None:
        self.name = name
        self.summary = summary
        self.examples = examples
        self.run = run
        self.arguments = arguments
        mine = {option.name for option in options}
        shared = COMMON if common is None else common
        self.options = options + tuple(option for option in shared if option.name not in mine)
        self.more = more
        self.writes = writes or never
        """Whether it changes files when it is called so: an error report then adds that nothing was written."""
        self.grow = grow
        """Adds the options that depend on the arguments (the inputs of a pattern)."""
        self.kept = kept
        """Whether the answer is kept for the next run when it is called so: the command only reads and prints."""
        self.publishes = publishes
        """Whether what it makes is to be published when it is called so: values of the environment are masked."""
        self.asks_git = asks_git
        """Whether it asks git when it is called so, beside revisions that its arguments name: a helper runs git."""
        self.roams = roams
        """Whether it reads folders that are named later, by an editor."""
        self.later = later
        """Whether it has to open or start something first: then it calls `args.run.confine` itself."""

    def with_options(self, *options: Option) -> Command:
        """The same command with more options, before those of every command."""
        own = tuple(option for option in self.options if option not in COMMON)
        return Command(
            self.name,
            self.summary,
            self.examples,
            self.run,
            self.arguments,
            (*options, *own),
            self.more,
            writes=self.writes,
            kept=self.kept,
            publishes=self.publishes,
            asks_git=self.asks_git,
            roams=self.roams,
            later=self.later,
        )


JOBS = Option(
    "--jobs", "number of processes, or auto for one per free core (default: 1)", metavar="N", group="Evaluating"
)
EXECUTOR = Option(
    "--executor",
    "compute on a cluster whose workers you trust: dask://HOST:PORT, ray://HOST:PORT",
    metavar="ADDRESS",
    group="Evaluating",
)
AS_TEXT = Option("--format", "output format", choices=("text", "json"), default="text", group="Output")
"""The format of commands whose answer is laid out for people."""
PRINTING = (
    Option("--format", "output format", choices=("yaml", "json"), default="yaml", group="Output"),
    Option("--color", "when to use colours", choices=("auto", "always", "never"), default="auto", group="Output"),
    Option("--no-pager", "do not show long output in a pager (PAGER; less by default)", group="Output"),
    Option("--quiet", "print no notes and no warnings", group="Output"),
    Option("--verbose", "also say what was read", group="Output"),
)
"""The options of commands that read no files of a project."""
COMMON = (
    Option("-C --chdir", "work in this folder, as after cd", metavar="DIR", group="Safety and limits"),
    *PRINTING,
    Option("--reveal", "show sensitive values", group="Output"),
    Option("--why-computed", "say why the answer was computed and not taken from the cache", group="Output"),
    Option("--no-cache", "do not read or write the cache", group="Safety and limits"),
    Option("--allow", "allow a capability for this run", metavar="NAME", many=True, group="Safety and limits"),
    Option(
        "--deny",
        "deny a capability, even if it is granted elsewhere",
        metavar="NAME",
        many=True,
        group="Safety and limits",
    ),
    Option(
        "--hermetic",
        "deny commands, the network, the environment and outside files",
        group="Safety and limits",
    ),
    *(
        Option(f"--max-{name}", what, metavar="N", number=True, group="Safety and limits")
        for name, what in LIMITS.items()
    ),
)

LISTS = (
    Option("--list", "how a list is merged, as in jobs=key:name", metavar="PATH=RULE", many=True, group="Merging"),
    Option("--policy", "file with list rules", metavar="FILE", group="Merging"),
)

PROVE = Option(
    "--prove",
    "change the text at one place after the other, in memory, and say whether each claim holds (exit status 1 if not)",
    group="Output",
)
FRONT = Option(
    "--front",
    "how the files are read: layers, a spiff template and its stubs, a document with directives",
    choices=("layers", "spiff", "unfurl"),
    default="layers",
    group="Merging",
)
"""How files are read that are merged to be explained."""
DIALECT = (
    Option(
        "--dialect",
        "whose meaning counts where spiff and its successor differ: spiff or spiff++",
        metavar="NAME",
        choices=("spiff", "spiff++"),
        group="Merging",
    ),
    Option(
        "--features",
        "what is switched on: control, interpolation; nocontrol switches off",
        metavar="LIST",
        many=True,
        group="Merging",
    ),
)
"""Which language a spiff template is written in."""
SPIFF = (Option("--spiff", "the files are a spiff template and its stubs", group="Merging"), *DIALECT)
CHARTS = (
    Option(
        "-f --values --file --filename",
        "a file of values, or one more Compose file; else one more layer, at this place",
        metavar="FILE",
        many=True,
        placed=True,
        group="Charts",
    ),
    Option("--set-string", "set a value of a chart, as text", metavar="PATH=TEXT", many=True, group="Charts"),
    Option("--set-json", "set a value of a chart, as JSON", metavar="PATH=JSON", many=True, group="Charts"),
    Option("--set-file", "set a value of a chart to a file's text", metavar="PATH=FILE", many=True, group="Charts"),
    Option("--set-literal", "set a value of a chart to the whole text", metavar="PATH=TEXT", many=True, group="Charts"),
    Option("--release", "the name of the release (default: the name of the chart)", metavar="NAME", group="Charts"),
    Option("-n --namespace", "the namespace of the release (default: default)", metavar="NAME", group="Charts"),
    Option("--kube-version", "the version of Kubernetes that templates see", metavar="VERSION", group="Charts"),
    Option("-a --api-versions", "an API version that templates see", metavar="VERSION", many=True, group="Charts"),
    Option(
        "-s --show-only",
        "only the resources of this template, as templates/web.yaml",
        metavar="TEMPLATE",
        many=True,
        group="Charts",
    ),
    Option("--include-crds", "also the definitions in the folder crds", group="Charts"),
    Option("--skip-tests", "without hooks that are tests", group="Charts"),
    Option("--no-hooks", "without hooks", group="Charts"),
    Option("--is-upgrade", "set .Release.IsUpgrade instead of .Release.IsInstall", group="Charts"),
)
"""What helm's flags say of a chart that is named in place of layers."""
COMPOSE = (
    Option("--interpolate", "fill variables from .env, --env-file and the environment", group="Compose"),
    Option("--env-file", "a file of variables, instead of .env", metavar="FILE", many=True, group="Compose"),
    Option("--compose-profile", "a Compose profile to turn on; * for all", metavar="NAME", many=True, group="Compose"),
)
"""What flags of docker compose say of a project that is named in place of layers."""
LAYERING = (
    *CHARTS,
    *COMPOSE,
    Option("--target", "a target, instead of LAYER: plait targets lists them", metavar="NAME", group="Merging"),
    *LISTS,
    Option("--set", "set a value; overrides all layers", metavar="PATH=VALUE", many=True, group="Merging"),
    Option("--create", "let --set add new paths", group="Merging"),
    Option(
        "--notation", "also evaluate expressions of dynaml or gotemplate", metavar="NAME", many=True, group="Merging"
    ),
    Option(
        "--documents",
        "files with several documents: layers, pair, or a number (default: pair Kubernetes resources)",
        metavar="HOW",
        default="",
        group="Merging",
    ),
    Option(
        "--profile",
        "merge as helm, kubernetes, compose, ansible, ansible-merge or hydra does; none (default: by names of files)",
        metavar="NAME",
        default="",
        group="Merging",
    ),
    Option(
        "--nulls",
        "null in a higher layer: keep (default), delete, error, defaults or ignore",
        metavar="HOW",
        default="",
        group="Merging",
    ),
    Option(
        "--yaml",
        "how input is read: 1.2 (default), 1.1, or by go-yaml-2, go-yaml-3, compose-go, pyyaml, omegaconf or ruamel",
        metavar="READER",
        default="",
        group="Merging",
    ),
)

WRITING = (
    Option("--in-place", "overwrite files that have several hard links (not atomic)", group="Writing"),
    Option("--journal", "folder for the journal, if the home folder is read-only", metavar="DIR", group="Writing"),
)
"""The options of every command that writes files of a project."""
TRYING = ("dry_run", "check", "where", "show", "drift")
"""The options with which a command that writes only shows what it would write."""


def unless_trying(args: Namespace) -> bool:
    """Whether a command that writes files is to write them this time."""
    return not any(getattr(args, name, False) for name in TRYING)


HELP_FLAGS = ("-h", "--help")
LIMIT = "max_"
"""How the names of options begin that raise a budget: the help names them in one line."""
OUTPUTS = ("output", "output_file", "output_dir", "export", "journal", "file", "report", "state")
"""The options that name what a command writes."""
CHANGING = (
    *(*OUTPUTS, "in_place", "overwrite", "edit", "take", "create", "state"),
    *("write", "yes", "prune", "forget", "accept", "remove"),
)
"""The options that a misspelt one is never taken for: following such advice would change files."""


def help_of(command: Command) -> str:
    """A command's help: what it does, how it is used, its options in groups."""
    words = " ".join(usage(argument) for argument in command.arguments)
    lines = [command.summary, ""]
    lines += [f"  {example}" for example in command.examples]
    lines += ["", f"Usage: plait {command.name} {words} [OPTIONS]".replace("  ", " ")]
    rows = {"Arguments": [(argument.name, argument.help) for argument in command.arguments]}
    limits = [option for option in command.options if option.name.startswith(LIMIT)]
    for option in command.options:
        if option in limits:
            continue
        rows.setdefault(option.group, []).append((spelled(option), described(option)))
    for heading, entries in rows.items():
        if entries:
            width = max(len(left) for left, _ in entries)
            lines += ["", f"{heading}:"]
            lines += [f"  {left.ljust(width)}  {right}".rstrip() for left, right in entries]
    lines += ["", "Limits: plait help limits"] if limits else []
    if command.more:
        lines += ["", f"More: {command.more}"]
    return "\n".join(lines) + "\n"


def usage(argument: Argument) -> str:
    """An argument as a usage line shows it."""
    return {"1": "{}", "?": "[{}]", "*": "[{}...]", "+": "{}..."}[argument.count].format(argument.name)


def described(option: Option) -> str:
    """What an option does, and its default."""
    if not option.default or "default" in option.help:
        return option.help
    return f"{option.help} (default: {option.default})"


def spelled(option: Option) -> str:
    """An option with all its flags and its value."""
    value = option.metavar or "|".join(option.choices)
    return ", ".join(option.flags) + (f" {value}" if value else "")
