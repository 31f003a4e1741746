"""Law: an input of twice the size costs at most 2.5 times as much, or it is refused within 2 s and 300 MB."""

from __future__ import annotations

import contextlib
import gc
import io
import math
import os
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest

from plait.apps.cli.run import run
from plait.core.meter import DEFAULTS, Meter
from tests.battery.inputs import GROWS, PRICED, REFUSED, Input
from tests.cases.preloaded import preloaded
from tests.clock import TRIES, slowness, within

pytestmark = pytest.mark.long

SIZES = (1, 2, 4)
SLACK = 0.12
"""Seconds that a measurement may be wrong by on a busy machine, in those of a usual one."""
FREE = 100
"""Steps that growth is not measured on."""
SECONDS, MEMORY = 2.0, 300_000
"""What a refusal may cost: CPU seconds of the process, whatever else the machine does, and kB."""
PART = 10
"""`PRICED` has this part of the usual steps, and may take three times this part of `SECONDS`."""
REFUSALS = ("PL5", "error PL3503", "raises the limit")


def lay_out(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def cost(made: Input, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[float, int]:
    """CPU seconds of a command, and the steps that it was charged."""
    lay_out(folder, made[0])
    monkeypatch.chdir(folder)
    words = made[1]
    meters: list[Meter] = []
    begin = Meter.restart
    with (
        monkeypatch.context() as patch,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()) as errors,
    ):
        patch.setattr(Meter, "restart", lambda meter: meters.append(meter) or begin(meter))
        begun = process_time()
        status = run(words)
        took = process_time() - begun
    gc.enable()
    assert status in (0, 1), errors.getvalue()
    assert "PL5" not in errors.getvalue(), errors.getvalue()
    return took, sum(meter.steps for meter in set(meters))


@pytest.mark.parametrize("name", GROWS)
def test_cost_grows_with_the_input(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size, make = GROWS[name]
    cost(make(2), tmp_path / "warm", monkeypatch)  # loads what the command needs
    least = [math.inf] * len(SIZES)
    grown: list[str] = []
    for _ in range(TRIES):
        costs = [cost(make(size * times), tmp_path / str(times), monkeypatch) for times in SIZES]
        for (_, fewer), (_, steps) in pairwise(costs):
            assert steps <= 2.5 * fewer + FREE, f"{fewer} steps became {steps}"
        least = [min(known, took) for known, (took, _) in zip(least, costs, strict=True)]
        slack = SLACK * slowness()
        grown = [f"{less:.3f} s became {more:.3f} s" for less, more in pairwise(least) if more > 2.5 * less + slack]
        if not grown:
            return
    raise AssertionError("; ".join(grown))


@pytest.mark.parametrize("name", REFUSED)
def test_too_much_is_refused_at_once(name: str, tmp_path: Path) -> None:
    files, words = REFUSED[name]
    lay_out(tmp_path, files)
    within(SECONDS, lambda: _refused(words, tmp_path))


def _refused(words: list[str], folder: Path) -> float:
    """CPU seconds of a command that is refused."""
    ended, told = preloaded().cost(words, folder, dict(os.environ))
    text = told.decode()
    assert ended.status == 1, text[-2000:]
    assert any(word in text for word in REFUSALS), text[-2000:]
    assert ended.peak < MEMORY
    return ended.seconds


@pytest.mark.parametrize("name", PRICED)
def test_steps_are_charged_for_what_takes_long(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, words = PRICED[name]
    lay_out(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    within(3 * SECONDS / PART + SLACK, lambda: _stopped([*words, "--max-steps", str(DEFAULTS.steps // PART)]))


def _stopped(words: list[str]) -> float:
    """CPU seconds of a command that runs out of steps."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
        begun = process_time()
        status = run(words)
        took = process_time() - begun
    gc.enable()
    assert status == 1
    assert "PL5004" in errors.getvalue(), errors.getvalue()
    return took
