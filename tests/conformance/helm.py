"""Charts as helm renders them: `plait render CHART -f VALUES` against what `helm template` printed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import yaml

from tests.cases.preloaded import preloaded


class AsHelm(yaml.CSafeLoader):
    """Reads scalars as helm does: no dates and no numbers to the base of 60."""


_WITHOUT = ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:int")
AsHelm.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in found if tag not in _WITHOUT]
    for letter, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
AsHelm.add_implicit_resolver(
    "tag:yaml.org,2002:int",
    re.compile(r"[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)$"),
    list("-+0123456789"),
)


def documents(text: str) -> list[Any]:
    return [document for document in yaml.load_all(text, AsHelm) if document is not None]


def sources(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("# Source: ")]


def template(case: dict[str, Any], folder: str) -> None:
    shared = case["_shared"]
    chart = Path(folder, "charts", case["chart"]).resolve()
    files = [word for name in case["values"] for word in ("-f", str(chart / name))]
    words = ["render", str(chart), *files, "--release", shared["release"], *shared["flags"]]
    status, out, trouble = preloaded().run(words, chart, dict(os.environ), b"", goes_on=True)
    assert status == 0, trouble.decode()
    text = out.decode()
    assert sources(text) == sources(case["expected"]), "other templates, or another order"
    assert documents(text) == documents(case["expected"]), "other resources"


KINDS = {"helm/template": template}
