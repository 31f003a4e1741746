"""Signing in at Google and Azure, where no token is given: the libraries know where credentials lie."""

from __future__ import annotations

from plait.services.trouble import client, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def google_token(credentials: str, what: str) -> str:
    """A token of the credentials that were given (a file or its JSON text), else of those that the machine has."""
    library = client("google.auth", what)
    transport = client("google.auth.transport.requests", what)
    scopes = ["https://www.googleapis.com/auth/cloud-platform"]
    try:
        if credentials:
            found, _ = _loaded(library, credentials, scopes)
        else:
            found, _ = library.default(scopes=scopes)
        found.refresh(transport.Request())
    except Exception as trouble:  # the library has many, and all mean the same to a user
        raise refused(what, trouble, "gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS") from None
    return str(found.token)


def _loaded(library: Any, credentials: str, scopes: list[str]) -> Any:
    import json

    if credentials.lstrip().startswith("{"):
        return library.load_credentials_from_dict(json.loads(credentials), scopes=scopes)
    return library.load_credentials_from_file(credentials, scopes=scopes)


def azure_token(scope: str, what: str) -> str:
    """A token of the credentials that the machine has."""
    library = client("azure.identity", what)
    try:
        return str(library.DefaultAzureCredential().get_token(scope).token)
    except Exception as trouble:  # as above
        raise refused(what, trouble, "az login, or AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET") from None
