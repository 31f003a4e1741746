"""Stores: values that others keep for us, by name. One table says which there are and which options they take.

Every store is one class with two methods: `name` makes the store's own name from the parts of a key, `read` gets
what is there. Which stores a repository uses is declared in its configuration:

    stores:
      prod/ssm:
        type: aws/ssm
        kind: secret
        options: {region: eu-west-1, prefix: platform}
"""

from __future__ import annotations

from plait.core.struct import struct
from plait.report.catalog import BAD_STORE, BINARY, NO_STORE
from plait.report.near import did_you_mean
from plait.services.sessions import Sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from plait.core.scope import Permit

    class Store(Protocol):
        def name(self, parts: list[str]) -> str:
            """How this store writes a key of several parts."""
            ...

        def read(self, name: str, permit: Permit) -> bytes | str:
            """What is stored under a name; `Missing` where there is nothing."""
            ...


class StoreKind:
    """A kind of store: the names it goes by, its class, and the options it takes."""

    __slots__ = ("about", "capability", "home", "names", "options", "required")

    def __init__(
        self,
        names: tuple[str, ...],
        home: str,
        about: str,
        required: tuple[str, ...],
        options: tuple[str, ...],
        capability: str = "network",
    ) -> None:
        self.names = names
        self.home = home
        self.about = about
        self.required = required
        self.options = (*required, *options, *COMMON)
        self.capability = capability

    def open(self, options: StoreOptions) -> Store:
        from importlib import import_module

        module, _, name = self.home.partition(":")
        made: Store = getattr(import_module(f"plait.services.stores.{module}"), name)(options)
        return made


COMMON = ("prefix", "stack_delimiter")
AWS = ("read_role_arn", "write_role_arn", "profile", "endpoint_url")
KINDS = (
    StoreKind(("file",), "local:FileStore", "A YAML or JSON file, for local work.", ("path",), (), ""),
    StoreKind(("redis",), "database:Redis", "Redis.", (), ("url",)),
    StoreKind(
        ("aws/ssm", "aws-ssm-parameter-store"), "aws:Parameters", "AWS Systems Manager, parameters.", ("region",), AWS
    ),
    StoreKind(("aws/asm", "aws-secrets-manager"), "aws:Secrets", "AWS Secrets Manager.", ("region",), AWS),
    StoreKind(
        ("hashicorp/vault", "vault"),
        "web:Vault",
        "HashiCorp Vault, key/value engine.",
        (),
        ("url", "mount", "token", "namespace", "version", "role_id", "secret_id"),
    ),
    StoreKind(("azure/keyvault", "azure-key-vault"), "web:KeyVault", "Azure Key Vault.", ("vault_url",), ("token",)),
    StoreKind(
        ("gcp/secretmanager", "google-secret-manager", "gsm"),
        "web:SecretManager",
        "Google Secret Manager.",
        ("project_id",),
        ("credentials", "locations", "endpoint", "token"),
    ),
    StoreKind(
        ("artifactory",),
        "web:Artifactory",
        "Files in an Artifactory repository.",
        ("url", "repo_name"),
        ("access_token",),
    ),
)
SECRET_WORDS = ("secret", "secrets")
"""What `kind` says of a store whose values are secrets."""
SECRET_KINDS = ("onepassword", "keychain", "github/actions")
"""Stores of Atmos that hold secrets only; plait does not read them, and `!store` on them is an error."""


def kind_of(type: str) -> StoreKind | None:
    return next((kind for kind in KINDS if type in kind.names), None)


def type_of(row: Mapping[str, object]) -> str:
    """The type of a store: `type`, or `kind`, which newer configurations write instead."""
    kind = str(row.get("kind") or "")
    return str(row.get("type") or ("" if kind in SECRET_WORDS else kind))


@struct
class StoreOptions:
    """The options of a store, by name."""

    store: str
    values: Mapping[str, object]
    folder: str
    sessions: Sessions

    def text(self, name: str, default: str = "") -> str:
        value = self.values.get(name)
        return default if value is None else str(value)

    @property
    def what(self) -> str:
        return f"the store `{self.store}`"


