"""Signing in at Google and Azure: a token endpoint of our own answers as theirs are documented to, and services want
its tokens."""

from __future__ import annotations

import base64
import datetime
import hashlib
import hmac
import json
import urllib.request
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from plait.core.diagnostic import PlaitError
from plait.services.sessions import Sessions
from plait.services.state import StateBackend
from plait.services.stores import Stores
from tests.outside.conftest import state
from tests.outside.permits import NETWORK
from tests.outside.servers import Answer, Web, need
from tests.outside.test_state import AZURITE_KEY, put_azure


def said(call, *arguments: object) -> str:
    with pytest.raises(PlaitError) as caught:
        call(*arguments)
    found = caught.value.diagnostics[0]
    return "\n".join(filter(None, (found.message, *found.notes, found.hint)))


def wants(web: Web, path: str, token: str, body: bytes) -> None:
    """A page for those who have a token."""

    def page(request: BaseHTTPRequestHandler) -> Answer | None:
        if urlsplit(request.path).path != path:
            return None
        return (200, {}, body) if request.headers["Authorization"] == f"Bearer {token}" else (401, {}, b"")

    web.pages.append(page)


# Google


@pytest.fixture(scope="module")
def private_key() -> str:
    need("google.auth", "cryptography")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return made.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


@pytest.fixture
def account(web: Web, private_key: str) -> str:
    """The credentials of a service account whose tokens come from our own server."""

    def token(request: BaseHTTPRequestHandler) -> Answer | None:
        if request.path != "/token":
            return None
        form = parse_qs(request.rfile.read(int(request.headers["Content-Length"])).decode())
        claims = json.loads(base64.urlsafe_b64decode(form["assertion"][0].split(".")[1] + "=="))
        if (
            form["grant_type"] != ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
            or claims["iss"] != "reader@acme.example"
        ):
            return (
                400,
                {"Content-Type": "application/json"},
                b'{"error": "invalid_grant", "error_description": "who is that?"}',
            )
        return (
            200,
            {"Content-Type": "application/json"},
            b'{"access_token": "google-token", "expires_in": 3600, "token_type": "Bearer"}',
        )

    web.pages.append(token)
    return json.dumps({
        "type": "service_account", "project_id": "acme", "private_key_id": "1", "private_key": private_key,
        "client_email": "reader@acme.example", "client_id": "1", "token_uri": f"http://127.0.0.1:{web.port}/token",
    })  # fmt: skip


def gcs(web: Web, **options: object) -> StateBackend:
    wants(web, "/storage/v1/b/states/o/vpc%2Fprod.tfstate", "google-token", state({"id": "vpc-1"}))
    where = {
        "bucket": "states",
        "prefix": "vpc",
        "storage_custom_endpoint": f"http://127.0.0.1:{web.port}/storage/v1/b",
    }
    return StateBackend("gcs", {**where, **options}, "prod", ".", "the component `vpc`", Sessions())


def test_google_as_the_backend_says(web: Web, account: str, tmp_path: Path) -> None:
    """The text of the credentials, or a file of them."""
    assert gcs(web, credentials=account).outputs(NETWORK).values == {"id": "vpc-1"}
    file = tmp_path / "account.json"
    file.write_text(account)
    assert gcs(web, credentials=str(file)).outputs(NETWORK).values == {"id": "vpc-1"}


