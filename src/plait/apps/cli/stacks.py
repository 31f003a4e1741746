"""What the commands about stacks share: the options of Atmos, and the run that they describe."""

from __future__ import annotations

from itertools import chain, islice

from plait.access.environment import variables_named
from plait.apps.cli.command import WRITING, Option
from plait.apps.cli.console import FAILED, OK, Console
from plait.apps.cli.opening import setting, workspace_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.apps.cli.namespace import Namespace
    from plait.fronts.questions import Shape, StackQuestions
    from plait.workspace import Workspace

HELD = 200_000_000
"""How many characters of an answer are made before the first of them is printed."""
BATCH = 4096
"""How many pieces are printed at a time."""
CONFIGURATION = "Configuration (as in Atmos)"
SETTINGS: dict[str, tuple[str, ...]] = {
    "settings_list_merge_strategy": ("settings", "list_merge_strategy"),
    "schemas_atmos_manifest": ("schemas", "atmos", "manifest"),
    "schemas_jsonschema_dir": ("schemas", "jsonschema", "base_path"),
    "schemas_opa_dir": ("schemas", "opa", "base_path"),
    "logs_level": ("logs", "level"),
    "logs_file": ("logs", "file"),
    "edition": ("edition",),
}
"""Flags that stand for keys of atmos.yaml."""

UNDONE = (
    ("-i --identity", "NAME", "nobody logs in; the credentials of the environment are used"),
    ("--mask", "", "secrets are masked unless --reveal is given"),
    ("--force-tty", "", "whether the output is a terminal is not overridden"),
    ("--redirect-stderr", "FILE", "errors and warnings go to standard error"),
    ("--cast", "FILE", "nothing is recorded"),
    ("--ai", "", "nothing is sent to a model"),
    ("--skill", "NAME", "nothing is sent to a model"),
    ("--heatmap", "", "no times are measured"),
    ("--heatmap-mode", "NAME", "no times are measured"),
    ("--profiler-enabled", "", "no times are measured"),
    ("--profiler-host", "HOST", "no times are measured"),
    ("--profiler-port", "PORT", "no times are measured"),
    ("--profile-file", "FILE", "no times are measured"),
    ("--profile-type", "NAME", "no times are measured"),
)
"""Global flags of Atmos that ask for what plait does not do: the flags, their values, and what is not done."""

STACK = Option("-s --stack", "the stack", metavar="NAME")
CONFIG = (
    Option("--base-path", "where the repository is", metavar="DIR", group=CONFIGURATION),
    Option("--config", "a configuration file", metavar="FILE", many=True, group=CONFIGURATION),
    Option("--config-path", "a folder with an atmos.yaml", metavar="DIR", many=True, group=CONFIGURATION),
    Option("--profile", "profiles on top of the configuration", metavar="NAME,...", many=True, group=CONFIGURATION),
    Option("--strict", "fail on any broken manifest, even if the command does not need it", group=CONFIGURATION),
    Option("--settings-list-merge-strategy", "replace, append or merge", metavar="NAME", group=CONFIGURATION),
    Option("--schemas-atmos-manifest", "a JSON Schema for manifests", metavar="FILE", group=CONFIGURATION),
    Option("--schemas-jsonschema-dir", "where schemas of components are", metavar="DIR", group=CONFIGURATION),
    Option("--schemas-opa-dir", "where policies in Rego are", metavar="DIR", group=CONFIGURATION),
    Option("--edition", "the defaults of this date, as 2026-01", metavar="DATE", group=CONFIGURATION),
    Option("--logs-level", "accepted; plait writes no log", metavar="X", group=CONFIGURATION),
    Option("--logs-file", "accepted; plait writes no log", metavar="X", group=CONFIGURATION),
    Option("--pager", "show long output in a pager (the default)", switch=True, group=CONFIGURATION),
    Option("--no-color", "no colours", switch=True, group=CONFIGURATION),
    Option("--force-color", "colours, also where the output is no terminal", switch=True, group=CONFIGURATION),
    *(
        Option(flags, "accepted, with a warning", metavar=metavar, switch=not metavar, group=CONFIGURATION, undone=why)
        for flags, metavar, why in UNDONE
    ),
)
ERROR_MODE = Option(
    "--error-mode --on-error",
    "for a value that is not known here: stop with an error, or show (computed)",
    choices=("strict", "warn", "silent"),
    group="Evaluating",
)
EVALUATING = (
    Option("--process-templates", "render templates (the default)", switch=True, group="Evaluating"),
    Option("--process-functions", "evaluate YAML functions (the default)", switch=True, group="Evaluating"),
    Option("--skip", "leave these functions as they are written", metavar="NAME,...", many=True, group="Evaluating"),
    ERROR_MODE,
)
REST_OF_FORM = (
    Option("-q --query", "print only what a yq expression finds", metavar="YQ", group="Output"),
    Option("--file", "write to a file, atomically", metavar="FILE", group="Output"),
    *WRITING,
)
JSON_FORM = (
    Option("-f --format", "output format", choices=("json", "yaml"), default="json", group="Output"),
    *REST_OF_FORM,
)
FORM = (
    Option("-f --format", "output format", choices=("yaml", "json"), default="yaml", group="Output"),
    *REST_OF_FORM,
)


