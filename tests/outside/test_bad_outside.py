"""What can go wrong outside, each against the real server, through the command line: what, where, what to do, and
never a traceback."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.outside.conftest import state
from tests.outside.project import Repository, Said
from tests.outside.servers import Web
from tests.outside.test_stacks import git
from tests.ports import free_port

Ask = Callable[..., Said]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """One component whose `vars.x` is a line; the configuration and the head of its stack may say more."""

    def asked(line: str, config: str = "", head: str = "", *words: str, **env: str) -> Said:
        made = Repository(tmp_path / "repo", config)
        made.stack("dev", f"{head}components:\n  terraform:\n    vpc: {{}}\n    app:\n      vars:\n        x: {line}\n")
        said = made.plait(
            "describe",
            "component",
            "app",
            "-s",
            "dev",
            "-f",
            "yaml",
            "-q",
            ".vars.x",
            "--error-mode",
            "strict",
            "--max-call",
            "120",
            *words,
            allow="network,files,exec",
            **env,
        )
        assert "Traceback" not in said.err
        return said

    return asked


def refused(said: Said, *pieces: str) -> None:
    """An error with its place and all of these pieces."""
    assert said.status == 1, said.out + said.err
    assert "stacks/deploy/dev.yaml:" in said.err
    assert [piece for piece in pieces if piece not in said.err] == [], said.err


def redis_store(url: str, kind: str = "") -> str:
    return f"stores: {{r: {{type: redis, {kind}options: {{url: '{url}'}}}}}}\n"


# Stores


def test_a_server_that_is_down(ask: Ask) -> None:
    pytest.importorskip("redis", reason="the package `redis` is not installed (make services)")
    pytest.importorskip("boto3", reason="the package `boto3` is not installed (make services)")
    refused(
        ask("!store.get r k", redis_store(f"redis://:geheim@127.0.0.1:{free_port()}")),
        "cannot be reached",
        "Connection refused",
        "check that it is running and that the address is correct",
    )
    ssm = f"stores: {{p: {{type: aws/ssm, options: {{region: eu-west-1, endpoint_url: 'http://127.0.0.1:{free_port()}'}}}}}}\n"
    refused(ask("!store.get p /k", ssm), "the store `p` cannot be reached")


@pytest.fixture
def busy_redis(redis_url: str) -> Iterator[str]:
    """A Redis that answers nobody for a while."""
    import redis

    server = redis.Redis.from_url(redis_url, socket_timeout=20)
    server.set("k", "v")
    server.execute_command("CLIENT", "PAUSE", "3000", "ALL")
    yield redis_url
    server.ping()  # it answers again when the pause is over


def test_a_server_that_is_slow(ask: Ask, busy_redis: str) -> None:
    said = ask("!store.get r k", redis_store(busy_redis), "", "--max-call", "1")
    refused(said, "the store `r` did not answer within 1 second", "--max-call gives it more time")


def test_wrong_credentials(ask: Ask, redis_url: str, aws: str) -> None:
    said = ask("!store.get r k", redis_store(redis_url.replace("hunter2", "letmein")))
    refused(said, "refused the request: ", "check the credentials and their permissions")
    assert "letmein" not in said.err
    said = ask("!aws.account_id", AWS_ENDPOINT_URL=aws, AWS_PROFILE="nobody")
    refused(said, "!aws.account_id refused the request: The config profile (nobody) could not be found")


def test_a_server_that_hangs_up(ask: Ask, aws: str) -> None:
    """Whoever hears nothing is told so; that the library gives its error an empty answer is no bug of plait's."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=hang_up, args=(server,), daemon=True).start()
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        ssm = "stores: {p: {type: aws/ssm, options: {region: eu-west-1}}}\n"
        refused(ask("!store.get p /a", ssm, AWS_ENDPOINT_URL=endpoint), "the store `p` cannot be reached", "closed")


def hang_up(server: socket.socket) -> None:
    """Read a question and close without a word, until the server is closed."""
    with contextlib.suppress(OSError):
        while True:
            connection = server.accept()[0]
            connection.recv(65536)
            connection.close()


def test_a_key_that_is_missing(ask: Ask, redis_url: str, aws: str) -> None:
    refused(ask("!store.get r nothing", redis_store(redis_url)), "the store `r` has no `nothing`")
    ssm = "stores: {p: {type: aws/ssm, options: {region: eu-west-1}}}\n"
    refused(ask("!store.get p /nothing", ssm, AWS_ENDPOINT_URL=aws), "the store `p` has no `/nothing`")
    assert ask("!store.get r nothing | default other", redis_store(redis_url)).out == "other\n"


def test_values_that_are_no_text(ask: Ask, redis_url: str, aws: str) -> None:
    import boto3
    import redis

    redis.Redis.from_url(redis_url).set("bytes", b"\xff\xfe\x00")
    refused(
        ask("!store.get r bytes", redis_store(redis_url)), "`bytes` of the store `r` is not text", "store it as base64"
    )
    boto3.client("secretsmanager", endpoint_url=aws).create_secret(Name="binary", SecretBinary=b"\xff\xfe\x00")
    asm = "stores: {s: {type: aws/asm, options: {region: eu-west-1}}}\n"
    refused(ask("!store.get s binary", asm, AWS_ENDPOINT_URL=aws), "`binary` of the store `s` is not text")


def test_a_store_that_is_not_configured(ask: Ask, redis_url: str) -> None:
    refused(ask("!store.get rr k", redis_store(redis_url)), "store not found: `rr`", "did you mean `r`?")
    refused(
        ask('\'{{ atmos.Store "q" "" "a" "b" }}\'', redis_store(redis_url)),
        "store not found: `q`",
        "available: r",
    )
    refused(
        ask("!store.get r k", redis_store(redis_url).replace("redis,", "reds,", 1)),
        "has the unknown type `reds`",
        "did you mean `redis`?",
    )


