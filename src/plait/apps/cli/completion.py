"""`plait completion`: a script for the shell, made from the declarations of all commands."""

from __future__ import annotations

from plait.apps.cli.command import PRINTING, Argument, Command
from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.console import OK, Console
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    if args.shell not in SHELLS:
        raise BAD_OPTION.error(why=f"there is no completion for `{args.shell}`", hint=f"there is: {', '.join(SHELLS)}")
    flags = {name: sorted(flag for option in load(name).options for flag in option.flags) for name in COMMANDS}
    console.print(SHELLS[args.shell](flags))
    return OK


def _first_words(flags: dict[str, list[str]]) -> list[str]:
    return list(dict.fromkeys(name.split()[0] for name in flags))


def _bash(flags: dict[str, list[str]]) -> str:
    cases = []
    for name, words in flags.items():
        cases.append(f'    "{name}") words="{" ".join(words)}" ;;')
    seconds = [
        f'    {first}) words="{" ".join(name.split()[1] for name in flags if name.startswith(first + " "))}" ;;'
        for first in dict.fromkeys(name.split()[0] for name in flags if " " in name)
    ]
    return "\n".join(
        [
            "_plait() {",
            '  local cur="${COMP_WORDS[COMP_CWORD]}" one="${COMP_WORDS[1]}" two="${COMP_WORDS[1]} '
            '${COMP_WORDS[2]}" words=""',
            '  if [ "${COMP_WORDS[COMP_CWORD-1]}" = --target ]; then',
            '    COMPREPLY=($(compgen -W "$(plait targets --format names 2>/dev/null)" -- "$cur")); return',
            "  fi",
            '  if [ "$COMP_CWORD" -eq 1 ]; then',
            f'    COMPREPLY=($(compgen -W "{" ".join(_first_words(flags))} --help --version" -- "$cur")); return',
            "  fi",
            '  if [ "$COMP_CWORD" -eq 2 ]; then case "$one" in',
            *seconds,
            '  esac; [ -n "$words" ] && { COMPREPLY=($(compgen -W "$words" -- "$cur")); return; }; fi',
            '  for name in "$two" "$one"; do case "$name" in',
            *cases,
            '  esac; [ -n "$words" ] && break; done',
            '  case "$cur" in -*) COMPREPLY=($(compgen -W "$words --help" -- "$cur")) ;; *) '
            'COMPREPLY=($(compgen -f -- "$cur")) ;; esac',
            "}",
            "complete -o filenames -F _plait plait",
            "",
        ]
    )


def _zsh(flags: dict[str, list[str]]) -> str:
    return "#compdef plait\nautoload -U +X bashcompinit && bashcompinit\n" + _bash(flags)


def _fish(flags: dict[str, list[str]]) -> str:
    lines = [f"complete -c plait -n __fish_use_subcommand -f -a '{' '.join(_first_words(flags))}'"]
    for name, words in flags.items():
        seen = " and ".join(f"__fish_seen_subcommand_from {word}" for word in name.split()).replace(" and ", "; and ")
        lines += [
            f"complete -c plait -n '{seen}' -l {word[2:]}" + (TARGETS if word == "--target" else "")
            for word in words
            if word.startswith("--")
        ]
    return "\n".join(lines) + "\n"


TARGETS = " -x -a '(plait targets --format names 2>/dev/null)'"
SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}

COMMAND = Command(
    "completion",
    "Print a completion script for bash, zsh or fish.",
    ("plait completion bash > ~/.local/share/bash-completion/completions/plait",),
    run,
    (Argument("SHELL", "bash, zsh or fish"),),
    common=PRINTING,
)
