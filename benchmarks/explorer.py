"""The explorer on the large repository: its first page and one component, against the names of all stacks."""

from __future__ import annotations

import json
import statistics
import subprocess

from benchmarks.measure import PLAIT, PYTHON, ROUNDS, Report, command_cpu, stacks_repository

PAGES = """
import gc, json, sys, time
from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.links import Links
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.frame import framed
from plait.apps.web.pages.map import Filters, cells_data, map_page

gc.disable()

def timed(question):
    before = time.process_time()
    found = question()
    return time.process_time() - before, found

explorer = explorer_of(read_words(COMMAND, ["-C", sys.argv[1]]))
links, state = Links(), explorer.state
first, page = timed(lambda: framed(map_page(state, links, Filters()), state, links))
files = state.workspace.counters.files
cells_data(state, ["t03-ue1-prod"])
component, document = timed(lambda: framed(DocumentView(state, links, "t03-ue1-prod", "c07").page(), state, links))
print(json.dumps({
    "first": first, "component": component, "bytes": len(page.encode()), "files": files,
    "component_bytes": len(document.encode()), "read": state.workspace.counters.files,
}))
"""
"""Each round is a process of its own. The component is one of a stack whose row of the map is visible."""


def run(report: Report) -> None:
    with stacks_repository() as folder:
        if folder is None:
            return
        listing = [PLAIT, "list", "stacks", "--chdir", str(folder)]
        for _ in range(2):  # fills the cache, and leaves the map and the list for the next run
            command_cpu(listing)
            _round(str(folder))
        rounds = [{**_round(str(folder)), "list": command_cpu(listing)} for _ in range(ROUNDS)]
    last = rounds[-1]
    ratios = {name: statistics.median(one[name] / one["list"] for one in rounds) for name in ("first", "component")}
    report("first page / list stacks, both again", ratios["first"], 1.5, files=last["files"])
    report("one component / list stacks again", ratios["component"], 0.3, files=last["read"])
    report("first page, kB", last["bytes"] / 1000, 300)
    report("one component, kB", last["component_bytes"] / 1000, 300)


def _round(folder: str) -> dict[str, float]:
    done = subprocess.run([PYTHON, "-c", PAGES, folder], capture_output=True, check=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found
