"""Stacks that ask the outside, through the command line: each call once, side by side, secrets masked, trouble told."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from plait.workspace import Workspace
from tests.outside.project import Repository, git
from tests.outside.servers import Web
from tests.ports import free_port

STORES = """\
stores:
  local: {type: file, options: {path: local.yaml}}
  hush: {type: file, kind: secret, options: {path: local.yaml}}
"""
VALUES = "dev: {vpc: {id: from-store, list: [a, b]}}\ndb: {password: hunter22, ports: [1, 2]}\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo", STORES)
    made.write("local.yaml", VALUES)
    return made


# Terraform


def test_state_in_every_form(repository: Repository) -> None:
    repository.provision("vpc", "dev", {"id": "vpc-1", "ids": ["a", "b"], "map": {"x": {"y": 1}}, "none": None})
    repository.provision("vpc", "prod", {"id": "vpc-2"})
    repository.provision("app", "dev", {"own": "mine"})
    repository.stack("prod", "components: {terraform: {vpc: {}}}\n")
    repository.stack(
        "dev",
        """\
locals: {id: !terraform.state vpc .id}
components:
  terraform:
    vpc: {}
    later: {}
    app:
      vars:
        name: !terraform.state vpc id
        other: !terraform.state vpc prod id
        first: !terraform.state vpc .ids[0]
        deep: !terraform.state vpc .map.x.y
        stack: !terraform.state vpc {{ .stack }} id
        short: !terraform.state own
        path: !terraform.state vpc/outputs/id
        local: "{{ .locals.id }}"
        default: !terraform.state later .ids // ["none"]
        absent: !terraform.state vpc .nothing // "fallback"
        merged: {a: 1}
""",
    )
    assert repository.vars("app", "dev") == {
        "stage": "dev",
        "name": "vpc-1",
        "other": "vpc-2",
        "first": "a",
        "deep": 1,
        "stack": "vpc-1",
        "short": "mine",
        "path": "vpc-1",
        "local": "vpc-1",
        "default": ["none"],
        "absent": "fallback",
        "merged": {"a": 1},
    }


def test_error_modes(repository: Repository) -> None:
    repository.provision("vpc", "dev", {"id": "vpc-1"})
    repository.stack(
        "dev",
        "components: {terraform: {vpc: {}, later: {}, app: {vars: {a: !terraform.state later .id, b: "
        "!terraform.state vpc .idd}}}}\n",
    )
    words = ("describe", "component", "app", "-s", "dev", "-f", "yaml", "-q", ".vars")
    warned = repository.plait(*words)
    assert warned.status == 0
    assert "a: (computed)\nb: (computed)\n" in warned.out
    assert "2 values are not known: not deployed yet" in warned.err
    assert "the component `later` in the stack `dev` is not provisioned yet" in warned.err
    silent = repository.plait(*words, "--error-mode", "silent")
    assert (silent.status, silent.err) == (0, "")
    strict = repository.plait(*words, "--error-mode", "strict")
    assert strict.status == 1
    assert "the component `later` in the stack `dev` is not provisioned yet" in strict.err
    assert "`.idd` of the component `vpc` in the stack `dev` is not provisioned yet" in strict.err
    assert "did you mean `id`?" in strict.err
    assert "stacks/deploy/dev.yaml:2:" in strict.err


def test_a_damaged_state_is_no_value_to_come(repository: Repository) -> None:
    repository.write("components/terraform/vpc/terraform.tfstate.d/dev/terraform.tfstate", '{"version": 5}')
    repository.stack("dev", 'components: {terraform: {vpc: {}, app: {vars: {a: !terraform.state vpc .id // "x"}}}}\n')
    said = repository.plait("describe", "component", "app", "-s", "dev")
    assert said.status == 1
    assert "the state of the component `vpc` in the stack `dev` has version 5; plait supports version 4" in said.err


def test_components_that_wait_for_each_other(repository: Repository) -> None:
    repository.stack(
        "dev",
        "components: {terraform: {a: {vars: {x: !terraform.state b .x}}, b: {vars: {x: !terraform.state a .x}}}}\n",
    )
    said = repository.plait("describe", "component", "a", "-s", "dev")
    assert said.status == 1
    assert "PL2104" in said.err
    assert "circular dependency detected in identity chain" in said.err
    assert "a in dev: !terraform.state b .x" in said.err
    assert "b in dev: !terraform.state a .x" in said.err


def test_output_runs_the_configured_command(repository: Repository) -> None:
    tool = repository.write(
        "bin/tofu",
        '#!/bin/sh\n[ "$1 $2" = "output -json" ] && echo "{\\"id\\": {\\"value\\": \\"$TF_WORKSPACE-$MINE\\"}}"\n',
    )
    tool.chmod(0o755)
    (repository.folder / "components/terraform/vpc").mkdir(parents=True)
    repository.stack(
        "dev",
        f"""\
