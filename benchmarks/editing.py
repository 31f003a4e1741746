"""Edits in a file of one megabyte, and the difference of two, against reading it with PyYAML's CSafeLoader."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable

import yaml

from benchmarks.measure import Report, call_cpu, interleaved
from plait.core import native
from plait.core.node import Scalar
from plait.core.source import Source
from plait.merging.diff import compare
from plait.yaml.build import Reading
from plait.yaml.edits import Edit, Replace
from plait.yaml.load import load
from plait.yaml.patch import apply

SERVICES = 5_500


def service(number: int, rng: random.Random, pad: str) -> list[str]:
    """The lines of a service as people write them, so far to the right: comments, quotes, lists."""
    return [
        f"{pad}service-{number}:  # number {number}",
        f'{pad}  image: "registry.example/team/app-{number}:1.{rng.randrange(100)}"',
        f"{pad}  replicas: {rng.randrange(1, 9)}",
        f"{pad}  # who may call it",
        f"{pad}  ports: [{8000 + number % 1000}, {rng.randrange(9000, 9999)}]",
        f"{pad}  labels:",
        f"{pad}  - tier-{rng.randrange(5)}",
        f"{pad}  - zone-{rng.randrange(3)}",
    ]


def document(seed: int) -> str:
    """About a megabyte of services."""
    rng = random.Random(seed)
    lines = ["# all services", "services:"]
    for number in range(SERVICES):
        lines += service(number, rng, "  ")
    return "\n".join(lines) + "\n"


def cpu(work: Callable[[], object]) -> float:
    gc.collect()
    return call_cpu(work)


def run(report: Report) -> None:
    text, other = document(1), document(2)

    def floor() -> object:
        return yaml.load(text, yaml.CSafeLoader)

    def edits(count: int) -> list[Edit]:
        step = SERVICES // count
        return [
            Replace(("services", f"service-{at * step}", "replicas"), Scalar(at + 10, str(at + 10)))
            for at in range(count)
        ]

    def difference() -> int:
        trees = [load(Source(name, one), Reading())[0] for name, one in (("a.yaml", text), ("b.yaml", other))]
        return len(compare(trees[0], trees[1]))

    works: dict[str, Callable[[], object]] = {
        "floor": floor,
        "read": lambda: load(Source("big.yaml", text), Reading()),
        "one": lambda: apply(Source("big.yaml", text), edits(1)),
        "thousand": lambda: apply(Source("big.yaml", text), edits(1000)),
        "diff": difference,
    }
    took = interleaved({name: lambda work=work: cpu(work) for name, work in works.items()})  # type: ignore[misc]
    size = f"{len(text) / 1e6:.2f}MB"
    report("reading 1 MB / CSafeLoader", took["read"] / took["floor"], 0.12 if native.scan else 0.45, size=size)
    report("one edit of 1 MB, verified / CSafeLoader", took["one"] / took["floor"], 0.6, size=size)
    report("1,000 edits together, verified / CSafeLoader", took["thousand"] / took["floor"], 1.2, size=size)
    report("diff of two files / CSafeLoader of both", took["diff"] / (2 * took["floor"]), 0.6, differences=difference())
