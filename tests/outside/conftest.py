"""Fixtures: one server of each kind for a worker, and an environment in which nothing of this machine shows."""

from __future__ import annotations

import json
import os
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.outside.servers import Web, command, need, running
from tests.ports import free_port

FOREIGN = (
    "AWS_",
    "AZURE_",
    "ARM_",
    "GOOGLE_",
    "GCLOUD_",
    "CLOUDSDK_",
    "VAULT_",
    "ATMOS_",
    "TF_",
    "PLAIT_",
    "GIT_",
    "STORAGE_",
    "JFROG_",
    "ARTIFACTORY_",
)


@pytest.fixture(autouse=True)
def nobody(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without a home, without credentials, without proxies."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(FOREIGN) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    return home


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis that wants the password `hunter2`."""
    need("redis")
    folder, port = tmp_path_factory.mktemp("redis"), free_port()
    argv = [
        command("redis-server"),
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--requirepass",
        "hunter2",
    ]
    with running(argv, port, folder):
        yield f"redis://:hunter2@127.0.0.1:{port}"


@pytest.fixture(scope="session")
def aws_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """moto's server: S3, SSM, Secrets Manager, STS."""
    need("boto3", "moto", "flask")
    folder, port = tmp_path_factory.mktemp("moto"), free_port()
    with running([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], port, folder):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def aws(aws_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """AWS at moto's server, for this process and those it starts."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", aws_url)
    return aws_url


@pytest.fixture(scope="session")
def gcs_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    need("gcp_storage_emulator")
    folder, port = tmp_path_factory.mktemp("gcs"), free_port()
    program = "from gcp_storage_emulator.__main__ import main; main()"
    argv = [sys.executable, "-c", program, "start", "--host", "127.0.0.1", "--port", str(port), "--in-memory"]
    with running(argv, port, folder):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def azurite_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("azurite"), free_port()
    argv = [
        command("azurite-blob"),
        "--silent",
        "--skipApiVersionCheck",
        "--blobHost",
        "127.0.0.1",
        "--blobPort",
        str(port),
        "--location",
        str(folder),
    ]
    with running(argv, port, folder):
        yield f"http://127.0.0.1:{port}/devstoreaccount1"


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web()
    yield server
    server.close()


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, str]:
    """A certificate authority, and the certificate of `localhost` it signed: files."""
    need("trustme")
    import trustme

    folder = tmp_path_factory.mktemp("certificates")
    maker = trustme.CA()
    issued = maker.issue_cert("localhost")
    files = [str(folder / name) for name in ("ca.pem", "key.pem", "chain.pem")]
    maker.cert_pem.write_to_path(files[0])
    issued.private_key_pem.write_to_path(files[1])
    issued.cert_chain_pems[0].write_to_path(files[2])
    return files[0], files[1], files[2]


@pytest.fixture
def https(authority: tuple[str, str, str]) -> Iterator[Web]:
    """A web server with a certificate for `localhost`, signed by somebody whom nobody knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority[2], authority[1])
    server = Web(context)
    yield server
    server.close()


def state(outputs: dict[str, object], **more: object) -> bytes:
    """A state file as terraform writes it."""
    rows = {name: {"value": value, "type": "dynamic"} for name, value in outputs.items()}
    return json.dumps(
        {
            "version": 4,
            "terraform_version": "1.9.0",
            "serial": 3,
            "lineage": "x",
            "outputs": rows,
            "resources": [],
            **more,
        }
    ).encode()
