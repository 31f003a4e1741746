"""Sizes, durations and numbers of Compose files: measured with compose-go 2.9.

Debian's docker compose is built with older libraries (docker/go-units 0.4, no days): it refuses `.5m` and `1d`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.find import entry
from plait.core.node import MapNode, Node, Scalar
from plait.workspace import Workspace

SIZES = {
    ".5m": 524288,
    "1.5gb": 1610612736,
    "1.g": 1073741824,
    "0x10": 16,
    "010": 8,
    "0o10": 8,
    "1_000": 1000,
    "-1": -1,
    "'-1'": -1,
    "'010'": 10,
    "'+5'": 5,
    "'+5m'": 5242880,
    "'1.9'": 1,
    "1.9k": 1945,
    "1 g": 1073741824,
    "1 kib": 1024,
    "'1 '": 1,
    "1B": 1,
    "1KiB": 1024,
    "1pib": 1125899906842624,
    "1e3k": 1024000,
    "'1e3'": 1000,
    "'0x1p4k'": 16384,
    "9007199254740993": 9007199254740993,
    "8388608t": -9223372036854775808,
    "'inf k'": -9223372036854775808,
    "0": None,
    "1e3": None,
    "1.5": None,
    "9223372036854775808": None,
    "0.0001k": None,
}
"""What is written for `mem_limit`, and its bytes; None where Compose prints none, as for numbers with a fraction."""
NO_SIZES = (
    *("''", "g", ".g", "1h30", "'1g '", "' 1g'", "'1  g'", "1bb", "1kbb", "1i", "1e", "1z", "'1 k b'", "1,5g"),
    *("'0x10'", "'0b1k'", "'1__0k'", "'1e400'", "-5m", "inf", "nan", "٣m", "5 %"),
)

DURATIONS = {
    ".5s": "500ms",
    "1m.5s": "1m0.5s",
    "1d12h": "36h0m0s",
    "1.5w": "252h0m0s",
    "1ns1h": "1h0m0.000000001s",
    "'0'": "0s",
    "9223372036s": "2562047h47m16s",
}
"""What is written for `stop_grace_period`, and how it is printed. Days and weeks are Compose's own."""
NO_DURATIONS = ("''", "1h30", "'1'", "1y", "1S", "'1s '", "1h-1m", "9223372037s", "15251w", f"{'9' * 30}s")

NUMBERS = {
    "cpus: '1e3'": "1000",
    "cpus: '0x1p-1'": "0.5",
    "cpus: 1.50": "1.5",
    "cpus: 0.123456789": "0.12345679",
    "cpus: 99999999999": "1e+11",
    "cpu_count: 1.0": "1",
    "cpu_quota: 1e3": "1000",
    "cpu_quota: 1.9": "1",
    "cpu_shares: -1.5": "-1",
    "pids_limit: '+1'": "1",
    "mem_swappiness: 1k": "1024",
    "deploy: {resources: {limits: {cpus: 0, pids: 0, memory: '0'}}}": "{resources: {limits: {}}}",
    "ulimits: {nofile: 0}": "{nofile: {soft: 0, hard: 0}}",
}
"""Lines of a service, and how their values are printed."""
NO_NUMBERS = (
    "cpus: ' 1'",
    "cpus: nan",
    "pids_limit: '1_000'",
    "pids_limit: '1 '",
    "pids_limit: '9223372036854775808'",
    "healthcheck: {retries: '1e3'}",
    "ulimits: {nofile: 1.0}",
)


def printed(folder: Path, line: str) -> str:
    """What Compose's form of a service has for the key of a line; nothing where it does not have it."""
    (folder / "compose.yaml").write_text(f"services:\n  a:\n    image: x\n    {line}\n", encoding="utf-8")
    target = Workspace(str(folder), cache=False).in_folder(str(folder), [], {"compose": {"interpolate": True}})
    assert target is not None
    found = entry(target.rendered()[0], "services", "a", line.partition(":")[0])
    return "" if found is None else shown(found)


def shown(node: Node) -> str:
    if isinstance(node, MapNode):
        return f"{{{', '.join(f'{key}: {shown(child)}' for key, child in node.entries.items())}}}"
    assert isinstance(node, Scalar)
    return node.text


ROWS = {
    **{f"mem_limit: {text}": "" if found is None else str(found) for text, found in SIZES.items()},
    **{f"stop_grace_period: {text}": found for text, found in DURATIONS.items()},
    **NUMBERS,
}
REFUSED = (
    *(f"mem_limit: {text}" for text in NO_SIZES),
    *(f"stop_grace_period: {text}" for text in NO_DURATIONS),
    *NO_NUMBERS,
)


@pytest.mark.parametrize(("line", "wanted"), ROWS.items())
def test_a_number_is_printed_as_compose_prints_it(line: str, wanted: str, tmp_path: Path) -> None:
    assert printed(tmp_path, line) == wanted


@pytest.mark.parametrize("line", REFUSED, ids=lambda line: line[:40])
def test_what_compose_takes_for_no_number_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match="is not a"):
        printed(tmp_path, line)
