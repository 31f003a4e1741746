"""A review as one self-contained page: nothing is fetched, it can be searched and folded, and text from files never
becomes markup. It looks as the explorer does."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from hashlib import sha256

from plait.apps.reviews.rows import (
    causes_of,
    count,
    errors_of,
    folded,
    headline,
    idle_rows,
    not_compared,
    remark,
    unseen_rows,
)
from plait.apps.web.assets import asset
from plait.apps.web.markup import NOTHING, Html, fragment, h
from plait.apps.web.picture import layers_picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.reviews.rows import ReviewRow
    from plait.apps.web.markup import Html
    from plait.review.finding import Effect
    from plait.review.hunks import Hunk
    from plait.review.review import CauseGroup, Review

FEW_ROWS = 60
"""Up to so many rows in all, every cause is unfolded at first; of more, the protected ones."""
NAMED, CHIPS = 6, 40
"""How many targets are named in a row, and at the top."""


def render(review: Review, reveal: bool) -> str:
    rows = [(group, folded(group, reveal)) for group in review.groups]
    unfolded = sum(len(mine) for _, mine in rows) <= FEW_ROWS
    return page(
        "plait review",
        h("h1", headline(review)),
        h("p", "compared with ", h("code", review.label), class_="quiet"),
        search("Search paths, values, files"),
        _tools(review),
        *(_group(review, group, mine, unfolded) for group, mine in rows),
        *(_layers(review, name, at) for at, name in enumerate(review.layers)),
        _errors("New errors", review, review.broken),
        _errors("Fixed errors", review, review.fixed),
        _list("Not compared", not_compared(review)),
        _list(
            "Changed lines that change no value",
            [*idle_rows(review), *((hunk.place, why) for hunk, why in review.tied)],
        ),
        _list("Changed lines whose effect is not known", unseen_rows(review)),
    )


def page(title: str, *content: object) -> str:
    """A page of its own: its policy allows its own style and its own script, and nothing else."""
    style, script = "".join(asset(f"{name}.css").decode() for name in ("style", "report")), asset("report.js").decode()
    policy = (
        f"default-src 'none'; style-src {_allowed(style)}; script-src {_allowed(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    head = h(
        "head",
        h("meta", charset="utf-8"),
        h("meta", http_equiv="Content-Security-Policy", content=policy),
        h("meta", name="viewport", content="width=device-width, initial-scale=1"),
        h("title", title),
        Html(f"<style>{style}</style>"),
    )
    body = h("body", h("main", *content), Html(f"<script>{script}</script>"))
    return f"<!doctype html>\n{h('html', head, body, lang='en')}\n"


def _allowed(text: str) -> str:
    """What a policy calls a text of our own."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def search(what: str) -> Html:
    return h("input", type="search", placeholder=what, aria_label="Search")


def part(title: Html | str, size: str, *content: object, summary: object = None, unfolded: bool = True) -> Html:
    """A part of a page that can be folded."""
    head = h("summary", h("span", size, class_="size"), h("span", title, class_="what"), summary)
    return h("details", head, *content, class_="panel", open=unfolded)


def table(heads: tuple[str, ...], rows: list[Html]) -> Html:
    """Rows of cells, with the names of their columns."""
    if not rows:
        return NOTHING
    head = h("tr", *(h("th", text, scope="col") for text in heads))
    return h("table", h("thead", head), h("tbody", *rows), class_="rows")


def _tools(review: Review) -> Html:
    """How many values change in each target, and folding."""
    counts = Counter(effect.target for effect in review.values)
    chips = [h("span", h("code", name), h("span", number), class_="chip") for name, number in counts.most_common(CHIPS)]
    more = h("span", f"and {count(len(counts) - CHIPS, f'more {review.kind}')}") if len(counts) > CHIPS else None
    buttons = [h("button", text, type="button", data_open=word) for text, word in (("Fold", "no"), ("Unfold", "yes"))]
    return h("div", *buttons, h("span", "values that change:", class_="quiet") if chips else None, *chips, more,
             class_="tools")  # fmt: skip


def _group(review: Review, group: CauseGroup, rows: list[ReviewRow], unfolded: bool) -> Html:
    size = f"{count(len(group.effects), 'value')}, {count(len(group.targets), review.kind)}"
    protected = review.protected(group)
    summary = fragment(
        *(h("div", f"protected: {guard}", class_="guard") for guard in protected),
        h("div", remark(group), class_="quiet") if remark(group) else None,
        *map(_hunk, group.hunks),
    )
    body = table(("value", "change", f"{review.kind}s"), [_row(review, row) for row in rows])
    return part(causes_of(group), size, body, summary=summary, unfolded=unfolded or bool(protected))


def _hunk(hunk: Hunk) -> Html:
    if hunk.whole:
        return h("div", h("span", hunk.summary, class_="quiet"), class_="hunk")
    old, new = ("".join(lines).rstrip("\n").split("\n") for lines in hunk.shown)
    margin = min((len(line) - len(line.lstrip(" ")) for line in (*old, *new) if line.strip()), default=0)
    texts = ["\n".join(line[margin:] for line in lines) for lines in (old, new)]
    return h("div", *(h(tag, h("code", text)) for tag, text in zip(("del", "ins"), texts, strict=True) if text),
             class_="hunk")  # fmt: skip


def _row(review: Review, row: ReviewRow) -> Html:
    more = len(row.targets) - NAMED
    names = ", ".join(row.targets[:NAMED])
    rest = h("details", h("summary", f"and {count(more, f'more {review.kind}')}"), ", ".join(row.targets[NAMED:]))
    return h("tr", h("td", h("code", row.name)), h("td", _change(row)), h("td", names, rest if more > 0 else None))


def _change(row: ReviewRow) -> Html:
    """The value before and after, as two marked texts where it has both."""
    both = f"{row.before} -> {row.after}"
    if row.change == both:
        return h("span", h("del", h("code", row.before)), " ", h("ins", h("code", row.after)), class_="change")
    return h("code", row.change)


def _layers(review: Review, name: str, at: int) -> Html:
    """The layers of a target, with those marked that the change touches."""
    shares = review.layers[name]
    changed = {hunk.file for hunk in review.hunks}
    size = f"{count(sum(share.wins for share in shares), 'value')} from {count(len(shares), 'file')}"
    return part(f"Layers of {name}", size, layers_picture(shares, _no_address, 12, changed), unfolded=at == 0)


def _no_address(name: str) -> str:
    return ""


def _errors(title: str, review: Review, effects: list[Effect]) -> Html:
    items = [
        h("li", h("b", row.name(review.kind)), " ", h("code", item), f" {row.places}")
        for row in errors_of(effects)
        for item in row.messages
    ]
    kind = "problems" if title.startswith("New") else "panel"
    return h("section", h("h2", title), h("ul", *items), class_=kind) if items else NOTHING


def _list(title: str, rows: list[tuple[str, str]]) -> Html:
    items = [h("li", h("code", name), f" {why}") for name, why in rows]
    return h("section", h("h2", title), h("ul", *items), class_="panel") if rows else NOTHING
