"""One meter for all the work of a run: time, steps, memory, values and output.

Every loop over data that a file can make longer, and every function whose result can be much larger than its
arguments, charges the meter *before* it does the work. A charge that goes beyond a budget raises `Overrun`, which
ends the run with one error (PL5xxx) at the place where the work was asked for.

**How to use it.** Take the meter from where you are: `scope.meter` in an expression, `project.meter` in a front,
`evaluator.meter` in the evaluator; functions below get it as an argument. Then:

| you are about to | call |
|---|---|
| go round a loop, look at a value, compare two names | `meter.step()`, or `meter.step(n)` for n of them at once |
| make a text or bytes of n characters, or a list of n items | `meter.make(n)`, or `meter.make(n * ITEM)` |
| call C code on user data (`join`, `replace`, `sorted`, `json.dumps`) | `meter.make(upper bound of result)` |
| build n values that stand for text which is written out more than once (aliases, references) | `meter.grow(n)` |
| print or write n characters | `meter.write(n)`; `meter.expect(n)` where they are not made yet and are charged later |
| hand out a finished tree in which parts may be shared | `check_size(tree, meter)` of `core/size.py` |
| add, multiply, raise or read whole numbers that a file chose | `meter.number(upper bound of the result's bits)` |

* Charge an **upper bound beforehand**. Signals wait until C code returns, so a call that would take a minute must be
  refused, not interrupted. `10 ** 1_000_000` is C code too.
* A step is about a microsecond of Python. `make` also charges steps, one for 64 characters: no need to charge both.
* **Hot loops** count for themselves and charge once in `SLICE` rounds.
* `Overrun` is never caught to go on: once a budget is used up, every later charge raises again. It is a `PlaitError`,
  but not a `Fault`, which is what places that collect errors catch; tests/test_architecture.py lists the few that
  catch both.
* You need not know the place. The evaluator adds the place of the expression that was being computed; where you know a
  better one, pass `at=Label...`.

**Proportion.** `steps`, `memory` and `output` are meant for up to `PORTION` characters of files. A run that has read
more may do proportionally more (`feed`, called where files are read): work stays linear in what was read, and large
honest repositories need no flags. `seconds` does not grow.

**Time** is CPU time of this process and of the children that ended, so that a busy machine does not decide a result.
A run over many targets has it for each, unless somebody chose it: `--max-seconds` is for the whole command. By the
clock, a run may take `WALL` times as long, however many targets it has.

**Who sets budgets.** Flags (`--max-steps`), variables (`PLAIT_MAX_STEPS`) and arguments of the library set them. A
repository's plait.yaml may lower them only: see `Meter.lower`.
"""

from __future__ import annotations

from os import times
from time import monotonic

from plait.core.diagnostic import Diagnostic, Fault, Label, NotKnown, PlaitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BUDGETS = {
    "depth": (1_000, "levels of nesting"),
    "nodes": (1_000_000, "values with aliases and references written out; in a spiff merge, what references multiply"),
    "size": (64_000_000, "bytes of one document, or of one computed text"),
    "steps": (3_000_000, "steps of evaluation, for each 256 kB of files read"),
    "memory": (128_000_000, "bytes that functions make, for each 256 kB of files read"),
    "output": (128_000_000, "characters printed, for each 256 kB of files read"),
    "seconds": (
        60,
        "seconds of CPU time for one command or one of many targets, and for the whole command where you set it; ten "
        "times as long by the clock",
    ),
    "call": (30, "seconds for one call to the outside"),
}
MESSAGES = {
    "depth": ("PL5001", "nested deeper than {limit} levels"),
    "nodes": ("PL5002", "more than {limit} values"),
    "steps": ("PL5004", "more than {limit} evaluation steps"),
    "seconds": ("PL5005", "the time limit of {limit} s is exceeded"),
    "wall": ("PL5005", "the time limit of {limit} s by the clock is exceeded"),
    "memory": ("PL5006", "more than {limit} bytes of values"),
    "output": ("PL5007", "more than {limit} characters of output"),
    "size": ("PL5008", "a value of more than {limit} bytes"),
    "digits": ("PL5009", "a whole number of more than {limit} digits"),
}
"""The code and the message for each budget that is used up."""

