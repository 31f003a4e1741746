"""`plait serve`: a page to look at a repository and its layers."""

from __future__ import annotations

import gc
import sys

from plait.access.browser import waiting_browser
from plait.access.environment import variable
from plait.apps.cli.command import Argument, Command, Option, always
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of
from plait.apps.cli.stacks import CONFIG, EVALUATING, stacks_in
from plait.core.visible import counted
from plait.keeping.question import question_of
from plait.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

    from plait.apps.cli.namespace import Namespace
    from plait.apps.web.explorer import Explorer
    from plait.fronts.questions import StackQuestions
    from plait.workspace import Workspace

OF_THE_PAGE = {"port", "host", "no_open", "edit", "export", "base", "target", "reveal"}
"""Options that decide what is shown of the repository and how, not what is in it."""
SELDOM = (100_000, 20, 20)
"""How many objects are made before garbage is looked for. A page makes many objects and hardly any garbage."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def run(args: Namespace, console: Console) -> int:
    listening = None if args.export else _listening(args)
    opens = not args.export and not args.no_open and sys.stdout.isatty() and _has_desktop()
    show = waiting_browser() if opens else None
    args.run.confine()
    explorer = explorer_of(args)
    args.run.stop_timer()  # budgets are for each question
    gc.set_threshold(*SELDOM)
    gc.enable()
    if args.export:
        return _exported(args, explorer, console)
    from plait.apps.web.server import ExplorerServer

    server = ExplorerServer(explorer, args.host, listening=listening)
    if args.host not in LOOPBACK:
        console.say(f"warning: everybody who can reach {args.host} and has the token can read this repository")
    console.print(f"{server.address}\n")
    console.flush()
    if show is not None:
        show(server.invitation())  # not the token: every user of the machine sees the command line of a browser
    server.run()
    console.say("stopped")
    return OK


def _has_desktop() -> bool:
    """Whether a browser would have a window: one for the terminal would take the place of our own output."""
    named = any(map(variable, ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")))
    return named or sys.platform in ("darwin", "win32")


def _exported(args: Namespace, explorer: Explorer, console: Console) -> int:
    from plait.apps.web.export import export

    count = explorer.ask(lambda state: export(state, args.export)).result()
    explorer.close()
    console.say(f"{counted(count, 'page')} written to {args.export}; open {args.export}/index.html")
    return OK


def explorer_of(args: Namespace) -> Explorer:
    """The explorer of the repository that the options name."""
    from plait.apps.web.explorer import Choices, Explorer

    folder = args.chdir or "."  # where nothing has changed to it yet, as in a process with several explorers
    choices = Choices(folder, args.reveal, args.edit, args.base or "", args.target, args.file)

    def opened() -> Workspace:
        workspace = workspace_of(args, folder, remembers=True)
        for name in args.file:
            workspace.project.present(name)
        return workspace

    def asking(workspace: Workspace, folder: str) -> StackQuestions:
        return stacks_in(args, workspace, folder)

    return Explorer(opened, asking, choices, b"" if args.no_cache or args.file else _question(args))


def _question(args: Namespace) -> bytes:
    """The digest that identifies the map of this repository with these options."""
    names = sorted({option.name for option in COMMAND.options} - OF_THE_PAGE)
    return question_of(__version__, [COMMAND.name, *(f"{name}={getattr(args, name)!r}" for name in names)], ())


def _listening(args: Namespace) -> socket:
    """The port, open before this process gives up the right to open one."""
    from plait.apps.web.server import listen

    return listen(args.host, args.port)


COMMAND = Command(
    "serve",
    "Show the repository as a page in the browser: every value with its layers.",
    (
        "plait serve",
        "plait serve base.yaml prod.yaml",
        "plait serve --port 8080 --no-open",
        "plait serve --edit --base main",
        "plait serve --export site --target eu-prod",
    ),
    run,
    (Argument("FILE", "YAML files, lowest first, instead of what the folder declares", "*"),),
    (
        Option("--port", "the port to listen on; default: any free one", metavar="N", number=True, default=0),
        Option("--host", "the address to listen on", metavar="ADDRESS", default="127.0.0.1"),
        Option("--no-open", "do not open the browser"),
        Option("--edit", "let the page write values, after it has shown what changes"),
        Option("--export", "write the pages into this folder instead", metavar="FOLDER"),
        Option("--base", "mark what differs from this revision", metavar="REVISION"),
        Option("--target", "only these stacks or targets", metavar="NAME", many=True),
        *EVALUATING,
        *CONFIG,
    ),
    "plait help explorer",
    publishes=lambda args: bool(args.export),
    asks_git=always,
    later=True,
)
