"""What people ask of documents with directives: expand one, ask it, edit it."""

from __future__ import annotations

import os

from plait.core.node import Node
from plait.core.path import Path
from plait.core.visible import counted
from plait.fronts.project import Project
from plait.fronts.unfurl.edit import ValueEdit
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.report.catalog import BAD_OPTION, BAD_PATH
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.unfurl.expressions import Expressions
    from plait.fronts.unfurl.working import Working


def read_document(project: Project, name: str, evaluate: bool = False) -> DirectiveDocument:
    """A document with directives, as a file of a target or as the user names it."""
    return DirectiveDocument(project, name, _expressions(name) if evaluate else None)


class Directives:
    """The documents that the user names."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def document(self, name: str, evaluate: bool = False) -> DirectiveDocument:
        """A document with directives; with `evaluate`, the expressions in it are expressions and not data."""
        return read_document(self.project, self.project.admit(name), evaluate)

    def query(
        self,
        document: DirectiveDocument,
        expression: str,
        at: Path = (),
        mode: str = "one",
        variables: tuple[str, ...] = (),
    ) -> Node:
        """The answer to a question about a document at a path."""
        from plait.fronts.unfurl.asking import ask  # only questions load the language

        return ask(document, expression, at, mode, variables)

    def working(self, name: str) -> Working:
        """A document to edit and save."""
        from plait.fronts.unfurl.working import Working  # only edits load what writes

        return Working(self.project, self.project.admit(name))

    def plain_document(self, name: str) -> Node:
        """A file as plain data: what a document is to expand to."""
        documents = self.project.read(
            self.project.admit(name), lambda source: Reading(nodes=self.project.budgets.nodes)
        )
        if len(documents) != 1:
            raise BAD_OPTION.error(
                why=f"`{name}` contains {counted(len(documents), 'document')}", hint="give one document"
            )
        return documents[0]

    @staticmethod
    def change(path: Path, value: Node | None, create: bool = False) -> ValueEdit:
        """An edit: a value at a path, or, for None, its removal. A new path must be meant."""
        if not path:
            raise BAD_PATH.error(path="", why="it is empty", hint="name the value to edit")
        return ValueEdit(path, value, create)


def _expressions(name: str) -> Expressions:
    from plait.fronts.unfurl.expressions import Expressions  # only where expressions are evaluated
    from plait.notations.query.context import QuerySettings

    return Expressions(QuerySettings(folder=os.path.dirname(os.path.abspath(name))))