components:
  terraform:
    vpc: {{command: {tool}, env: {{MINE: e}}}}
    app:
      vars:
        id: !terraform.output vpc id
        also: '{{{{ (atmos.Component "vpc" "dev").outputs.id }}}}'
""",
    )
    assert repository.vars("app", "dev") == {"stage": "dev", "id": "dev-e", "also": "dev-e"}
    denied = repository.plait("describe", "component", "app", "-s", "dev", allow="")
    assert denied.status == 0
    assert "id: (computed)" in denied.out
    assert "also: (computed)" in denied.out
    assert "dev-e" not in denied.out
    assert "2 values are not known: running commands is not allowed (--allow exec)" in denied.err
    strict = repository.plait("describe", "component", "app", "-s", "dev", "--error-mode", "strict", allow="")
    assert strict.status == 1
    assert "this file wants to run a command" in strict.err


# Stores and secrets


def test_stores(repository: Repository) -> None:
    repository.stack(
        "dev",
        """\
components:
  terraform:
    vpc: {}
    app:
      vars:
        id: !store local vpc id
        other: !store local dev vpc id
        key: !store.get local dev/vpc/list
        query: !store.get local dev/vpc | query .list[1]
        default: !store local vpc nothing | default "none"
        template: '{{ atmos.Store "local" "dev" "vpc" "id" }}'
""",
    )
    assert repository.vars("app", "dev") == {
        "stage": "dev",
        "id": "from-store",
        "other": "from-store",
        "key": ["a", "b"],
        "query": "b",
        "default": "none",
        "template": "from-store",
    }


def test_a_store_that_is_not_declared(repository: Repository) -> None:
    repository.stack(
        "dev",
        'components: {terraform: {app: {vars: {a: !store.get locl x, b: \'{{ atmos.Store "locl" "a" "b" "c" }}\'}}}}\n',
    )
    said = repository.plait("describe", "component", "app", "-s", "dev")
    assert said.status == 1
    assert said.err.count("store not found: `locl`") == 2
    assert "did you mean `local`?" in said.err


SECRETS = """\
components:
  terraform:
    app:
      secrets: {DB: {store: hush, key: db/password}, API: {store: local, key: dev/vpc/id}}
      vars:
        pw: !secret DB
        api: !secret API
        url: "postgres://u:{{ .vars.pw }}@h"
        json: "{{ toJson .vars }}"
        tree: !store.get hush db
        list: ["{{ .vars.pw }}", {in: !secret DB}]
        piped: '{{ atmos.Store "hush" "" "db" "password" | upper }}'
        plain: visible
