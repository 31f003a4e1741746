"""Words of other tools on the command line, and what plait has for them."""

from __future__ import annotations

import os
import re

from plait.apps.cli.command import CHANGING
from plait.report.near import did_you_mean, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.command import Option

DEPLOYS = "plait deploys nothing: plait render prints what a target gives, for the tool that deploys it"
RENDERS = "plait render FOLDER prints what a chart or a kustomization gives"
READS = "plait get FILE PATH prints a value, plait merge FILE... all of it"
CHANGES = "plait set FILE PATH VALUE changes a value and leaves the rest of the file alone; plait merge merges a patch"
NO_TERRAFORM = "plait runs no terraform: plait describe component NAME -s STACK prints what it is given"
COMMANDS_ELSEWHERE = {
    **dict.fromkeys(("install", "upgrade", "up", "deploy", "sync", "rollback", "uninstall"), DEPLOYS),
    **dict.fromkeys(("template", "build", "kustomize", "dependency", "manifest"), RENDERS),
    **dict.fromkeys(("eval", "eval-all", "ea", "e", "show", "cat", "print", "read", "view", "values"), READS),
    **dict.fromkeys(("edit", "patch", "write", "update", "replace", "delete"), CHANGES),
    **dict.fromkeys(("terraform", "tofu", "helmfile", "packer", "plan", "toolchain"), NO_TERRAFORM),
    "config": "plait merge -f compose.yaml -f compose.prod.yaml prints a Compose project",
    "man": "man plait shows the manual where plait's pages are installed; plait help COMMAND prints a page here",
    "workflow": "plait runs no workflows: plait list workflows lists them",
    "vendor": "plait fetches no components: plait list sources lists those that come from elsewhere",
    "process": "plait spiff merge TEMPLATE STUB... fills a template",
    "convert": "plait get FILE --format json prints YAML as JSON, and --format yaml JSON as YAML",
    "validate": "plait validate stacks checks stacks, plait lint FILE... finds mistakes in layers",
}
"""Commands of helm, kubectl, kustomize, docker compose, yq, Atmos and spiff."""
SHORT = {"-q": "--quiet", "-v": "--verbose", "-p": "--path", "-t": "--target", "-j": "--jobs", "-c": "--color"}
"""What short options mean elsewhere; plait has long ones."""
STACK = "the stack is named with -s: -s {word}"
EXTRA_WORDS = {
    **dict.fromkeys(("describe component", "blame component", "validate component", "describe dependents"), STACK),
    "render": "the name of a release is given with --release {word}, and files with -f",
}
"""What is meant by a word too many, by command."""
OPTIONS_ELSEWHERE = {
    "--all": "without a name, all of them are printed",
    "--output-dir": "plait prints everything on standard output",
    "--strict": "plait lint ends with status 1 for warnings, too",
    "--enable-helm": "charts that a kustomization names are rendered without an option, where they are unpacked",
    "--version": "the version is the one in Chart.yaml: plait fetches no charts",
    **dict.fromkeys(("--section", "--sections"), "`--query .vars` prints one section of a component"),
    **dict.fromkeys(("-i", "--inplace"), "plait set and unset change the file that they name; plait merge prints"),
}
"""Options of helm, kustomize, Atmos and yq, and what plait has for them."""
FORMAT_FLAGS = ("--json", "--yaml", "-o", "--output", "--output-format")
FILE_FLAGS = ("-f", "--file", "--filename", "--values", "-r")
FORMS = ("json", "yaml")
CODE_START = re.compile("(?i)PL[0-9]{4}$")


def unknown_command(words: list[str], commands: dict[str, str]) -> str:
    """What is said of a first word that is no command."""
    longer = [f"`plait {name}`" for name in commands if name.endswith(f" {words[0]}")]
    hint = f"did you mean {' or '.join(longer)}?" if longer else COMMANDS_ELSEWHERE.get(words[0], "")
    if os.path.isfile(words[0]) and not words[0].startswith("-"):
        hint = f"a command is missing, as in: plait merge {' '.join(words)}"
    hint = hint or did_you_mean(" ".join(words[:2]), [name for name in commands if " " in name])
    hint = hint or did_you_mean(words[0], [name.partition(" ")[0] for name in commands])
    if CODE_START.match(words[0]):
        hint = f"plait help {words[0].upper()} describes a diagnostic"
    if words[0] in ("-v", "--ver"):
        hint = "plait --version prints the version; --verbose is an option of every command"
    return f"plait: unknown command `{words[0]}`\n{hint or '`plait --help` lists the commands'}"


def unfinished_command(words: list[str], below: list[str]) -> str:
    """What is said of the first word of a command that has two."""
    seconds = [name.split()[1] for name in below]
    given = next((word for word in words[1:2] if not word.startswith("-")), "")
    hint = did_you_mean(given, seconds) if given else ""
    meant = hint or COMMANDS_ELSEWHERE.get(given, "" if given else COMMANDS_ELSEWHERE.get(words[0], ""))
    if given and not meant and (len(seconds) == 1 or words[0] == "describe" or os.path.isfile(given)):
        meant = f"did you mean `plait {below[0]} {given}`?"
    who = f"plait {words[0]}: unknown `{given}`; " if given else f"plait {words[0]}: "
    return f"{who}one of {', '.join(seconds)} must follow" + (f"\n{meant}" if meant else "")


def option_hint(command: str, flag: str, value: str, flags: dict[str, Option]) -> str:
    """What is said of an unknown option: what it is called here, or one like it that changes no file."""
    form = flag.lstrip("-") if flag in ("--json", "--yaml") else value
    if "--format" in flags and form in FORMS and flag in FORMAT_FLAGS:
        return f"write `--format {form}`"
    if flag in ("-o", "--output") and value.startswith(("jsonpath", "custom-columns", "go-template")):
        return "plait get FILE PATH prints one value"
    if command == "apply" and flag in FILE_FLAGS:
        return f"plait apply saves an edited expansion. {DEPLOYS}"
    if flag in FILE_FLAGS and "--file" not in flags:
        return f"files are named without `{flag}`"
    if SHORT.get(flag) in flags:
        return f"write `{SHORT[flag]}`"
    if flag == "--profile" and "--compose-profile" in flags:
        return "write `--compose-profile`"
    return did_you_mean_option(flag, flags) or OPTIONS_ELSEWHERE.get(flag, "")


def extra_hint(command: str, word: str) -> str:
    """What is said of a word too many."""
    return EXTRA_WORDS.get(command, "").format(word=word)


def did_you_mean_option(flag: str, flags: dict[str, Option]) -> str:
    """The long options that are nearest, the dashes not counted. If one of those changes files, nothing is suggested:
    it may be what was meant, and then no other one is."""
    names = {name[2:]: option.name for name, option in flags.items() if name.startswith("--")}
    near = nearest(flag.lstrip("-"), names)
    if any(names[name] in CHANGING for name in near):
        return ""
    return f"did you mean {' or '.join(f'`--{name}`' for name in near)}?" if near else ""
