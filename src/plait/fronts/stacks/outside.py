"""What only the outside can answer: outputs and state of terraform, stores, secrets, accounts, remote files, data sources.

Every answer begins as a `Question`: what it needs to be allowed, under which key it is asked once in a run, and a function that asks.
Making a question evaluates what it needs to know (a backend's bucket may be a template); asking it touches nothing of the tree, so
questions are asked side by side.
"""

from __future__ import annotations

import os

from plait.core.node import Node, plain_value
from plait.core.scope import Inherited, Patience, Place
from plait.report.catalog import BAD_SOURCE, NO_SECRET
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.diagnostic import Diagnostic
    from plait.fronts.stacks.components import Component
    from plait.fronts.stacks.run import Run
    from plait.services.datasource import DataSource
    from plait.services.remote import Remote
    from plait.services.sessions import Sessions
    from plait.services.stores import Opened, Stores

COMMAND_SECONDS = 120
WORDS = (
    "!terraform.",
    "!store",
    "!secret",
    "!aws.",
    "!exec",
    "atmos.Component",
    "atmos.Store",
    "datasource",
    "atmos.Gomplate",
)
"""How files ask the outside."""


class Question:
    """Something to ask the outside. `secret` answers are never shown; `path` is a file that must lie in the project."""

    __slots__ = ("ask", "capability", "key", "path", "patience", "secret")

    def __init__(
        self,
        capability: str,
        key: tuple[object, ...],
        ask: Callable[[], object],
        what: str,
        *,
        seconds: float = 0,
        secret: bool = False,
        path: str = "",
    ) -> None:
        self.capability = capability
        self.key = (*key, path) if path else key
        self.ask = ask
        self.patience = Patience(what, seconds)
        self.secret = secret
        self.path = path


