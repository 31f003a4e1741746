"""Compose files read and merged as docker compose reads and merges them."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar, plain_value
from plait.fronts.compose.commands import OpenQuote, command_words
from plait.fronts.forms import written
from plait.profiles.keys import COMPOSE_KINDS
from plait.workspace import Workspace
from plait.yaml.readers import READERS
from tests.conformance.compose import AsText, merged
from tests.judges import said, seeds
from tests.judges.test_helm import is_scalar
from tests.samples import SAMPLES


def compose_config(folder: Path, *texts: str) -> Any:
    """What `docker compose config` prints."""
    words = []
    for number, text in enumerate(texts):
        file = folder / f"compose-{number}.yaml"
        file.write_text(text, encoding="utf-8")
        words += ["-f", str(file)]
    done = said("docker-compose", *words, "config", "--no-interpolate", folder=folder)
    assert done.returncode == 0, done.stderr
    return yaml.load(done.stdout, AsText)


def test_scalars_are_read_as_compose_reads_them(tmp_path: Path) -> None:
    chance = random.Random(7)
    odd = {"".join(chance.choices("0123456789+-._:eExXobB", k=chance.randrange(1, 7))) for _ in range(400)}
    texts = [text for text in (*SAMPLES, *sorted(odd)) if is_scalar(text) and text != "2001-12-14"]
    lines = "".join(f"      K{number}: {text}\n" for number, text in enumerate(texts))
    file = f"services:\n  a:\n    image: x\n    environment:\n{lines}"
    wanted = compose_config(tmp_path, file)["services"]["a"]["environment"]
    read = [READERS["go-yaml-3"].schema.resolve(text) for text in texts]
    shown = [None if value is None else written(Scalar(value, "")) for value in read]
    assert list(zip(texts, shown, strict=True)) == [(text, wanted[f"K{number}"]) for number, text in enumerate(texts)]


CHOICES: dict[str, list[Any]] = {
    "image": ["a", "b"],
    "command": [["run", "x"], "run y", ["other"]],
    "entrypoint": [["/init"], "/other"],
    "environment": [{"A": 1, "B": None, "C": 1.5}, ["A=2", "D"], {"D": True}, {"A": "x=y"}],
    "labels": [{"a": 1}, ["a=2", "b=3"], {"b": "x"}],
    "volumes": [
        ["./a:/a", "data:/b:ro"],
        [{"type": "bind", "source": "./c", "target": "/a", "read_only": True}],
        ["/d"],
    ],
    "expose": [["1", "2"], ["2", "3"]],
    "ports": [["80:80"], ["81:81", "80:80"], [{"target": 90, "published": "90"}]],
    "logging": [{"driver": "local", "options": {"a": "1"}}, {"driver": "syslog"}, {"options": {"b": "2"}}],
    "ulimits": [{"nofile": 5}, {"nofile": {"soft": 1, "hard": 2}}, {"nproc": 7}, {"nproc": 0}],
    "deploy": [
        {"replicas": 2},
        {"resources": {"limits": {"cpus": 0, "memory": "1k"}}},
        {"labels": {"x": 1}},
        {"labels": ["x=2"]},
        None,
    ],
    "networks": [["front"], {"back": {"aliases": ["a", "b"]}}, {"back": {"aliases": ["b", "c"]}}],
    "depends_on": [["db"], {"db": {"condition": "service_healthy"}}],
    "healthcheck": [{"test": ["CMD", "a"], "retries": 1}, {"test": "b"}],
    "secrets": [["one"], [{"source": "one", "mode": 256}], [{"source": "two", "target": "/run/secrets/one"}]],
    "build": ["./x", {"args": {"A": 1}}, {"args": ["A=2", "B=3"], "dockerfile": "D"}],
    "dns": ["1.1.1.1", ["2.2.2.2"]],
    "sysctls": [{"a": 1}, ["a=2"]],
}
"""Values that every version of Compose since 2.26 merges alike."""


def _file(chance: random.Random) -> dict[str, Any]:
    keys = chance.sample(sorted(CHOICES), 7)
    return {
        "services": {"db": {"image": "d"}, "app": {"image": "z", **{key: chance.choice(CHOICES[key]) for key in keys}}},
        "networks": {"front": None, "back": {"labels": chance.choice([{"a": 1}, ["a=2"]])}},
        "volumes": {"data": None},
        "secrets": {"one": {"file": "./one"}, "two": {"file": "./two"}},
    }


@pytest.mark.parametrize("seed", seeds(80))
def test_merged_files_are_the_same_project(seed: int, tmp_path: Path) -> None:
    """What Compose makes of two files is what it makes of the file that plait merges of them."""
    chance = random.Random(seed)
    texts = [json.dumps(_file(chance)) for _ in range(2)]
    wanted = compose_config(tmp_path, *texts)
    assert compose_config(tmp_path, json.dumps(merged(*texts))) == wanted


# The front: projects as `docker compose config` prints them

PROJECT_CHOICES: dict[str, list[Any]] = {
    **CHOICES,
    "image": ["a:${TAG:-1}", "b:$X", "c:${Y-z}${W:+w}"],
    "labels": [*CHOICES["labels"], {"v": "${TAG:-d}"}],
    "ports": [
        *CHOICES["ports"],
        ["3000-3002:3000-3002", "53:53/udp"],
        ["127.0.0.1:1:1", "8000-8001:80"],
        ["90-92"],
        [8080],
    ],
    "env_file": ["./a.env", ["./a.env"], [{"path": "./b.env", "required": False}]],
    "dns_search": ["x", ["y", "z"]],
    "tmpfs": ["/run", ["/a", "/b:size=1m"]],
    "extra_hosts": [["a:1.2.3.4"], {"b": "1.1.1.1"}, ["c=2.2.2.2"]],
    "devices": [["/dev/a:/dev/b"], ["/dev/c"], ["/dev/c:/dev/d:r"]],
    "stop_grace_period": ["90s", "1h", "500ms", "1m", ".5s", "1m.5s", "-1.5h", "0"],
    "shm_size": ["64m", "1g", 1024, "1.5 GiB", "1.9k", "010", "1 "],
    "mem_swappiness": [60, "60"],
    "cpus": [1, "0.50", 0.5, "1_0"],
    "cpu_quota": [5, "+5"],
    "privileged": [False, True],
    "configs": [["one"], [{"source": "one", "target": "/x"}]],
    "volumes": [*CHOICES["volumes"], ["data:/b:nocopy", "./z:/z:rw,Z"], ["/d", "/data"], ["./q:/q:cached"]],
    "deploy": [*CHOICES["deploy"], {"update_config": {"delay": "90s", "parallelism": 2}}, {"mode": "global"}],
    "healthcheck": [*CHOICES["healthcheck"], {"interval": "90s", "timeout": "1m", "start_period": "2h"}],
    "build": [*CHOICES["build"], {"context": "x", "target": "t", "additional_contexts": ["r=./r"]}],
    "cap_add": [["A", "B"], ["B", "C"]],
    "annotations": [{"a": 1}, ["b=2"]],
    "links": [["db"], ["db:x"]],
    "command": [*CHOICES["command"], "run 'a b' c"],
    "scale": [2],
}


def _service(chance: random.Random, count: int = 9) -> dict[str, Any]:
    return {key: chance.choice(PROJECT_CHOICES[key]) for key in chance.sample(sorted(PROJECT_CHOICES), count)}


def _resources(chance: random.Random) -> dict[str, Any]:
    return {
        "networks": {"front": None, "back": {"labels": chance.choice([{"a": 1}, ["a=2"]])}, "ext": {"external": True}},
        "volumes": {"data": None, "other": {"external": True, "name": "n"}, "unused": {"driver_opts": {"a": 1}}},
        "secrets": {"one": {"file": "./one"}, "two": {"file": "two"}},
        "configs": {"one": {"file": "./c"}},
    }


def draw_project(chance: random.Random, folder: Path) -> None:
    """A project of two files, of which the first includes a file and extends a service of another one."""
    base = {"app": {"image": "z", **_service(chance)}, "db": {"image": "d"}}
    base["app"]["extends"] = chance.choice([{"file": "common/base.yaml", "service": "base"}, {"service": "db"}])
    files = {
        "compose.yaml": {"include": ["part/compose.yaml"], "services": base, **_resources(chance)},
        "compose.override.yaml": {"services": {"app": _service(chance)}},
        "common/base.yaml": {"services": {"base": {"image": "base", "volumes": ["./v:/v"], "build": "."}}},
        "part/compose.yaml": {"services": {"part": {"image": "p", "volumes": ["./w:/w"], "env_file": "p.env"}}},
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(data), encoding="utf-8")
    texts = {"a.env": 'A=1\nB="x y"\nexport C=${A}2\n', ".env": "TAG=7\nX=5\n", "part/p.env": "P=1\n"}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("interpolate", [False, True])
@pytest.mark.parametrize("seed", seeds(60))
def test_projects_are_what_docker_compose_config_prints(
    seed: int, interpolate: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_project(random.Random(seed), tmp_path)
    monkeypatch.chdir(tmp_path)
    words = [] if interpolate else ["--no-interpolate"]
    done = said("docker-compose", "--profile", "*", "config", *words, folder=tmp_path)
    workspace = Workspace(str(tmp_path), cache=False)
    target = workspace.in_folder(".", [], {"compose": {"interpolate": interpolate, "profiles": ["*"]}})
    assert target is not None
    if done.returncode:  # some combinations are not valid
        pytest.skip(done.stderr[-200:])
    wanted = _from_folder(yaml.load(done.stdout, AsText), str(tmp_path))
    found = yaml.load(yaml.safe_dump(plain_value(target.rendered()[0])), AsText)
    assert found == wanted


KINDS: dict[str, Any] = {"text": "1", "number": 1, "boolean": True, "null": None, "list": ["1"], "map": {"a": "1"}}


@pytest.mark.parametrize("key", sorted({*COMPOSE_KINDS["services", "*"]} - {"extends"}))  # which is read before
def test_values_of_a_service_are_of_the_kinds_that_compose_takes(key: str, tmp_path: Path) -> None:
    """Compose refuses a kind where plait does, at the level of the key; what is inside of lists and maps is tried
    above."""
    file = tmp_path / "compose.yaml"
    own = COMPOSE_KINDS["services", "*"][key].partition(":")[0].split(",")
    for kind, value in KINDS.items():
        file.write_text(json.dumps({"services": {"s": {"image": "i", key: value}}}), encoding="utf-8")
        done = said("docker-compose", "-f", str(file), "config", "--no-interpolate", folder=tmp_path)
        if "Additional property" in done.stderr and key in done.stderr:
            pytest.skip("this version does not have the key")
        refused = f"services.s.{key} must be" in done.stderr and "must be one of" not in done.stderr
        assert refused == (kind not in own), (key, kind, done.stderr)


TOLD = (
    ({}, ""),
    ({"COMPOSE_PROJECT_NAME": "own"}, "COMPOSE_PROJECT_NAME=file"),
    ({"COMPOSE_PROJECT_NAME": ""}, "COMPOSE_PROJECT_NAME=file"),
    ({"COMPOSE_PROJECT_NAME": "My.Own"}, ""),
    ({}, "V=v\nCOMPOSE_PROJECT_NAME=${V}-x"),
    ({"COMPOSE_PROFILES": "p, ,q"}, ""),
    ({"COMPOSE_PROFILES": ""}, "COMPOSE_PROFILES=p"),
    ({}, "COMPOSE_PROFILES=*"),
    ({"COMPOSE_FILE": "compose.yaml;o.yaml", "COMPOSE_PATH_SEPARATOR": ";"}, ""),
    ({"COMPOSE_FILE": "compose.yaml;o.yaml"}, "COMPOSE_PATH_SEPARATOR=;"),
    ({"COMPOSE_PATH_SEPARATOR": "|"}, "COMPOSE_FILE=compose.yaml|o.yaml"),
    ({}, "COMPOSE_PATH_SEPARATOR=, \nCOMPOSE_FILE=compose.yaml,o.yaml"),
    ({}, "COMPOSE_FILE=sub/compose.yaml\nV=top"),
    ({}, "COMPOSE_FILE=sub/compose.yaml\nCOMPOSE_PROFILES=q\nCOMPOSE_PROJECT_NAME=top"),
    ({"COMPOSE_ENV_FILES": "x.env"}, "V=1"),
    ({"COMPOSE_ENV_FILES": "x.env,sub/.env"}, "V=1"),
    ({"COMPOSE_ENV_FILES": "x.env, sub/.env"}, "V=1"),
    ({"COMPOSE_DISABLE_ENV_FILE": "T", "COMPOSE_ENV_FILES": "x.env"}, "V=1"),
    ({"COMPOSE_DISABLE_ENV_FILE": "true"}, "V=1\nCOMPOSE_PROJECT_NAME=file"),
    ({"COMPOSE_DISABLE_ENV_FILE": "0"}, "V=1\nCOMPOSE_PROJECT_NAME=file"),
    ({"COMPOSE_DISABLE_ENV_FILE": ""}, "V=1"),
    ({}, "V=1\nCOMPOSE_DISABLE_ENV_FILE=1"),
)
"""Variables of the environment, and the text of `.env`."""
NAMES = ("", "name: Own.${V-d}\n", 'name: ""\n', "name: _\n", 'name: "${COMPOSE_PROJECT_NAME-no}-x"\n')


@pytest.mark.parametrize(("variables", "env"), TOLD)
@pytest.mark.parametrize("name", NAMES)
def test_variables_tell_compose_and_plait_the_same(
    name: str, variables: dict[str, str], env: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "_A.b C-1"
    (folder / "sub").mkdir(parents=True)
    own = "services:\n  a: {image: 'x:${COMPOSE_PROJECT_NAME}-${V:-}-${W-}', profiles: [p]}\n"
    own += "  b: {image: y, profiles: [q]}\n"
    own += "  c: {image: 'z:${COMPOSE_PROFILES-}${COMPOSE_PROJECT_NAME}', environment: [COMPOSE_PROJECT_NAME, V]}\n"
    texts = {"compose.yaml": name + own, "sub/compose.yaml": own, "o.yaml": "services: {o: {image: o}}"}
    texts |= {".env": env, "sub/.env": "V=sub\nW=w\nCOMPOSE_PROFILES=p", "x.env": "V=x\nCOMPOSE_PROFILES=q"}
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    monkeypatch.chdir(folder)
    done = said("docker-compose", "config", folder=folder)
    wanted = None if done.returncode else yaml.load(done.stdout, AsText)
    try:
        target = Workspace(str(folder), cache=False).in_folder(".", [], {"compose": {"interpolate": True}})
        assert target is not None
        found = yaml.load(yaml.safe_dump(plain_value(target.rendered()[0])), AsText)
    except PlaitError:
        found = None
    assert found == wanted, done.stderr


SOURCES = ("./a", "~/a", "C:\\x", "c:/x", r"\\.\pipe\x", "data", "/h/../i", ".", "1", "a", "")
TARGETS = ("/b", "/b/", "//b/../c", "b", "D:\\y", "d:/y", r"\\.\pipe\y", "")
OPTIONS = ("ro", "rw", "nocopy", "z", "Z", "cached", "rslave", "shared", "subpath=x", "unheard", "RO", "")


@pytest.mark.parametrize("seed", seeds(40))
def test_short_forms_of_volumes_are_taken_apart_as_compose_does_it(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    parts = [chance.choice(SOURCES), chance.choice(TARGETS), ",".join(chance.choices(OPTIONS, k=3)), "x"]
    text = ":".join(parts[: chance.choice((1, 2, 2, 3, 3, 3, 4))])
    project = {
        "services": {"s": {"image": "i", "volumes": [text]}},
        "volumes": dict.fromkeys(("data", "1", "a")),
    }
    _same_items("volumes", project, text, tmp_path)


ADDRESSES = ("127.0.0.1", "[::1]", "::1", "1.2.3.04", "[1.2.3.4]", "a", "", "[::ffff:1.2.3.4]", "[fe80::1%eth0]")
PUBLISHED = ("80", "080", "0", "80-82", "8-8", "82-80", "65536", "", "x", "-1", "080-082")
INSIDE = ("90", "90-92", "90-91", "0", "090", "9-8", "90-92-94", "", "x", " 90")
PROTOCOLS = ("", "/tcp", "/UDP", "/sctp", "/x", "/", "/tcp/y")


@pytest.mark.parametrize("seed", seeds(60))
def test_short_forms_of_ports_are_taken_apart_as_compose_does_it(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    parts = [chance.choice(ADDRESSES), chance.choice(PUBLISHED), chance.choice(INSIDE) + chance.choice(PROTOCOLS)]
    text = ":".join(parts[chance.choice((0, 0, 1, 1, 2)) :])
    _same_items("ports", {"services": {"s": {"image": "i", "ports": [text]}}}, text, tmp_path)


def _same_items(key: str, project: dict[str, Any], text: str, folder: Path) -> None:
    (folder / "compose.yaml").write_text(json.dumps(project), encoding="utf-8")
    done = said("docker-compose", "config", folder=folder)
    home = os.path.expanduser("~")
    wanted = None if done.returncode else yaml.load(done.stdout, AsText)["services"]["s"][key]
    target = Workspace(str(folder), cache=False).in_folder(str(folder), [], {"compose": {"interpolate": True}})
    assert target is not None
    try:
        found = plain_value(target.rendered()[0])["services"]["s"][key]
    except PlaitError:
        found = None
    printed = found and yaml.load(yaml.safe_dump(found).replace("source: ~", f"source: {home}"), AsText)
    assert (text, printed) == (text, wanted and _from_folder(wanted, str(folder)))


def _from_folder(value: Any, top: str) -> Any:
    """Paths as plait prints them."""
    if isinstance(value, dict):
        return {key: _from_folder(child, top) for key, child in value.items()}
    if isinstance(value, list):
        return [_from_folder(item, top) for item in value]
    if not isinstance(value, str) or not f"{value}/".startswith(f"{top}/"):
        return value
    inside = value[len(top) + 1 :]
    return inside if inside.startswith(".") else f"./{inside}" if inside else "."


LETTERS = ("a", "b", " ", '"', "'", "\\", "`", "$$(", "(", ")", ";", "&&", "2>", "\u00e9", "\t", "\n", "n", "=", "#")


@pytest.mark.parametrize("seed", seeds(20))
def test_commands_are_taken_apart_as_compose_does_it(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        text = "".join(chance.choices(LETTERS, k=chance.randrange(1, 9)))
        (tmp_path / "compose.yaml").write_text(json.dumps({"services": {"a": {"image": "i", "command": text}}}))
        done = said("docker-compose", "config", "--format", "json", folder=tmp_path)
        wanted = None if done.returncode else json.loads(done.stdout)["services"]["a"]["command"]
        try:
            found = [word.replace("$", "$$") for word in command_words(text.replace("$$", "$"))[0]]
        except OpenQuote:
            found = None
        assert (text, found) == (text, wanted)
