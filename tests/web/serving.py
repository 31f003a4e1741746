"""An explorer that answers while a test runs, in a thread of the test's own process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.server import ExplorerServer


@contextmanager
def serving(*words: str, patience: float = 3600) -> Iterator[ExplorerServer]:
    """`plait serve` with some options, in the working folder. It waits long for clients: a test may be slow."""
    args: Any = read_words(COMMAND, ["--no-cache", *words])
    server = ExplorerServer(explorer_of(args), args.host, args.port, patience)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(300)
        assert not thread.is_alive(), "the server does not end"
