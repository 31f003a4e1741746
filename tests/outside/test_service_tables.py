"""What services are asked, and what their answers mean: a permit notes what is asked of it and answers as it is told,
so that nothing has to be installed."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plait.access.door import Door
from plait.access.trouble import Missing
from plait.core.diagnostic import Fault, NotKnown, Passing, PlaitError
from plait.core.scope import CommandFailed
from plait.services.aws import asked
from plait.services.blobs import signed
from plait.services.datasource import DataSource
from plait.services.fetch import FETCHERS
from plait.services.identity import Facts
from plait.services.remote import Remote, RemoteAddress
from plait.services.sessions import Sessions
from plait.services.state import StateBackend
from plait.services.stores import Stores, kind_of
from plait.services.stores.web import KeyVault, SecretManager
from plait.services.terraform import outputs
from plait.services.tokens import azure_token, google_token
from tests.outside.conftest import state


class Asked:
    """A permit. What is asked of it is in `notes`; libraries and answers are what it was given."""

    def __init__(self, answer: bytes | Exception = b"", **libraries: object) -> None:
        self.notes: list[Any] = []
        self.answer = answer
        self.libraries = {name.replace("_", "."): library for name, library in libraries.items()}

    def get(self, url: str, headers: dict[str, str] | None = None, *, what: str = "", limit: int = 0) -> bytes:
        self.notes.append((url, headers or {}, what, limit))
        return self._answered()

    def post(self, url: str, body: bytes, headers: dict[str, str], *, what: str = "") -> bytes:
        self.notes.append((url, json.loads(body), headers, what))
        return b'{"auth": {"client_token": "of the role"}}'

    def run(self, words: list[str], seconds: float, folder: str, env: dict[str, str]) -> str:
        self.notes.append((words, seconds, folder, env))
        return self._answered().decode()

    def client(self, module: str, what: str) -> Any:
        self.notes.append((module, what))
        return self.libraries[module]

    def variable(self, name: str) -> str | None:
        return {"HERE": "mine", "EMPTY": ""}.get(name)

    def _answered(self) -> bytes:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def permit(answer: bytes | Exception = b"", **libraries: object) -> Any:
    return Asked(answer, **libraries)


def said(call: Any, *arguments: object) -> str:
    with pytest.raises(PlaitError) as caught:
        call(*arguments)
    found = caught.value.diagnostics[0]
    return "\n".join(filter(None, (found.message, *found.notes, found.hint)))


# AWS


class Amazon:
    """boto3, and botocore.config, as far as they are used."""

    def __init__(self, **answers: object) -> None:
        self.notes: list[Any] = []
        self.answers = answers

    def permit(self) -> Any:
        return permit(boto3=self, botocore_config=self)

    def Config(self, **options: object) -> str:
        self.notes.append(("Config", options))
        return "config"

    def Session(self, **given: str | None) -> Any:
        self.notes.append(("Session", {name: value for name, value in given.items() if value is not None}))
        return SimpleNamespace(region_name=given.get("region_name", "usual"), client=self._client)

    def _client(self, service: str, endpoint_url: str | None, config: str) -> Any:
        self.notes.append((service, endpoint_url, config))
        return self

    def __getattr__(self, name: str) -> Any:
        def question(**given: object) -> object:
            self.notes.append((name, given))
            answer = self.answers[name]
            if isinstance(answer, Exception):
                raise answer
            return answer

        return question


CONFIG = ("Config", {"connect_timeout": 10, "read_timeout": 10, "retries": {"total_max_attempts": 1}})
"""The evaluator tries again, so the library must not."""
KEYS = {"AccessKeyId": "role-id", "SecretAccessKey": "role-secret", "SessionToken": "role-token"}
IN_THE_ROLE = {
    "aws_access_key_id": "role-id",
    "aws_secret_access_key": "role-secret",
    "aws_session_token": "role-token",
}
ROLE = {"role_arn": "arn:tf", "external_id": "x", "session_name": "me", "sts_endpoint": "http://sts"}
AMAZON: dict[str, tuple[dict[str, str], list[object]]] = {
    "nothing": ({}, [("Session", {})]),
    "empty": ({"region": "", "profile": "", "role_arn": ""}, [("Session", {})]),
    "keys": (
        {"region": "r", "profile": "p", "aws_access_key_id": "id", "aws_secret_access_key": "secret"},
        [
            (
                "Session",
                {
                    "region_name": "r",
                    "profile_name": "p",
                    "aws_access_key_id": "id",
                    "aws_secret_access_key": "secret",
                },
            )
        ],
    ),
    "a role": (
        {"region": "r", "role_arn": "arn:tf"},
        [
            ("Session", {"region_name": "r"}),
            ("sts", None, "config"),
            ("assume_role", {"RoleArn": "arn:tf", "RoleSessionName": "plait"}),
            ("Session", {**IN_THE_ROLE, "region_name": "r"}),
        ],
    ),
    "a role with all that it can have": (
        ROLE,
        [
            ("Session", {}),
            ("sts", "http://sts", "config"),
            ("assume_role", {"RoleArn": "arn:tf", "RoleSessionName": "me", "ExternalId": "x"}),
            ("Session", IN_THE_ROLE),
        ],
    ),
}
"""What is given, and what the library is asked."""


@pytest.mark.parametrize("name", AMAZON)
@pytest.mark.parametrize("endpoint", ["", "http://ssm"])
def test_who_we_are_to_amazon(name: str, endpoint: str) -> None:
    given, wanted = AMAZON[name]
    amazon = Amazon(assume_role={"Credentials": KEYS})
    sessions, own = Sessions(), amazon.permit()
    first = sessions.aws(own, "ssm", given, "it", endpoint)
    assert amazon.notes == [CONFIG, *wanted, ("ssm", endpoint or None, "config")]
    assert sessions.aws(own, "ssm", given, "it", endpoint) is first
    assert amazon.notes.count(CONFIG) == 1, "signed in once in a run"
    assert set(own.notes) == {("boto3", "it"), ("botocore.config", "it")}
    sessions.aws(own, "s3", given, "it", endpoint)
    sessions.aws(own, "ssm", given, "it", "http://other")
    sessions.aws(own, "ssm", {**given, "region": "other"}, "it", endpoint)
    assert amazon.notes.count(CONFIG) == 4, "another service, server or region is another client"


def trouble(kind: str, code: str = "") -> Exception:
    """An error of the library: its class, and the code in its answer."""
    made: Exception = type(kind, (Exception,), {"response": {"Error": {"Code": code}} if code else None})("why")
    return made


REFUSED = "it refused the request: why\ncheck the credentials and their permissions"
AWAY = "it cannot be reached: why\ncheck that it is running and that the address is correct"
OTHER = "it cannot be reached: why\ncheck the region and the options"
TROUBLES = [
    ("ClientError", "AccessDenied", NotKnown, REFUSED),
    ("ClientError", "403", NotKnown, REFUSED),
    ("NoCredentialsError", "", NotKnown, REFUSED),
    ("TokenRetrievalError", "", NotKnown, REFUSED),
    ("ProfileNotFound", "", NotKnown, REFUSED),
    ("ClientError", "SlowDown", Passing, AWAY),
    ("ConnectionClosedError", "", Passing, AWAY),
    ("ReadTimeoutError", "", Passing, AWAY),
    ("EndpointConnectionError", "", Passing, AWAY),
    ("HTTPClientError", "", Passing, AWAY),
    ("ClientError", "NoSuchBucket", NotKnown, OTHER),
    ("NoRegionError", "", NotKnown, OTHER),
]
"""An error of the library, whether it passes, and what is said."""


@pytest.mark.parametrize(("kind", "code", "ours", "text"), TROUBLES)
def test_what_errors_of_amazon_mean(kind: str, code: str, ours: type[Exception], text: str) -> None:
    error = trouble(kind, code)

    def question() -> None:
        raise error

    assert said(asked, "it", question) == text
    with pytest.raises(ours) as caught:
        asked("it", question, ("404",))
    assert isinstance(caught.value, Passing) is (ours is Passing)
    amazon = Amazon(assume_role=error)
    assert said(Sessions().aws, amazon.permit(), "s3", ROLE, "it") == text, "said once, whoever is asked"
    if code:
        assert asked("it", question, ("404", code)) is None


def test_an_error_without_a_message_is_named() -> None:
    def question() -> None:
        raise RuntimeError

    assert said(asked, "it", question).startswith("it cannot be reached: RuntimeError\n")


def test_what_stores_of_amazon_are_asked() -> None:
    def read(type: str, amazon: Amazon, **more: object) -> object:
        options = {"region": "r", "profile": "p", "read_role_arn": "arn:tf", "endpoint_url": "http://own", **more}
        store = Stores({"main": {"type": type, "options": options}}).open("main")
        return store.value(store.name_of("plat-dev", "net/vpc", "id"), amazon.permit())

    role = {"assume_role": {"Credentials": KEYS}}
    ssm = Amazon(get_parameter={"Parameter": {"Value": "vpc-1"}}, **role)
    assert read("aws/ssm", ssm) == "vpc-1"
    assert ssm.notes[1] == ("Session", {"region_name": "r", "profile_name": "p"})
    assert ("assume_role", {"RoleArn": "arn:tf", "RoleSessionName": "plait"}) in ssm.notes
    assert ssm.notes[-2:] == [
        ("ssm", "http://own", "config"),
        ("get_parameter", {"Name": "/plat/dev/net/vpc/id", "WithDecryption": True}),
    ]
    asm = Amazon(get_secret_value={"SecretString": "a", "SecretBinary": b"b"}, **role)
    assert read("aws/asm", asm) == "a"
    assert asm.notes[-1] == ("get_secret_value", {"SecretId": "plat/dev/net/vpc/id"})
    assert read("aws/asm", Amazon(get_secret_value={"SecretBinary": b"b"}, **role)) == "b"
    for type, name, code in (
        ("aws/ssm", "get_parameter", "ParameterNotFound"),
        ("aws/asm", "get_secret_value", "ResourceNotFoundException"),
    ):
        with pytest.raises(Missing):
            read(type, Amazon(**{name: trouble("ClientError", code)}, **role))


def test_facts_about_an_account() -> None:
    answers = {
        "get_caller_identity": {"Account": 12, "Arn": "arn:me", "UserId": "u", "More": 1},
        "describe_organization": {"Organization": {"Id": "o-1"}},
    }
    facts = Facts(Sessions(), Amazon(**answers).permit())
    assert [facts.group(fact) for fact in ("account_id", "caller_identity_arn", "region")] == [
        *("identity", "identity", "region"),
    ]
    identity = {"account_id": "12", "caller_identity_arn": "arn:me", "caller_identity_user_id": "u"}
    assert facts.answers("identity") == identity
    assert facts.answers("organization_id") == {"organization_id": "o-1"}
    assert facts.answers("region") == {"region": "usual"}
    nobody = Facts(Sessions(), Amazon(get_caller_identity=trouble("NoCredentialsError")).permit())
    assert said(nobody.answers, "identity").startswith("!aws.account_id refused the request")
    assert said(nobody.answers, "identity").startswith("!aws.account_id refused the request")


BODY = b"12345678"
S3_SOURCES: dict[str, tuple[str | None, str, str]] = {
    "https://s3.amazonaws.com/bucket/a/k.yaml": (None, "bucket", "a/k.yaml"),
    "https://s3.eu-west-1.amazonaws.com/bucket/a//k.yaml": (None, "bucket", "a/k.yaml"),
    "https://bucket.s3.eu-west-1.amazonaws.com/a/k.yaml": (None, "bucket", "a/k.yaml"),
    "https://my.s3bucket.s3.eu-west-1.amazonaws.com/k.yaml": (None, "my.s3bucket", "k.yaml"),
    "https://bucket.s3-eu-west-1.amazonaws.com/k.yaml": (None, "bucket", "k.yaml"),
    "http://minio.s3.example.org:9000/bucket/k.yaml": ("http://minio.s3.example.org:9000", "bucket", "k.yaml"),
    "https://s3.amazonaws.com/bucket/a.zip//k.yaml": (None, "bucket", "a.zip"),
}
"""Addresses, and the server, the bucket and the key that are asked for."""


@pytest.mark.parametrize("written", S3_SOURCES)
def test_where_a_source_in_s3_is(written: str, tmp_path: Path) -> None:
    server, bucket, key = S3_SOURCES[written]
    amazon = Amazon(get_object={"Body": SimpleNamespace(read=lambda most: BODY[:most]), "ETag": '"e1"'})
    wanted = RemoteAddress(f"s3::{written}").wanted
    name, revision = FETCHERS["s3"].fetch(wanted, str(tmp_path), 8, Door(), amazon.permit())
    assert (tmp_path / name).read_bytes() == BODY, "exactly as large as it may be"
    assert (Path(name).suffix, revision) == (Path(key).suffix, "e1")
    assert amazon.notes[-2:] == [("s3", server, "config"), ("get_object", {"Bucket": bucket, "Key": key})]


def test_what_is_wrong_with_a_source_in_s3(tmp_path: Path) -> None:
    def fetched(amazon: Amazon, place: str = "bucket/k.yaml", limit: int = 2) -> None:
        wanted = RemoteAddress(f"s3::https://s3.amazonaws.com/{place}").wanted
        FETCHERS["s3"].fetch(wanted, str(tmp_path), limit, Door(), amazon.permit())

    big = Amazon(get_object={"Body": SimpleNamespace(read=lambda most: (b"x" * 9_000_000)[:most])})
    assert "is larger than 3 MB" in said(fetched, big, "bucket/k.yaml", 3 * 1024 * 1024)
    for code in ("NoSuchKey", "NoSuchBucket", "404"):
        with pytest.raises(Missing, match="has no `k"):
            fetched(Amazon(get_object=trouble("ClientError", code)))
    for place in ("", "bucket"):
        assert "it names no bucket and key" in said(fetched, big, place)


# State


def backend(kind: str, workspace: str = "default", **options: object) -> StateBackend:
    return StateBackend(kind, options, workspace, ".", "`vpc`", Sessions(), 77)


ROLE_OPTIONS = {"role_arn": "arn:tf", "external_id": "x", "session_name": "me"}
STATE_IN_S3: dict[str, tuple[dict[str, object], str, list[object]]] = {
    "usual": ({}, "default", [("Session", {}), ("s3", None, "config"), "terraform.tfstate"]),
    "a workspace": ({"key": "a"}, "prod", [("Session", {}), ("s3", None, "config"), "env:/prod/a"]),
    "a prefix": (
        {"workspace_key_prefix": "vpc", "region": "r", "profile": "p"},
        "prod",
        [("Session", {"region_name": "r", "profile_name": "p"}), ("s3", None, "config"), "vpc/prod/terraform.tfstate"],
    ),
    "keys and an endpoint": (
        {"access_key": "id", "secret_key": "s", "endpoint": "http://s3", "endpoints": {"sts": "http://sts"}},
        "default",
        [
            ("Session", {"aws_access_key_id": "id", "aws_secret_access_key": "s"}),
            ("s3", "http://s3", "config"),
            "terraform.tfstate",
        ],
    ),
    "a role": (
        {"assume_role": ROLE_OPTIONS, "endpoints": {"s3": "http://s3", "sts": "http://sts"}},
        "default",
        [*AMAZON["a role with all that it can have"][1], ("s3", "http://s3", "config"), "terraform.tfstate"],
    ),
    "a role, as older versions write it": (
        {**ROLE_OPTIONS, "sts_endpoint": "http://sts", "endpoints": {"s3": "http://s3"}},
        "default",
        [*AMAZON["a role with all that it can have"][1], ("s3", "http://s3", "config"), "terraform.tfstate"],
    ),
}
"""The options of a backend, a workspace, who asks, and the key of the object."""


@pytest.mark.parametrize("name", STATE_IN_S3)
def test_where_state_in_s3_is(name: str) -> None:
    options, workspace, wanted = STATE_IN_S3[name]
    body = SimpleNamespace(read=lambda most: state({"id": "vpc-1"})[: most * 10])
    amazon = Amazon(get_object={"Body": body}, assume_role={"Credentials": KEYS})
    found = StateBackend("s3", {"bucket": "b", **options}, workspace, ".", "`vpc`", Sessions(), 200)
    assert found.outputs(amazon.permit()).values == {"id": "vpc-1"}
    assert amazon.notes == [CONFIG, *wanted[:-1], ("get_object", {"Bucket": "b", "Key": wanted[-1]})]
    for code in ("NoSuchKey", "404"):
        amazon.answers["get_object"] = trouble("ClientError", code)
        with pytest.raises(Missing):
            found.outputs(amazon.permit())


def test_state_is_as_large_as_it_may_be_and_no_larger() -> None:
    read = SimpleNamespace(read=lambda most: state({"id": "vpc-1"}).ljust(400)[:most])
    amazon = Amazon(get_object={"Body": read})
    assert backend("s3", bucket="b").limit == 77
    for limit, is_read in ((400, True), (399, False)):
        found = StateBackend("s3", {"bucket": "b"}, "", ".", "`vpc`", Sessions(), limit)
        if is_read:
            assert found.outputs(amazon.permit()).values == {"id": "vpc-1"}
        else:
            assert said(found.outputs, amazon.permit()).startswith("the state of `vpc` is larger than")


BLOB = {"storage_account_name": "acme", "container_name": "my states", "key": "a/vpc"}
PLACE = "https://acme.blob.core.windows.net/my%20states/a/vpc"
BLOBS: dict[str, tuple[dict[str, object], dict[str, str], str, str, str]] = {
    "a key": ({"access_key": "a2V5"}, {}, "default", PLACE, "SharedKey"),
    "a key of the environment": ({}, {"ARM_ACCESS_KEY": "a2V5"}, "default", PLACE, "SharedKey"),
    "a key before a signature": ({"access_key": "a2V5", "sas_token": "?sig=1"}, {}, "default", PLACE, "SharedKey"),
    "a signature": ({"sas_token": "?sig=1"}, {}, "default", f"{PLACE}?sig=1", ""),
    "a signature of the environment": ({}, {"ARM_SAS_TOKEN": "sig=1"}, "prod", f"{PLACE}env%3Aprod?sig=1", ""),
    "the machine": ({"endpoint": "http://own/"}, {}, "default", "http://own/my%20states/a/vpc", "Bearer of azure"),
}
"""The options of a backend, the environment, a workspace, the address that is asked, and how we say who we are."""


@pytest.mark.parametrize("name", BLOBS)
def test_where_state_in_azure_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options, env, workspace, url, who = BLOBS[name]
    for variable, value in env.items():
        monkeypatch.setenv(variable, value)
    found = backend("azurerm", workspace, **BLOB, **options)
    own = permit(state({"id": "vpc-1"}), azure_identity=AZURE)
    found.limit = 1000
    assert found.outputs(own).values == {"id": "vpc-1"}
    ((asked_for, headers, what, limit),) = [note for note in own.notes if len(note) == 4]
    assert (asked_for, what, limit) == (url, "the backend of `vpc`", 1000)
    assert headers["x-ms-version"] == "2021-08-06"
    assert headers["x-ms-date"].endswith(" GMT")
    if who == "SharedKey":
        plain = {name: value for name, value in headers.items() if name != "Authorization"}
        who = f"SharedKey acme:{signed(found, 'acme', 'a2V5', url, plain)}"
    assert headers.get("Authorization", "") == who
    own.answer = Missing()
    with pytest.raises(Missing, match="not provisioned yet"):
        found.outputs(own)


def _credential(scope: str) -> object:
    assert scope in ("https://storage.azure.com/.default", "https://vault.azure.net/.default"), "as documented"
    return SimpleNamespace(token="of azure")


AZURE = SimpleNamespace(DefaultAzureCredential=lambda: SimpleNamespace(get_token=_credential))


class GoogleLibrary:
    """google.auth, and its transport, as far as they are used."""

    def __init__(self) -> None:
        self.refreshed = ""
        self.token = "of google"

    def default(self, scopes: list[str]) -> tuple[object, str]:
        assert scopes == ["https://www.googleapis.com/auth/cloud-platform"]
        return self, "project"

    def Request(self) -> str:
        return "transport"

    def refresh(self, transport: str) -> None:
        self.refreshed = transport


OBJECT = "/storage/v1/b/states/o/default.tfstate?alt=media"
OBJECTS: dict[str, tuple[dict[str, object], str, str, str]] = {
    "usual": ({}, "", f"https://storage.googleapis.com{OBJECT}", "Bearer of google"),
    "a token": ({"access_token": "mine"}, "", f"https://storage.googleapis.com{OBJECT}", "Bearer mine"),
    "a prefix": (
        {"prefix": "/a/b/"},
        "",
        "https://storage.googleapis.com/storage/v1/b/states/o/a%2Fb%2Fdefault.tfstate?alt=media",
        "Bearer of google",
    ),
    "a server of one's own": (
        {"storage_custom_endpoint": "https://own/storage/v1/b"},
        "",
        f"https://own{OBJECT}",
        "Bearer of google",
    ),
    "an emulator": ({}, "http://localhost:4443", f"http://localhost:4443{OBJECT}", ""),
    "an emulator, as Google's libraries take it": ({}, "localhost:4443", f"http://localhost:4443{OBJECT}", ""),
}
"""The options of a backend, an emulator, the address that is asked, and how we say who we are."""


@pytest.mark.parametrize("name", OBJECTS)
def test_where_state_and_sources_in_google_storage_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options, emulator, url, who = OBJECTS[name]
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", emulator)
    google = GoogleLibrary()
    own = permit(state({"id": "vpc-1"}), google_auth=google, google_auth_transport_requests=google)
    found = StateBackend("gcs", {"bucket": "states", **options}, "", ".", "`vpc`", Sessions(), 1000)
    assert found.outputs(own).values == {"id": "vpc-1"}
    headers = {"Authorization": who} if who else {}
    assert own.notes[-1] == (url, headers, "the backend of `vpc`", 1000)
    own.answer = Missing()
    with pytest.raises(Missing, match="not provisioned yet"):
        found.outputs(own)
    if not options:
        own.answer = b"a: 1"
        address = RemoteAddress("gcs::https://www.googleapis.com/storage/v1/states/default.tfstate")
        file, revision = FETCHERS["gcs"].fetch(address.wanted, str(tmp_path), 1000, Door(), own)
        assert own.notes[-1][:2] == (url, headers)
        assert ((tmp_path / file).read_bytes(), Path(file).suffix, revision) == (b"a: 1", ".tfstate", "")


def test_tokens_of_the_machine() -> None:
    google = GoogleLibrary()
    own = permit(google_auth=google, google_auth_transport_requests=google, azure_identity=AZURE)
    assert google_token(own, "", "it", Door()) == "of google"
    assert google.refreshed == "transport"
    assert azure_token(own, "https://storage.azure.com/.default", "it") == "of azure"
    assert said(azure_token, own, "another", "it").endswith(
        "az login, or AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET"
    )
    sessions = Sessions()
    own.notes.clear()
    for _ in range(2):
        assert sessions.google(own, "", "it") == "of google"
        assert sessions.azure(own, "https://vault.azure.net/.default", "it") == "of azure"
    assert [module for module, _ in own.notes] == ["google.auth", "google.auth.transport.requests", "azure.identity"]
    for _ in range(2):
        assert "of the type `file`" in said(sessions.google, own, '{"type": "file"}', "it")
    assert len(own.notes) == 5, "a refusal is remembered"


# terraform


def test_what_terraform_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_WORKSPACE", "of-the-shell")
    monkeypatch.setenv("TF_INPUT", "1")
    for workspace in ("", "default", "prod"):
        own = permit(b'{"id": {"value": 1}}')
        assert outputs(own, "tofu -v", str(tmp_path), workspace, {"MINE": "m"}, "it").values == {"id": 1}
        ((words, seconds, folder, env),) = own.notes
        assert words == ["tofu", "-v", "output", "-json", "-no-color"]
        assert (seconds, folder) == (120, str(tmp_path))
        assert (env["MINE"], env["TF_IN_AUTOMATION"], env["TF_INPUT"], "PATH" in env) == ("m", "1", "0", True)
        assert env.get("TF_WORKSPACE") == ("prod" if workspace == "prod" else None), "and not that of the shell"


COMPLAINTS = {
    "one line": ("\u2577\n\u2502 Error: No configuration files\n\u2575\n", ("Error: No configuration files",)),
    "many lines": ("1\n\n2\n3\n4\n5\n", ("1", "2", "3", "4")),
}
"""What terraform writes to standard error, and what is shown of it."""


@pytest.mark.parametrize("name", COMPLAINTS)
def test_what_terraform_complains_of(name: str, tmp_path: Path) -> None:
    stderr, notes = COMPLAINTS[name]
    failed = CommandFailed("it ended with exit status 1", stderr)
    text = said(outputs, permit(failed), "tofu", str(tmp_path), "", {}, "it")
    run = f"to see the error, run: cd {tmp_path} && tofu output -json"
    assert text == "\n".join(["cannot read the outputs of it: exit status 1", *notes, run])
    failed = CommandFailed("it took longer than 120 seconds", "please init")
    assert said(outputs, permit(failed), "tofu", str(tmp_path), "", {}, "it") == (
        "cannot read the outputs of it: it took longer than 120 seconds"
    )


# Stores over HTTP


NAMES = [
    (KeyVault, ["plat", "net_vpc", "d\u00fc.id"], "plat-net-vpc-d--id"),
    (KeyVault, ["_a", "b_"], "a-b"),
    (SecretManager, ["plat-dev", "net_vpc", "d\u00fc.id"], "plat-dev_net_vpc_d__id"),
    (SecretManager, ["_a", "b2_"], "_a_b2_"),
]
"""Stores that do not take all letters, the parts of a key, and its name there."""


@pytest.mark.parametrize(("store", "parts", "name"), NAMES)
def test_names_in_stores_that_do_not_take_all_letters(store: Any, parts: list[str], name: str) -> None:
    made = store(SimpleNamespace(text=lambda name, default="": default))
    assert made.name(parts) == name


def answered(type: str, answer: object, own: Any, key: str = "a b", **options: object) -> object:
    own.answer = answer if isinstance(answer, bytes | Exception) else json.dumps(answer).encode()
    return Stores({"main": {"type": type, "options": options}}).open("main").value(key, own)


VAULT = {"url": "http://vault/", "token": "t"}
TOKEN = {"X-Vault-Token": "t"}
SEALED = {"payload": {"data": base64.b64encode(b"[1]").decode()}}
WEB_STORES: dict[str, tuple[str, dict[str, object], object, object, str, dict[str, str]]] = {
    "vault": (
        *("vault", VAULT, {"data": {"data": {"value": "v"}}}, "v"),
        *("http://vault/v1/secret/data/a%20b", TOKEN),
    ),
    "vault with more fields": (
        *("vault", {**VAULT, "mount": "/kv/"}, {"data": {"data": {"value": "v", "w": 1}}}, {"value": "v", "w": 1}),
        *("http://vault/v1/kv/data/a%20b", TOKEN),
    ),
    "vault of version 1": (
        *("vault", {**VAULT, "version": 1, "namespace": "n"}, {"data": {"data": {"x": 1}}}, {"data": {"x": 1}}),
        *("http://vault/v1/secret/a%20b", {**TOKEN, "X-Vault-Namespace": "n"}),
    ),
    "key vault": (
        *("azure/keyvault", {"vault_url": "http://kv/", "token": "t"}, {"value": "v"}, "v"),
        *("http://kv/secrets/a%20b?api-version=7.4", {"Authorization": "Bearer t"}),
    ),
    "key vault of the machine": (
        *("azure/keyvault", {"vault_url": "http://kv"}, {}, ""),
        *("http://kv/secrets/a%20b?api-version=7.4", {"Authorization": "Bearer of azure"}),
    ),
    "secret manager": (
        *("gsm", {"project_id": "p q", "endpoint": "http://sm/", "token": "t"}, SEALED, [1]),
        *("http://sm/v1/projects/p%20q/secrets/a%20b/versions/latest:access", {"Authorization": "Bearer t"}),
    ),
    "secret manager of the machine": (
        *("gsm", {"project_id": "p"}, {}, ""),
        "https://secretmanager.googleapis.com/v1/projects/p/secrets/a%20b/versions/latest:access",
        {"Authorization": "Bearer of google"},
    ),
    "artifactory": (
        *("artifactory", {"url": "http://af/", "repo_name": "r s", "access_token": "t"}, b"x", "x"),
        *("http://af/r%20s/a%20b", {"Authorization": "Bearer t"}),
    ),
    "artifactory for everybody": (
        *("artifactory", {"url": "http://af", "repo_name": "r", "access_token": "anonymous"}, b"x", "x"),
        *("http://af/r/a%20b", {}),
    ),
}
"""A store, its options, what the server answers, the value, and what the server is asked."""


@pytest.mark.parametrize("name", WEB_STORES)
def test_what_stores_over_http_are_asked(name: str) -> None:
    type, options, answer, value, url, headers = WEB_STORES[name]
    google = GoogleLibrary()
    own = permit(google_auth=google, google_auth_transport_requests=google, azure_identity=AZURE)
    assert answered(type, answer, own, **options) == value
    assert own.notes[-1][:3] == (url, headers, "the store `main`")
    with pytest.raises(Missing, match="the store `main` has no `a b`"):
        answered(type, Missing(), own, **options)
    if type != "artifactory":
        for nonsense in (b"[1]", b"<html>", b"[" * 100_000):
            assert "does not answer with a JSON map" in said(lambda body=nonsense: answered(type, body, own, **options))


def test_who_we_are_to_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"data": {"data": {"value": "v"}}}
    monkeypatch.setenv("VAULT_ADDR", "http://of-env")
    monkeypatch.setenv("VAULT_TOKEN", "of-env")
    own = permit()
    assert answered("vault", body, own) == "v"
    assert own.notes == [("http://of-env/v1/secret/data/a%20b", {"X-Vault-Token": "of-env"}, "the store `main`", 0)]
    monkeypatch.delenv("VAULT_TOKEN")
    assert said(lambda: answered("vault", body, own)).startswith(
        "the store `main` refused the request: there is no token"
    )
    monkeypatch.setenv("VAULT_ROLE_ID", "r")
    monkeypatch.setenv("VAULT_SECRET_ID", "s")
    assert answered("vault", body, own) == "v"
    assert own.notes[-2:] == [
        (
            "http://of-env/v1/auth/approle/login",
            {"role_id": "r", "secret_id": "s"},
            {"Content-Type": "application/json"},
            "the store `main`",
        ),
        ("http://of-env/v1/secret/data/a%20b", {"X-Vault-Token": "of the role"}, "the store `main`", 0),
    ]
    monkeypatch.delenv("VAULT_ADDR")
    assert said(lambda: answered("vault", body, own)) == "the store `main` needs the option `url`\nor set VAULT_ADDR"


def test_tokens_of_artifactory(monkeypatch: pytest.MonkeyPatch) -> None:
    own = permit()
    for name in ("JFROG_ACCESS_TOKEN", "ARTIFACTORY_ACCESS_TOKEN"):
        monkeypatch.setenv(name, name)
        answered("artifactory", b"", own, url="http://af", repo_name="r")
        assert own.notes[-1][1] == {"Authorization": f"Bearer {name}"}


def test_what_is_secret_and_what_may_be_missing() -> None:
    declared = {
        "plain": {"type": "redis"},
        "kind": {"type": "redis", "kind": "secret"},
        "word": {"type": "redis", "secret": True},
        "text": {"type": "redis", "secret": "yes"},
        "newer": {"kind": "redis", "options": {"stack_delimiter": "", "prefix": "/p/"}},
        "other": {"kind": "keychain"},
        "broken": 1,
    }
    made = Stores(declared)
    names = ("plain", "kind", "word", "text", "newer")
    assert [made.open(name).secret for name in names] == [False, True, True, False, False]
    assert made.open("plain") is made.open("plain")
    assert [made.can_read(name) for name in ("plain", "newer", "other", "broken", "none")] == [
        *(True, True, False, True, True),
    ]
    assert made.open("plain").name_of("a-b", "c//d", "k") == "a:b:c:d:k"
    assert made.open("newer").name_of("a-b", "c", "k") == "p:a-b:c:k"
    assert made.open("plain").name_of_key("k/l") == "k/l"
    assert made.open("newer").name_of_key("k/l") == "p:k/l"
    assert kind_of("redis") is made.open("plain").kind
    assert kind_of("nothing") is None


FILES = {
    "a: 1\nb: [\n": "cannot be read: store.yaml, line 2 is not valid YAML",
    "- 1\n": "is in a file that does not contain a map",
}
"""What the file of a store holds, and what is said of it: never what is written there."""


@pytest.mark.parametrize("text", FILES)
def test_a_file_that_is_no_store(text: str, tmp_path: Path) -> None:
    (tmp_path / "store.yaml").write_text(text)
    made = Stores({"main": {"type": "file", "options": {"path": "store.yaml"}}}, str(tmp_path))
    assert said(made.open("main").value, "a", permit()).startswith(f"the store `main` {FILES[text]}")


def test_where_a_key_is_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "store.yaml").write_text("a/b: whole\na: {b: {c: steps}, d: 1}\n")
    made = Stores({"main": {"type": "file", "options": {"path": "store.yaml"}}}, str(tmp_path)).open("main")
    assert [made.value(key, permit()) for key in ("a/b", "a/b/c", "a/d")] == ["whole", "steps", 1]
    for key in ("a/none", "a/d/e", "none"):
        with pytest.raises(Missing, match="has no"):
            made.value(key, permit())
    assert said(made.value, "none", permit()) == "the store `main` has no `none`\nit is read from store.yaml"
    (tmp_path / "store.yaml").write_text("")
    with pytest.raises(Missing):
        made.value("a", permit())


# Redis


class RedisLibrary:
    """redis, as far as it is used: what a key holds, or an error."""

    class RedisError(Exception): ...

    class ConnectionError(RedisError): ...

    class TimeoutError(RedisError): ...

    class AuthenticationError(ConnectionError): ...

    class NoPermissionError(RedisError): ...

    def __init__(self, held: dict[str, bytes | str]) -> None:
        self.exceptions = self
        self.Redis = self
        self.held = held
        self.connected: list[object] = []

    def from_url(self, url: str, **limits: int) -> RedisLibrary:
        self.connected.append((url, limits))
        return self

    def get(self, name: str) -> bytes | None:
        found = self.held.get(name)
        if isinstance(found, str):
            raise getattr(self, found)("why")
        return found


REDIS_ERRORS = {
    "AuthenticationError": (False, "refused the request: why\ncheck the credentials and their permissions"),
    "NoPermissionError": (False, "refused the request: why\ncheck the credentials and their permissions"),
    "ConnectionError": (True, "cannot be reached: why\ncheck that it is running and that the address is correct"),
    "TimeoutError": (True, "cannot be reached: why\ncheck that it is running and that the address is correct"),
    "RedisError": (False, "refused the request: why\nthe key must hold a string"),
}


def test_what_redis_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    library = RedisLibrary({"a:b": b"[1]", **{name: name for name in REDIS_ERRORS}})
    own = permit(redis=library)
    store = Stores({"main": {"type": "redis"}}).open("main")
    assert store.value(store.name_of_key("a:b"), own) == [1]
    with pytest.raises(Missing):
        store.value("none", own)
    limits = {"socket_timeout": 10, "socket_connect_timeout": 10}
    assert library.connected == [("redis://localhost:6379", limits)], "one connection for all keys"
    for name, (passes, text) in REDIS_ERRORS.items():
        with pytest.raises(Fault) as caught:
            store.value(name, own)
        assert isinstance(caught.value, Passing) is passes
        assert said(store.value, name, own) == f"the store `main` at redis://localhost:6379 {text}"
    monkeypatch.setenv("ATMOS_REDIS_URL", "redis://u:geheim@env")
    Stores({"main": {"type": "redis"}}).open("main").value("a:b", own)
    Stores({"main": {"type": "redis", "options": {"url": "redis://own"}}}).open("main").value("a:b", own)
    assert [url for url, _ in library.connected[1:]] == ["redis://u:geheim@env", "redis://own"]  # type: ignore[misc]


# Data sources and remote sources


DATA = [
    ("env:HERE", (), "mine"),
    ("env://HERE", (), "mine"),
    ("env:///HERE?default=x", (), "mine"),
    ("env:NONE?default=x", (), "x"),
    ("env:EMPTY?default=x", (), ""),
]
REQUESTS = [
    ("https://h/a", (), "https://h/a"),
    ("https://h/a/?b=1&c=2", (), "https://h/a/?b=1&c=2"),
    ("https://h/a/?b=1", ("c", "d"), "https://h/a/c/d?b=1"),
]


@pytest.mark.parametrize(("url", "arguments", "text"), DATA)
def test_data_of_the_environment(url: str, arguments: tuple[str, ...], text: str) -> None:
    assert DataSource("d", url).read(permit(), arguments) == text


@pytest.mark.parametrize(("url", "arguments", "request_url"), REQUESTS)
def test_data_of_a_server(url: str, arguments: tuple[str, ...], request_url: str) -> None:
    own = permit("\u00fc".encode())
    source = DataSource("d", url, {"Accept": ["a", 2], "X": 1})
    assert source.read(own, arguments) == "\u00fc"
    assert own.notes == [(request_url, {"Accept": "a, 2", "X": "1"}, "the data source `d`", 0)]
    assert said(source.read, permit(b"\xff")) == "the data source `d` is not text"
    assert [DataSource("d", one).capability for one in ("http://h", "https://h", "env:A", "file:///a", "a")] == [
        *("network", "network", "env", "", ""),
    ]


AGES = {0: "0s", 59: "59s", 60: "1m", 3599: "59m", 3600: "1h", 86399: "23h", 86400: "1d", 200_000: "2d"}


def test_how_old_a_copy_is_and_when_it_serves() -> None:
    address = RemoteAddress("https://h/a.yaml")
    assert Remote(now=lambda: 1000.0).copy(address, permit(b"a: 1")).fetched == 1000.0
    for age, told in AGES.items():
        later = Remote(now=lambda at=1000.0 + age: at)
        copy = later.copy(address, permit(Passing()))
        assert (copy.fetched, later.fetches) == (1000.0, 1)
        assert [one.message for one in later.warnings] == [
            f"https://h/a.yaml cannot be reached; using a copy fetched {told} ago"
        ]
        assert later.copy(address, permit()) is copy, "once in a run"
    for age, ttl, fetches in ((59, 60, 0), (60, 60, 1), (60, None, 1), (-5, 0, 0)):
        again = Remote(now=lambda at=1000.0 + age: at)
        again.copy(address, permit(Passing()), ttl)
        assert again.fetches == fetches
    with pytest.raises(Passing):
        Remote().copy(RemoteAddress("https://h/b.yaml"), permit(Passing()))
    with pytest.raises(NotKnown):
        Remote().copy(address, permit(Missing())), "what is gone is not served from a copy"


def test_what_a_copy_is() -> None:
    remote = Remote(limit=123)
    own = permit(b"a: 1")
    copy = remote.copy(RemoteAddress("https://h/a.yaml.tmpl?token=t"), own)
    assert own.notes == [("https://h/a.yaml.tmpl?token=t", {}, "https://h/a.yaml.tmpl", 123)]
    assert (Path(copy.path).read_bytes(), Path(copy.path).name, copy.revision) == (b"a: 1", "file.yaml.tmpl", "")
    folder = Path(copy.path).parent
    assert folder.name == copy.checksum[:16]
    assert [each.name for each in folder.parent.iterdir() if each.name.startswith("new-")] == []
    record = json.loads((folder.parent / "copy.json").read_text())
    assert (record["name"], record["url"]) == (f"{folder.name}/file.yaml.tmpl", "https://h/a.yaml.tmpl")
    assert record["checksum"] == copy.checksum
