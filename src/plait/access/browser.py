"""The user's browser, opened by a process that was started for it: a server may start nothing once it listens."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def waiting_browser() -> Callable[[str], None]:
    """A process that waits for an address, and opens it. It ends with this process, or when the browser is open."""
    inlet, outlet = os.pipe()
    if os.fork() == 0:
        try:
            os.close(outlet)
            with open(inlet, encoding="utf-8") as stream:
                address = stream.readline().strip()  # other children may keep the pipe open, so it need not end
            if address:
                import webbrowser

                webbrowser.open(address)
        finally:
            os._exit(0)
    os.close(inlet)

    def show(address: str) -> None:
        with open(outlet, "w", encoding="utf-8") as stream:
            stream.write(f"{address}\n")

    return show
