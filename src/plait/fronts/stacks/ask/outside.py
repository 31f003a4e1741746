"""External data: terraform outputs and state, stores, secrets, accounts, data sources."""

from __future__ import annotations

import os

from plait.core.struct import struct
from plait.fronts.stacks.ask.question import Question
from plait.report.catalog import BAD_SOURCE, NO_SECRET
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.access.door import Door
    from plait.services.datasource import DataSource
    from plait.services.sessions import Sessions
    from plait.services.stores import Opened, Stores

TERRAFORM_SECONDS = 120
MARKS = (
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
"""How files ask the outside. A file without any of these surely does not."""


@struct
class ComponentCode:
    """A component's terraform code as plain facts."""

    name: str
    stack: str
    type: str
    folder: str
    workspace: str

    @property
    def what(self) -> str:
        """What reports call it."""
        return f"the component `{self.name}` in the stack `{self.stack}`"

    @property
    def key(self) -> tuple[str, ...]:
        return (self.stack, self.type, self.name)


class Outside:
    """The services of one run, each created when it is first needed."""

    def __init__(self, limit: int, door: Door, base_path: str, declared: Callable[[], object]) -> None:
        self._limit = limit
        self._door = door
        self._base_path = base_path
        self._declared = declared
        """The stores that the configuration declares."""
        self._sessions: Sessions | None = None
        self._stores: Stores | None = None

    @property
    def sessions(self) -> Sessions:
        if self._sessions is None:
            from plait.services.sessions import Sessions

            self._sessions = Sessions(self._door)
        return self._sessions

    @property
    def stores(self) -> Stores:
        if self._stores is None:
            from plait.services.stores import Stores

            declared = self._declared()
            self._stores = Stores(declared if isinstance(declared, dict) else {}, self._base_path, self.sessions)
        return self._stores

    # Terraform

    def outputs(self, code: ComponentCode, command: str, variables: dict[str, str]) -> Question:
        """All outputs of a component, as terraform prints them."""
        from plait.services.terraform import outputs

        return Question(
            "exec",
            ("outputs", *code.key, command, code.workspace),
            lambda permit: outputs(permit, command, code.folder, code.workspace, variables, code.what),
            code.what,
            seconds=TERRAFORM_SECONDS,
        )

    def state(self, code: ComponentCode, kind: str, options: dict[str, object]) -> Question:
        """All outputs of a component, as its state has them."""
        from plait.services.state import CAPABILITIES, StateBackend, check_kind

        check_kind(kind, code.what)
        backend = StateBackend(kind, options, code.workspace, code.folder, code.what, self.sessions, self._limit)
        return Question(
            CAPABILITIES[kind],
            ("state", *code.key, kind, code.workspace, repr(options)),
            backend.outputs,
            f"the state of {code.what}",
            path=backend.file if kind == "local" else "",
        )

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
            lambda permit: store.value(key, permit),
            f"the store `{name}`",
            secret=store.secret,
            path=path,
        )

    def secret(self, name: str, declared: object, stack: str, component: str) -> Question | None:
        """A secret that the component declares: its store and its key.

        None if no store can be used. Atmos declares secrets under `secrets.vars`; a declaration directly under
        `secrets` is read as well.
        """
        plain = declared if isinstance(declared, dict) else {}
        named = plain.get("vars") if isinstance(plain.get("vars"), dict) else {}
        assert isinstance(named, dict)
        row = named.get(name, plain.get(name))
        store = str(row.get("store") or "") if isinstance(row, dict) else ""
        if (isinstance(named.get(name), dict) and not store) or (store and not self.stores.can_read(store)):
            return None  # kept in a place that plait does not read
        if not isinstance(row, dict) or not store:
            hint = (
                did_you_mean(name, {**plain, **named})
                or "declare it: secrets: {vars: {NAME: {store: STORE, key: KEY}}}"
            )
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
        from plait.services.identity import Facts

        group = Facts.group(question)
        return Question(
            "network", ("aws", group), lambda permit: Facts(self.sessions, permit).answers(group), f"!aws.{question}"
        )

    # Data sources

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
            self._base_path,
            self._door,
        )