class Stores:
    """The stores that a configuration declares; each opened when it is asked for the first time."""

    def __init__(self, declared: Mapping[str, object], folder: str = ".", sessions: Sessions | None = None) -> None:
        self.declared = declared
        self.folder = folder
        self.sessions = sessions or Sessions()
        self._open: dict[str, Opened] = {}

    def can_read(self, name: str) -> bool:
        """Whether a store is one that plait can ask; one that is not declared counts, so that its error is shown."""
        row = self.declared.get(name)
        return not isinstance(row, dict) or type_of(row) not in SECRET_KINDS

    def open(self, name: str) -> Opened:
        if name not in self._open:
            self._open[name] = self._opened(name)
        return self._open[name]

    def _opened(self, name: str) -> Opened:
        row = self.declared.get(name)
        if row is None:
            raise NO_STORE.error(name=name, hint=did_you_mean(name, self.declared) or _those(self.declared))
        if not isinstance(row, dict):
            raise BAD_STORE.error(name=name, why="is not a map with a `type`")
        type, options = type_of(row), row.get("options") or {}
        kind = kind_of(type)
        known = [one for kind in KINDS for one in kind.names]
        if kind is None:
            why = "has a type that plait does not support" if type in SECRET_KINDS else f"has the unknown type `{type}`"
            raise BAD_STORE.error(
                name=name,
                why=why,
                hint=did_you_mean(type, known) or f"available: {', '.join(k.names[0] for k in KINDS)}",
            )
        if not isinstance(options, dict):
            raise BAD_STORE.error(name=name, why="has `options` that are not a map")
        _check(name, kind, options)
        return Opened(
            kind,
            StoreOptions(name, options, self.folder, self.sessions),
            secret=row.get("kind") in SECRET_WORDS or row.get("secret") is True,
        )


class Opened:
    """A store ready to be asked. Opening one reaches nothing: what asks it brings the permit."""

    __slots__ = ("_parts", "kind", "options", "secret", "store")

    def __init__(self, kind: StoreKind, options: StoreOptions, secret: bool) -> None:
        self.kind = kind
        self.options = options
        self.secret = secret
        self.store = kind.open(options)

    def name_of(self, stack: str, component: str, key: str) -> str:
        """The store's name of a value that a component of a stack has stored."""
        delimiter = self.options.text("stack_delimiter", "-")
        stack_parts = stack.split(delimiter) if delimiter else [stack]
        parts = [*self._prefix(), *stack_parts, *component.split("/"), key]
        return self.store.name([part for part in parts if part])

    def name_of_key(self, key: str) -> str:
        """The store's name of a key as it is."""
        return self.store.name([*self._prefix(), key]) if self._prefix() else key

    def _prefix(self) -> list[str]:
        prefix = self.options.text("prefix").strip("/")
        return [prefix] if prefix else []

    def value(self, name: str, permit: Permit) -> object:
        """What is stored under a name, as data: JSON is read, other text is itself."""
        found = self.store.read(name, permit)
        return decoded(found, self.options.what, name)


def _check(name: str, kind: StoreKind, options: Mapping[str, object]) -> None:
    for option in options:
        if option not in kind.options:
            hint = did_you_mean(str(option), kind.options) or f"available: {', '.join(kind.options)}"
            raise BAD_STORE.error(name=name, why=f"has no option `{option}`", hint=hint)
    for option in kind.required:
        if not options.get(option):
            raise BAD_STORE.error(
                name=name, why=f"needs the option `{option}`", hint=f"write it under stores.{name}.options"
            )


def _those(declared: Mapping[str, object]) -> str:
    return (
        f"available: {', '.join(sorted(map(str, declared)))}" if declared else "declare it under `stores` in atmos.yaml"
    )


def decoded(value: bytes | str, what: str, key: str) -> object:
    """A stored text as data where it is JSON, else as it is. Bytes that are not text cannot be in YAML."""
    import json

    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            raise BINARY.error(what=what, key=key, hint="store it as base64 and decode it where it is used") from None
    try:
        return json.loads(value, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return value


def _no_number(word: str) -> object:
    raise ValueError(word)
