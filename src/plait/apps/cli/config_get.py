"""`plait config get`: a value of the effective atmos.yaml."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, Argument, Command
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of
from plait.apps.cli.stacks import CONFIG, stacks_of
from plait.core.node import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.yaml.printing import as_text

    node = workspace_of(args).value(stacks_of(args).config_tree(), args.path)
    plain = isinstance(node, Scalar) and not node.secret and args.format == "text"
    text = node.text if plain and isinstance(node, Scalar) else as_text(node, _FORMS[args.format], args.reveal)
    console.print(text.rstrip("\n") + "\n")
    return OK


_FORMS = {"text": "yaml", "json": "json"}

COMMAND = Command(
    "config get",
    "Print a value of the effective configuration.",
    ("plait config get stacks.base_path", "plait config get stacks --format json"),
    run,
    (Argument("PATH", "the key, as stacks.base_path"),),
    (*CONFIG, AS_TEXT),
    "plait explain config --help, plait describe config --help",
)