"""


@pytest.mark.parametrize(
    "words",
    [
        ("describe", "component", "app", "-s", "dev"),
        ("describe", "component", "app", "-s", "dev", "-f", "json"),
        ("describe", "component", "app", "-s", "dev", "-q", ".vars.pw"),
        ("describe", "component", "app", "-s", "dev", "-q", ".vars | tojson"),
        ("describe", "stacks"),
        ("describe", "stacks", "-f", "json"),
        ("describe", "stacks", "-q", ".dev.components.terraform.app.vars.url"),
        ("list", "vars", "app"),
        ("list", "values", "app", "--format", "json"),
        ("explain", "component", "app", "-s", "dev", "vars.url"),
        ("explain", "component", "app", "-s", "dev", "vars"),
    ],
    ids=" ".join,
)
def test_secrets_are_masked_everywhere(repository: Repository, words: tuple[str, ...]) -> None:
    repository.stack("dev", SECRETS)
    said = repository.plait(*words)
    assert said.status == 0, said.err
    assert "sensitive" in said.out
    for secret in ("hunter22", "HUNTER22", "from-store"):
        assert secret not in said.out + said.err


def test_reveal_shows_them(repository: Repository) -> None:
    repository.stack("dev", SECRETS)
    found = repository.vars("app", "dev", "--reveal")
    assert isinstance(found, dict)
    assert found["pw"] == "hunter22"
    assert found["url"] == "postgres://u:hunter22@h"
    assert found["piped"] == "HUNTER22"
    assert found["list"] == ["hunter22", {"in": "hunter22"}]
    assert found["tree"] == {"password": "hunter22", "ports": [1, 2]}


def test_a_secret_inside_an_error_is_masked(repository: Repository) -> None:
    repository.stack(
        "dev",
        """\
components:
  terraform:
    app:
      secrets: {DB: {store: hush, key: db/password}}
      vars:
        pw: !secret DB
        run: !exec echo "cannot log in with {{ .vars.pw }}" >&2; exit 3
        fail: '{{ fail (printf "bad password %s" .vars.pw) }}'
        typo: !secret DBB
""",
    )
    said = repository.plait("describe", "component", "app", "-s", "dev")
    assert said.status == 1
    assert "hunter22" not in said.out + said.err
    assert "error PL2108: it failed with <sensitive>" in said.err, "what a command said about a secret is masked whole"
    assert said.err.count("<sensitive>") > 2
    assert "the secret `DBB` is not declared" in said.err
    assert "did you mean `DB`?" in said.err


def test_a_file_that_is_rendered_with_a_secret_holds_secrets(repository: Repository) -> None:
    repository.write("local.yaml", "pw: hunter22\npin: 4711\n")
    repository.write(
        "stacks/catalog/x.yaml.tmpl",
        """\
locals: {pw: !store.get hush pw, pin: !store.get hush pin}
components:
  terraform:
    app:
      command: "run-{{ .locals.pw }}"
      vars: {url: "a-{{ .locals.pw }}-{{ .flavor }}", pin: {{ .locals.pin }}, list: ["{{ .locals.pw }}"],
             plain: "{{ .flavor }}"}
""",
    )
    repository.stack("dev", "import: [{path: catalog/x, context: {flavor: blue}}]\n")
    assert repository.vars("app", "dev") == {
        "stage": "dev",
        "url": "<sensitive>",
        "pin": "<sensitive>",
        "list": ["<sensitive>"],
        "plain": "blue",
    }
    whole = repository.plait("describe", "stacks", "-f", "json")
    assert "hunter22" not in whole.out + whole.err
    assert "4711" not in whole.out
    revealed = repository.vars("app", "dev", "--reveal")
    assert isinstance(revealed, dict)
    assert (revealed["url"], revealed["pin"]) == ("a-hunter22-blue", 4711)


def test_sensitive_outputs_of_terraform_are_secrets(repository: Repository) -> None:
    repository.provision("db", "dev", {"host": "h", "password": "hunter22"}, ("password",))
    repository.stack(
        "dev",
        """\
components:
  terraform:
    db: {}
    app:
      vars:
        host: !terraform.state db .host
        pw: !terraform.state db .password
        both: !terraform.state db '.host + ":" + .password'
        keys: !terraform.state db '. | keys'