def test_a_secret_inside_an_error(ask: Ask, redis_url: str) -> None:
    import redis

    redis.Redis.from_url(redis_url).set("pw", "Zq7-secret-Xw9")
    said = ask(
        "!exec 'echo \"cannot log in with {{ .vars.pw }}\" >&2; exit 3'\n        pw: !store.get r pw",
        redis_store(redis_url, "kind: secret, "),
    )
    refused(said, "it failed with <sensitive>")
    assert "Zq7-secret-Xw9" not in said.err


# State


@pytest.fixture
def bucket(aws_url: str) -> Callable[[bytes], str]:
    """Puts a state where the component `vpc` has its own; gives the head of a stack that says so."""
    import boto3

    server = boto3.client("s3", endpoint_url=aws_url)
    if "bad" not in [row["Name"] for row in server.list_buckets()["Buckets"]]:
        server.create_bucket(Bucket="bad", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})

    def put(body: bytes) -> str:
        server.put_object(Bucket="bad", Key="vpc/dev/terraform.tfstate", Body=body)
        return (
            f"terraform: {{backend_type: s3, backend: {{s3: {{bucket: bad, region: eu-west-1, endpoints: "
            f"{{s3: '{aws_url}'}}}}}}}}\n"
        )

    return put


@pytest.mark.parametrize(
    ("body", "pieces"),
    [
        (
            b'{"version": 4, "outputs": {"id"',
            ("is not a Terraform state: it is not JSON", "look at it with `terraform state pull`"),
        ),
        (b"\x89PNG\r\n\xff", ("is not a Terraform state: it is not text",)),
        (
            json.dumps({"version": 5, "outputs": {}}).encode(),
            ("has version 5; plait supports version 4", "a newer version of plait may support it"),
        ),
        (json.dumps({"version": 4, "outputs": [1]}).encode(), ("its `outputs` are not a map",)),
        (state({"other": 1}), ("is not provisioned yet", "it has: other")),
    ],
    ids=["damaged", "binary", "newer", "another shape", "without the output"],
)
def test_a_state_that_cannot_be_used(
    ask: Ask, bucket: Callable[[bytes], str], body: bytes, pieces: tuple[str, ...]
) -> None:
    refused(ask("!terraform.state vpc .id", "", bucket(body)), *pieces)


def test_a_state_of_ten_megabytes(ask: Ask, bucket: Callable[[bytes], str]) -> None:
    row = {"type": "aws_instance", "instances": [{"attributes": {"user_data": "x" * 50_000}}]}
    head = bucket(state({"id": "vpc-big"}, resources=[row] * 210))
    assert ask("!terraform.state vpc .id", "", head).out == "vpc-big\n"
    refused(
        ask("!terraform.state vpc .id", "", head, "--max-size", str(1 << 20)),
        "is larger than 1 MB",
        "--max-size raises the limit",
    )


# Sources


def test_a_redirect_to_another_host(ask: Ask, web: Web) -> None:
    other = Web()
    try:
        other.serve("/x.yaml", "a: 1\n")
        web.serve("/x.yaml", "", status=302, Location=f"http://127.0.0.1:{other.port}/x.yaml")
        refused(
            ask(f"!include http://127.0.0.1:{web.port}/x.yaml"),
            f"redirects to 127.0.0.1:{other.port}",
            "if you trust that host, use its address",
        )
        assert other.requests == []
    finally:
        other.close()


def test_a_certificate_that_does_not_match(ask: Ask, https: Web, authority: tuple[str, str, str]) -> None:
    https.serve("/x.yaml", "a: 1\n")
    assert ask(f"!include https://localhost:{https.port}/x.yaml .a", SSL_CERT_FILE=authority[0]).out == "1\n"
    wrong = ask(f"!include https://127.0.0.1:{https.port}/x.yaml .a", SSL_CERT_FILE=authority[0])
    refused(
        wrong, "its certificate is not trusted", "127.0.0.1", "SSL_CERT_FILE names the certificates that are trusted"
    )
    refused(
        ask(f"!include https://localhost:{https.port}/y.yaml .a"),
        "its certificate is not trusted: unable to get local issuer certificate",
    )


def test_a_repository_that_tries_to_leave(ask: Ask, tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    folder.mkdir()
    (tmp_path / "outside.yaml").write_text("stolen: 1\n")
    (folder / "x.yaml").write_text("a: 1\n")
    (folder / "up.yaml").symlink_to("../outside.yaml")
    (folder / "far.yaml").symlink_to("/etc/hostname")
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "one"], ["tag", "v1"]):
        git(folder, *words)
    assert ask(f"!include 'git::file://{folder}//x.yaml?ref=v1 .a'").out == "1\n"
    refused(ask(f"!include 'git::file://{folder}//x.yaml?ref=v2'"), "has no revision `v2`", "did you mean `v1`?")
    for inner in ("up.yaml", "far.yaml", "../outside.yaml"):
        said = ask(f"!include 'git::file://{folder}//{inner}'")
        refused(said, f"`{inner}` is outside")
        assert "stolen" not in said.err + said.out
    refused(
        ask(f"!include 'git::file://{tmp_path}/none//x.yaml'"),
        "cannot be reached",
        "check that it is a git repository and that its address is correct",
    )
    assert subprocess.run(["git", "-C", str(folder), "status", "--porcelain"], capture_output=True).stdout == b""
