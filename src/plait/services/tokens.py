"""Signing in at Google and Azure, where no token is given: the libraries know where credentials are."""

from __future__ import annotations

from plait.access.trouble import refused
from plait.core.diagnostic import Fault
from plait.report.catalog import OUTSIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.access.door import Door
    from plait.core.scope import Permit

GOOGLE = {
    "service_account": ("google.oauth2.service_account", "from_service_account_info"),
    "authorized_user": ("google.oauth2.credentials", "from_authorized_user_info"),
}
"""Credentials that a configuration may hold. Others may read files and run commands, and are taken from the machine
only."""
SCOPES = ["https://www.googleapis.com/auth/cloud-platform"]


def google_token(permit: Permit, credentials: str, what: str, door: Door) -> str:
    """A token of the credentials that were given (a file or its JSON text), else of those that the machine has."""
    library = permit.client("google.auth", what)
    transport = permit.client("google.auth.transport.requests", what)
    hint = "gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS"
    try:
        found = _loaded(credentials, door) if credentials else library.default(scopes=SCOPES)[0]
        found.refresh(transport.Request())
    except Fault as error:
        first = error.diagnostics[0]
        if first.code == OUTSIDE.code:
            raise
        raise refused(what, first.message, hint) from None
    except Exception as trouble:  # the library has many, and all mean the same to a user
        raise refused(what, trouble, hint) from None
    return str(found.token)


def _loaded(credentials: str, door: Door) -> Any:
    import json
    from importlib import import_module

    if not credentials.lstrip().startswith("{"):
        credentials = door.read(credentials).decode("utf-8")
    info = json.loads(credentials)
    kind = str(info.get("type")) if isinstance(info, dict) else ""
    if kind not in GOOGLE:
        raise ValueError(f"credentials of the type `{kind}` are accepted only from the machine, not from a file")
    module, make = GOOGLE[kind]
    return getattr(import_module(module).Credentials, make)(info, scopes=SCOPES)


def azure_token(permit: Permit, scope: str, what: str) -> str:
    """A token of the credentials that the machine has."""
    library = permit.client("azure.identity", what)
    try:
        return str(library.DefaultAzureCredential().get_token(scope).token)
    except Exception as trouble:  # as above
        raise refused(what, trouble, "az login, or AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET") from None