""",
    )
    found = repository.vars("app", "dev")
    assert found == {
        "stage": "dev",
        "host": "h",
        "pw": "<sensitive>",
        "both": "<sensitive>",
        "keys": ["host", "password"],
    }


# Accounts


def test_accounts(repository: Repository, aws: str) -> None:
    repository.stack(
        "dev",
        "components: {terraform: {app: {vars: {id: !aws.account_id , region: !aws.region , arn: "
        "!aws.caller_identity_arn }}}}\n",
    )
    found = repository.vars("app", "dev", AWS_ENDPOINT_URL=aws)
    assert isinstance(found, dict)
    assert found["id"] == "123456789012"
    assert found["region"] == "eu-west-1"
    assert (
        "network" in repository.plait("describe", "component", "app", "-s", "dev", allow="", AWS_ENDPOINT_URL=aws).err
    )


def test_state_in_s3_as_the_backend_section_says(repository: Repository, aws_url: str) -> None:
    import boto3

    from tests.outside.conftest import state

    server = boto3.client("s3", endpoint_url=aws_url)
    server.create_bucket(Bucket="tfstates", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    server.put_object(Bucket="tfstates", Key="vpc/dev/terraform.tfstate", Body=state({"id": "vpc-s3"}))
    backend = (
        f"terraform: {{backend_type: s3, backend: {{s3: {{bucket: tfstates, region: '{{{{ .vars.region "
        f"}}}}', endpoints: {{s3: '{aws_url}'}}}}}}}}\n"
    )
    repository.stack(
        "dev",
        f"{backend}components: {{terraform: {{vpc: {{vars: {{region: eu-west-1}}}}, app: {{vars: {{id: "
        "!terraform.state vpc .id}}}}\n",
    )
    assert repository.vars("app", "dev") == {"stage": "dev", "id": "vpc-s3"}


# Remote imports and includes


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A repository with catalogs, some of which import others."""
    folder = tmp_path / "hub"
    (folder / "catalog").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "catalog/vpc.yaml").write_text("components: {terraform: {vpc: {vars: {cidr: 10.0.0.0/8}}}}\n")
    (folder / "catalog/all.yaml").write_text("import: [./vpc, mixins/local]\n")
    (folder / "catalog/nested.yaml").write_text("import: [catalog/vpc]\n")
    (folder / "catalog/escape.yaml").write_text("import: [../../secret]\n")
    (folder / "data.json").write_text('{"a": {"b": 7}}')
    (tmp_path / "secret.yaml").write_text("vars: {stolen: true}\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    git(folder, "tag", "v1")
    return folder


def test_remote_imports_and_includes(repository: Repository, hub: Path) -> None:
    repository.write("stacks/mixins/local.yaml", "vars: {mixed: in}\n")
    repository.stack(
        "dev",
        f"""\
import:
  - git::file://{hub}//catalog/all?ref=v1
  - {{path: "git::file://{hub}//catalog/nested.yaml?ref=v1", nested_imports: remote}}
components:
  terraform:
    app: {{vars: {{b: !include 'git::file://{hub}//data.json?ref=v1 .a.b'}}}}
""",
    )
    allow = "network,exec,files"
    said = repository.plait("describe", "component", "vpc", "-s", "dev", "-f", "json", allow=allow)
    found = said.data
    assert isinstance(found, dict)
    assert found["vars"] == {"stage": "dev", "cidr": "10.0.0.0/8", "mixed": "in"}
    assert f"git::file://{hub}//catalog/all?ref=v1" in found["imports"]
    app = repository.plait("describe", "component", "app", "-s", "dev", "-f", "json", "-q", ".vars.b", allow=allow)
    assert app.data == 7
    denied = repository.plait("describe", "component", "vpc", "-s", "dev")
    assert denied.status == 1
    assert "is outside the project" in denied.err


def test_the_network_needs_a_word(repository: Repository) -> None:
    repository.stack("dev", "import: [https://example.invalid/a.yaml]\ncomponents: {terraform: {app: {}}}\n")
    said = repository.plait("describe", "component", "app", "-s", "dev", allow="")
    assert "this file wants to use the network" in said.err
    assert "stacks/deploy/dev.yaml:2:10" in said.err


def test_imports_that_fail(repository: Repository, hub: Path) -> None:
    for name, why in (
        (f"git::file://{hub}//catalog/vpc?ref=v9", "has no revision `v9`"),
        (f"git::file://{hub}//catalog/none?ref=v1", "has no `catalog/none`"),
        (f"git::file://{hub}//catalog/escape?ref=v1", "is outside"),
        (f"git::file://{hub}//../secret.yaml", "is outside"),
    ):
        repository.stack("dev", f"import:\n  - {name}\ncomponents: {{terraform: {{app: {{}}}}}}\n")
        said = repository.plait("describe", "component", "app", "-s", "dev", allow="network,files")
        assert said.status == 1, name
        assert why in said.err
        assert "Traceback" not in said.err
    repository.stack(
        "dev",
        f"import: [{{path: 'git::file://{hub}//catalog/none?ref=v1', skip_if_missing: "
        f"true}}]\ncomponents: {{terraform: {{app: {{}}}}}}\n",
    )
    assert repository.plait("describe", "component", "app", "-s", "dev", allow="network,files").status == 0


def test_offline_use_of_the_cache(repository: Repository, web: Web) -> None:
    web.serve("/vpc.yaml", "components: {terraform: {vpc: {vars: {cidr: 10.0.0.0/8}}}}\n")
    repository.stack("dev", f"import:\n  - http://127.0.0.1:{web.port}/vpc.yaml\n")
    assert repository.vars("vpc", "dev") == {"stage": "dev", "cidr": "10.0.0.0/8"}
    web.close()
    said = repository.plait("describe", "component", "vpc", "-s", "dev", "-f", "yaml", "-q", ".vars.cidr")
    assert said.out.strip() == "10.0.0.0/8"
    assert "cannot be reached; using a copy fetched" in said.err


def test_a_young_copy_is_used_as_it_is(tmp_path: Path, web: Web) -> None:
    web.serve("/vpc.yaml", "components: {terraform: {vpc: {vars: {cidr: 10.0.0.0/8}}}}\n")
    repository = Repository(tmp_path / "repo", "imports: {ttl: 1h}\n")
    repository.stack("dev", f"import:\n  - http://127.0.0.1:{web.port}/vpc.yaml\n")
    repository.stack("prod", f"import:\n  - http://127.0.0.1:{web.port}/vpc.yaml\n")
    for _ in range(2):
        assert repository.vars("vpc", "prod") == {"stage": "prod", "cidr": "10.0.0.0/8"}
    assert len(web.requests) == 1


# Data sources


def test_data_sources(tmp_path: Path, web: Web) -> None:
    web.serve("/ip.json", '{"origin": "1.2.3.4"}')
    config = f"""\
templates:
  settings:
    gomplate:
      datasources:
        regions: {{url: ./data/regions.yaml}}
        who: {{url: "env:WHO"}}
        ip: {{url: "http://127.0.0.1:{web.port}/ip.json"}}
        odd: {{url: "ftp://h"}}
"""
    repository = Repository(tmp_path / "repo", config)
    repository.write("data/regions.yaml", "eu: [a, b]\n")
    repository.stack(
        "dev",
        """\
components:
  terraform:
    bad: {vars: {a: '{{ (datasource "regons").x }}', b: '{{ datasource "odd" }}'}}
    app:
      vars:
        region: '{{ index (datasource "regions").eu 1 }}'
        who: '{{ datasource "who" }}'
        ip: '{{ (atmos.GomplateDatasource "ip").origin }}'
        again: '{{ (ds "ip").origin }}'
""",
    )
    assert repository.vars("app", "dev", WHO="me") == {
        "stage": "dev",
        "region": "b",
        "who": "me",
        "ip": "1.2.3.4",
        "again": "1.2.3.4",
    }
    assert len(web.requests) == 1
    said = repository.plait("describe", "component", "bad", "-s", "dev")
    assert "the data source `regons` is not declared" in said.err
    assert "did you mean `regions`?" in said.err
    assert "the data source `odd` has the unsupported scheme `ftp`" in said.err


# How many calls, and how long


def large(folder: Path) -> Repository:
    """200 state references in locals, vars and base components, to 40 components, in five stacks."""
    repository = Repository(folder)
    repository.write(
        "stacks/catalog/base.yaml",
        "components:\n  terraform:\n    base:\n      metadata: {type: abstract}\n      vars:\n"
        + "".join(f"        b{i}: !terraform.state c{i} .id\n" for i in range(10)),
    )
    components = "".join(f"    c{i}: {{vars: {{n: {i}}}}}\n" for i in range(40))
    for number in range(5):
        locals_ = "".join(f"  l{i}: !terraform.state c{i} s{number} .id\n" for i in range(10, 28))
        users = "".join(
            f"    u{u}:\n      metadata: {{inherits: [base]}}\n      vars:\n        l: '{{{{ .locals.l1{u} }}}}'\n"
            + "".join(f"        v{i}: !terraform.state c{i} .id\n" for i in range(20 + u, 30 + u))
            for u in range(2)
        )
        repository.stack(
            f"s{number}", f"import: [catalog/base]\nlocals:\n{locals_}components:\n  terraform:\n{components}{users}"
        )
        for i in range(40):
            repository.provision(f"c{i}", f"s{number}", {"id": f"s{number}-c{i}"})
    return repository


def test_each_distinct_call_is_made_once_and_only_when_asked(tmp_path: Path) -> None:
    repository = large(tmp_path / "repo")
    written = sum(file.read_text().count("!terraform.state") for file in repository.folder.rglob("*.yaml"))
    assert written == 200
    names = Workspace(str(repository.folder)).stacks(str(repository.folder))
    assert len(names.names()) == 5
    assert names.session.project.counters.calls == 0
    one = Workspace(str(repository.folder)).stacks(str(repository.folder))
    text = one.describe_component("u0", "s1", one.shape("json"))
    assert json.loads(text)["vars"]["b3"] == "s1-c3"
    assert one.session.project.counters.calls == 10 + 1 + 10
    everything = Workspace(str(repository.folder)).stacks(str(repository.folder))
    found = json.loads("".join(everything.describe_stacks(everything.filter(), everything.shape("json"))))
    assert found["s4"]["components"]["terraform"]["u1"]["vars"]["v30"] == "s4-c30"
    assert everything.session.project.counters.calls == 5 * (10 + 2 + 11)


def test_slow_backends_are_read_side_by_side_across_components(tmp_path: Path, web: Web) -> None:
    under_way, most = [0], [0]

    def page(request: object) -> tuple[int, dict[str, str], bytes]:
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        time.sleep(0.05)
        under_way[0] -= 1
        return 200, {}, b'{"data": {"data": {"value": "x"}}}'

    web.pages.append(page)
    config = f"stores: {{v: {{type: vault, options: {{url: 'http://127.0.0.1:{web.port}', token: t}}}}}}\n"
    repository = Repository(tmp_path / "repo", config)
    for number in range(4):
        users = "".join(
            f"    u{u}: {{vars: {{{', '.join(f'v{i}: !store.get v {number}/{u}/{i}' for i in range(5))}}}}}\n"
            for u in range(10)
        )
        repository.stack(f"s{number}", f"components:\n  terraform:\n{users}")
    stacks = Workspace(str(repository.folder), allow=["network"]).stacks(str(repository.folder))
    stacks.names()
    list(stacks.describe_stacks(stacks.filter(), stacks.shape("json")))
    assert len(web.requests) == stacks.session.project.counters.calls == 200
    assert most[0] > 5  # more than one component has


def test_one_backend_out_of_reach_does_not_stop_a_listing(tmp_path: Path, web: Web) -> None:
    web.pages.append(lambda request: (200, {}, b'{"data": {"data": {"value": "x"}}}'))
    config = (
        f"stores:\n  up: {{type: vault, options: {{url: 'http://127.0.0.1:{web.port}', token: t}}}}\n"
        f"  down: {{type: vault, options: {{url: 'http://127.0.0.1:{free_port()}', token: t}}}}\n"
    )
    repository = Repository(tmp_path / "repo", config)
    repository.stack(
        "dev", "components: {terraform: {a: {vars: {v: !store.get up k}}, b: {vars: {v: !store.get down k}}}}\n"
    )
    said = repository.plait("describe", "stacks", "-f", "yaml", "--sections", "vars")
    assert said.status == 0
    assert "v: x" in said.out
    assert "v: (computed)" in said.out
    assert "the store `down` cannot be reached: Connection refused" in said.err
    one = repository.plait("describe", "component", "b", "-s", "dev")
    assert one.status == 0
    assert "v: (computed)" in one.out
    assert "the store `down` cannot be reached: Connection refused" in one.err
    strict = repository.plait("describe", "component", "b", "-s", "dev", "--error-mode", "strict")
    assert strict.status == 1
    assert "the store `down` cannot be reached: Connection refused" in strict.err


def test_a_slow_server_is_given_up(tmp_path: Path, web: Web) -> None:
    web.pages.append(lambda request: time.sleep(8) or (200, {}, b"{}"))
    config = f"stores: {{slow: {{type: vault, options: {{url: 'http://127.0.0.1:{web.port}', token: t}}}}}}\n"
    repository = Repository(tmp_path / "repo", config)
    repository.stack("dev", "components: {terraform: {a: {vars: {v: !store.get slow k}}}}\n")
    words = ("describe", "component", "a", "-s", "dev", "--max-call", "1")
    for mode, status in (("warn", 0), ("strict", 1)):
        said = repository.plait(*words, "--error-mode", mode)
        assert said.status == status
        assert "the store `slow` did not answer within 1 second" in said.err
        assert "--max-call gives it more time" in said.err


# Configuration from elsewhere


@pytest.fixture
def config_hub(tmp_path: Path) -> Path:
    """A repository with configuration for others, some of it bad."""
    folder = tmp_path / "config-hub"
    (folder / "conf").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "conf/base.yaml").write_text("import: [./names]\nsettings: {list_merge_strategy: append}\n")
    (folder / "conf/names.yaml").write_text('stacks: {name_pattern: "{tenant}-{stage}"}\n')
    (folder / "conf/escape.yaml").write_text("import: [../../secret.yaml]\n")
    (folder / "conf/list.yaml").write_text("[1, 2]\n")
    (tmp_path / "secret.yaml").write_text("stacks: {name_pattern: stolen}\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


CONFIG_BELOW = """\
import: ["{address}"]
base_path: "."
stacks: {{base_path: stacks, included_paths: ["deploy/**/*"]}}
"""


def test_configuration_is_imported_from_elsewhere(
    tmp_path: Path, config_hub: Path, https: Web, aws: str, authority: tuple[str, str, str]
) -> None:
    """Through git, the web and S3: the same configuration, a file's own `./` imports with it, one fetch in a run."""
    import boto3

    names = (config_hub / "conf/names.yaml").read_text()
    https.serve("/names.yaml", names)
    server = boto3.client("s3", endpoint_url=aws)
    server.create_bucket(Bucket="configs", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    server.put_object(Bucket="configs", Key="conf/names.yaml", Body=names.encode())
    repository = Repository(tmp_path / "repo")
    repository.write("stacks/deploy/dev.yaml", "vars: {tenant: acme, stage: dev}\ncomponents: {terraform: {app: {}}}\n")
    for address in (
        f"git::file://{config_hub}//conf/base",
        f"file://{config_hub}/conf/names.yaml",
        f"https://localhost:{https.port}/names.yaml",
        f"s3::{aws}/configs/conf/names.yaml",
    ):
        repository.write("atmos.yaml", CONFIG_BELOW.format(address=address))
        said = repository.plait(
            "list", "stacks", allow="network,files", SSL_CERT_FILE=authority[0], AWS_ENDPOINT_URL=aws
        )
        assert (said.out, said.err) == ("acme-dev\n", ""), address
    assert len(https.requests) == 1


def test_configuration_from_elsewhere_that_fails(tmp_path: Path, config_hub: Path) -> None:
    repository = Repository(tmp_path / "repo")
    repository.stack("dev", "components: {terraform: {app: {}}}\n")
    for address, allow, why in (
        ("https://example.invalid/a.yaml", "", "this file wants to use the network"),
        (f"git::file://{config_hub}//conf/base", "network", "is outside the project"),
        (f"git::file://{config_hub}//conf/none", "network,files", "has no `conf/none`"),
        (f"git::file://{config_hub}//conf/base?ref=v9", "network,files", "has no revision `v9`"),
        (f"git::file://{config_hub}//conf/escape", "network,files", "is outside"),
        (f"git::file://{config_hub}//conf/list", "network,files", "contains a sequence, not a map"),
        ("http://127.0.0.1:1/a.yaml", "network", "http://127.0.0.1:1/a.yaml cannot be reached"),
    ):
        repository.write("atmos.yaml", CONFIG_BELOW.format(address=address))
        said = repository.plait("list", "stacks", allow=allow)
        assert said.status == 1, address
        assert why in said.err
        assert "Traceback" not in said.err
