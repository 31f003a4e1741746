"""Terraform's state, read from every backend, and what terraform itself prints."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from email.utils import formatdate
from pathlib import Path

import pytest

from plait.access.trouble import Missing
from plait.core.diagnostic import Passing, PlaitError
from plait.services.blobs import signed
from plait.services.sessions import Sessions
from plait.services.state import StateBackend, check_kind, read_state
from plait.services.terraform import outputs
from tests.outside.conftest import state
from tests.outside.permits import EXEC, NETWORK
from tests.ports import free_port

AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""The key that Azurite's documentation gives to everybody."""


def backend(kind: str, workspace: str = "default", folder: Path | str = ".", **options: object) -> StateBackend:
    return StateBackend(kind, options, workspace, str(folder), "the component `vpc` in `prod`", Sessions())


def said(call, *arguments: object) -> str:
    with pytest.raises(PlaitError) as caught:
        call(*arguments)
    found = caught.value.diagnostics[0]
    return "\n".join(filter(None, (found.message, *found.notes, found.hint)))


# Where it lies


def test_local(tmp_path: Path) -> None:
    (tmp_path / "terraform.tfstate").write_bytes(state({"id": "vpc-0"}))
    (tmp_path / "terraform.tfstate.d/prod").mkdir(parents=True)
    (tmp_path / "terraform.tfstate.d/prod/terraform.tfstate").write_bytes(state({"id": "vpc-1"}))
    assert backend("local", folder=tmp_path).outputs(NETWORK).values == {"id": "vpc-0"}
    assert backend("local", "prod", tmp_path).outputs(NETWORK).values == {"id": "vpc-1"}
    assert said(backend("local", "dev", tmp_path).outputs, NETWORK) == (
        "the component `vpc` in `prod` is not provisioned yet\napply it first, or give a default with `//`"
    )
    with pytest.raises(Missing):
        backend("local", "dev", tmp_path).outputs(NETWORK)
    (tmp_path / "d").mkdir()
    assert "cannot be read at" in said(backend("local", folder=tmp_path, path="d").outputs, NETWORK)


