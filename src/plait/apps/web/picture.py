"""The layers of one target as a picture: files as bands, the highest on top, and arcs from what wins to what loses."""

from __future__ import annotations

from math import log2

from plait.apps.web.markup import NOTHING, h

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from plait.apps.web.markup import Html
    from plait.fronts.origins import Share

ROW, WIDTH = 56, 46
"""The height of a band with the gap below it, and the width of the arcs, in pixels; the style says the same."""
NAMED = 3
"""How many of the files that a band overrides are named."""


def layers_picture(
    shares: Sequence[Share], address: Callable[[str], str], most: int = 0, marked: Collection[str] = ()
) -> Html:
    """The bands of some layers, given from low to high; of very many, those with the most values, and those that are
    marked as changed."""
    ranked = sorted(shares, key=lambda share: (share.name not in marked, -share.gives))
    chosen = ranked[:most] if most else shares
    shown = [share for share in reversed(shares) if share in chosen]
    decided = max((share.wins + share.overridden for share in shown), default=1) or 1
    rows = [_band(share, decided, address, share.name in marked) for share in shown]
    hidden = len(shares) - len(shown)
    more = h("p", f"and {hidden} more", class_="quiet") if hidden else NOTHING
    return h("div", h("div", _arcs(shown), h("ol", *rows, class_="bands", reversed=True), class_="layered"), more)


def _band(share: Share, decided: int, address: Callable[[str], str], changed: bool) -> Html:
    words = ", ".join(filter(None, (f"decides {_values(share.wins)}", _lost(share), _removed(share))))
    there = address(share.name)
    name = h("a", share.name, href=there, class_="place") if there else h("span", share.name, class_="place")
    mark = h("span", "changed", class_="badge new-badge") if changed else None
    head = h("div", name, mark, h("span", words, class_="count"), class_="head")
    below = h("div", _bar(share, decided), h("span", _over(share), class_="over"), class_="head")
    return h("li", head, below, class_="card" if share.wins else "card lost",
             title=f"{share.name}: {', '.join(filter(None, (words, _over(share))))}")  # fmt: skip


def _values(number: int) -> str:
    return f"{number:,} value{'' if number == 1 else 's'}"


def _lost(share: Share) -> str:
    return f"{share.overridden:,} overridden" if share.overridden else ""


def _removed(share: Share) -> str:
    return f"removes {_values(share.removes)}" if share.removes else ""


def _over(share: Share) -> str:
    """What a layer overrides, in words."""
    rows = sorted(share.over.items(), key=lambda one: -one[1])
    named = ", ".join(f"{count} of {name}" for name, count in rows[:NAMED])
    more = f" and {len(rows) - NAMED} more files" if len(rows) > NAMED else ""
    return f"overrides {named}{more}" if rows else ""


def _bar(share: Share, decided: int) -> Html:
    """How much a layer says: what is in the result, then what is not."""
    wins, lost = 100 * share.wins / decided, 100 * share.overridden / decided
    parts = [h("rect", width=f"{wins:.1f}", height=4, class_="wins"),
             h("rect", x=f"{wins:.1f}", width=f"{lost:.1f}", height=4)]  # fmt: skip
    return h("svg", *parts, viewBox="0 0 100 4", preserveAspectRatio="none", class_="share", aria_hidden="true")


def _arcs(shown: Sequence[Share]) -> Html:
    """From each band to those that it overrides: the more values, the thicker. The words of the bands say the same."""
    rows = {share.name: at for at, share in enumerate(shown)}
    drawn: list[Html] = []
    for share in shown:
        for name, count in share.over.items():
            if name in rows:
                drawn += _arc(rows[share.name], rows[name], count)
    height = max(len(shown) * ROW, 1)
    return h("svg", *drawn, viewBox=f"0 0 {WIDTH} {height}", width=WIDTH, height=height, class_="arcs",
             aria_hidden="true")  # fmt: skip


def _arc(high: int, low: int, count: int) -> list[Html]:
    start, end = high * ROW + ROW // 2 - 6, low * ROW + ROW // 2 + 4
    bend = WIDTH - 6 - min(WIDTH - 10, 12 + 7 * abs(low - high))
    line = h("path", d=f"M{WIDTH} {start}C{bend} {start} {bend} {end} {WIDTH - 5} {end}",
             stroke_width=f"{1 + min(log2(count + 1), 4) * 0.7:.1f}")  # fmt: skip
    return [line, h("circle", cx=WIDTH - 5, cy=end, r=3.5)]
