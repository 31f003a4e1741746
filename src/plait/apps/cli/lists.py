"""What the `list` commands share: which rows, and how they are printed."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import Console, setting
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, answer, shape_of, stack_name, stacks_of, to_console, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.workspace import Asked, StackQuestions


VALUE_FORMATS = ("yaml", "json", "table", "tree", "csv", "tsv")
CHOICE = (
    Option("-t --type", "kind of components", choices=("real", "abstract", "all"), default="real"),
    Option("--enabled", "only enabled components; =false for disabled ones", switch=True),
    Option("--locked", "only locked components; =false for unlocked ones", switch=True),
    Option("--tags", "components with one of these tags", metavar="TAG,...", many=True),
    Option("--labels", "components with all of these labels", metavar="NAME=VALUE,...", many=True),
)
LABELS = CHOICE[-2:]
ABSTRACT = Option("--abstract", "also abstract components, as --type all", switch=True)
RELATED = (
    Option("--include-dependencies", "also what they depend on; =2 for two levels only", switch=True),
    Option("--include-dependents", "also what depends on them; =2 for two levels only", switch=True),
)
PROVENANCE = Option("--provenance", "with --format tree, also the files that each is made of", switch=True)
DELIMITER = Option("--delimiter", "what is between two cells of csv and tsv", metavar="SIGN", group="Output")
ALL_LEVELS = 1_000_000
TABLE = (
    Option(
        "-f --format",
        "how rows are printed",
        choices=("table", "json", "yaml", "csv", "tsv", "tree", "matrix"),
        group="Output",
    ),
    Option("--columns", "fields, or Name={{ .vars.region }}", metavar="COLUMN,...", many=True, group="Output"),
    Option("--sort", "as in component,stack:desc", metavar="COLUMNS", group="Output"),
    Option("--filter", 'a predicate for each row, as in .stack == "prod"', metavar="YQ", group="Output"),
    Option("-q --query", "the rows that a yq expression over all rows gives", metavar="YQ", group="Output"),
    DELIMITER,
)


def run_rows(kind: str, args: Namespace, console: Console) -> int:
    """One of the lists of rows."""
    stacks = stacks_of(args)
    chosen = stacks.chosen(stack=stack_name(args), **_choice(args))
    component = getattr(args, "component", None) or getattr(args, "of", None) or ""
    text = stacks.list_text(kind, chosen, asked(args, console, stacks), component)
    outputs = getattr(args, "output_file", None)
    if outputs:
        from plait.access.outputs import append_outputs

        args.workspace.project.trace.unfollowed.add("a file of outputs")
        append_outputs(outputs, {"matrix": text.strip(), "instance_count": str(text.count('"component"'))})
    return answer(args, console, stacks, [text], listing=True, stack=stack_name(args))


def asked(args: Namespace, console: Console, stacks: StackQuestions) -> Asked:
    """How the options want rows to be shown."""
    return stacks.asked(
        form=args.format or setting(args, "ATMOS_LIST_FORMAT"),
        columns=args.columns,
        sort=args.sort or "",
        filter=args.filter or "",
        query=args.query or "",
        terminal=console.out.isatty(),
        files=truth(getattr(args, "provenance", None), False),
        delimiter=(args.delimiter or "").replace("\\t", "\t"),
    )


def _choice(args: Namespace) -> dict[str, object]:
    choice: dict[str, object] = {
        "dependencies": _levels(getattr(args, "include_dependencies", None)),
        "dependents": _levels(getattr(args, "include_dependents", None)),
    }
    if hasattr(args, "tags"):
        choice |= {"tags": args.tags, "labels": args.labels}
    if hasattr(args, "type"):
        everything = truth(getattr(args, "abstract", None), False)
        choice |= {"type": "all" if everything else args.type}
        choice |= {"enabled": args.enabled or "", "locked": args.locked or ""}
    return choice


def _levels(given: str | None) -> int:
    """How many levels of related components a flag asks for: `--flag` all of them, `--flag=2` two, `--flag=0` none."""
    if given is not None and given.strip().isdecimal():
        return int(given)
    return ALL_LEVELS if truth(given, False) else 0


def run_values(section: str, args: Namespace, console: Console) -> int:
    """One of the lists of values, by stack."""
    stacks = stacks_of(args)
    chosen = stacks.chosen(stack=stack_name(args), **_choice(args))
    delimiter = (args.delimiter or "").replace("\\t", "\t")
    most = args.max_columns or 0
    text = stacks.list_values(section, chosen, args.component or "", shape_of(args, stacks), delimiter, most)
    return answer(args, console, stacks, [text], listing=True, stack=stack_name(args))


def rows_command(kind: str, summary: str, examples: tuple[str, ...], *options: Option, component: str = "") -> Command:
    """The declaration of a list of rows."""
    arguments = (Argument("COMPONENT", component, "?"),) if component else ()
    return Command(
        f"list {kind}",
        summary,
        examples,
        lambda args, console: run_rows(kind, args, console),
        arguments,
        (STACK, *options, *TABLE, *EVALUATING, *CONFIG),
        "plait help stacks",
        kept=to_console,
    )


def values_command(name: str, section: str, summary: str) -> Command:
    """The declaration of a list of values."""
    options = (
        STACK,
        *CHOICE,
        ABSTRACT,
        Option("-f --format", "output format", choices=VALUE_FORMATS, default="yaml", group="Output"),
        Option("-q --query", "print only what a yq expression finds", metavar="YQ", group="Output"),
        Option("--max-columns", "how many stacks a table shows", metavar="N", number=True, group="Output"),
        DELIMITER,
        *EVALUATING,
        *CONFIG,
    )
    examples = (f"plait list {name} vpc", f"plait list {name} vpc -s 'plat-*-prod' --format json")
    arguments = (Argument("COMPONENT", "the component; without it, all of them", "?"),)
    return Command(
        f"list {name}",
        summary,
        examples,
        lambda args, console: run_values(section, args, console),
        arguments,
        options,
        "plait help stacks",
        kept=to_console,
    )
