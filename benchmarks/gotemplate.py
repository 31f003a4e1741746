"""Go templates: parsing and executing, against the package gotpl where it is installed (`pip install plait[bench]`).

The rows are times of ours as a part of theirs: 0.125 is eight times as fast.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.measure import Report, call_cpu, interleaved
from plait.gotemplate import parse, sprig
from plait.notations.gotemplate.template import Cache

TEXTS = [f"{{{{ .locals.name{number} | upper | quote }}}}" for number in range(5000)]
DATA = {"locals": {f"name{number}": f"acme-{number}" for number in range(5000)}}
ONE = "{{ .locals.name | upper | quote }}"
ONE_DATA = {"locals": {"name": "acme-vpc"}}
EXECUTIONS = 20_000


def ours_whole() -> Cache:
    """Every text parsed and executed, in a cache of its own."""
    cache = Cache()
    for text in TEXTS:
        cache.parse(text, sprig()).render(DATA)
    return cache


def ours_executed() -> None:
    template = parse(ONE)
    for _ in range(EXECUTIONS):
        template.render(ONE_DATA)


def theirs() -> dict[str, Callable[[], None]] | None:
    try:
        import gotpl
        from gotpl.funcs.sprig import text_func_map
    except ImportError:
        return None
    environment = gotpl.Environment(functions=text_func_map())

    def whole() -> None:
        for text in TEXTS[: len(TEXTS) // 10]:
            environment.from_string(text).render(DATA)

    template = environment.from_string(ONE)

    def executed() -> None:
        for _ in range(EXECUTIONS // 10):
            template.render(ONE_DATA)

    return {"whole": whole, "executed": executed}


def run(report: Report) -> None:
    measures = {
        "ours whole": lambda: call_cpu(ours_whole) / len(TEXTS),
        "ours executed": lambda: call_cpu(ours_executed) / EXECUTIONS,
    }
    other = theirs()
    if other is not None:
        measures["theirs whole"] = lambda: call_cpu(other["whole"]) / (len(TEXTS) // 10)
        measures["theirs executed"] = lambda: call_cpu(other["executed"]) / (EXECUTIONS // 10)
    took = interleaved(measures)
    rates = {name: round(1 / seconds) for name, seconds in took.items()}
    if other is not None:
        report(
            "5,000 texts parsed and executed / gotpl", took["ours whole"] / took["theirs whole"], 1 / 8,
            ours=f"{rates['ours whole']}/s", gotpl=f"{rates['theirs whole']}/s",
        )  # fmt: skip
        report(
            "a parsed template executed / gotpl", took["ours executed"] / took["theirs executed"], 1 / 4,
            ours=f"{rates['ours executed']}/s", gotpl=f"{rates['theirs executed']}/s",
        )  # fmt: skip
    else:
        report("microseconds to parse and execute", took["ours whole"] * 1e6, note="gotpl is not installed")
        report("microseconds to execute", took["ours executed"] * 1e6)
    repeated(report)
    large(report)


def repeated(report: Report) -> None:
    """The same text is parsed once per process."""
    cache = Cache()
    for _ in range(1000):
        cache.parse(ONE, sprig()).render(ONE_DATA)
    report("texts parsed for 1,000 renderings of one", cache.misses, 1)


def large(report: Report) -> None:
    """A template of a megabyte takes time in proportion."""
    piece = "line {{ .locals.name | upper }} and text that stays\n"
    seconds = {}
    for size in (100_000, 1_000_000):
        text = piece * (size // len(piece))
        start = time.process_time()
        Cache().parse(text, sprig()).render(ONE_DATA)
        seconds[size] = time.process_time() - start
    report("1 MB of template / 100 kB", seconds[1_000_000] / seconds[100_000], 20, seconds=round(seconds[1_000_000], 2))
