"""`join`, which nearly every template uses: it is loaded without the other functions on text."""

from __future__ import annotations

from plait.core.node import ListNode, Node, Scalar
from plait.notations.dynaml.declared import FunctionTable, piece
from plait.report.catalog import WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm

TABLE = FunctionTable("Text")
function = TABLE.function


@function("join", "separator, values...", "Texts, integers and lists of them as one text.", 'join(", ", list)', 0)
def join(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    if not arguments:
        raise env.failure(WRONG_ARGUMENT, tree, issue="join requires a separator", hint='for example: join(", ", list)')
    separator = piece(tree, env, arguments[0], "first argument for join must be a string")
    pieces: list[str] = []
    for number, argument in enumerate(arguments[1:], 1):
        if isinstance(argument, ListNode):
            issue = f"elements of list(arg {number}) to join must be simple values"
            pieces += [piece(tree, env, item, issue) for item in argument.items]
        elif not isinstance(argument, Scalar) or argument.value is not None:
            pieces.append(piece(tree, env, argument, f"argument {number} to join must be simple value or list"))
    return env.joined(separator, pieces)
