"""Stores that are asked over HTTP: Vault, Azure Key Vault, Google Secret Manager, Artifactory.

Their protocols are small and documented, so plait uses them directly. Only signing in is left to a library, where a
token
is not given.
"""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

from plait.access.environment import variable
from plait.access.trouble import Missing, missing, refused
from plait.report.catalog import BAD_STORE
from plait.services.stores import StoreOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Permit


class Vault:
    """The key/value engine, version 2 or 1. A value that holds one field `value` is that field."""

    def __init__(self, options: StoreOptions) -> None:
        self.options = options
        self.url = (options.text("url") or variable("VAULT_ADDR")).rstrip("/")
        if not self.url:
            raise BAD_STORE.error(name=options.store, why="needs the option `url`", hint="or set VAULT_ADDR")
        self.mount = options.text("mount", "secret").strip("/")

    def name(self, parts: list[str]) -> str:
        return "/".join(parts)

    def read(self, name: str, permit: Permit) -> str:
        second = self.options.text("version", "2") == "2"
        path = f"{self.mount}/data/{name}" if second else f"{self.mount}/{name}"
        body = _json(
            _absent(permit, self.options, name, f"{self.url}/v1/{quote(path)}", self._headers(permit)), self.options
        )
        found = body.get("data")
        found = found.get("data") if second and isinstance(found, dict) else found
        if not isinstance(found, dict):
            raise missing(self.options.what, name)
        value = found["value"] if set(found) == {"value"} else found
        return value if isinstance(value, str) else json.dumps(value)

    def _headers(self, permit: Permit) -> dict[str, str]:
        headers = {"X-Vault-Token": self._token(permit)}
        if self.options.text("namespace"):
            headers["X-Vault-Namespace"] = self.options.text("namespace")
        return headers

    def _token(self, permit: Permit) -> str:
        given = self.options.text("token") or variable("VAULT_TOKEN")
        if given:
            return given
        role = self.options.text("role_id") or variable("VAULT_ROLE_ID")
        if not role:
            raise refused(
                self.options.what, "there is no token", "set VAULT_TOKEN, or VAULT_ROLE_ID and VAULT_SECRET_ID"
            )
        secret = self.options.text("secret_id") or variable("VAULT_SECRET_ID")
        body = json.dumps({"role_id": role, "secret_id": secret}).encode()
        answer = permit.post(
            f"{self.url}/v1/auth/approle/login", body, {"Content-Type": "application/json"}, what=self.options.what
        )
        auth = _json(answer, self.options).get("auth")
        return str(auth.get("client_token", "")) if isinstance(auth, dict) else ""


class KeyVault:
    """Names have letters, digits and `-` only; everything else becomes `-`."""

    def __init__(self, options: StoreOptions) -> None:
        self.options = options
        self.url = options.text("vault_url").rstrip("/")

    def name(self, parts: list[str]) -> str:
        return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in "-".join(parts)).strip(
            "-"
        )

    def read(self, name: str, permit: Permit) -> str:
        token = self.options.text("token") or self.options.sessions.azure(
            permit, "https://vault.azure.net/.default", self.options.what
        )
        url = f"{self.url}/secrets/{quote(name)}?api-version=7.4"
        return str(_json(_absent(permit, self.options, name, url, _bearer(token)), self.options).get("value", ""))


class SecretManager:
    """The newest version of a secret. Names have letters, digits, `-` and `_` only."""

    def __init__(self, options: StoreOptions) -> None:
        self.options = options
        self.url = options.text("endpoint", "https://secretmanager.googleapis.com").rstrip("/")

    def name(self, parts: list[str]) -> str:
        return "".join(
            letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_" for letter in "_".join(parts)
        )

    def read(self, name: str, permit: Permit) -> bytes:
        token = self.options.text("token") or self.options.sessions.google(
            permit, self.options.text("credentials"), self.options.what
        )
        project = self.options.text("project_id")
        url = f"{self.url}/v1/projects/{quote(project)}/secrets/{quote(name)}/versions/latest:access"
        payload = _json(_absent(permit, self.options, name, url, _bearer(token)), self.options).get("payload")
        return base64.b64decode(str(payload.get("data", ""))) if isinstance(payload, dict) else b""


class Artifactory:
    """A file of a repository, its path made of the parts."""

    def __init__(self, options: StoreOptions) -> None:
        self.options = options
        self.url = options.text("url").rstrip("/")

    def name(self, parts: list[str]) -> str:
        return "/".join(parts)

    def read(self, name: str, permit: Permit) -> bytes:
        token = (
            self.options.text("access_token") or variable("ARTIFACTORY_ACCESS_TOKEN") or variable("JFROG_ACCESS_TOKEN")
        )
        headers = _bearer(token) if token and token != "anonymous" else {}
        return _absent(
            permit, self.options, name, f"{self.url}/{quote(self.options.text('repo_name'))}/{quote(name)}", headers
        )


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _absent(permit: Permit, options: StoreOptions, name: str, url: str, headers: dict[str, str]) -> bytes:
    """What a URL gives; a page that is not there is a key that is not there."""
    try:
        return permit.get(url, headers, what=options.what)
    except Missing:
        raise missing(options.what, name) from None


def _json(body: bytes, options: StoreOptions) -> dict[str, object]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BAD_STORE.error(name=options.store, why="does not answer with a JSON map", hint="check the address")
    return found