PORTION = 256_000
SLICE = 1024
ITEM = 8
"""What an item of a list or mapping costs, in bytes."""
LOOK = 2048
"""The clock is read once in so many steps."""
DIGITS = 10_000
"""The longest whole number, in decimal digits, that arithmetic takes or makes. It is a fixed limit, not a budget."""
BITS = DIGITS * 3.322


class Overrun(PlaitError):
    """A budget is used up: the run ends."""


def like(error: PlaitError, *diagnostics: Diagnostic) -> PlaitError:
    """An error with other findings, which ends the run, or says that a value is not known, if the first one does."""
    if isinstance(error, NotKnown):
        made = NotKnown(*diagnostics)
        made.why, made.value = error.why, error.value
        return made
    return Overrun(*diagnostics) if isinstance(error, Overrun) else Fault(*diagnostics)


class Budgets:
    """How much a run may use. Each budget has a default, a flag, a variable and a key of plait.yaml."""

    __slots__ = (*BUDGETS, "given")
    depth: int
    nodes: int
    size: int
    steps: int
    memory: int
    output: int
    seconds: int
    call: int

    def __init__(self, **limits: int) -> None:
        for name, (default, _) in BUDGETS.items():
            setattr(self, name, limits.get(name, default))
        self.given = frozenset(limits)
        """Those that somebody chose."""


DEFAULTS = Budgets()
WALL = 10
"""How much longer a run may take by the clock than it may compute."""


def cpu_seconds() -> float:
    """The CPU time of this process so far, with that of the children that ended."""
    return sum(times()[:4])


class Clock:
    """The time of one run. Projects that one question is about have one clock."""

    __slots__ = ("began", "computed", "is_whole", "renew", "seconds")

    def __init__(self, seconds: int, is_whole: bool = False) -> None:
        self.seconds = seconds
        self.is_whole = is_whole
        """Whether somebody chose how long: then all parts have the time together."""
        self.renew: Callable[[], None] | None = None
        """Begins the time of a timer again that backs up this clock."""
        self.restart()

    def restart(self) -> None:
        """Nothing is used yet."""
        self.began = monotonic()
        self.computed = cpu_seconds()

    def next_part(self) -> None:
        """A part of the run begins that may compute as long as the first, unless all have the time together."""
        if self.is_whole:
            return
        self.computed = cpu_seconds()
        if self.renew is not None:
            self.renew()

    @property
    def deadline(self) -> float:
        """When the run must end, by the clock."""
        return self.began + self.seconds * WALL

    @property
    def is_used_up(self) -> bool:
        """Whether the run has computed for as long as it may."""
        return cpu_seconds() - self.computed > self.seconds


