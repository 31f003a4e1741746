"""AWS: sessions with a profile, a region and a role, and what its errors mean."""

from __future__ import annotations

from plait.access.trouble import refused, unreachable
from plait.core.diagnostic import NotKnown, PlaitError
from plait.report.catalog import UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from plait.core.scope import Permit

SECONDS = 10
DENIED = frozenset(
    [
        "AccessDenied",
        "AccessDeniedException",
        "ExpiredToken",
        "ExpiredTokenException",
        "InvalidClientTokenId",
        "UnrecognizedClientException",
        "SignatureDoesNotMatch",
        "InvalidAccessKeyId",
        "AuthFailure",
        "403",
    ]
)
BUSY = (
    "Throttling",
    "ThrottlingException",
    "RequestLimitExceeded",
    "SlowDown",
    "ServiceUnavailable",
    "InternalError",
    "InternalServerError",
)


def session_client(permit: Permit, service: str, given: Mapping[str, str], what: str, endpoint: str = "") -> Any:
    """A client of a service, under the profile, region, keys and role that were given."""
    library = permit.client("boto3", what)
    config = client_config(permit, what)
    keys = {name: given.get(name) or None for name in ("aws_access_key_id", "aws_secret_access_key")}
    try:
        session = library.Session(
            profile_name=given.get("profile") or None, region_name=given.get("region") or None, **keys
        )
        if given.get("role_arn"):
            session = _assumed(library, session, given, what, config)
        return session.client(service, endpoint_url=endpoint or None, config=config)
    except Exception as trouble:
        raise _meaning(what, trouble) from None


def client_config(permit: Permit, what: str) -> Any:
    """Time limits, and no retries of its own: the evaluator tries again."""
    options = {"connect_timeout": SECONDS, "read_timeout": SECONDS, "retries": {"total_max_attempts": 1}}
    return permit.client("botocore.config", what).Config(**options)


def _assumed(library: Any, session: Any, given: Mapping[str, str], what: str, config: Any) -> Any:
    """The session of a role."""
    tokens = session.client("sts", endpoint_url=given.get("sts_endpoint") or None, config=config)
    more = {"ExternalId": given["external_id"]} if given.get("external_id") else {}
    answer = asked(
        what,
        lambda: tokens.assume_role(
            RoleArn=given["role_arn"], RoleSessionName=given.get("session_name") or "plait", **more
        ),
    )
    found = answer["Credentials"]
    return library.Session(
        aws_access_key_id=found["AccessKeyId"],
        aws_secret_access_key=found["SecretAccessKey"],
        aws_session_token=found["SessionToken"],
        region_name=session.region_name,
    )


def asked(what: str, question: Callable[[], Any], absent: tuple[str, ...] = ()) -> Any:
    """The answer to a question; None for an error that says that there is no such thing."""
    try:
        return question()
    except Exception as trouble:
        if _code(trouble) in absent:
            return None
        raise _meaning(what, trouble) from None


def _code(trouble: Exception) -> str:
    """What the service calls the error; an answer that did not come in time has `response` with nothing in it."""
    return str((getattr(trouble, "response", None) or {}).get("Error", {}).get("Code", ""))


def _meaning(what: str, trouble: Exception) -> Exception:
    """What an error of the library says, in our words."""
    if isinstance(trouble, PlaitError):
        return trouble
    code = _code(trouble)
    name = trouble.__class__.__name__
    if code in DENIED or "Credential" in name or "Token" in name or name == "ProfileNotFound":
        return refused(what, trouble)
    if code in BUSY or "Connect" in name or "Timeout" in name or name in ("EndpointConnectionError", "HTTPClientError"):
        return unreachable(what, trouble)
    return NotKnown(UNREACHABLE(what=what, why=str(trouble) or name, hint="check the region and the options"))
