"""`make sanitize`: the native reader and emitter under AddressSanitizer and UndefinedBehaviorSanitizer, on texts,
columns and trees of every kind.

    python -m tests.native.sanitize                      for a minute of CPU time
    python -m tests.native.sanitize --seconds N --seed M  for longer, with other texts

It builds the module once more, with checks, into a temporary folder, and runs this file again with the checking
library loaded.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
from array import array
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.node import Node
    from plait.yaml.layout import Layout
    from plait.yaml.program import Program

ROOT = Path(__file__).parents[2]
FLAGS = "-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"


def checked(seconds: int, seed: int) -> int:
    """Build with checks, and run the loop below with them."""
    with tempfile.TemporaryDirectory() as folder:
        script = [sys.executable, str(ROOT / "native" / "build.py"), "--require", "--into", folder, f"--flags={FLAGS}"]
        if subprocess.run(script, check=False).returncode:
            return 1
        compiler = os.environ.get("CC", "cc")
        names = ("libasan.so", "libubsan.so")
        libraries = [
            subprocess.run(
                [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
            ).stdout.strip()
            for name in names
        ]
        env = {
            **os.environ,
            "LD_PRELOAD": ":".join(libraries),
            "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "detect_leaks=0",
        }
        env["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        words = [sys.executable, "-m", "tests.native.sanitize", "--inside", folder, "--seconds", str(seconds)]
        words += ["--seed", str(seed)]
        return subprocess.run(words, env=env, cwd=ROOT, check=False).returncode


def inside(folder: str, seconds: int, seed: int) -> int:
    """Read random texts with the checked module until the time is over."""
    file = next(Path(folder).glob("_native*"))
    spec = importlib.util.spec_from_file_location("plait._native", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["plait._native"] = module
    import plait

    plait._native = module  # type: ignore[attr-defined]
    from plait.core import native
    from plait.core.diagnostic import PlaitError
    from plait.core.source import Source
    from plait.core.walk import nodes_of
    from plait.yaml.build import Reading, build
    from plait.yaml.layout import Layout
    from plait.yaml.program import Program
    from tests.native.texts import FILES, PIECES
    from tests.yaml.test_reader12 import SIGNS, WORDS

    assert native.scan is module.scan
    plait.yaml.build.LEAST_STEPS = 2  # texts are small here
    pieces = [*WORDS, *SIGNS, *PIECES, *PIECES]
    random_ = random.Random(seed)
    ends = time.process_time() + seconds
    count = accepted = 0
    while time.process_time() < ends:
        text = (
            "".join(random_.choices(pieces, k=random_.randrange(15)))
            if random_.random() < 0.5
            else random_.choice(FILES)
        )
        for _ in range(random_.randrange(4)):
            at = random_.randrange(len(text) + 1)
            text = text[:at] + random_.choice(pieces) + text[at + random_.randrange(4) :]
        text = text[: random_.randrange(len(text) + 1)] if random_.random() < 0.2 else text
        count += 1
        found = module.scan(text, depth := random_.choice((3, 50)))
        placed = [Layout.scanned(Source("x", text), columns) for columns in module.places(text, depth) or ()]
        assert [tuple(map(list, (one.kinds, one.ats, one.texts))) for one in placed] == [one[:3] for one in found or []]
        for one in placed:
            with contextlib.suppress(PlaitError):
                print_randomly(build(one.program(), one.source, Reading(), by_parts=True), random_)
            with contextlib.suppress(PlaitError, ValueError, TypeError, LookupError, AttributeError, AssertionError):
                list(nodes_of(build(damaged(one, random_), one.source, Reading(), by_parts=True)))
            for two in (one, *placed[:2]):
                with contextlib.suppress(ValueError):
                    module.differing(*map_in(one, random_), *map_in(two, random_))
        for columns in found or ():
            accepted += 1
            with contextlib.suppress(PlaitError):
                print_randomly(build(Program(*columns), Source("x", text), Reading()), random_)
            with contextlib.suppress(PlaitError, ValueError, TypeError, KeyError, AttributeError, AssertionError):
                kinds, ats, texts, props = columns
                kinds = [random_.choice((kind, random_.randrange(14))) for kind in kinds]
                module.spans(random_.choice((kinds, bytes(kinds))), texts, random_.randrange(len(kinds) + 2) - 1)
                build(Program(kinds, ats, texts, props), Source("x", text), Reading())
        with contextlib.suppress(KeyError, TypeError):
            module.known_texts(*look_up(random_))
        module.reference(text, at := random_.randrange(len(text) + 1), random_.randrange(at, len(text) + 1))
        with contextlib.suppress(TypeError, AttributeError):
            module.union(*maps(random_))
        with contextlib.suppress(TypeError, AttributeError):
            module.merge(*layers(random_))
        with contextlib.suppress(TypeError, AttributeError):
            one, other = (random_.choice((*layers(random_)[0], None)) for _ in range(2))  # type: ignore[misc]
            module.soon_equal(one, other, random_.randrange(5))
            module.unlike(one.entries, other.entries, random_.randrange(5))
        with contextlib.suppress(TypeError, AttributeError, ValueError, RuntimeError):
            module.split_map(*page(random_))
        beside_lines(random_, text)
    print(f"{count} texts, {accepted} documents: nothing found")
    return 0


def damaged(layout: Layout, random_: random.Random) -> Program:
    """The steps of a document with some numbers of a column exchanged for others."""
    from plait.yaml.program import Program, SpannedTexts

    count = len(layout.kinds)
    texts = layout.texts
    assert isinstance(texts, SpannedTexts)
    columns = [array("i", column) for column in (texts.ats, texts.ends, texts.pairs)]
    kinds, marks = bytearray(texts.kinds), bytearray(texts.marks)
    for _ in range(random_.randrange(1, 4)):
        column = random_.choice((*columns, kinds, marks))
        low, high = (0, 15) if isinstance(column, bytearray) else (-2, count + 3)
        column[random_.randrange(count)] = random_.randrange(low, high)
    numbers = [column.tobytes() for column in columns]
    spans = SpannedTexts(texts.text, bytes(kinds), numbers, bytes(marks), texts.odd)
    return Program(bytes(kinds), spans.ats, spans, layout.props)


def map_in(layout: Layout, random_: random.Random) -> tuple[tuple[object, ...], int]:
    """The columns of a document, maybe damaged ones, and a step at which a map begins, if there is one."""
    program = random_.choice((layout.program(), damaged(layout, random_)))
    maps_ = [step for step, kind in enumerate(program.kinds) if kind == 2]
    return (program.kinds, program.ats, program.texts.columns()), random_.choice(maps_ or [0])  # type: ignore[union-attr]


def print_randomly(node: Node, random_: random.Random) -> None:
    """Write a tree in some style, and once more with one of its nodes damaged."""
    from plait.core.diagnostic import PlaitError
    from plait.core.walk import nodes_of
    from plait.yaml.emit import Style, emit_styled
    from plait.yaml.schema import CORE

    columns = [random_.randrange(1, 60), random_.choice((0, 2, 50))]
    flags = {name: random_.random() < 0.3 for name in ("sort_keys", "always", "reveal")}
    style = Style(*columns, item=random_.randrange(1, 5), schema=random_.choice((None, CORE)), **flags)
    emit_styled(node, style)
    broken = random_.choice(list(nodes_of(node)))
    slot = random_.choice(type(broken).__slots__)
    if random_.random() < 0.5:
        setattr(broken, slot, random_.choice((None, [], {}, "x", 1, (), {"a": 1}, [node.source], {1: broken.source})))
    else:
        delattr(broken, slot)
    with contextlib.suppress(PlaitError, TypeError, AttributeError, ValueError, AssertionError):
        emit_styled(node, style)


def look_up(random_: random.Random) -> tuple[list[object], dict[object, object], dict[object, object], list[int]]:
    """What is asked of a table of known texts: right, or wrong in some way."""
    nodes = [object() for _ in range(4)]
    keys: list[object] = random_.choices(("a", "b", 1, (), []), (9, 9, 3, 1, 1), k=random_.randrange(5))
    entries: dict[object, object] = dict(zip(("a", "b", 1, ()), random_.choices(nodes, k=4), strict=True))
    rows: list[object] = [(nodes[0], "text"), ("text",), "text", None]
    table: dict[object, object] = {
        key: random_.choice(({id(node): random_.choices(rows, (9, 1, 1, 1))[0] for node in nodes[:2]}, {}, None))
        for key in ("a", "b", 1)
    }
    return keys, entries, table, []


def maps(random_: random.Random) -> tuple[list[object], object, object]:
    """What a union is made of: right, or wrong in some way."""
    from plait.core.node import ListNode, MapNode, Mark, Scalar, in_place_of
    from plait.core.source import Source

    source, nothing = Source("x", ""), Scalar(None, "")
    values = [nothing, Scalar("s", "s", secret=True), MapNode({}), ListNode([]), Mark(source, 0, taken=nothing), None]
    unset = Scalar.__new__(Scalar)
    group: list[object] = [
        MapNode(
            {key: random_.choice((*values, *values, unset)) for key in random_.choices(("a", "b", 1, nothing), k=3)}
        )
        for _ in range(random_.randrange(5))
    ]
    if random_.random() < 0.1:
        group.append(random_.choice((None, MapNode.__new__(MapNode), MapNode([1]))))  # type: ignore[arg-type]
    kind: object = random_.choice((Mark, Mark, Mark, None, int))
    return group, random_.choice((in_place_of, in_place_of, None, lambda *_: nothing)), kind


def layers(random_: random.Random) -> tuple[object, ...]:
    """What a merge of plain maps is made of, with maps in maps: right, or wrong in some way."""
    from plait.core.node import MapNode, Parts
    from plait.core.policy import MergePolicy

    group, instead, mark = maps(random_)
    for node in group:
        if isinstance(node, MapNode) and isinstance(getattr(node, "entries", None), dict) and random_.random() < 0.7:
            inner = MapNode(dict(node.entries))
            node.entries["m"] = random_.choice((inner, MapNode({"a": inner}), *node.entries.values()))
            node.live = random_.choice((True, False, False, None))  # type: ignore[assignment]
            if random_.random() < 0.05:
                delattr(node, random_.choice(("live", "source", "at", "tag", "alone", "parts")))
    parts: object = random_.choice((Parts, Parts, Parts, tuple, None, lambda group: None))
    return group, MergePolicy(), instead, mark, parts


def beside_lines(random_: random.Random, text: str) -> None:
    """Origins of nodes, and notes beside lines: right, or wrong in some way."""
    import plait._native as module
    from plait.core.source import Source

    wrong = (TypeError, AttributeError, ValueError, MemoryError, OverflowError)
    sources = [Source("x", text), Source("\N{GRINNING FACE}", f"{text}\n")]
    group = [node for node in maps(random_)[0] if isinstance(getattr(node, "entries", None), dict)]
    for node in (one for holder in group for one in (holder, *holder.entries.values()) if hasattr(one, "source")):
        node.source = random_.choice((*sources, sources[0], sources[0], None))  # type: ignore[assignment]
        node.at = random_.choice((0, 5, random_.randrange(len(text) + 2), -1, None, 2**70))  # type: ignore[assignment]
    layers = [holder.entries for holder in group]
    merged = {key: node for entries in layers for key, node in entries.items()}
    several = {key for key in merged if sum(key in entries for entries in layers) > 1}
    values: list[object] = []
    keys: dict[object, object] = random_.choice(({}, {}, {"a": 1}))
    with contextlib.suppress(*wrong):
        module.plain_rows(merged, 0, dict(merged), several, tuple(layers), set(sources), keys, values, {})
    for holder in group:
        with contextlib.suppress(*wrong):
            module.written(holder, random_.choice(sources))
    nodes = [node for node in (*group, *values, *merged.values()) if random_.random() < 0.8]
    plain = random_.choice((lambda one: (f"{one.name}:", one.text), lambda one: None, lambda one: (1, 2), None))
    with contextlib.suppress(*wrong):
        module.origins(nodes, plain, random_.choice((str, None)))  # type: ignore[arg-type]
    rows: list[Any] = sorted(random_.choices(range(1, text.count("\n") + 3), k=random_.randrange(5)))
    rows = rows if random_.random() < 0.9 else [*rows, random_.choice((-1, None, 2**70, 1))]
    notes: list[Any] = random_.choices(
        ("x", " ", "", "\u2003", "\N{GRINNING FACE} ", text, None), (9,) * 6 + (1,), k=len(rows)
    )
    with contextlib.suppress(*wrong):
        module.longest(text, rows)
    with contextlib.suppress(*wrong):
        module.beside(text, rows, notes, random_.choice((0, 5, 80, -3, 2**62)), random_.choice(("  # ", "", "\u2003")))


def page(random_: random.Random) -> tuple[object, ...]:
    """A map that is written in parts, with tables that are right, or wrong in some way."""
    from plait.core.node import MapNode, Scalar

    group = [node for node in maps(random_)[0] if isinstance(node, MapNode)] or [MapNode({})]
    inner, node = random_.choice(group), random_.choice(group)
    inner.parts = random_.choice(((), (node,), None))  # type: ignore[assignment]
    top = MapNode({"m": inner, "n": node, "o": Scalar(1, "1"), "p": Scalar("s", "s", tag="!t")}, parts=(node,))
    depths = random_.choice((1, 2, 3, 4))
    heads: list[object] = [{"m": "m:", "n": "n:"} for _ in range(depths)]
    lines: list[object] = [{("o", int, "1"): "o: 1"} for _ in range(depths)]
    known: list[object] = [
        {"n": {id(node): random_.choice(((node, "n: n"), (node, "n: n"), (node,), None))}} for _ in range(depths)
    ]
    texts: list[object] = [random_.choice(("", "{")) for _ in range(depths)]
    tables = [heads, lines, known, texts, texts, random_.choice((",", "")), random_.randrange(4)]
    if random_.random() < 0.1:
        tables[random_.randrange(7)] = random_.choice(([], [None], None, 1, {}))
    ask = random_.choice(
        (lambda *_: "text", lambda *_: "text", lambda *_: None, None, lambda *_: top.entries.clear() or "x")
    )
    return top, random_.choice((0, 0, 0, -1, 5)), tuple(tables), ask


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", default="")
    args = parser.parse_args()
    return inside(args.inside, args.seconds, args.seed) if args.inside else checked(args.seconds, args.seed)


if __name__ == "__main__":
    sys.exit(main())