class Meter:
    """What a run has used so far, and its limits."""

    budgets = DEFAULTS
    steps = made = nodes = printed = fed = 0
    max_steps, max_made, max_printed = DEFAULTS.steps, DEFAULTS.memory, DEFAULTS.output
    _look_at = LOOK
    _clock: Clock | None = None

    def __init__(self, budgets: Budgets | None = None, clock: Clock | None = None) -> None:
        self._clock = clock
        if budgets is not None:
            self.budgets = budgets
            self._begin()

    def restart(self) -> None:
        """Begin a new run: nothing is used yet. What was read stays counted."""
        self._begin()
        self.clock.restart()

    def _begin(self) -> None:
        self.steps = self.made = self.nodes = self.printed = 0
        self.clock.seconds = self.budgets.seconds
        self.feed(0)

    def next_part(self) -> None:
        """Begin a part of the run that has steps, memory, values and CPU time of its own: one of many targets. Output,
        and the time by the clock, are those of the whole run; so is CPU time that somebody chose."""
        self.glance()
        self.steps = self.made = self.nodes = 0
        self._look_at = LOOK
        self.clock.next_part()

    @property
    def clock(self) -> Clock:
        """The time of the run. A meter without budgets of its own begins to count when it is first asked."""
        if self._clock is None:
            self._clock = Clock(self.budgets.seconds, "seconds" in self.budgets.given)
        return self._clock

    @property
    def deadline(self) -> float:
        """When the run must end, by the clock."""
        return self.clock.deadline

    def lower(self, wishes: dict[str, int]) -> None:
        """Take the budgets that a repository wishes for where they are lower: it cannot raise them."""
        now = {name: getattr(self.budgets, name) for name in BUDGETS}
        self.budgets = Budgets(**{name: min(limit, wishes.get(name, limit)) for name, limit in now.items()})
        self._begin()

    def feed(self, size: int) -> None:
        """So many more characters of files were read: the run may do proportionally more."""
        self.fed += size
        budgets = self.budgets
        self.max_steps, self.max_made, self.max_printed = budgets.steps, budgets.memory, budgets.output
        if self.fed > PORTION:
            share = self.fed / PORTION
            self.max_steps = int(self.max_steps * share)
            self.max_made = int(self.max_made * share)
            self.max_printed = int(self.max_printed * share)
        self._look_at = min(self.steps + LOOK, self.max_steps + 1)

    def used(self) -> tuple[int, int, int, int]:
        """What was read, done, made and printed so far."""
        return self.fed, self.steps, self.made, self.printed

    def add(self, before: tuple[int, ...], after: tuple[int, ...]) -> None:
        """What a worker used, between these two: budgets are for all processes together."""
        fed, steps, made, printed = (late - early for early, late in zip(before, after, strict=True))
        self.feed(fed)
        self.made += made
        self.printed += printed
        self.step(steps)

    # Charging

    def step(self, count: int = 1, at: Label | None = None) -> None:
        """So many steps of work are about to be done."""
        self.steps += count
        if self.steps >= self._look_at:
            self._look(at)

    def make(self, size: int, at: Label | None = None) -> None:
        """A value of so many bytes is about to be made."""
        if size > self.budgets.size:
            raise self.overrun("size", self.budgets.size, at)
        self.made += size
        if self.made > self.max_made:
            raise self.overrun("memory", self.max_made, at)
        self.step((size >> 6) + 1, at)

    def grow(self, nodes: int, at: Label | None = None) -> None:
        """So many values are about to be written out that share their text with others."""
        self.nodes += nodes
        if self.nodes > self.budgets.nodes:
            raise self.overrun("nodes", self.budgets.nodes, at)

    def write(self, size: int, at: Label | None = None) -> None:
        """So many characters are about to be printed."""
        self.printed += size
        if self.printed > self.max_printed:
            raise self.overrun("output", self.max_printed, at)
        self.step(size >> 6, at)

    def expect(self, size: int, at: Label | None = None) -> None:
        """So many characters will be printed, and are charged when they are there: refuse them now if they are too
        many."""
        if self.printed + size > self.max_printed:
            raise self.overrun("output", self.max_printed, at)

    def number(self, bits: int, at: Label | None = None) -> None:
        """A whole number of up to so many bits is about to be computed, or read from text."""
        if bits > BITS:
            raise self.overrun("digits", DIGITS, at)
        self.step((bits >> 8) + 1, at)

    def glance(self, at: Label | None = None) -> None:
        """Look at the clock: before work that may be long, and that nothing else charges."""
        clock = self.clock
        if clock.is_used_up:
            raise self.overrun("seconds", clock.seconds, at)
        if monotonic() > clock.deadline:
            raise self.late(at)

    def late(self, at: Label | None = None, notes: tuple[str, ...] = ()) -> Overrun:
        """The error of a run that takes too long by the clock."""
        return self.overrun("wall", self.clock.seconds * WALL, at, notes)

    def seconds_left(self) -> float:
        """How much of its time the run has left, by the clock."""
        return max(0.0, self.deadline - monotonic())

    # Refusing

    def _look(self, at: Label | None) -> None:
        if self.steps > self.max_steps:
            raise self.overrun("steps", self.max_steps, at)
        self.glance(at)
        self._look_at = min(self.steps + LOOK, self.max_steps + 1)

    def overrun(self, name: str, limit: int, at: Label | None = None, notes: tuple[str, ...] = ()) -> Overrun:
        """The error of a budget that is used up."""
        code, message = MESSAGES[name]
        labels = (at,) if at is not None else ()
        flag = "seconds" if name == "wall" else name
        hint = f"--max-{flag} raises the limit" if flag in BUDGETS else ""
        return Overrun(Diagnostic(code, message.format(limit=f"{limit:,}"), labels, notes, hint))
