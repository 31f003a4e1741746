"""A drawing of who imports whom: boxes in columns, importers on the left, as SVG."""

from __future__ import annotations

from plait.apps.web.markup import fragment, h

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plait.apps.web.markup import Html

    Edges = Mapping[str, Iterable[str]]
    """Every name with the names that it leads to."""

HEIGHT, GAP, BETWEEN, LETTER = 24, 10, 74, 7.25
LONGEST = 34
ROWS = 12
"""How many boxes are below each other."""


class Box:
    """One name in the drawing: where it leads, how it is filled, and its tooltip."""

    __slots__ = ("address", "kind", "label", "name", "note", "x", "y")

    def __init__(self, label: str, address: str = "", kind: str = "", note: str = "") -> None:
        self.label = shortened(label)
        self.name = label
        self.address = address
        self.kind = kind
        self.note = note
        self.x = self.y = 0.0

    @property
    def width(self) -> float:
        return len(self.label) * LETTER + 20


def shortened(label: str) -> str:
    """The end of a long name, from where a folder begins if that is near."""
    if len(label) <= LONGEST:
        return label
    end = label[2 - LONGEST :]
    slash = end.find("/")
    return f"\u2026{end[slash:] if 0 <= slash < LONGEST // 2 else end}"


def drawing(boxes: dict[str, Box], edges: Edges, title: str) -> Html:
    """The boxes and the lines between them."""
    width, height = _placed(boxes, edges)
    lines = [_line(boxes[name], boxes[below]) for name in boxes for below in edges.get(name, ()) if below in boxes]
    return h(
        "svg",
        h("title", title),
        h("g", *lines, class_="edges"),
        *map(_drawn, boxes.values()),
        viewBox=f"0 0 {width:.0f} {height:.0f}", width=f"{width:.0f}", height=f"{height:.0f}", class_="graph",
        role="group", aria_label=title,
    )  # fmt: skip


def _placed(boxes: dict[str, Box], edges: Edges) -> tuple[float, float]:
    """Give every box its place; the size of the whole."""
    levels: dict[int, list[str]] = {}
    for name, depth in depths(list(boxes), edges).items():
        levels.setdefault(depth, []).append(name)
    tallest = min(ROWS, max(map(len, levels.values()), default=0)) * (HEIGHT + GAP) - GAP
    x = 1.0
    above: dict[str, list[float]] = {}
    for depth in sorted(levels):
        names = sorted(levels[depth], key=lambda name: (_mean(above.get(name)), name))
        rows = -(-len(names) // -(-len(names) // ROWS))  # columns of about the same height
        top = 1 + (tallest + GAP - rows * (HEIGHT + GAP)) / 2
        for start in range(0, len(names), rows):
            x += _column([boxes[name] for name in names[start : start + rows]], x, top) + GAP
        x += BETWEEN - GAP
        for name in names:
            for below in edges.get(name, ()):
                above.setdefault(below, []).append(boxes[name].y)
    return max(x - BETWEEN + 1, 1.0), max(tallest + 2, 1.0)


def _column(boxes: list[Box], x: float, top: float) -> float:
    """Place some boxes below each other; how wide they are."""
    for row, box in enumerate(boxes):
        box.x, box.y = x, top + row * (HEIGHT + GAP)
    return max(box.width for box in boxes)


def _mean(numbers: list[float] | None) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def depths(names: list[str], edges: Edges) -> dict[str, int]:
    """The column of each name: one after the last of those that lead to it. A circle is cut where it is entered."""
    order: list[str] = []
    seen: set[str] = set()
    known = set(names)
    for start in names:
        work = [(start, iter(edges.get(start, ())))] if start not in seen else []
        seen.add(start)
        while work:
            name, rest = work[-1]
            below = next((one for one in rest if one in known and one not in seen), None)
            if below is None:
                order.append(name)
                work.pop()
            else:
                seen.add(below)
                work.append((below, iter(edges.get(below, ()))))
    found = dict.fromkeys(names, 0)
    rank = {name: at for at, name in enumerate(order)}
    for name in reversed(order):
        for below in edges.get(name, ()):
            if below in known and rank[below] < rank[name]:
                found[below] = max(found[below], found[name] + 1)
    return found


def _drawn(box: Box) -> Html:
    inner = fragment(
        h("title", f"{box.name}: {box.note}" if box.note else box.name),
        h("rect", x=f"{box.x:.0f}", y=f"{box.y:.0f}", width=f"{box.width:.0f}", height=HEIGHT, rx=5),
        h("text", box.label, x=f"{box.x + 9:.0f}", y=f"{box.y + 16:.0f}"),
    )
    kind = f"box {box.kind}".strip()
    return h("a", inner, href=box.address, class_=kind) if box.address else h("g", inner, class_=kind)


def _line(start: Box, end: Box) -> Html:
    x, y, to_x, to_y = start.x + start.width, start.y + HEIGHT / 2, end.x, end.y + HEIGHT / 2
    bend = max((to_x - x) / 2, 24)
    return h("path", d=f"M{x:.0f} {y:.0f}C{x + bend:.0f} {y:.0f} {to_x - bend:.0f} {to_y:.0f} {to_x:.0f} {to_y:.0f}")
