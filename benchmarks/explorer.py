"""The explorer on the large repository: its first page and one component, against the names of all stacks."""

from __future__ import annotations

import json
import statistics
import subprocess

from benchmarks.measure import PLAIT, PYTHON, ROUNDS, Report, command_cpu, stacks_repository

PAGES = """
import gc, json, sys, time
from plait.workspace import Workspace
from plait.apps.web.explorer import Choices, Explorer
from plait.apps.web.links import Links
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.frame import framed
from plait.apps.web.pages.map import Filters, map_page

gc.disable()
folder = sys.argv[1]

def timed(question):
    before = time.process_time()
    found = question()
    return time.process_time() - before, found

names, _ = timed(lambda: Workspace(folder).stacks(folder).names())
explorer = Explorer(lambda: Workspace(folder), lambda workspace: workspace.stacks(folder), Choices(folder))
links, state = Links(), explorer.state
first, page = timed(lambda: framed(map_page(state, links, Filters()), state, links))
forced = state.workspace.counters.forced
view = lambda: DocumentView(state, links, "t03-ue1-prod", "c07").page()
component, document = timed(lambda: framed(view(), state, links))
print(json.dumps({
    "names": names, "first": first, "component": component, "bytes": len(page.encode()),
    "component_bytes": len(document.encode()), "files": state.workspace.counters.files, "forced": forced,
}))
"""
"""Each round is a process of its own: the names of all stacks as `list stacks` works them out, then the pages."""


def run(report: Report) -> None:
    with stacks_repository() as folder:
        if folder is None:
            return
        command_cpu([PLAIT, "list", "stacks", "--chdir", str(folder)])  # fills the cache
        rounds = [_round(str(folder)) for _ in range(ROUNDS)]
    last = rounds[-1]
    ratios = {name: statistics.median(one[name] / one["names"] for one in rounds) for name in ("first", "component")}
    report("first page / names of stacks", ratios["first"], 1.5, files=last["files"], forced=last["forced"])
    report("one component / names of stacks", ratios["component"], 0.3)
    report("first page, kB", last["bytes"] / 1000, 300)
    report("one component, kB", last["component_bytes"] / 1000, 300)


def _round(folder: str) -> dict[str, float]:
    done = subprocess.run([PYTHON, "-c", PAGES, folder], capture_output=True, check=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found
