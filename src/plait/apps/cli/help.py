"""`plait help`: a command, a topic or a diagnostic, from what is installed."""

from __future__ import annotations

import re

from plait.access.pages import page_names, page_text
from plait.apps.cli.command import PRINTING, Argument, Command, Option, help_of
from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.console import OK, Console
from plait.report.catalog import BAD_OPTION, CATALOG, Code
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace

LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)
ANCHOR = re.compile(r'<a id="[^"]*"></a>')
REFERENCE = "reference/"
"""What the names of pages made from the code begin with; a topic may leave it out."""
DIAGNOSTICS = "reference/diagnostics/"
PLACEHOLDER = re.compile(r"\{(\w+)[^}]*\}")


def run(args: Namespace, console: Console) -> int:
    words = " ".join(args.word)
    if args.man:
        from plait.apps.cli.man import man_page

        console.print(man_page(words if words in COMMANDS else ""))
        return OK
    console.print(answer(words))
    console.masked = False  # a page that shows a mask hides no secret
    return OK


def answer(words: str) -> str:
    """The help for a command, a group of commands, a diagnostic or a topic."""
    if not words:
        from plait.apps.cli import overview

        return overview()
    pages = page_names()
    if words in COMMANDS:
        return help_of(load(words)) + ("\n" + plain(page_text(pages[words])) if words in pages else "")
    if words.upper() in CATALOG:
        return diagnostic(CATALOG[words.upper()])
    below = {name: about for name, about in COMMANDS.items() if name.startswith(words + " ")}
    if words == "topics":
        return topics(pages)
    words = words if words in pages or f"{REFERENCE}{words}" not in pages else f"{REFERENCE}{words}"
    if words in pages:
        return plain(page_text(pages[words])) + (_group(below) if below else "")
    if below:
        return _group(below).lstrip()
    codes = [code for code in CATALOG if code.startswith(words.upper())]
    begun = f"these begin so: {', '.join(codes[:8])}{', ...' if len(codes) > 8 else ''}" if codes else ""
    where = "`plait help topics` lists the topics, `plait --help` the commands"
    hint = begun or did_you_mean(words, [*COMMANDS, *pages]) or where
    raise BAD_OPTION.error(why=f"unknown command, topic or diagnostic `{words}`", hint=hint)


def _group(commands: dict[str, str]) -> str:
    width = max(map(len, commands))
    return "\nCommands:\n" + "".join(f"  plait {name.ljust(width)}  {about}\n" for name, about in commands.items())


def topics(pages: dict[str, str]) -> str:
    """A line for each page: its topic and its title."""
    shown = {name: path for name, path in pages.items() if not name.startswith(DIAGNOSTICS)}
    width = max(map(len, shown), default=0)
    lines = [f"  {name.ljust(width)}  {title(page_text(path))}" for name, path in shown.items()]
    return "\n".join(["Topics, for `plait help TOPIC`:", "", *lines]) + "\n"


def title(text: str) -> str:
    return next((line[2:] for line in text.splitlines() if line.startswith("# ")), "")


def diagnostic(code: Code) -> str:
    """What a diagnostic means, with an example where its page is installed."""
    pages = page_names()
    page = pages.get(DIAGNOSTICS + code.code)
    if page is not None:
        return plain(page_text(page))
    from plait.report.fixes import FIXES

    message = PLACEHOLDER.sub(lambda match: match[1].upper(), code.message)
    return f"{code.severity} {code.code}: {message}\n\n{code.about}\n\nHow to fix it: {FIXES[code.code]}\n"


def plain(text: str) -> str:
    """A page as text for a terminal: blocks indented, links as the topics that they lead to."""
    return LINK.sub(_reference, FENCE.sub(_block, ANCHOR.sub("", text)))


def _block(match: re.Match[str]) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in match[2].splitlines()).rstrip("\n")


def _reference(match: re.Match[str]) -> str:
    """A link to another page as the command that prints it; any other link with its address."""
    text, target = match[1], match[2]
    file, _, _ = target.partition("#")
    if not file:
        return text
    if "://" in target or not file.endswith(".md"):
        return f"{text} ({target})" if "://" in target else text
    topic = file.removesuffix(".md").replace("../", "").removeprefix("docs/").removeprefix("fronts/")
    return f"{text.removesuffix('.md')} (plait help {topic})" if topic in page_names() else text


COMMAND = Command(
    "help",
    "Print the help of a command, a page about a topic, or what a diagnostic means.",
    ("plait help merge", "plait help layers", "plait help PL2101", "plait help topics", "plait help merge --man"),
    run,
    (Argument("WORD", "a command, a topic or the code of a diagnostic", "*"),),
    (Option("--man", "print the manual page, for `man -l -`", group="Output"),),
    common=PRINTING,
)
