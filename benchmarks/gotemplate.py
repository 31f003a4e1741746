"""Go templates: parsing and executing, against the package gotpl where it is installed (`pip install plait[bench]`).

The rows are times of ours as a part of theirs: 0.125 is eight times as fast.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.measure import Report, call_cpu, interleaved
from plait.gotemplate import parse, sprig
from plait.notations.gotemplate.template import Cache

TEXTS = [f"{{{{ .locals.name{number} | upper | quote }}}}" for number in range(5000)]
DATA = {"locals": {f"name{number}": f"acme-{number}" for number in range(5000)}}
ONE = "{{ .locals.name | upper | quote }}"
ONE_DATA = {"locals": {"name": "acme-vpc"}}
EXECUTIONS = 20_000


def ours_whole(kept: list[Cache]) -> float:
    """Every text parsed and executed, in a cache of its own, which is kept as a process keeps it."""
    kept.clear()

    def work() -> None:
        kept.append(Cache())
        for text in TEXTS:
            kept[0].parse(text, sprig()).render(DATA)

    return call_cpu(work) / len(TEXTS)


def ours_executed() -> None:
    template = parse(ONE)
    for _ in range(EXECUTIONS):
        template.render(ONE_DATA)


def theirs() -> dict[str, Callable[[], float]] | None:
    """gotpl in the way of its documentation, with a template for each text, and in its fastest, with one
    environment."""
    try:
        import gotpl
        from gotpl.funcs.sprig import text_func_map
    except ImportError:
        return None
    functions = text_func_map()
    environment = gotpl.Environment(functions=functions)
    template = environment.from_string(ONE)
    some = TEXTS[:500]

    def each() -> None:
        for text in some:
            gotpl.Template(text, functions=functions).render(DATA)

    def shared() -> None:
        for text in some:
            environment.from_string(text).render(DATA)

    def executed() -> None:
        for _ in range(EXECUTIONS // 10):
            template.render(ONE_DATA)

    return {
        "gotpl.Template": lambda: call_cpu(each) / len(some),
        "gotpl.Environment": lambda: call_cpu(shared) / len(some),
        "gotpl executed": lambda: call_cpu(executed) / (EXECUTIONS // 10),
    }


def run(report: Report) -> None:
    kept: list[Cache] = []
    measures = {"ours": lambda: ours_whole(kept), "ours executed": lambda: call_cpu(ours_executed) / EXECUTIONS}
    took = interleaved({**measures, **(theirs() or {})})
    compare(report, "5,000 texts parsed and executed / gotpl.Template", took, "ours", "gotpl.Template", 1 / 8)
    compare(report, "5,000 texts parsed and executed / gotpl.Environment", took, "ours", "gotpl.Environment", None)
    compare(report, "a parsed template executed / gotpl", took, "ours executed", "gotpl executed", 1 / 4)
    kept.clear()
    repeated(report)
    large(report)


def compare(report: Report, name: str, took: dict[str, float], ours: str, other: str, limit: float | None) -> None:
    """One row: our time as a part of theirs, with the rates of both."""
    rate = f"{1 / took[ours]:,.0f}/s"
    if other in took:
        report(name, took[ours] / took[other], limit, ours=rate, theirs=f"{1 / took[other]:,.0f}/s")
    else:
        report(f"{name} (not installed): microseconds", took[ours] * 1e6, ours=rate)


def repeated(report: Report) -> None:
    """The same text is parsed once per process."""
    cache = Cache()
    for _ in range(1000):
        cache.parse(ONE, sprig()).render(ONE_DATA)
    report("texts parsed for 1,000 renderings of one", cache.misses, 1)


def large(report: Report) -> None:
    """A template of a megabyte takes time in proportion."""
    piece = "line {{ .locals.name | upper }} and text that stays\n"

    def work(size: int) -> float:
        text = piece * (size // len(piece))
        return call_cpu(lambda: Cache().parse(text, sprig()).render(ONE_DATA))

    took = interleaved({"small": lambda: work(100_000), "large": lambda: work(1_000_000)})
    report(
        "1 MB of template / 100 kB (quadratic would be 100)",
        took["large"] / took["small"],
        40,
        seconds=round(took["large"], 2),
    )