def test_google_as_the_machine_says(web: Web, account: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "account.json"
    file.write_text(account)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
    found = gcs(web)
    assert found.outputs(NETWORK).values == {"id": "vpc-1"}
    assert found.outputs(NETWORK).values == {"id": "vpc-1"}
    assert [path for _, path in web.requests].count("/token") == 1, "signed in once in a run"
    secret = json.dumps({"payload": {"data": base64.b64encode(b"s3cret").decode()}}).encode()
    wants(web, "/v1/projects/acme/secrets/db/versions/latest:access", "google-token", secret)
    declared = {
        "gsm": {
            "type": "gcp/secretmanager",
            "options": {"project_id": "acme", "endpoint": f"http://127.0.0.1:{web.port}"},
        }
    }
    assert Stores(declared).open("gsm").value("db", NETWORK) == "s3cret"


def test_google_that_refuses(web: Web, account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hint = "gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS"
    wrong = said(gcs(web, credentials=account.replace("reader@", "thief@")).outputs, NETWORK)
    assert wrong.startswith("the component `vpc` refused the request: ('invalid_grant: who is that?'")
    assert wrong.endswith(hint)
    assert "PRIVATE KEY" not in wrong
    broken = said(gcs(web, credentials='{"type": "service_account", "private_key": "PRIVATE KEY"}').outputs, NETWORK)
    assert broken.startswith("the component `vpc` refused the request: ")
    assert "PRIVATE KEY" not in broken
    assert said(gcs(web, credentials="/no/such/file.json").outputs, NETWORK).endswith(hint)
    reader = json.dumps(
        {
            "type": "external_account",
            "token_url": f"http://127.0.0.1:{web.port}/steal",
            "credential_source": {"file": "/etc/hostname"},
        }
    )
    assert "credentials of the type `external_account` are accepted only from the machine" in said(
        gcs(web, credentials=reader).outputs, NETWORK
    )
    assert ("POST", "/steal") not in web.requests
    assert said(gcs(web, credentials='{"type":').outputs, NETWORK).startswith(
        "the component `vpc` refused the request: "
    )
    monkeypatch.setenv("GCE_METADATA_HOST", "127.0.0.1:1")
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    assert said(gcs(web).outputs, NETWORK).startswith(
        "the component `vpc` refused the request: Your default credentials were not found"
    )


# Azure


@pytest.fixture
def identity(web: Web, monkeypatch: pytest.MonkeyPatch) -> Web:
    """The endpoint of a managed identity, as App Service offers it."""
    need("azure.identity")

    def token(request: BaseHTTPRequestHandler) -> Answer | None:
        parts = urlsplit(request.path)
        if parts.path != "/msi/token":
            return None
        if request.headers["X-IDENTITY-HEADER"] != "right":
            return 400, {"Content-Type": "application/json"}, b'{"error": "invalid_request"}'
        scope = parse_qs(parts.query)["resource"][0]
        body = {
            "access_token": f"token-for-{scope}",
            "expires_on": "4102444800",
            "resource": scope,
            "token_type": "Bearer",
        }
        return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()

    web.pages.append(token)
    monkeypatch.setenv("IDENTITY_ENDPOINT", f"http://127.0.0.1:{web.port}/msi/token")
    monkeypatch.setenv("IDENTITY_HEADER", "right")
    return web


def azure(web: Web) -> StateBackend:
    wants(web, "/states/vpc.tfstate", "token-for-https://storage.azure.com", state({"id": "vpc-1"}))
    where = {
        "storage_account_name": "acme",
        "container_name": "states",
        "key": "vpc.tfstate",
        "endpoint": f"http://127.0.0.1:{web.port}",
    }
    return StateBackend("azurerm", where, "default", ".", "the component `vpc`", Sessions())


def test_azure_as_the_machine_says(identity: Web) -> None:
    found = azure(identity)
    assert found.outputs(NETWORK).values == {"id": "vpc-1"}
    assert found.outputs(NETWORK).values == {"id": "vpc-1"}
    assert len([path for _, path in identity.requests if path.startswith("/msi/token")]) == 1, "signed in once in a run"
    wants(identity, "/secrets/db", "token-for-https://vault.azure.net", b'{"value": "s3cret"}')
    declared = {"kv": {"type": "azure/keyvault", "options": {"vault_url": f"http://127.0.0.1:{identity.port}"}}}
    assert Stores(declared).open("kv").value("db", NETWORK) == "s3cret"


def test_azure_that_refuses(identity: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDENTITY_HEADER", "wrong-header")
    text = said(azure(identity).outputs, NETWORK)
    assert text.startswith("the component `vpc` refused the request: ")
    assert text.endswith("az login, or AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET")
    assert "wrong-header" not in text


def sas(container: str, key: str, hours: int = 1) -> str:
    """A shared access signature for reading a container, signed by hand as the documentation says."""
    until = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
    version = "2021-08-06"
    fields = [
        "r",
        "",
        until,
        f"/blob/devstoreaccount1/{container}",
        "",
        "",
        "",
        version,
        "c",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
    ]
    signature = hmac.new(base64.b64decode(key), "\n".join(fields).encode(), hashlib.sha256).digest()
    return urlencode({"sv": version, "se": until, "sr": "c", "sp": "r", "sig": base64.b64encode(signature).decode()})


def test_a_shared_access_signature(azurite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_azure(f"{azurite_url}/signed?restype=container", None, blob=False)
    put_azure(f"{azurite_url}/signed/vpc.tfstate", state({"id": "vpc-sas"}))

    def read(**options: object) -> StateBackend:
        where = {
            "storage_account_name": "devstoreaccount1",
            "container_name": "signed",
            "key": "vpc.tfstate",
            "endpoint": azurite_url,
        }
        return StateBackend("azurerm", {**where, **options}, "default", ".", "the component `vpc`", Sessions())

    good = sas("signed", AZURITE_KEY)
    assert read(sas_token=good).outputs(NETWORK).values == {"id": "vpc-sas"}
    assert read(sas_token=f"?{good}").outputs(NETWORK).values == {"id": "vpc-sas"}
    monkeypatch.setenv("ARM_SAS_TOKEN", good)
    assert read().outputs(NETWORK).values == {"id": "vpc-sas"}
    for bad in (sas("signed", "d3Jvbmc="), sas("signed", AZURITE_KEY, hours=-1), sas("other", AZURITE_KEY)):
        text = said(read(sas_token=bad).outputs, NETWORK)
        assert text.startswith("the backend of the component `vpc` refused the request: it answers 403")
        assert parse_qs(bad)["sig"][0] not in text


# Other doors


def test_a_source_in_google_storage(gcs_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plait.access.trouble import Missing
    from plait.services.remote import Remote, RemoteAddress

    monkeypatch.setenv("STORAGE_EMULATOR_HOST", gcs_url)
    made = urllib.request.Request(
        f"{gcs_url}/storage/v1/b?project=p", b'{"name": "catalogs"}', {"Content-Type": "application/json"}
    )
    urllib.request.urlopen(made)
    upload = f"{gcs_url}/upload/storage/v1/b/catalogs/o?uploadType=media&name=a/vpc.yaml"
    urllib.request.urlopen(
        urllib.request.Request(upload, b"vars: {a: 1}\n", {"Content-Type": "application/octet-stream"})
    )
    remote = Remote()
    assert (
        Path(
            remote.file(RemoteAddress("gcs::https://www.googleapis.com/storage/v1/catalogs/a/vpc.yaml"), NETWORK)
        ).read_text()
        == "vars: {a: 1}\n"
    )
    with pytest.raises(Missing):
        remote.file(RemoteAddress("gcs::https://www.googleapis.com/storage/v1/catalogs/a/none.yaml"), NETWORK)
    small = Remote(str(tmp_path / "other"), limit=4)
    with pytest.raises(PlaitError, match="is larger than 4 bytes"):
        small.file(RemoteAddress("gcs::https://www.googleapis.com/storage/v1/catalogs/a/vpc.yaml"), NETWORK)


def test_the_organization(aws: str) -> None:
    import boto3

    from plait.services.identity import Facts

    facts = Facts(Sessions(), NETWORK)
    assert said(facts.answers, "organization_id").startswith(
        "!aws.organization_id cannot be reached: An error occurred (AWSOrganizationsNotInUseException)"
    )
    made = boto3.client("organizations", endpoint_url=aws).create_organization(FeatureSet="ALL")
    assert facts.answers("organization_id") == {"organization_id": made["Organization"]["Id"]}
