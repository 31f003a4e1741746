"""Processes that plait starts, for tests of work that several of them do."""

from __future__ import annotations

import os

import pytest


def counted_forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that are started from now on. What runs the tests has threads of its own, which do not matter."""
    started: list[int] = []
    fork = os.fork

    def counted() -> int:
        process = fork()
        started.append(process)
        return process

    monkeypatch.setattr("plait.access.workers._has_threads", lambda: False)
    monkeypatch.setattr(os, "fork", counted)
    return started
