"""The filters and tests of Ansible by name, charging the meter for what they are given."""

from __future__ import annotations

from plait.notations.query.ansible import collections, numbers, texts, versions
from plait.notations.query.bounds import printed
from plait.notations.query.views import on_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plait.core.meter import Meter

FILTERS: dict[str, Callable[..., object]] = {**collections.FILTERS, **texts.FILTERS, **numbers.FILTERS}
TESTS: dict[str, Callable[..., bool]] = {**collections.TESTS, **texts.TESTS, **versions.TESTS}
PREFIX = "ansible.builtin."
"""What may stand before each of the names."""
CALL = 20
"""Steps for a call, however small its arguments are."""


def charged(work: Callable[..., object], meter: Meter) -> Callable[..., object]:
    """A filter or test that gets plain data, and is paid for by its size."""

    def run(*values: object, **options: object) -> object:
        length = sum(map(printed, (*values, *options.values())))
        meter.step(CALL + (length >> 2))
        meter.make(length * 2)
        return work(meter, *values, **options)

    return on_data(run)


def named(table: Mapping[str, Callable[..., object]], meter: Meter) -> dict[str, Callable[..., object]]:
    """The entries of a table, also by their full names."""
    return {f"{prefix}{name}": charged(work, meter) for name, work in table.items() for prefix in ("", PREFIX)}