class Outside:
    """The services of one run, each made when it is asked for the first time."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._sessions: Sessions | None = None
        self._stores: Stores | None = None
        self._remote: Remote | None = None

    @property
    def sessions(self) -> Sessions:
        if self._sessions is None:
            from plait.services.sessions import Sessions

            self._sessions = Sessions(self.run.project.door)
        return self._sessions

    @property
    def stores(self) -> Stores:
        if self._stores is None:
            from plait.services.stores import Stores

            declared = self.run.config.get("stores")
            self._stores = Stores(
                declared if isinstance(declared, dict) else {}, self.run.config.base_path, self.sessions
            )
        return self._stores

    @property
    def remote(self) -> Remote:
        if self._remote is None:
            from plait.services.remote import Remote

            self._remote = Remote(limit=self.run.project.budgets.size, door=self.run.project.door)
        return self._remote

    def warnings(self) -> list[Diagnostic]:
        """What had to be done without."""
        return self._remote.warnings if self._remote is not None else []

    # Terraform

    def outputs(self, component: Component) -> Question:
        """All outputs of a component, as terraform prints them."""
        from plait.services.terraform import outputs

        what = name_of(component)
        command = str(self._section(component, "command") or component.run.config.command(component.type))
        workspace = str(self._section(component, "workspace") or "")
        env = self._section(component, "env")
        variables = (
            {str(name): str(value) for name, value in env.items() if value is not None} if isinstance(env, dict) else {}
        )
        key = ("outputs", component.stack, component.type, component.name, command, workspace)
        return Question(
            "exec",
            key,
            lambda: outputs(command, component.path, workspace, variables, what),
            what,
            seconds=COMMAND_SECONDS,
        )

    def state(self, component: Component) -> Question:
        """All outputs of a component, as its state has them."""
        from plait.services.state import CAPABILITIES, Backend, check_kind

        what = name_of(component)
        kind = str(self._section(component, "backend_type") or "local")
        check_kind(kind, what)
        options = self._section(component, "backend")
        workspace = str(self._section(component, "workspace") or "")
        limit = self.run.project.budgets.size
        backend = Backend(
            kind, options if isinstance(options, dict) else {}, workspace, component.path, what, self.sessions, limit
        )
        key = ("state", component.stack, component.type, component.name, kind, workspace, repr(options))
        return Question(
            CAPABILITIES[kind],
            key,
            backend.outputs,
            f"the state of {what}",
            path=backend.file if kind == "local" else "",
        )

    def _section(self, component: Component, name: str) -> object:
        """A section of a component, evaluated, as plain data. Not a read: a key to a backend makes no secret of its outputs."""
        node = component.root.entries.get(name)
        return None if node is None else self.plain(node, component.place.child(name))

    def plain(self, node: Node, place: Place) -> object:
        made, failures = self.run.evaluator.finished(node, place)
        if failures:
            raise Inherited(failures[0])
        return plain_value(made, reveal=True)

    # Stores and secrets

    def store(self, name: str, stack: str, component: str, key: str) -> Question:
        """A value that a component of a stack has put into a store."""
        store = self.stores.open(name)
        return self._stored(name, store, store.name_of(stack, component, key))

    def store_key(self, name: str, key: str) -> Question:
        """A value of a store by its own key."""
        store = self.stores.open(name)
        return self._stored(name, store, store.name_of_key(key))

    def _stored(self, name: str, store: Opened, key: str) -> Question:
        capability = store.kind.capability
        path = (
            os.path.normpath(os.path.join(store.options.folder, store.options.text("path"))) if not capability else ""
        )
        return Question(
            capability,
            ("store", name, key),
            lambda: store.value(key),
            f"the store `{name}`",
            secret=store.secret,
            path=path,
        )

    def secret(self, name: str, declared: object, stack: str, component: str) -> Question:
        """A secret that the component declares: in which store it lies, and under which key."""
        rows = declared if isinstance(declared, dict) else {}
        row = rows.get(name)
        if not isinstance(row, dict) or not row.get("store"):
            hint = did_you_mean(name, rows) or "declare it: secrets: {NAME: {store: STORE, key: KEY}}"
            raise NO_SECRET.error(name=name, hint=hint)
        if row.get("key"):
            question = self.store_key(str(row["store"]), str(row["key"]))
        else:
            question = self.store(str(row["store"]), stack, component, name)
        question.secret = True
        question.key = ("secret", *question.key)
        return question

    # Accounts

    def account(self, question: str) -> Question:
        """Facts about the account in use, `question` among them."""
        from plait.services.aws import Facts

        group = Facts.group(question)
        return Question("network", ("aws", group), lambda: Facts(self.sessions).answers(group), f"!aws.{question}")

    # Files

    def fetched(self, address: str, ttl: str = "", secrets: Iterable[str] = ()) -> Question:
        """The path of a copy of a remote file. `secrets` are those that its address was made of."""
        from plait.services.remote import Address, seconds_of

        found = Address(address, frozenset(secrets))
        wanted = ttl or ("" if self.run.configuring else self.run.config.text("imports", "ttl"))
        key = ("fetch", *found.source)
        copy = Question(
            found.capability,
            key,
            lambda: self.remote.copy(found, seconds_of(wanted) if wanted else None).path,
            found.what,
            seconds=COMMAND_SECONDS,
        )
        if found.capability == "files":
            copy.capability, copy.path = "", found.local
        return copy

    def source(self, alias: str, settings: object) -> DataSource:
        """A data source that the settings of Gomplate declare."""
        from plait.services.datasource import DataSource

        declared = settings.get("datasources") if isinstance(settings, dict) else None
        rows = declared if isinstance(declared, dict) else {}
        row = rows.get(alias)
        if not isinstance(row, dict):
            hint = did_you_mean(alias, rows) or "declare it under templates.settings.gomplate.datasources"
            raise BAD_SOURCE.error(name=alias, why="is not declared", hint=hint)
        headers = row.get("headers")
        return DataSource(
            alias,
            str(row.get("url") or ""),
            headers if isinstance(headers, dict) else {},
            self.run.config.base_path,
            self.run.project.door,
        )


def name_of(component: Component) -> str:
    """A component as reports call it."""
    return f"the component `{component.name}` in the stack `{component.stack}`"
