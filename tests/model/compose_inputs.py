"""Generated Compose files: each key in the forms that it may have."""

from __future__ import annotations

from random import Random
from typing import Any

PAIRS: list[Any] = [{"A": "1", "B": None}, {"A": 2, "C": True}, {"A": "x=y"}, ["A=3", "E"], ["A", "A=5"], {}, [], None]
WORDS: list[Any] = ["a", ["a", "b"], ["b", "c"], [], None, ["a", "a"]]
LISTS: list[Any] = [["a", "b"], ["b", "c"], [], None, ["a", "a"], ["k=1"], ["k=2", "k=3"]]
SINGLE: list[Any] = ["a", "b", None, 1]
SERVICE: dict[str, list[Any]] = {
    "annotations": PAIRS,
    "environment": PAIRS,
    "labels": PAIRS,
    "sysctls": PAIRS,
    "cap_add": LISTS,
    "cap_drop": LISTS,
    "profiles": LISTS,
    "security_opt": LISTS,
    "dns": WORDS,
    "tmpfs": WORDS,
    "image": SINGLE,
    "restart": SINGLE,
    "command": ["a b", ["a", "b"], ["c"], None],
    "entrypoint": ["a", ["b"], []],
    "extra_hosts": [{"h": "1.1.1.1"}, ["h=1.1.1.1", "i=2.2.2.2"], ["i:3.3.3.3"], {"h": ["1.1.1.1", "2.2.2.2"]}],
    "build": [
        "./x",
        {"args": {"A": 1}},
        {"args": ["A=2", "B"], "dockerfile": "D"},
        {"context": "c", "tags": ["t:1", "u"]},
        {"tags": ["u"], "additional_contexts": ["r=./r"]},
        {"additional_contexts": {"r": "./q"}, "cache_from": ["a"]},
        {"cache_from": ["a", "b"]},
        {},
    ],
    "depends_on": [["a"], ["a", "b"], {"a": {"condition": "service_healthy"}}, {"b": {"restart": True}}, {}, []],
    "networks": [
        ["a"],
        {"a": {"aliases": ["x", "y"]}},
        {"a": {"aliases": ["y", "z", "z"], "priority": 1}},
        {"a": None},
        {"b": {"link_local_ips": ["1", "2"]}},
        [],
    ],
    "logging": [
        {"driver": "a", "options": {"x": "1", "y": "2"}},
        {"driver": "a", "options": {"x": "3"}},
        {"driver": "b", "options": None},
        {"options": {"z": "1"}},
        {},
    ],
    "healthcheck": [{"test": "a"}, {"test": ["CMD", "b"], "retries": 1}, {"disable": True, "retries": None}, None],
    "ulimits": [{"nofile": 1}, {"nofile": {"soft": 1, "hard": 2}}, {"nofile": {"soft": 5}, "nproc": 5}, None],
    "ports": [
        ["80:80"],
        ["80:80", "81"],
        [{"target": 80, "published": "80"}],
        [{"target": 80, "published": "80", "host_ip": "0.0.0.0", "mode": "host"}],
        [{"target": 80, "published": "80", "protocol": "udp"}],
        None,
    ],
    "volumes": [
        ["./a:/a"],
        ["./b:/a:ro", "/c"],
        [{"type": "bind", "source": "./c", "target": "/a", "read_only": True}],
        ["data:/b"],
        [],
    ],
    "devices": [["/dev/a:/dev/b"], ["/dev/b"], ["/dev/c:/dev/b:r"], [{"source": "x", "target": "/dev/b"}]],
    "secrets": [["one"], [{"source": "one", "mode": 256}], [{"source": "two", "target": "/run/secrets/one"}]],
    "configs": [["one"], [{"source": "one"}], [{"source": "two", "target": "/one"}]],
    "env_file": ["a", ["b", "a"], [{"path": "a", "required": False}], None],
    "expose": [["1", "2"], ["2", "3"], None],
    "deploy": [{"replicas": 1}, {"labels": {"a": 1}}, {"labels": ["a=2", "b"]}, {"placement": {"constraints": ["a"]}}],
    "x-own": [{"a": 1}, {"a": {"b": 1}}, [1], "a", None],
}
NETWORKS: list[Any] = [{"n": None}, {"n": {"labels": {"a": 1}}}, {"n": {"labels": ["a=2", "b"], "driver": "d"}}, {}]


def compose_file(chance: Random) -> dict[str, Any]:
    keys = chance.sample(sorted(SERVICE), 6)
    service = {key: chance.choice(SERVICE[key]) for key in keys}
    return {"services": {"web": service}, "networks": chance.choice(NETWORKS)}


def helm_layer(chance: Random, depth: int = 3) -> dict[str, Any]:
    return {key: _value(chance, depth) for key in chance.sample("abcd", chance.randrange(5))}


def _value(chance: Random, depth: int) -> Any:
    kind = chance.random()
    if not depth or kind < 0.45:
        return chance.choice((None, None, 1, 0, "x", "", True, 1.5))
    if kind < 0.6:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(3))]
    return helm_layer(chance, depth - 1)
