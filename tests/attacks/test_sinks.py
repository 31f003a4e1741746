"""A sample of `make attack`'s fuzzing: files x commands, and what leaves plait."""

from __future__ import annotations

from fuzz.sinks import sinks
from hypothesis import HealthCheck, Phase, seed, settings


def test_nothing_gets_out_of_files_and_commands_at_random() -> None:
    how = settings(
        max_examples=12, database=None, deadline=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck)
    )
    seed(35)(how(sinks))()
