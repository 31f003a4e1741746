"""A review as one self-contained page: nothing is fetched, it can be searched, and text from files never becomes
markup."""

from __future__ import annotations

from html import escape

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
from plait.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.review.review import CauseGroup, Effect, Review

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --bad: #c33; --place: #27b; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
input { font: inherit; padding: .4rem .6rem; width: 100%; box-sizing: border-box; border: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .8rem 0; }
summary { cursor: pointer; padding: .6rem .8rem; } summary b { color: var(--place); font-family: monospace; }
summary span { float: right; opacity: .7; } .guard { color: var(--bad); font-weight: bold; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .3rem .8rem; vertical-align: top; }
tr { border-top: 1px solid var(--soft); } code { font-size: .92em; overflow-wrap: anywhere; }
del { background: #f002; text-decoration: none; } ins { background: #0a03; text-decoration: none; }
@media print { input { display: none } details { break-inside: avoid } }
"""
SCRIPT = """
const box = document.querySelector('input');
box.addEventListener('input', () => {
  const word = box.value.toLowerCase();
  for (const row of document.querySelectorAll('tbody tr, li')) {
    row.hidden = !row.textContent.toLowerCase().includes(word);
  }
  for (const part of document.querySelectorAll('details')) {
    part.hidden = !part.textContent.toLowerCase().includes(word);
    if (word) part.open = true;
  }
});
"""


def render(review: Review, reveal: bool) -> str:
    parts = [f"<h1>{as_html(headline(review))}</h1>", f"<p>compared with <code>{as_html(review.label)}</code></p>"]
    parts.append('<input type="search" placeholder="Search paths, values, files" aria-label="Search">')
    parts += [_group(review, group, reveal) for group in review.groups]
    parts += [_errors("New errors", review, review.broken), _errors("Fixed errors", review, review.fixed)]
    parts += [_not_compared(review), _idle(review)]
    return page("plait review", "\n".join(filter(None, parts)))


def page(title: str, body: str) -> str:
    """A page of its own around a body that is markup already."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style>"
    )
    script = f"<script>{SCRIPT}</script>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n{script}\n</body></html>\n'


def _group(review: Review, group: CauseGroup, reveal: bool) -> str:
    size = f"{count(len(group.effects), 'value')}, {count(len(group.targets), review.kind)}"
    guards = "".join(f'<div class="guard">protected: {as_html(guard)}</div>' for guard in review.protected(group))
    note = f"<div>{as_html(remark(group))}</div>" if remark(group) else ""
    diff = "".join(
        f"<div><code><del>{as_html(''.join(hunk.shown[0]).strip())}</del> "
        f"<ins>{as_html(''.join(hunk.shown[1]).strip())}</ins></code></div>"
        for hunk in group.hunks
        if not hunk.whole
    )
    rows = "".join(
        f"<tr><td><code>{as_html(row.name)}</code></td><td><code>{as_html(row.change)}</code></td>"
        f"<td>{as_html(', '.join(row.targets))}</td></tr>"
        for row in folded(group, reveal)
    )
    opened = " open" if review.protected(group) else ""
    return (
        f"<details{opened}><summary><span>{size}</span><b>{as_html(causes_of(group))}</b>{guards}{note}{diff}</summary>"
        f"<table><thead><tr><th>value</th><th>change</th><th>{as_html(review.kind)}s</th></tr></thead><tbody>{rows}</tbody></table>"
        "</details>"
    )


def _errors(title: str, review: Review, effects: list[Effect]) -> str:
    if not effects:
        return ""
    items = "".join(
        f"<li><b>{as_html(row.name(review.kind))}</b> <code>{as_html(item)}</code> {as_html(row.places)}</li>"
        for row in errors_of(effects)
        for item in row.messages
    )
    return f"<h2>{title}</h2><ul>{items}</ul>"


def _not_compared(review: Review) -> str:
    items = "".join(f"<li><b>{as_html(name)}</b> {as_html(why)}</li>" for name, why in not_compared(review))
    return f"<h2>Not compared</h2><ul>{items}</ul>" if items else ""


def _idle(review: Review) -> str:
    rows = idle_rows(review)
    rows += [(hunk.place, "cancelled by other lines of this change") for hunk in review.cancelling]
    return _places("Changed lines without effect", rows) + _places(
        "Changed lines whose effect is not known", unseen_rows(review)
    )


def _places(title: str, rows: list[tuple[str, str]]) -> str:
    items = "".join(f"<li><code>{as_html(place)}</code> {as_html(why)}</li>" for place, why in rows)
    return f"<h2>{title}</h2><ul>{items}</ul>" if rows else ""


def as_html(text: str) -> str:
    """Text from files, which never becomes markup."""
    return escape(visible(text))
