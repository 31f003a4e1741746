"""A `Question` describes each request for external data: the capability it needs, the key that identifies it (so that
it is made once), and the function that makes it.

Creating a question evaluates the values it needs (a backend's bucket may be a template). Asking it does not read the
tree, so questions can be asked in parallel.
"""

from __future__ import annotations

import os

from plait.core.scope import Patience
from plait.fronts.stacks.session.yaml_function import Answer, answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.node import Node
    from plait.core.scope import Permit, Scope
    from plait.fronts.stacks.session.session import StackSession


class Question:
    """Something to ask the outside. `secret` answers are never shown; `path` is a file that must be in the project."""

    __slots__ = ("ask", "capability", "key", "path", "patience", "secret")

    def __init__(
        self,
        capability: str,
        key: tuple[object, ...],
        ask: Callable[[Permit], object],
        what: str,
        *,
        seconds: float = 0,
        secret: bool = False,
        path: str = "",
    ) -> None:
        self.capability = capability
        self.key = key
        self.ask = ask
        self.patience = Patience(what, seconds)
        self.secret = secret
        self.path = path

    def answered(self, permit: Permit) -> Answer:
        return answered(self.ask, permit, self.secret)


def answer_to(question: Question, scope: Scope, session: StackSession, node: Node) -> object:
    """The answer to a question that an expression asks, or `Blocked`."""
    key = _key(question, session, node)
    if question.path:
        session.trace.opened(scope.place.root, question.path)
    answer = scope.call(question.capability, key, question.answered, question.patience)
    assert isinstance(answer, Answer)
    return answer.plain


def answer_for_files(question: Question, session: StackSession, node: Node) -> object:
    """The answer to a question that is asked while files are read, not for a component; or `Blocked`."""
    key = _key(question, session, node)
    answer = session.evaluator.call(question.capability, key, question.answered, node, question.patience)
    assert isinstance(answer, Answer)
    return answer.plain


def _key(question: Question, session: StackSession, node: Node) -> tuple[object, ...]:
    """What identifies a question. A file goes by its path in the project, which is an input of the answer, and by the
    project, which is none: two copies of a repository ask the same, of different files."""
    if not question.path:
        return question.key
    session.project.check_inside(question.path, node)
    root = session.project.root
    return (*question.key, os.path.relpath(question.path, root), (root,))
