"""AWS: parameters of Systems Manager, and Secrets Manager. A key is its parts joined by `/`."""

from __future__ import annotations

from plait.access.trouble import missing
from plait.services.aws import asked
from plait.services.stores import StoreOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.scope import Permit


class Parameters:
    """Systems Manager: names begin with `/`."""

    def __init__(self, options: StoreOptions) -> None:
        self.options = options

    def name(self, parts: list[str]) -> str:
        return "/" + "/".join(parts)

    def read(self, name: str, permit: Permit) -> str:
        server = _client("ssm", self.options, permit)
        answer = asked(
            self.options.what, lambda: server.get_parameter(Name=name, WithDecryption=True), ("ParameterNotFound",)
        )
        if answer is None:
            raise missing(self.options.what, name)
        return str(answer["Parameter"]["Value"])


class Secrets:
    """Secrets Manager."""

    def __init__(self, options: StoreOptions) -> None:
        self.options = options

    def name(self, parts: list[str]) -> str:
        return "/".join(parts)

    def read(self, name: str, permit: Permit) -> bytes | str:
        server = _client("secretsmanager", self.options, permit)
        answer = asked(
            self.options.what, lambda: server.get_secret_value(SecretId=name), ("ResourceNotFoundException",)
        )
        if answer is None:
            raise missing(self.options.what, name)
        found: bytes | str = answer["SecretString"] if "SecretString" in answer else answer["SecretBinary"]
        return found


def _client(service: str, options: StoreOptions, permit: Permit) -> Any:
    given = {
        "region": options.text("region"),
        "profile": options.text("profile"),
        "role_arn": options.text("read_role_arn"),
    }
    return options.sessions.aws(permit, service, given, options.what, options.text("endpoint_url"))
