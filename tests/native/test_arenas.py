"""Small objects in large pages of memory: what a process that is plait and nothing else asks for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from plait.core import native

PAGES = """
import gc, resource, sys
from plait.core import native
native.large_pages()

def pages(number):
    with open("/proc/self/statm") as file:
        return int(file.read().split()[number]) * resource.getpagesize()

if sys.argv[1] == "scarce":
    limit = pages(0) + (24 << 20)  # less than a piece of memory with large pages
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    rows = [[number] for number in range(60_000)]
    print(len(rows), rows[-1][0])
else:
    few = pages(1)
    rows = [[number] for number in range(500_000)]
    many = pages(1)
    rows.clear()
    gc.collect()
    print(many - few > 30 << 20, pages(1) - few < many - few >> 2)
"""


@pytest.mark.skipif(native.large_pages is None or sys.platform != "linux", reason="not built, or no Linux")
@pytest.mark.parametrize(("case", "printed"), [("scarce", "60000 59999\n"), ("given back", "True True\n")])
def test_objects_in_large_pages_need_no_more_memory_than_there_is_and_give_it_back(case: str, printed: str) -> None:
    run = subprocess.run([sys.executable, "-c", PAGES, case], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == (printed, "")
