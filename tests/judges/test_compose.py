"""Compose files read and merged as docker compose reads and merges them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from plait.core.node import Scalar
from plait.fronts.forms import written
from plait.yaml.readers import READERS
from tests.conformance.compose import AsText, merged
from tests.judges import said
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
    "ulimits": [{"nofile": 5}, {"nofile": {"soft": 1, "hard": 2}}, {"nproc": 7}],
    "deploy": [{"replicas": 2}, {"labels": {"x": 1}}, {"labels": ["x=2"]}, None],
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


@pytest.mark.parametrize("seed", range(80))
def test_merged_files_are_the_same_project(seed: int, tmp_path: Path) -> None:
    """What Compose makes of two files is what it makes of the file that plait merges of them."""
    chance = random.Random(seed)
    texts = [json.dumps(_file(chance)) for _ in range(2)]
    wanted = compose_config(tmp_path, *texts)
    assert compose_config(tmp_path, json.dumps(merged(*texts))) == wanted