def test_s3(aws_url: str) -> None:
    import boto3

    server = boto3.client("s3", endpoint_url=aws_url)
    server.create_bucket(Bucket="states", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    server.put_object(Bucket="states", Key="vpc/prod/terraform.tfstate", Body=state({"id": "vpc-s3"}))
    server.put_object(Bucket="states", Key="env:/dev/my.tfstate", Body=state({"id": "dev"}))
    where = {"bucket": "states", "region": "eu-west-1", "endpoints": {"s3": aws_url, "sts": aws_url}}
    role = {"assume_role": {"role_arn": "arn:aws:iam::123456789012:role/tf"}}
    assert backend("s3", "prod", workspace_key_prefix="vpc", **where).outputs(NETWORK).values == {"id": "vpc-s3"}
    assert backend("s3", "dev", key="my.tfstate", **where, **role).outputs(NETWORK).values == {"id": "dev"}
    with pytest.raises(Missing):
        backend("s3", "stage", **where).outputs(NETWORK)
    assert "NoSuchBucket" in said(backend("s3", **{**where, "bucket": "nope"}).outputs, NETWORK)
    assert (
        said(backend("s3", region="x").outputs, NETWORK)
        == "the backend of the component `vpc` in `prod` has no `bucket`\nwrite backend.s3.bucket"
    )


def test_s3_that_is_down() -> None:
    pytest.importorskip("boto3", reason="the package `boto3` is not installed (make services)")
    with pytest.raises(Passing, match="cannot be reached"):
        backend("s3", bucket="b", endpoint=f"http://127.0.0.1:{free_port()}").outputs(NETWORK)


def test_gcs(gcs_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", gcs_url)
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{gcs_url}/storage/v1/b?project=p", b'{"name": "states"}', headers))
    upload = f"{gcs_url}/upload/storage/v1/b/states/o?uploadType=media&name=vpc/prod.tfstate"
    headers = {"Content-Type": "application/octet-stream"}
    urllib.request.urlopen(urllib.request.Request(upload, state({"id": "vpc-gcs"}), headers))
    assert backend("gcs", "prod", bucket="states", prefix="vpc").outputs(NETWORK).values == {"id": "vpc-gcs"}
    with pytest.raises(Missing):
        backend("gcs", "dev", bucket="states", prefix="vpc").outputs(NETWORK)


def put_azure(url: str, body: bytes | None, blob: bool = True) -> None:
    """Create a container, or a blob, signed by hand: the signature has to be right for Azurite to take it."""
    import base64
    import hashlib
    import hmac
    from urllib.parse import urlsplit

    headers = {"x-ms-version": "2021-08-06", "x-ms-date": formatdate(usegmt=True)}
    if blob:
        headers["x-ms-blob-type"] = "BlockBlob"
    length = str(len(body)) if body else ""
    own = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    more = "" if blob else "\nrestype:container"
    kind = "application/octet-stream"
    text = f"PUT\n\n\n{length}\n\n{kind}\n\n\n\n\n\n\n{own}/devstoreaccount1{urlsplit(url).path}{more}"
    key = base64.b64encode(hmac.new(base64.b64decode(AZURITE_KEY), text.encode(), hashlib.sha256).digest()).decode()
    headers |= {
        "Authorization": f"SharedKey devstoreaccount1:{key}",
        "Content-Type": kind,
        "Content-Length": str(len(body or b"")),
    }
    urllib.request.urlopen(urllib.request.Request(url, body or b"", headers, method="PUT"))


def test_azurerm(azurite_url: str) -> None:
    put_azure(f"{azurite_url}/states?restype=container", None, blob=False)
    put_azure(f"{azurite_url}/states/vpc.terraform.tfstate", state({"id": "vpc-az"}))
    put_azure(f"{azurite_url}/states/vpc.terraform.tfstateenv%3Aprod", state({"id": "vpc-prod"}))
    where = {
        "storage_account_name": "devstoreaccount1",
        "container_name": "states",
        "key": "vpc.terraform.tfstate",
        "endpoint": azurite_url,
    }
    assert backend("azurerm", **where, access_key=AZURITE_KEY).outputs(NETWORK).values == {"id": "vpc-az"}
    assert backend("azurerm", "prod", **where, access_key=AZURITE_KEY).outputs(NETWORK).values == {"id": "vpc-prod"}
    with pytest.raises(Missing):
        backend("azurerm", "dev", **where, access_key=AZURITE_KEY).outputs(NETWORK)
    wrong = said(backend("azurerm", **where, access_key="d3Jvbmc=").outputs, NETWORK)
    assert wrong.startswith("the backend of the component `vpc` in `prod` refused the request: it answers 403")
    assert "d3Jvbmc=" not in wrong
    assert "not base64" in said(backend("azurerm", **where, access_key="!").outputs, NETWORK)


def test_the_signature_is_made_as_documented() -> None:
    """Pinned when Azurite had accepted it, for machines that have no Azurite."""
    made = signed(
        backend("azurerm"),
        "a",
        "a2V5",
        "https://a.blob.core.windows.net/c/b",
        {"x-ms-version": "1", "x-ms-date": "now"},
    )
    assert made == "aR+/eY/UnSi5jDhQDsBXja21426drSF1NLKf2K9UExc="


def test_a_backend_that_is_not_read() -> None:
    assert "use !terraform.output, or one of: local, s3, gcs, azurerm" in said(check_kind, "remote", "it")


# What it says


def test_sensitive_outputs_are_known() -> None:
    data = json.dumps({"version": 4, "outputs": {"a": {"value": 1}, "b": {"value": "s", "sensitive": True}}}).encode()
    found = read_state(data, "it")
    assert found.values == {"a": 1, "b": "s"}
    assert found.sensitive == {"b"}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is not a Terraform state: it is not JSON"),
        (b'{"version": 4, "outputs"', "it is not a Terraform state: it is not JSON"),
        (b"\xff\xfe\x00", "it is not a Terraform state: it is no"),
        (b"[]", "it is not a Terraform state: it has no `version`"),
        (b'{"version": "4"}', "it is not a Terraform state: it has no `version`"),
        (b'{"version": 4, "outputs": []}', "its `outputs` are not a map"),
        (b'{"version": 4, "outputs": {"a": 1}}', "its output `a` has no value"),
        (b"[" * 100_000, "it nests too deeply"),
        (b'{"version": 5}', "it has version 5; plait supports version 4\na newer version of plait may support it"),
        (
            b'{"version": 3}',
            "it has version 3; plait supports version 4\nrewrite the state with: terraform apply -refresh-only",
        ),
    ],
)
def test_damaged_and_foreign_states(data: bytes, why: str) -> None:
    assert why in said(read_state, data, "it")


def test_a_large_state_is_read_and_a_larger_one_refused(tmp_path: Path) -> None:
    row = {"type": "aws_instance", "instances": [{"attributes": {"user_data": "x" * 5000}}]}
    big = state({"id": "vpc-big"}, resources=[row] * 4_000)
    assert len(big) > 20_000_000
    (tmp_path / "terraform.tfstate").write_bytes(big)
    assert backend("local", folder=tmp_path).outputs(NETWORK).values == {"id": "vpc-big"}
    small = backend("local", folder=tmp_path)
    small.limit = 1024 * 1024
    assert (
        said(small.outputs, NETWORK)
        == "the state of the component `vpc` in `prod` is larger than 1 MB\n--max-size raises the limit"
    )


