"""Running a command for its output.

One that takes too long or prints too much is stopped, with everything it started.
"""

from __future__ import annotations

from plait.core.scope import CommandFailed, NoCommand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


MOST_OUTPUT = 16_000_000
MOST_WORDS = 4_000
"""Bytes of standard output, and of what is kept of standard error."""


def printed(
    command: str | list[str],
    seconds: float,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
    given: str | None = None,
) -> str:
    """The standard output of a command as text; a single text is run by the shell. Raises `CommandFailed`.

    `given` is what the command reads from its standard input.
    """
    import os
    import signal
    import subprocess  # heavy, and rarely needed

    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    source = subprocess.DEVNULL if given is None else _as_input(given)
    try:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=environment,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError as trouble:
        raise NoCommand(trouble.strerror or str(trouble)) from None
    except OSError as trouble:
        raise CommandFailed(trouble.strerror or str(trouble)) from None
    except ValueError:
        raise CommandFailed("no program can be given its words") from None
    finally:
        if source >= 0:
            os.close(source)
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        try:
            output, errors = read_both(process.stdout.fileno(), process.stderr.fileno(), seconds)
            status = process.wait()
        except CommandFailed:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
    if status:
        raise CommandFailed(f"it ended with exit status {status}", errors.decode(errors="replace").strip())
    try:
        return output.decode()
    except UnicodeDecodeError:
        raise CommandFailed("its output is not text") from None


def _as_input(text: str) -> int:
    """A handle from which a text is read: of a file without a name, so that nobody waits for the reader."""
    import os
    from tempfile import TemporaryFile

    with TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        return os.dup(file.fileno())


def _ready(handles: list[int], seconds: float) -> list[int]:
    """The handles that can be read now, or within some time.

    Unlike `select`, it has no limit on the number of a handle.
    """
    import select

    poll = select.poll()
    for handle in handles:
        poll.register(handle, select.POLLIN | select.POLLHUP)
    return [handle for handle, _ in poll.poll(seconds * 1000)]


def read_both(out: int, err: int, seconds: float, most: int = MOST_OUTPUT) -> tuple[bytes, bytes]:
    """Everything until the output is closed; of standard error the beginning, as far as it has come. Raises
    `CommandFailed` for what takes too long or is too much."""
    import os
    from io import BytesIO
    from time import monotonic

    end = monotonic() + seconds
    read = {out: BytesIO(), err: BytesIO()}
    waiting = [out, err]
    while out in waiting:
        ready = _ready(waiting, max(0.0, end - monotonic()))
        if not ready:
            raise CommandFailed(f"it took longer than {seconds:.0f} second{'s' * (round(seconds) != 1)}")
        for handle in ready:
            piece = os.read(handle, 65536)
            if not piece:
                waiting.remove(handle)
            if handle == out or read[err].tell() < MOST_WORDS:
                read[handle].write(piece)
        if read[out].tell() > most:
            raise CommandFailed(f"it printed more than {most:,} bytes")
    while err in waiting and _ready([err], 0):
        piece = os.read(err, 65536)
        read[err].write(piece)
        if not piece:
            break
    return read[out].getvalue(), read[err].getvalue()[:MOST_WORDS]
