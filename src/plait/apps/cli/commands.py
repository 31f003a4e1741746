"""The table of commands, and how to load the declaration of one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.apps.cli.command import Command

GROUPS: dict[str, dict[str, str]] = {
    "Layers of YAML": {
        "merge": "merge layers; later layers win",
        "explain": "where a value comes from, and what it overrides",
        "blame": "the whole result, each line with its origin",
        "lint": "find likely mistakes: lost items, misspelt keys, secrets",
        "layers": "what each layer contributes to the result",
        "why-not": "why a value of a layer is not in the result",
    },
    "Single files": {
        "get": "the value at a path",
        "set": "change one value; the rest of the file stays byte for byte",
        "unset": "remove a value; the rest of the file stays byte for byte",
        "diff": "what differs between two files, folders or revisions",
    },
    "Changes": {
        "review": "what a change does to the results, and which lines cause it",
        "verify": "prove that plait gives the same results as your current tool",
        "targets": "everything that can be rendered, reviewed and verified by name",
        "init": "write down in plait.yaml which targets were found",
        "render": "print a target, whatever its kind",
        "tidy": "changes of files that leave every result as it is, proved",
    },
    "spiff": {
        "spiff merge": "fill a template from stubs",
        "spiff diff": "compare two deployment manifests",
    },
    "Directives and queries (Unfurl)": {
        "expand": "a document with its directives expanded",
        "query": "query a document, as in a::b[c=1]",
        "apply": "save an edited expansion, directives kept",
    },
    "Patterns": {
        "create": "generate resources from a pattern; changes by others are kept",
        "merge3": "merge three versions of a file by fields: a merge driver for git",
        "regenerate": "regenerate files of any tool; changes by others are kept",
        "patterns list": "the patterns that can be found",
        "patterns describe": "what a pattern generates, and its inputs",
        "patterns new": "start a pattern",
        "patterns check": "try a pattern with sample inputs",
    },
    "Stacks (Atmos)": {
        "explain component": "where a value of a component comes from",
        "explain config": "where a key of the configuration comes from",
        "blame component": "a component, each line with its origin",
        "describe component": "one component of one stack, evaluated",
        "describe stacks": "every stack with its components",
        "describe locals": "file-scoped locals, with file and line",
        "describe affected": "the components that a change touches",
        "describe dependents": "the components that depend on one",
        "describe config": "the effective atmos.yaml",
        "describe workflows": "the workflows of the repository",
        "config get": "a value of the effective atmos.yaml",
        "list stacks": "the names of all stacks",
        "list components": "all components, and in how many stacks they are",
        "list instances": "every component of every stack",
        "list vars": "the vars of a component in every stack",
        "list values": "all sections of a component in every stack",
        "list settings": "the settings of a component in every stack",
        "list metadata": "the metadata of a component in every stack",
        "list dependencies": "the components that each component depends on",
        "list sources": "the components whose code comes from elsewhere",
        "list affected": "the components that a change touches, as rows",
        "list workflows": "the workflows of the repository, as rows",
        "validate stacks": "check every manifest",
        "validate component": "check a component against its schemas",
        "validate config": "check atmos.yaml",
        "validate schema": "check files against the schemas of atmos.yaml",
        "stack get": "a value of a component",
        "stack set": "set a value, with everything that changes shown first",
        "stack unset": "remove a value, with everything that changes shown first",
    },
    "This tool": {
        "serve": "explore the repository in the browser, every value with its layers",
        "watch": "run a command again whenever a file that it read changes",
        "cache info": "show the cache: what is kept between runs",
        "cache clear": "delete the cache",
        "functions": "the functions that can be used, with examples",
        "trust": "allow the files of this folder to run commands",
        "lsp": "the language server for editors",
        "completion": "a completion script for your shell",
        "schema": "JSON Schemas of plait.yaml, pattern.yaml and of --format json",
        "help": "a command, a topic or a diagnostic (plait help PL2101)",
        "version": "the version, and what it runs on",
        "doctor": "what is installed, enforced, allowed and recognised here",
    },
}
"""Every command, in the order of the help. The module of `spiff merge` is `plait.apps.cli.spiff_merge`; the `list`
commands are one table."""

COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}

STATUSES = {
    0: "done, and everything was compared",
    1: "errors in the input, differences found, or a protected value changes",
    2: "wrong usage, or nothing to compare",
    3: "conflicts that somebody must decide (create), or something can be simpler (tidy --check)",
    4: "unknown pattern (create)",
    5: "something could not be compared (review, verify, diff) or checked (validate, lint --schemas)",
    70: "a bug in plait",
    130: "stopped with Ctrl-C",
}
"""Every exit status and what it means, for all commands."""
EXIT_STATUSES = f"Exit status: {'; '.join(f'{status} {meaning}' for status, meaning in STATUSES.items())}."


def load(name: str) -> Command:
    """The declaration of a command."""
    if name.startswith("list "):
        lists: tuple[Command, ...] = _module("lists").LISTS
        return next(command for command in lists if command.name == name)
    command: Command = _module(name.replace(" ", "_").replace("-", "_")).COMMAND
    return command


def _module(name: str) -> Any:
    return __import__(f"plait.apps.cli.{name}", fromlist=["COMMAND"])  # importlib costs a millisecond
