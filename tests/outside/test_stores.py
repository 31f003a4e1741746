"""Stores: each against the real thing where it can be had, else against what its documentation says."""

from __future__ import annotations

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from plait.access.permit import CLIENTS
from plait.access.trouble import Missing, without_password
from plait.core.diagnostic import Passing, PlaitError
from plait.report.installing import how_to_install
from plait.services.stores import KINDS, Stores
from tests.outside.permits import NETWORK
from tests.outside.servers import Answer, Web
from tests.ports import free_port


def stores(type: str, folder: Path | str = ".", kind: str = "", **options: object) -> Stores:
    return Stores({"main": {"type": type, "kind": kind, "options": options}}, str(folder))


def value(made: Stores, stack: str = "plat-dev", component: str = "net/vpc", key: str = "id") -> object:
    store = made.open("main")
    return store.value(store.name_of(stack, component, key), NETWORK)


def by_key(made: Stores, key: str) -> object:
    store = made.open("main")
    return store.value(store.name_of_key(key), NETWORK)


def said(call, *arguments: object) -> str:
    with pytest.raises(PlaitError) as caught:
        call(*arguments)
    found = caught.value.diagnostics[0]
    return "\n".join(filter(None, (found.message, *found.notes, found.hint)))


# Redis


def test_redis(redis_url: str) -> None:
    import redis

    server = redis.Redis.from_url(redis_url)
    server.set("acme:plat:dev:net:vpc:id", '{"a": [1]}')
    server.set("acme:plain", "just text")
    server.set("acme:bytes", b"\xff\xfe\x00")
    server.lpush("acme:list", "x")
    made = stores("redis", url=redis_url, prefix="acme")
    assert value(made) == {"a": [1]}
    assert by_key(made, "plain") == "just text"
    assert said(by_key, made, "nothing") == "the store `main` has no `acme:nothing`"
    assert said(by_key, made, "bytes").startswith("`acme:bytes` of the store `main` is not text\nstore it as base64")
    assert "the key must hold a string" in said(by_key, made, "list")
    with pytest.raises(Missing):
        by_key(made, "nothing")


def test_redis_with_a_wrong_password(redis_url: str) -> None:
    wrong = redis_url.replace("hunter2", "letmein")
    text = said(by_key, stores("redis", url=wrong), "x")
    assert text.startswith("the store `main` at redis://127.0.0.1:")
    assert "refused the request" in text
    assert "letmein" not in text


def test_redis_that_is_down() -> None:
    pytest.importorskip("redis", reason="the package `redis` is not installed (make services)")
    port = free_port()
    with pytest.raises(Passing) as caught:
        by_key(stores("redis", url=f"redis://u:geheim@127.0.0.1:{port}"), "x")
    assert "cannot be reached" in str(caught.value)
    assert "geheim" not in str(caught.value)


# AWS


def test_parameters_and_secrets_of_aws(aws: str) -> None:
    import boto3

    ssm, asm = boto3.client("ssm"), boto3.client("secretsmanager")
    ssm.put_parameter(Name="/acme/plat/dev/net/vpc/id", Value="vpc-1", Type="SecureString", Overwrite=True)
    ssm.put_parameter(Name="/acme/list", Value="[1, 2]", Type="String", Overwrite=True)
    asm.create_secret(Name="plat/dev/net/vpc/id", SecretString='{"user": "u"}')
    asm.create_secret(Name="raw", SecretBinary=b"\xff\x00")
    made = stores("aws/ssm", region="eu-west-1", prefix="/acme/")
    assert value(made) == "vpc-1"
    assert by_key(made, "list") == [1, 2]
    assert said(by_key, made, "nothing") == "the store `main` has no `/acme/nothing`"
    secrets = stores("aws/asm", region="eu-west-1", kind="secret")
    assert secrets.open("main").secret
    assert value(secrets) == {"user": "u"}
    assert "is not text" in said(by_key, secrets, "raw")
    assert said(by_key, secrets, "nothing") == "the store `main` has no `nothing`"


def test_aws_under_a_role(aws: str) -> None:
    import boto3

    boto3.client("ssm").put_parameter(Name="/role", Value="yes", Type="String", Overwrite=True)
    made = stores("aws-ssm-parameter-store", region="eu-west-1", read_role_arn="arn:aws:iam::123456789012:role/reader")
    assert by_key(made, "/role") == "yes"
    (server,) = made.sessions._made.values()
    assert server._request_signer._credentials.access_key != "testing"