def to_console(args: Namespace) -> bool:
    """Whether a command prints its answer, rather than writing it to a file."""
    return not getattr(args, "file", None)


def truth(value: str | None, default: bool = True) -> bool:
    """What a switch says: `--name`, `--name=true`, `--name=false`."""
    return default if not value else value.strip().lower() in ("1", "true", "yes", "on", "t")


def words(values: list[str]) -> list[str]:
    """Values that may be repeated, or separated by commas."""
    return [word.strip() for value in values for word in value.split(",") if word.strip()]


def stacks_of(args: Namespace) -> StackQuestions:
    """The run that a command's options describe."""
    return stacks_in(args, workspace_of(args))


def stacks_in(args: Namespace, workspace: Workspace, folder: str = "") -> StackQuestions:
    """The same in a workspace that is open already, or for a folder of it. A flag wins over its environment
    variable."""
    given = {path: value for name, path in SETTINGS.items() if (value := getattr(args, name, None))}
    flags = {
        "base_path": args.base_path or "",
        "config": args.config,
        "config_path": args.config_path,
        "profile": args.profile,
        "values": given,
    }
    own = {} if args.hermetic else variables_named("ATMOS_PROCESS_")
    options = {
        "templates": truth(getattr(args, "process_templates", None) or own.get("ATMOS_PROCESS_TEMPLATES")),
        "functions": truth(getattr(args, "process_functions", None) or own.get("ATMOS_PROCESS_FUNCTIONS")),
        "skip": words(getattr(args, "skip", [])),
        "error_mode": getattr(args, "error_mode", None) or "",
        "strict": args.strict,
        "command": args.command_name.split(),
    }
    return workspace.stacks(folder or ".", flags, options)


def shape_of(args: Namespace, stacks: StackQuestions) -> Shape:
    return stacks.shape(args.format, getattr(args, "query", None) or "", args.reveal)


def stack_name(args: Namespace) -> str:
    return args.stack or setting(args, "ATMOS_STACK")


def answer(
    args: Namespace,
    console: Console,
    stacks: StackQuestions,
    pieces: Iterable[str],
    listing: bool = False,
    stack: str = "",
) -> int:
    """Print an answer, or write it. A listing, of everything or of one stack, also reports what it had to leave out.

    An answer of usual size is complete before any of it is printed, so that an error that ends the run prints nothing
    else. One that only concerns a value is reported after the rest.
    """
    rest = iter(pieces)
    first = _first(rest, None if args.strict else HELD)
    stacks.checked()
    printed(args, console, chain(first, rest))
    left_out = [*(stacks.left_out(stack) if listing else ()), *stacks.wrong()]
    warnings = [*left_out, *stacks.warnings(stacks.unknown_parts(stack) if listing else ())]
    if warnings:
        console.report(warnings, "json" if args.format == "json" else "yaml")
    return FAILED if left_out else OK


def _first(pieces: Iterator[str], most: int | None) -> list[str]:
    """Pieces of about so many characters; None for all of them."""
    found: list[str] = []
    size = 0
    while (most is None or size <= most) and (batch := list(islice(pieces, BATCH))):
        found += batch
        size += sum(map(len, batch))
    return found


def printed(args: Namespace, console: Console, pieces: Iterable[str]) -> int:
    """Print a text, or write it to the file that is asked for."""
    if getattr(args, "file", None):
        workspace_of(args).write({args.file: "".join(pieces).encode()})
    else:
        rest = iter(pieces)
        while batch := list(islice(rest, BATCH)):
            console.print_all(batch)
    return OK