# What terraform prints

STAND_IN = """#!{python}
import json, os, sys
if sys.argv[1:3] != ["output", "-json"]:
    sys.exit(f"unexpected {{sys.argv}}")
workspace = os.environ.get("TF_WORKSPACE", "default")
file = {{"default": "terraform.tfstate"}}.get(workspace, f"terraform.tfstate.d/{{workspace}}/terraform.tfstate")
rows = json.load(open(file))["outputs"] if os.path.exists(file) else {{}}
print(json.dumps({{name: {{"sensitive": row.get("sensitive", False), **row}} for name, row in rows.items()}}))
"""


@pytest.fixture
def terraform(tmp_path: Path) -> str:
    """terraform or tofu where one is at hand, else a stand-in for `output -json`."""
    for name in ("terraform", "tofu"):
        found = shutil.which(name)
        if found:
            return found
    stand_in = tmp_path / "bin" / "terraform"
    stand_in.parent.mkdir()
    stand_in.write_text(STAND_IN.format(python=sys.executable))
    stand_in.chmod(0o755)
    return str(stand_in)


def test_output(terraform: str, tmp_path: Path) -> None:
    code = tmp_path / "vpc"
    code.mkdir()
    (code / "main.tf").write_text(
        'output "id" {\n  value = "vpc-1"\n}\noutput "pw" {\n  value = "s"\n  sensitive = true\n}\n'
    )
    assert said(outputs, EXEC, terraform, str(code), "", {}, "`vpc`").startswith("`vpc` is not provisioned yet")
    rows = {"id": {"value": "vpc-1", "type": "string"}, "pw": {"value": "s", "type": "string", "sensitive": True}}
    base = {
        "version": 4,
        "terraform_version": "1.5.0",
        "serial": 1,
        "lineage": "4e0f6ef2-0000-0000-0000-000000000000",
        "resources": [],
    }
    (code / "terraform.tfstate").write_text(json.dumps({**base, "outputs": rows}))
    folder = code / "terraform.tfstate.d/prod"
    folder.mkdir(parents=True)
    (folder / "terraform.tfstate").write_text(
        json.dumps({**base, "outputs": {"id": {"value": [1, 2], "type": ["list", "number"]}}})
    )
    found = outputs(EXEC, terraform, str(code), "default", {}, "`vpc`")
    assert found.values == {"id": "vpc-1", "pw": "s"}
    assert found.sensitive == {"pw"}
    assert outputs(EXEC, terraform, str(code), "prod", {}, "`vpc`").values == {"id": [1, 2]}


def test_output_that_fails(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text(
        "#!/bin/sh\necho 'Error: Backend initialization required, please run \"terraform init\"' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    text = said(outputs, EXEC, str(broken), str(tmp_path), "", {}, "`vpc`")
    assert text.startswith("cannot read the outputs of `vpc`: exit status 1\nError: Backend initialization required")
    assert text.endswith("broken init")
    broken.write_text("#!/bin/sh\necho hello\n")
    assert "printed no JSON" in said(outputs, EXEC, str(broken), str(tmp_path), "", {}, "`vpc`")
    broken.write_text("#!/bin/sh\necho '[1]'\n")
    assert "printed no map" in said(outputs, EXEC, str(broken), str(tmp_path), "", {}, "`vpc`")
    assert said(outputs, EXEC, "no-such-terraform", str(tmp_path), "", {}, "`vpc`") == (
        "cannot read the outputs of `vpc`: command not found: `no-such-terraform`\ninstall it, or name "
        "another with components.terraform.command"
    )
    assert "folder not found" in said(outputs, EXEC, "terraform", str(tmp_path / "x"), "", {}, "`vpc`")


def test_facts_about_the_account(aws: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from plait.services.identity import Facts

    facts = Facts(Sessions(), NETWORK)
    identity = facts.answers("identity")
    assert identity["account_id"] == "123456789012"
    assert identity["caller_identity_arn"].startswith("arn:aws:sts::123456789012:")
    assert identity["caller_identity_user_id"]
    assert facts.answers("region") == {"region": "eu-west-1"}
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert (
        said(facts.answers, "region")
        == "!aws.region refused the request: no region is configured\nset AWS_REGION, or a region in the profile"
    )


def test_nothing_of_this_machine_is_used() -> None:
    assert not [name for name in os.environ if name.startswith(("GOOGLE_", "AZURE_", "ARM_"))]
    assert subprocess.run(["git", "config", "--global", "user.name"], capture_output=True).stdout == b""
