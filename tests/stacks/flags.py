"""The flags that Atmos documents for the commands that plait has, as of its documentation of August 2026.

A test checks that every one of them is accepted; the table in docs/fronts/stacks.md is made from this one.
"""

from __future__ import annotations

from pathlib import Path

from plait.apps.cli.command import Option
from plait.apps.cli.commands import load

EVALUATING = "--process-templates --process-functions --skip"
LABELLED = "--tags --labels"
RELATED = "--include-dependencies --include-dependents"
REVISION = "--base --ref --sha --repo-path --ssh-key --ssh-key-password --clone-target-ref"
GLOBAL = (
    "--chdir -C --base-path --config --config-path --profile --edition --logs-level --logs-file --no-color "
    "--force-color --force-tty --pager --redirect-stderr --settings-list-merge-strategy --schemas-atmos-manifest "
    "--schemas-jsonschema-dir --schemas-opa-dir "
    "--identity -i --mask --cast --ai --skill --heatmap --heatmap-mode --profiler-enabled --profiler-host "
    "--profiler-port --profile-file --profile-type"
)
FLAGS = {
    "describe component": f"--stack -s --format -f --file --query -q --provenance --error-mode {EVALUATING}",
    "describe stacks": (
        f"--stack -s --format -f --file --query -q --components --component-types --sections --include-empty-stacks "
        f"--provenance --error-mode {EVALUATING}"
    ),
    "describe locals": "--stack -s --format -f --file --query -q",
    "describe affected": (
        f"{REVISION} --file --format -f --verbose --include-spacelift-admin-stacks --stack -s --include-dependents "
        f"--include-settings --query -q --exclude-locked --upload --error-mode {EVALUATING}"
    ),
    "describe dependents": f"--stack -s --format -f --file --query -q --error-mode {EVALUATING}",
    "describe config": "--format -f --query -q",
    "describe workflows": "--format -f --output -o --query -q",
    "list stacks": (
        f"--component -c {LABELLED} {RELATED} --format -f --columns --sort --provenance --error-mode {EVALUATING}"
    ),
    "list components": (
        f"--stack -s --format -f --columns --type -t --abstract --enabled --locked --sort --query -q {LABELLED} "
        f"{RELATED} --on-error --error-mode {EVALUATING}"
    ),
    "list instances": (
        f"--format -f --delimiter --provenance --columns --stack -s {LABELLED} {RELATED} --filter --query -q --sort "
        f"--upload --output-file -o --error-mode {EVALUATING}"
    ),
    "list vars": f"--query -q --abstract --max-columns --format -f --delimiter --stack -s --error-mode {EVALUATING}",
    "list values": f"--query -q --abstract --max-columns --format -f --delimiter --stack -s --error-mode {EVALUATING}",
    "list settings": (
        f"--query -q --max-columns --format -f --delimiter --stack -s --on-error --error-mode {EVALUATING}"
    ),
    "list metadata": (
        f"--format -f --columns --stack -s {LABELLED} --filter --sort --delimiter --error-mode {EVALUATING}"
    ),
    "list dependencies": f"--direction -d --stack -s {LABELLED} --format -f --error-mode {EVALUATING}",
    "list sources": f"--stack -s {LABELLED} --format -f --error-mode {EVALUATING}",
    "list affected": (
        f"{REVISION} --format -f --columns --sort --delimiter --stack -s --include-dependents --exclude-locked "
        f"--error-mode {EVALUATING}"
    ),
    "list workflows": "--file -f --format --delimiter --columns --sort",
    "validate stacks": "--schemas-atmos-manifest --affected --base",
    "validate component": "--stack -s --schema-path --schema-type --module-paths --timeout",
    "validate schema": "--schemas-atmos-manifest --affected --base --exclude",
    "config get": "--config",
}
"""By command, without the global flags."""


PAGE = Path(__file__).parents[2] / "docs" / "fronts" / "stacks.md"
BEGIN, END = "<!-- flags: made by python -m tests.reference -->\n", "<!-- end of flags -->\n"


def options_of(name: str, flags: str) -> dict[str, Option]:
    """The options of a command that some flags of Atmos stand for; KeyError where there is none."""
    known = {flag: option for option in load(name).options for flag in option.flags}
    return {flag: known[flag] for flag in flags.split()}


def table() -> str:
    """Every flag that Atmos documents for a command that plait has, and what it does here."""
    lines = [
        "| command | flags that do what they do in Atmos | flags that are accepted, with a warning |",
        "|---|---|---|",
    ]
    for name, flags in {**FLAGS, "all of these": GLOBAL}.items():
        options = options_of(name if name in FLAGS else "describe component", flags)
        built = " ".join(f"`{flag}`" for flag, option in options.items() if not option.undone)
        undone: dict[str, list[str]] = {}
        for flag, option in options.items():
            if option.undone:
                undone.setdefault(option.undone, []).append(f"`{flag}`")
        accepted = "; ".join(f"{' '.join(names)}: {why}" for why, names in undone.items())
        lines.append(f"| {f'`{name}`' if name in FLAGS else name} | {built} | {accepted} |")
    return "\n".join(lines) + "\n"


def page() -> str:
    """The page about stacks, with the table as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    return head + BEGIN + table() + END + rest.split(END)[1]
