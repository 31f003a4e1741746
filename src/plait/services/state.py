"""Terraform's state, read where it is: no terraform runs, no lock is taken, nothing is written.

A backend is one function in a table. It gives the bytes of a workspace's state, or None where there is none yet.
"""

from __future__ import annotations

import os

from plait.access.trouble import MEGABYTE, SIZE_LIMIT, Missing
from plait.core.diagnostic import Fault, PlaitError
from plait.report.catalog import (
    BAD_BACKEND_OPTION,
    BAD_STATE,
    NEW_STATE,
    NOT_PROVISIONED_YET,
    OUTSIDE,
    TOO_BIG,
    TOO_LARGE,
)
from plait.services.backend import BackendOptions
from plait.services.sessions import Sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plait.core.scope import Permit

VERSION = 4
"""The version of state files that terraform and tofu write since 2019."""


class Outputs:
    """The outputs of a component, and which of them must not be shown."""

    __slots__ = ("sensitive", "values")

    def __init__(self, values: dict[str, object], sensitive: frozenset[str] = frozenset()) -> None:
        self.values = values
        self.sensitive = sensitive

    @classmethod
    def of(cls, rows: Mapping[str, object], bad: Callable[[str], PlaitError]) -> Outputs:
        """Outputs as terraform writes them: each a map with `value` and maybe `sensitive`."""
        values: dict[str, object] = {}
        for name, row in rows.items():
            if not isinstance(row, dict) or "value" not in row:
                raise bad(f"its output `{name}` has no value")
            values[name] = row["value"]
        return cls(
            values, frozenset(name for name, row in rows.items() if isinstance(row, dict) and row.get("sensitive"))
        )


class StateBackend(BackendOptions):
    """Where the state of one component is."""

    __slots__ = ("folder", "workspace")

    def __init__(
        self,
        kind: str,
        options: Mapping[str, object],
        workspace: str,
        folder: str,
        what: str,
        sessions: Sessions,
        limit: int = SIZE_LIMIT,
    ) -> None:
        super().__init__(kind, options, what, sessions, limit)
        self.workspace = workspace or "default"
        self.folder = folder

    @property
    def file(self) -> str:
        """The path of the state that is kept beside the component's code."""
        if self.workspace == "default":
            name = self.text("path", "terraform.tfstate")
        else:
            name = os.path.join(self.text("workspace_dir", "terraform.tfstate.d"), self.workspace, "terraform.tfstate")
        return os.path.normpath(os.path.join(self.folder, name))

    def outputs(self, permit: Permit) -> Outputs:
        """The outputs in the state; `Missing` where nothing is provisioned."""
        data = READERS[self.kind](self, permit)
        if data is None:
            raise Missing(NOT_PROVISIONED_YET(what=self.what, hint="apply it first, or give a default with `//`"))
        if len(data) > self.limit:
            raise self.too_big()
        return read_state(data, f"the state of {self.what}")

    def too_big(self) -> PlaitError:
        limit = f"{self.limit // MEGABYTE} MB"
        return TOO_BIG.error(what=f"the state of {self.what}", limit=limit, hint="--max-size raises the limit")


def check_kind(kind: str, what: str) -> None:
    """That a backend is one that can be read directly."""
    if kind not in READERS:
        why = f"has the type `{kind}`, whose state plait cannot read"
        raise BAD_BACKEND_OPTION.error(
            what=what, why=why, hint=f"use !terraform.output, or one of: {', '.join(READERS)}"
        )


def read_state(data: bytes, what: str) -> Outputs:
    """The outputs in the bytes of a state file."""
    import json

    def bad(why: str) -> PlaitError:
        return BAD_STATE.error(what=what, why=why, hint="look at it with `terraform state pull`")

    try:
        state = json.loads(data)
    except UnicodeDecodeError:
        raise bad("it is not text") from None
    except ValueError as trouble:
        raise bad(f"it is not JSON ({trouble})") from None
    except RecursionError:
        raise bad("it nests too deeply") from None
    if not isinstance(state, dict) or not isinstance(state.get("version"), int):
        raise bad("it has no `version`")
    if state["version"] > VERSION:
        raise _other_version(what, state["version"], "a newer version of plait may support it")
    if state["version"] < VERSION:
        raise _other_version(what, state["version"], "rewrite the state with: terraform apply -refresh-only")
    rows = state.get("outputs", {})
    if not isinstance(rows, dict):
        raise bad("its `outputs` are not a map")
    return Outputs.of(rows, bad)


