"""What tests of engines share."""

from __future__ import annotations

import socket
from contextlib import closing


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
