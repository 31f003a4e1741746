"""`plait completion`: a script for the shell. It asks plait for the words that can follow."""

from __future__ import annotations

from plait.apps.cli.command import PRINTING, SEPARATOR, Argument, Command
from plait.apps.cli.console import OK, Console
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace

ASK = "candidates"
"""What a script asks with: `plait completion candidates LINE`, the words of the line separated by SEPARATOR."""


def run(args: Namespace, console: Console) -> int:
    if args.shell == ASK:
        from plait.apps.cli.candidates import candidates

        console.print("".join(f"{word}\n" for word in candidates((args.line or "plait").split(SEPARATOR))))
        return OK
    if args.shell not in SHELLS:
        raise BAD_OPTION.error(why=f"no completion for `{args.shell}`", hint=f"available: {', '.join(SHELLS)}")
    console.print(SHELLS[args.shell])
    return OK


BASH = r"""# plait completion bash > ~/.local/share/bash-completion/completions/plait
_plait() {
  local cur line files= word
  local -a typed
  cur="${COMP_LINE:0:COMP_POINT}"
  read -r -a typed <<< "$cur"
  [[ "$cur" == *[[:space:]] ]] && typed+=("")
  cur="${typed[${#typed[@]}-1]}"
  line="$(IFS=$'\x1f'; printf %s "${typed[*]//\\/}")"
  # Bash completes behind a `=` or `:` of its own accord: leave out what is there already.
  local head="${cur%"${cur##*[=:]}"}"
  head="${head//\\/}"
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ "$word" == ":files" ]]; then files=yes; continue; fi
    [[ -n "$head" ]] && word="${word#"$head"}"
    printf -v word %q "$word" # names come from files: each is one word, whatever it holds
    COMPREPLY+=("$word")
  done < <(plait completion candidates "$line" 2>/dev/null)
  if [[ -n "$files" ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${cur##*[=:]}")
  elif [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _plait plait
"""

ZSH = r"""#compdef plait
# plait completion zsh > "${fpath[1]}/_plait"
_plait() {
  local line word about files
  local -a found described typed open opened
  typed=("${(@Q)words[1,CURRENT]}")
  line="${(pj:\x1f:)typed}"
  while IFS=$'\t' read -r word about; do
    if [[ "$word" == ":files" ]]; then files=yes; continue; fi
    if [[ "$word" == *= ]]; then open+=("$word"); opened+=("${word}${about:+  -- $about}"); continue; fi
    found+=("$word"); described+=("${word}${about:+  -- $about}")
  done < <(plait completion candidates "$line" 2>/dev/null)
  (( ${#open} )) && compadd -S '' -l -d opened -a open
  (( ${#found} )) && compadd -l -d described -a found
  [[ -n "$files" ]] && _files
  return 0
}
if [[ "$funcstack[1]" == _plait ]]; then _plait; else compdef _plait plait; fi
"""

FISH = r"""# plait completion fish > ~/.config/fish/completions/plait.fish
function __plait_candidates
    set -l typed (commandline -opc) (commandline -ct)
    for one in (plait completion candidates (string join \x1f -- $typed) 2>/dev/null)
        if test "$one" = ":files"
            __fish_complete_path (commandline --current-token --cut-at-cursor)
        else
            printf '%s\n' $one
        end
    end
end
complete --command plait --no-files --arguments '(__plait_candidates)'
"""

POWERSHELL = r"""# plait completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName plait -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @()
    foreach ($element in $commandAst.CommandElements) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { continue }
        $isText = $element -is [System.Management.Automation.Language.StringConstantExpressionAst]
        $typed += if ($isText) { $element.Value } else { $element.Extent.Text }
    }
    if ($wordToComplete -eq '') { $typed += '' }
    $line = $typed -join [char]0x1f
    foreach ($one in @(& plait completion candidates $line 2>$null)) {
        $word, $about = $one -split "`t", 2
        if ($word -eq ':files') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
            continue
        }
        $shown = if ($about) { $about } else { $word }
        $text = $word
        if ($word -notmatch '^[\w./:=-]+$') { # names come from files: each is one word, whatever it holds
            $inner = [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($word)
            $text = "'" + $inner + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $shown)
    }
}
"""

SHELLS = {"bash": BASH, "zsh": ZSH, "fish": FISH, "powershell": POWERSHELL}

COMMAND = Command(
    "completion",
    "Print a completion script for bash, zsh, fish or PowerShell.",
    (
        "plait completion bash > ~/.local/share/bash-completion/completions/plait",
        'plait completion zsh > "${fpath[1]}/_plait"',
        "plait completion fish > ~/.config/fish/completions/plait.fish",
        "plait completion powershell >> $PROFILE",
    ),
    run,
    (
        Argument("SHELL", "bash, zsh, fish or powershell"),
        Argument("LINE", "with `candidates`: the words of a command line", "?"),
    ),
    common=PRINTING,
)