def _other_version(what: str, version: int, hint: str) -> PlaitError:
    return NEW_STATE.error(what=what, version=version, known=VERSION, hint=hint)


# Where state is


def _local(backend: StateBackend, permit: Permit) -> bytes | None:
    """A file beside the component's code."""
    door = backend.sessions.door
    try:
        return door.read(backend.file, backend.limit) if door.exists(backend.file) else None
    except Fault as error:
        first = error.diagnostics[0]
        if first.code == OUTSIDE.code:
            raise
        if first.code == TOO_LARGE.code:
            raise backend.too_big() from None
        raise BAD_BACKEND_OPTION.error(
            what=backend.what, why=f"cannot be read at {backend.file}: {first.message}"
        ) from None


def _s3(backend: StateBackend, permit: Permit) -> bytes | None:
    from plait.services.aws import asked

    key = backend.text("key", "terraform.tfstate")
    if backend.workspace != "default":
        key = f"{backend.text('workspace_key_prefix', 'env:')}/{backend.workspace}/{key}"
    bucket = backend.needed("bucket")
    endpoint = _endpoint(backend, "s3", "endpoint")
    server = backend.sessions.aws(permit, "s3", _aws_options(backend), backend.what, endpoint)
    answer = asked(
        f"the backend of {backend.what}", lambda: server.get_object(Bucket=bucket, Key=key), ("NoSuchKey", "404")
    )
    if answer is None:
        return None
    body: bytes = asked(backend.what, lambda: answer["Body"].read(backend.limit + 1))
    return body


def _aws_options(backend: StateBackend) -> dict[str, str]:
    """What the section says about who we are to AWS."""
    role = backend.options.get("assume_role")
    role = role if isinstance(role, dict) else {}
    names = {
        "region": "region",
        "profile": "profile",
        "aws_access_key_id": "access_key",
        "aws_secret_access_key": "secret_key",
    }
    given = {ours: backend.text(theirs) for ours, theirs in names.items()}
    for ours in ("role_arn", "external_id", "session_name"):
        given[ours] = str(role.get(ours) or backend.text(ours))
    given["sts_endpoint"] = _endpoint(backend, "sts", "sts_endpoint")
    return given


def _endpoint(backend: StateBackend, service: str, older: str) -> str:
    """The address of a service of one's own: below `endpoints`, or in the option of older versions of terraform."""
    endpoints = backend.options.get("endpoints")
    own = endpoints.get(service) if isinstance(endpoints, dict) else None
    return str(own or backend.text(older))


def _gcs(backend: StateBackend, permit: Permit) -> bytes | None:
    from plait.services.objects import read_object

    prefix = backend.text("prefix").strip("/")
    name = f"{prefix}/{backend.workspace}.tfstate" if prefix else f"{backend.workspace}.tfstate"
    own = backend.text("storage_custom_endpoint").removesuffix("/storage/v1/b")
    what = f"the backend of {backend.what}"

    def token() -> str:
        given = backend.text("access_token")
        return given or backend.sessions.google(permit, backend.text("credentials"), backend.what)

    try:
        return read_object(permit, backend.needed("bucket"), name, token, what, backend.limit, own)
    except Missing:
        return None


def _azurerm(backend: StateBackend, permit: Permit) -> bytes | None:
    from plait.services.blobs import read_blob

    key = backend.needed("key")
    if backend.workspace != "default":
        key = f"{key}env:{backend.workspace}"
    return read_blob(backend, key, permit)


READERS: dict[str, Callable[[StateBackend, Permit], bytes | None]] = {
    "local": _local,
    "s3": _s3,
    "gcs": _gcs,
    "azurerm": _azurerm,
}
CAPABILITIES = {"local": "", "s3": "network", "gcs": "network", "azurerm": "network"}
"""What reading a backend needs to be allowed."""