def test_aws_with_wrong_credentials(aws: str) -> None:
    """moto checks credentials when it is told to."""
    import urllib.request

    def checks(after: str) -> None:
        urllib.request.urlopen(
            urllib.request.Request(
                f"{aws}/moto-api/reset-auth", data=after.encode(), headers={"Content-Type": "text/plain"}
            )
        )

    checks("0")
    try:
        assert "the store `main` refused the request: An error occurred" in said(
            by_key, stores("aws/ssm", region="eu-west-1"), "x"
        )
    finally:
        checks("inf")


def test_aws_that_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("boto3", reason="the package `boto3` is not installed (make services)")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(Passing, match="cannot be reached"):
        by_key(stores("aws/ssm", region="eu-west-1"), "x")


def test_aws_without_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("boto3", reason="the package `boto3` is not installed (make services)")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert "the store `main` refused" in said(by_key, stores("aws/ssm", region="eu-west-1"), "x")


# Stores that are asked over HTTP: stand-ins that follow the documented answers


def guarded(web: Web, path: str, body: object, header: str = "Authorization", token: str = "Bearer t0ken") -> None:
    """A page for those who have the token."""

    def page(request: BaseHTTPRequestHandler) -> Answer | None:
        if request.path.partition("?")[0] != path:
            return None
        if request.headers.get(header) != token:
            return 403, {}, b'{"errors": ["permission denied"]}'
        return 200, {}, body if isinstance(body, bytes) else json.dumps(body).encode()

    web.pages.append(page)


