"""The explorer on the large repository: its first page and one component, against the names of all stacks."""

from __future__ import annotations

import json
import subprocess

from benchmarks.measure import PLAIT, PYTHON, ROUNDS, Report, command_cpu, stacks_repository

PAGES = """
import gc, json, sys, time
from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.links import DOCUMENT, MAP, Links
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.frame import framed
from plait.apps.web.pages.map import cells_data
from plait.apps.web.site import PAGES

gc.disable()
explorer = explorer_of(read_words(COMMAND, ["-C", sys.argv[1]]))
links, state = Links(), explorer.state

def taken(made):
    before = time.process_time()
    text = framed(made(), state, links)
    return time.process_time() - before, state.workspace.counters.files, len(text.encode()) / 1000

def asked(kind, **words):
    return taken(lambda: PAGES[kind](state, words))

def worked_out(target, document):
    return taken(lambda: DocumentView(state, links, target, document).page())

def row(target):
    cells_data(state, [target])

"""
"""Each situation is a process of its own, from an explorer that has been started."""
SITUATIONS = {
    "map": 'found = asked(MAP)',
    "visible": 'asked(MAP); row("t03-ue1-prod"); found = worked_out("t03-ue1-prod", "c07")',
    "elsewhere": 'asked(MAP); row("t03-ue1-prod"); list(state.prepared()); found = worked_out("t05-ue1-prod", "c09")',
    "again": 'found = asked(DOCUMENT, target="t03-ue1-prod", document="c07")',
    "new": 'found = worked_out("t03-ue1-prod", "c07")',
}  # fmt: skip
"""The first page. A component of a row that is visible; of another row, after the explorer has read on by itself; as
the first thing after a start, where an earlier run was asked for it, and where none was."""
Taken = tuple[float, int, float]
"""Seconds of CPU time, files that were read so far, and the size of the page in kB."""


def run(report: Report) -> None:
    with stacks_repository() as folder:
        if folder is None:
            return
        listing = [PLAIT, "list", "stacks", "--chdir", str(folder)]
        for _ in range(2):  # fills the cache, and leaves the map, one component and the list for the next run
            command_cpu(listing)
            _taken(str(folder), "again")
        rounds = [_round(str(folder), listing) for _ in range(ROUNDS)]
    _report(report, rounds)


def _round(folder: str, listing: list[str]) -> dict[str, Taken]:
    names = {"list": (command_cpu(listing), 0, 0.0), "list anew": (command_cpu([*listing, "--no-cache"]), 0, 0.0)}
    return {**names, **{name: _taken(folder, name) for name in SITUATIONS}}


def _taken(folder: str, situation: str) -> Taken:
    code = f"{PAGES}{SITUATIONS[situation]}; print(json.dumps(found))"
    done = subprocess.run([PYTHON, "-c", code, folder], capture_output=True, check=True, text=True)
    found: list[float] = json.loads(done.stdout)
    return found[0], int(found[1]), found[2]


def _report(report: Report, rounds: list[dict[str, Taken]]) -> None:
    last = rounds[-1]

    def ratio(name: str, situation: str, limit: float, beside: str) -> None:
        value = min(one[situation][0] for one in rounds) / min(one[beside][0] for one in rounds)
        report(name, value, limit, files=last[situation][1])

    ratio("first page / list stacks, both again", "map", 1.5, "list")
    ratio("component first after a start / list stacks, both again", "again", 0.3, "list")
    ratio("component of a visible row / list stacks anew", "visible", 0.3, "list anew")
    ratio("component of another row / list stacks anew", "elsewhere", 0.3, "list anew")
    ratio("component first after a start / list stacks, both anew", "new", 0.3, "list anew")
    report("first page, kB", last["map"][2], 300)
    report("one component, kB", last["visible"][2], 300)
