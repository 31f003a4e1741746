"""The `list` commands, as a table: which rows or values each one shows, and how they are printed."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option, always
from plait.apps.cli.console import Console
from plait.apps.cli.describe_affected import COMPARING, compared
from plait.apps.cli.opening import setting
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, answer, shape_of, stack_name, stacks_of, to_console, truth
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.namespace import Namespace
    from plait.fronts.questions import Asked, StackQuestions

    Run = Callable[[Namespace, Console], int]

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
AS_ROWS = ("columns", "sort", "filter")
"""The options that turn a list of values into rows."""
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


def _run_rows(kind: str, args: Namespace, console: Console) -> int:
    """One of the lists of rows."""
    stacks = stacks_of(args)
    chosen = stacks.chosen(stack=stack_name(args), **_choice(args))
    component = getattr(args, "component", None) or getattr(args, "of", None) or ""
    text = stacks.lists.text(kind, chosen, _asked(args, console, stacks), component)
    outputs = getattr(args, "output_file", None)
    if outputs:
        from plait.access.outputs import append_outputs

        args.run.open_workspace.project.trace.unfollowed.add("a file of outputs")
        append_outputs(outputs, {"matrix": text.strip(), "instance_count": str(text.count('"component"'))})
    _check_stack(args, console, stacks)
    return answer(args, console, stacks, [text], listing=True, stack=stack_name(args))


def _check_stack(args: Namespace, console: Console, stacks: StackQuestions) -> None:
    """Say that `--stack` matches no stack: an empty list alone could mean that there is nothing to list."""
    name = stack_name(args)
    names = stacks.names() if name else []
    if name and not any(map(stacks.chosen(stack=name).stack_named, names)):
        console.note(f"no stack matches `{name}`; {did_you_mean(name, names) or 'plait list stacks shows them'}")


def _asked(args: Namespace, console: Console, stacks: StackQuestions) -> Asked:
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


def _run_affected(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    text = stacks.lists.rows_text("affected", compared(args, stacks, console), _asked(args, console, stacks))
    return answer(args, console, stacks, [text], listing=True, stack=stack_name(args))


def _run_workflows(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    rows = stacks.workflow_rows(args.of_file or "")
    return answer(args, console, stacks, [stacks.lists.rows_text("workflows", rows, _asked(args, console, stacks))])


def _run_metadata(args: Namespace, console: Console) -> int:
    """By stack, or as rows if columns, a filter or an order are asked for."""
    run = _run_rows if any(getattr(args, name) for name in AS_ROWS) else _run_values
    return run("metadata", args, console)


def _run_values(section: str, args: Namespace, console: Console) -> int:
    """One of the lists of values, by stack."""
    stacks = stacks_of(args)
    chosen = stacks.chosen(stack=stack_name(args), **_choice(args))
    delimiter = (args.delimiter or "").replace("\\t", "\t")
    most = args.max_columns or 0
    text = stacks.lists.values(section, chosen, args.component or "", shape_of(args, stacks), delimiter, most)
    _check_stack(args, console, stacks)
    return answer(args, console, stacks, [text], listing=True, stack=stack_name(args))


def _rows(
    kind: str,
    summary: str,
    examples: tuple[str, ...],
    *options: Option,
    component: str = "",
    direction: dict[str, str] | None = None,
    more: str = "plait help stacks",
) -> Command:
    """The declaration of a list of rows; the kind of them may depend on a `direction`."""
    kinds = direction or {}
    return Command(
        f"list {kind}",
        summary,
        examples,
        lambda args, console: _run_rows(kinds[args.direction] if kinds else kind, args, console),
        (Argument("COMPONENT", component, "?"),) if component else (),
        (STACK, *options, *TABLE, *EVALUATING, *CONFIG),
        more,
        kept=to_console,
    )


def _values(
    name: str, section: str, summary: str, run: Run | None = None, example: str = "", rows: tuple[Option, ...] = ()
) -> Command:
    """The declaration of a list of values by stack."""
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
        *rows,
    )
    examples = (f"plait list {name} vpc", f"plait list {name} vpc -s 'plat-*-prod' --format json")
    return Command(
        f"list {name}",
        summary,
        (*examples, example) if example else examples,
        run or (lambda args, console: _run_values(section, args, console)),
        (Argument("COMPONENT", "the component; without it, all of them", "?"),),
        options,
        "plait help stacks",
        kept=to_console,
    )


LISTS = (
    _rows(
        "stacks",
        "The names of all stacks. Evaluates only what the names depend on.",
        ("plait list stacks", "plait list stacks vpc", "plait list stacks -s 'plat-*' --format json"),
        Option("-c --of --component", "only stacks with this component", metavar="NAME"),
        *LABELS,
        *RELATED,
        PROVENANCE,
        component="only stacks with this component",
    ),
    _rows(
        "components",
        "The components of all stacks, and in how many stacks each one is.",
        ("plait list components", "plait list components --type all --format csv"),
        *CHOICE,
        ABSTRACT,
        *RELATED,
    ),
    _rows(
        "instances",
        "Every component of every stack.",
        (
            "plait list instances",
            "plait list instances -s 'plat-*-prod' --columns component --columns 'Where={{ .stack }}'",
        ),
        *CHOICE,
        *RELATED,
        PROVENANCE,
        Option("-o --output-file", "with --format matrix, also append it to this file", metavar="FILE", group="Output"),
        Option("--upload", "accepted, with a warning", switch=True, undone="nothing is uploaded"),
    ),
    _values("vars", "vars", "The vars of a component in every stack."),
    _values("values", "", "All sections of a component in every stack."),
    _values("settings", "settings", "The settings of a component in every stack."),
    _values(
        "metadata",
        "metadata",
        "The metadata of a component in every stack.",
        _run_metadata,
        "plait list metadata --columns component,stack,locked --filter '.locked'",
        tuple(option for option in TABLE if option.name in AS_ROWS),
    ),
    _rows(
        "dependencies",
        "The declared dependencies of each component, in one direction or in both.",
        (
            "plait list dependencies",
            "plait list dependencies app -s plat-ue1-prod --direction forward --format tree",
            "plait list dependencies vpc --direction reverse",
        ),
        Option(
            "-d --direction",
            "what a component depends on, what depends on it, or both",
            choices=("forward", "reverse", "both"),
            default="both",
        ),
        *CHOICE,
        component="only those of this component",
        direction={"forward": "dependencies", "reverse": "dependencies reverse", "both": "dependencies both"},
        more="plait describe dependents --help, plait help stacks",
    ),
    _rows(
        "sources",
        "The components whose code comes from elsewhere: those with a `source`.",
        ("plait list sources", "plait list sources --format csv --columns component,stack,version"),
        *CHOICE,
        component="only those of this component",
    ),
    Command(
        "list affected",
        "The components whose values or code differ from a revision, as rows.",
        (
            "plait list affected --base origin/main",
            "plait list affected --base origin/main --format tree",
            "plait list affected --base v1.2 --filter '.affected == \"component\"' --format csv",
        ),
        _run_affected,
        (),
        (*COMPARING, *TABLE, *EVALUATING, *CONFIG),
        "plait help outside",
        kept=to_console,
        asks_git=always,
    ),
    Command(
        "list workflows",
        "The workflows that the files below `workflows.base_path` define, as rows.",
        ("plait list workflows", "plait list workflows -f networking.yaml --format csv"),
        _run_workflows,
        (),
        (
            Option("-f --of-file --file", "only workflows of this file", metavar="FILE"),
            Option("--format", TABLE[0].help, choices=TABLE[0].choices, group="Output"),
            *TABLE[1:],
            *CONFIG,
        ),
        "plait describe workflows --help, plait help stacks",
    ),
)
