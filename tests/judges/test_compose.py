"""Compose files read and merged as docker compose reads and merges them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import yaml

from plait.core.node import Scalar
from plait.fronts.forms import written
from plait.yaml.readers import READERS
from tests.conformance.compose import AsText
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
