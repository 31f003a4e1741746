"""`plait describe stacks`: every stack with its components, evaluated."""

from __future__ import annotations

from plait.apps.cli.command import EXECUTOR, JOBS, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import (
    CONFIG,
    EVALUATING,
    FORM,
    STACK,
    answer,
    shape_of,
    stack_name,
    stacks_of,
    to_console,
    truth,
    words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    chosen = stacks.filter(
        stack=stack_name(args),
        components=words(args.components),
        types=words(args.component_types),
        sections=words(args.sections),
        empty_stacks=truth(args.include_empty_stacks, False),
    )
    origins = truth(args.provenance, False) and args.format == "yaml" and not args.query
    pieces = (
        stacks.stacks_with_origins(chosen, args.reveal)
        if origins
        else stacks.describe_stacks(chosen, shape_of(args, stacks))
    )
    return answer(args, console, stacks, pieces, listing=True, stack=chosen.stack)


COMMAND = Command(
    "describe stacks",
    "Show every stack with its components, merged and evaluated.",
    (
        "plait describe stacks",
        "plait describe stacks -s plat-ue1-prod --components vpc,eks --sections vars",
        "plait describe stacks --format json --process-functions=false",
    ),
    run,
    (),
    (
        STACK,
        Option("--components", "only these components", metavar="NAME,...", many=True),
        Option("--component-types", "only components of these types", metavar="TYPE,...", many=True),
        Option("--sections", "only these sections", metavar="NAME,...", many=True),
        Option("--provenance", "in YAML, a comment on each line that says where it comes from", switch=True),
        Option("--include-empty-stacks", "also stacks without components", switch=True),
        *FORM,
        *EVALUATING,
        JOBS,
        EXECUTOR,
        *CONFIG,
    ),
    "plait help stacks",
    kept=to_console,
)