def test_vault(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded(
        web,
        "/v1/kv/data/plat/dev/net/vpc/id",
        {"data": {"data": {"value": "v2"}, "metadata": {"version": 3}}},
        "X-Vault-Token",
        "t0ken",
    )
    guarded(web, "/v1/kv/old", {"data": {"a": "1", "b": "2"}}, "X-Vault-Token", "t0ken")
    url = f"http://127.0.0.1:{web.port}"
    assert "there is no token" in said(value, stores("hashicorp/vault", url=url, mount="kv"))
    monkeypatch.setenv("VAULT_TOKEN", "t0ken")
    assert value(stores("hashicorp/vault", url=url, mount="kv")) == "v2"
    assert by_key(stores("vault", url=url, mount="kv", version="1"), "old") == {"a": "1", "b": "2"}
    assert said(by_key, stores("vault", url=url, mount="kv"), "nothing") == "the store `main` has no `nothing`"
    monkeypatch.setenv("VAULT_TOKEN", "wrong-token")
    text = said(value, stores("vault", url=url, mount="kv"))
    assert text.startswith("the store `main` refused the request: it answers 403")
    assert "wrong-token" not in text


def test_vault_with_a_role(web: Web) -> None:
    web.serve("/v1/auth/approle/login", json.dumps({"auth": {"client_token": "t0ken"}}))
    guarded(web, "/v1/secret/data/k", {"data": {"data": {"value": 1}}}, "X-Vault-Token", "t0ken")
    assert by_key(stores("vault", url=f"http://127.0.0.1:{web.port}", role_id="r", secret_id="s"), "k") == 1


def test_azure_key_vault(web: Web) -> None:
    guarded(web, "/secrets/acme-plat-dev-net-vpc-id", {"value": "[1]", "id": "..."})
    made = stores("azure/keyvault", vault_url=f"http://127.0.0.1:{web.port}/", token="t0ken", prefix="acme")
    assert value(made) == [1]
    assert web.requests == [("GET", "/secrets/acme-plat-dev-net-vpc-id?api-version=7.4")]
    assert said(by_key, made, "no") == "the store `main` has no `acme-no`"


def test_google_secret_manager(web: Web) -> None:
    data = base64.b64encode(b"geheim").decode()
    guarded(
        web,
        "/v1/projects/p/secrets/plat_dev_net_vpc_id/versions/latest:access",
        {"name": "...", "payload": {"data": data}},
    )
    made = stores("gcp/secretmanager", project_id="p", endpoint=f"http://127.0.0.1:{web.port}", token="t0ken")
    assert value(made) == "geheim"
    assert said(by_key, made, "no") == "the store `main` has no `no`"


def test_artifactory(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded(web, "/artifactory/generic/acme/plat/dev/net/vpc/id", b"\xff\x01")
    guarded(web, "/artifactory/generic/acme/k", b'{"a": 1}')
    made = stores("artifactory", url=f"http://127.0.0.1:{web.port}/artifactory", repo_name="generic", prefix="acme")
    monkeypatch.setenv("ARTIFACTORY_ACCESS_TOKEN", "t0ken")
    assert by_key(made, "k") == {"a": 1}
    assert "is not text" in said(value, made)


def test_a_busy_server_may_answer_later_and_nonsense_is_told(web: Web) -> None:
    web.serve("/v1/secret/data/busy", b"", 503)
    web.serve("/v1/secret/data/odd", b"<html>")
    made = stores("vault", url=f"http://127.0.0.1:{web.port}", token="t")
    with pytest.raises(Passing, match="it answers 503"):
        by_key(made, "busy")
    assert said(by_key, made, "odd") == "the store `main` does not answer with a JSON map\ncheck the address"


# Files


def test_file_store(tmp_path: Path) -> None:
    (tmp_path / "local.yaml").write_text("plat: {dev: {net: {vpc: {id: vpc-9, n: 3}}}}\na/b: whole\n")
    made = stores("file", tmp_path, path="local.yaml")
    assert value(made) == "vpc-9"
    assert value(made, key="n") == 3
    assert by_key(made, "a/b") == "whole"
    assert by_key(made, "plat/dev") == {"net": {"vpc": {"id": "vpc-9", "n": 3}}}
    assert said(by_key, made, "no/such") == "the store `main` has no `no/such`\nit is read from local.yaml"
    assert "file not found" in said(by_key, stores("file", tmp_path, path="nope.yaml"), "x")


# What is declared


def test_declarations_that_are_wrong() -> None:
    assert (
        said(Stores({"prod/ssm": {}, "prod/redis": {}}).open, "prod/smm")
        == "store not found: `prod/smm`\ndid you mean `prod/ssm`?"
    )
    assert said(Stores({}).open, "x") == "store not found: `x`\ndeclare it under `stores` in atmos.yaml"
    assert "has the unknown type `reddis`\ndid you mean `redis`?" in said(stores("reddis").open, "main")
    assert "has a type that plait does not support" in said(stores("onepassword").open, "main")
    assert (
        said(stores("aws/ssm").open, "main")
        == "the store `main` needs the option `region`\nwrite it under stores.main.options"
    )
    assert "has no option `pth`\ndid you mean `path`?" in said(stores("file", pth="x", path="y").open, "main")
    assert "is not a map with a `type`" in said(Stores({"main": "redis"}).open, "main")


@pytest.mark.parametrize(
    ("type", "module"),
    [("redis", "redis"), ("aws/ssm", "boto3"), ("azure/keyvault", "azure.identity"), ("gsm", "google.auth")],
)
def test_a_missing_extra_names_the_command_that_installs_it(
    type: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    options = (
        {"region": "r"}
        if "aws" in type
        else {"vault_url": "http://127.0.0.1:1"}
        if "azure" in type
        else {"project_id": "p"}
        if type == "gsm"
        else {}
    )
    text = said(by_key, stores(type, **options), "x")
    package, extra = CLIENTS[module]
    assert text == f"the store `main` needs the package `{package}`\n{how_to_install(extra)}"


def test_every_client_library_is_an_extra() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    for package, extra in CLIENTS.values():
        assert any(line.startswith(package.partition("[")[0]) for line in extras[extra])


def test_every_kind_has_its_own_class() -> None:
    assert len({kind.home for kind in KINDS}) == len(KINDS)
    assert len({name for kind in KINDS for name in kind.names}) == sum(len(kind.names) for kind in KINDS)


def test_addresses_are_shown_without_their_secrets() -> None:
    assert without_password("redis://u:p@h:1/0?x=y") == "redis://h:1/0"
    assert without_password("https://tok@h/a?sig=s") == "https://h/a"
    assert without_password("https://h?sig=s") == "https://h"


def test_the_page_shows_every_kind_of_store_with_options_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    import re

    import yaml

    page = (Path(__file__).parents[2] / "docs/outside.md").read_text()
    block = re.search(r"```yaml title=stores.yaml\n(.*?)```", page, re.DOTALL)
    assert block is not None
    declared = yaml.safe_load(block[1])["stores"]
    assert {row["type"] for row in declared.values()} == {kind.names[0] for kind in KINDS}
    names = {}
    for name, row in declared.items():
        kind = next(kind for kind in KINDS if row["type"] in kind.names)
        assert set(row["options"]) <= set(kind.options)
        assert set(kind.required) <= set(row["options"])
        names[row["type"]] = f"`{_name(row['type'])}`"
        assert names[row["type"]] in page, name


def _name(type: str) -> str:
    """What a store calls a value, as its class says; no client library is needed for that."""
    from importlib import import_module

    kind = next(kind for kind in KINDS if type in kind.names)
    module, _, name = kind.home.partition(":")
    made = getattr(import_module(f"plait.services.stores.{module}"), name)
    return str(made.name(made.__new__(made), ["acme", "plat", "dev", "vpc", "id"]))
