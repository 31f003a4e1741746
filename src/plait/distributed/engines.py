"""Engines that spread work over machines: any executor of `concurrent.futures`, Dask, Ray.

An engine sends what all tasks share to each worker once, and gives a task to another worker when one dies.
"""

from __future__ import annotations

from importlib import import_module

from plait.report.catalog import BAD_OPTION, NO_ENGINE
from plait.report.installing import how_to_install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from typing import Any

    Answer = Callable[[], bytes]
    """Waits for the result of a task, or raises what went wrong."""

RETRIES = 3
SECONDS = 10
"""How long an engine has to say that it is there."""


class Engine:
    """An executor of `concurrent.futures`: a pool of threads or processes, or whatever has `submit`."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def workers(self) -> int:
        """About how many tasks run at the same time."""
        return int(getattr(self._executor, "_max_workers", 0)) or 4

    def share(self, data: bytes) -> Any:
        """Something that stands for data which many tasks need."""
        return data

    def start(self, function: Callable[..., bytes], shared: Any, names: list[str]) -> Answer:
        """Begin a task."""
        return self._executor.submit(function, shared, names).result

    def close(self) -> None:
        """Let go of the engine; an executor belongs to the program that made it."""


class DaskEngine(Engine):
    """A Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str) -> None:
        distributed: Any = import_module("distributed")
        self._client = distributed.Client(f"tcp://{address}", timeout=SECONDS, set_as_default=False)

    def workers(self) -> int:
        return len(self._client.scheduler_info(-1)["workers"]) or 1

    def share(self, data: bytes) -> Any:
        return self._client.scatter(data, broadcast=True)

    def start(self, function: Callable[..., bytes], shared: Any, names: list[str]) -> Answer:
        future = self._client.submit(function, shared, names, pure=False, retries=RETRIES)
        return future.result  # type: ignore[no-any-return]

    def close(self) -> None:
        self._client.close()


class RayEngine(Engine):
    """A Ray cluster, by the address of its client server."""

    def __init__(self, address: str) -> None:
        self._ray: Any = import_module("ray")
        self._context = self._ray.init(f"ray://{address}", log_to_driver=False, logging_level="error")
        self._remote: dict[object, Any] = {}

    def workers(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 1)) or 1

    def share(self, data: bytes) -> Any:
        return self._ray.put(data)

    def start(self, function: Callable[..., bytes], shared: Any, names: list[str]) -> Answer:
        if function not in self._remote:
            self._remote[function] = self._ray.remote(max_retries=RETRIES)(function)
        reference = self._remote[function].remote(shared, names)
        return lambda: self._ray.get(reference)

    def close(self) -> None:
        self._context.disconnect()


ENGINES: dict[str, tuple[Callable[[str], Engine], str]] = {
    "dask": (DaskEngine, "distributed"),
    "ray": (RayEngine, "ray"),
}
"""The engine that a scheme names, and the package it needs."""


def connect(address: str) -> Engine:
    """The engine at an address such as `dask://HOST:PORT`."""
    scheme, _, place = address.partition("://")
    if scheme not in ENGINES or not place.rpartition(":")[0]:
        why = f"`{address}` does not name an engine"
        raise BAD_OPTION.error(why=why, hint="give dask://HOST:PORT or ray://HOST:PORT")
    make, package = ENGINES[scheme]
    try:
        return make(place)
    except ImportError:
        raise NO_ENGINE.error(
            address=address, why=f"the package `{package}` is not installed", hint=how_to_install(scheme)
        ) from None
    except Exception as trouble:  # whatever the engine raises: none of its kinds is ours
        raise NO_ENGINE.error(
            address=address, why=reason_of(trouble), hint="check that it is running and that the port is correct"
        ) from None


def reason_of(trouble: Exception) -> str:
    """What an engine says is wrong, on one line: the first one, and the last one of a report that follows it."""
    lines = [line.strip() for line in str(trouble).splitlines() if line.strip()]
    if not lines:
        return trouble.__class__.__name__
    return f"{lines[0]} {lines[-1]}" if lines[0].endswith(":") and len(lines) > 1 else lines[0]
