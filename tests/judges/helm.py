"""What helm makes of values: a chart whose one template prints them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tests.judges import said

CHART = "apiVersion: v2\nname: judged\nversion: 0.1.0\n"
PRINTED = "value: {{ .Values | toJson | quote }}\n"


class Refused(Exception):
    """helm said no."""


def helm_values(folder: Path, texts: list[str], *flags: str) -> Any:
    """The values of a chart with these texts: the chart's own, then one file after the other."""
    chart = folder / "chart"
    (chart / "templates").mkdir(parents=True, exist_ok=True)
    (chart / "Chart.yaml").write_text(CHART, encoding="utf-8")
    (chart / "templates" / "printed.yaml").write_text(PRINTED, encoding="utf-8")
    (chart / "values.yaml").write_text(texts[0], encoding="utf-8")
    words = []
    for number, text in enumerate(texts[1:], 1):
        file = folder / f"values-{number}.yaml"
        file.write_text(text, encoding="utf-8")
        words += ["-f", str(file)]
    done = said("helm", "template", "judged", str(chart), *words, *flags)
    if done.returncode:
        raise Refused(done.stderr)
    return json.loads(yaml.safe_load(done.stdout)["value"])
