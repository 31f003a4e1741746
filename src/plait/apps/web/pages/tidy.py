"""What could be simpler: changes of files that leave every result as it is, each with its reason and its proof."""

from __future__ import annotations

from plait.apps.cli.line_diff import differing_lines
from plait.apps.cli.tidying import shown_change
from plait.apps.web.links import TIDY
from plait.apps.web.markup import NOTHING, h
from plait.apps.web.pages.frame import Page, counted, place, progress, prose
from plait.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.tidy.asking import TidySearch
    from plait.tidy.proposal import Proposal
    from plait.tidy.tidy import ProvedChanges

MOST = 200
"""How many proposals of one kind are shown."""
NAMED = 10
"""How many targets are named beside a proposal."""
PATIENCE = 1.0
"""Seconds that a page waits for the whole answer; the search goes on between the questions."""
TITLE = "What could be simpler"
LINES = {"+": "ins", "-": "del"}


def tidy_page(state: State, links: Links) -> Page:
    """Every proposal by kind, those that are found when the others are made, then what is not proved. Nothing is
    written from here."""
    search = state.simpler.look(PATIENCE if not state.patient else 1e9)
    rounds = search.rounds
    if rounds is None:
        return Page(TITLE, TIDY, h("h1", TITLE), *_underway(state, search))
    parts: list[Html] = []
    for number, found in enumerate(rounds):
        kinds: dict[str, list[Proposal]] = {}
        for one in found.proposals:
            kinds.setdefault(f"{'then ' if number else ''}{one.kind}", []).append(one)
        parts += [_kind(state, links, found, kind, several) for kind, several in kinds.items()]
    last = rounds[-1]
    parts += [_kind(state, links, last, "not proved", last.others)] if last.others else []
    return Page(TITLE, TIDY, h("h1", TITLE), *_summary(state, rounds), h("div", *parts, class_="simpler"))


def _underway(state: State, search: TidySearch) -> list[Html]:
    """How far the search is. What it found is shown when it is tried: until then, nobody knows what is secret."""
    first = search.first
    looked = first.uses.looked if first.uses is not None else first.count
    if looked < first.count:
        return [progress(looked, first.count, state.kind)]
    tried = len(first.proposals)
    said = f"{counted(tried, 'change')} found; looking for what they make possible" if tried else (
        f"{counted(first.candidates, 'change')} found so far; each is tried")  # fmt: skip
    return [h("p", h("progress", aria_label=said), f" {said}", class_="quiet", data_more=True)]


def _summary(state: State, rounds: list[ProvedChanges]) -> list[Html]:
    """How many proposals there are, what they were compared with, and how they are written."""
    found = rounds[0]
    compared = counted(found.count - len(found.failing), state.kind)
    many = sum(len(one.proposals) for one in rounds)
    said = f"{counted(many, 'change')} would leave every result of {compared} as it is: each was tried."
    failing = f"Not compared, because of errors: {', '.join(found.failing[:NAMED])}" if found.failing else ""
    how = h("p", "This page writes nothing: ", h("code", "plait tidy --write"), " does, ",
            h("code", "plait tidy --interactive"), " asks for each.", class_="quiet") if many else NOTHING  # fmt: skip
    return [
        h("p", said if many else f"Nothing can be simpler in {compared}.", role="status"),
        h("p", visible(failing), class_="quiet") if failing else NOTHING,
        how,
    ]


def _kind(state: State, links: Links, found: ProvedChanges, kind: str, several: list[Proposal]) -> Html:
    cards = [_card(state, links, found, one) for one in several[:MOST]]
    hidden = len(several) - MOST
    more = h("p", f"and {hidden:,} more: ", h("code", "plait tidy")) if hidden > 0 else None
    head = h("h2", kind, h("small", f" {counted(len(several), 'change')}"))
    return h("section", head, h("ul", *cards, class_="bands"), more)


def _card(state: State, links: Links, found: ProvedChanges, one: Proposal) -> Html:
    reveal = state.choices.reveal
    text = visible(shown_change(found, one, reveal))
    reason = one.obstacle or one.reason
    more = [h("p", visible(found.masked(line)), class_="quiet") for line in one.more]
    head = h("div", place(one.file.name, one.line, links), h("code", text),
             h("span", *prose(visible(found.masked(reason))), class_="role"), class_="head")  # fmt: skip
    if one.obstacle:
        return h("li", head, *more, class_="card lost")
    what = h("details", h("summary", "what changes"), *_lines(found, one, reveal), h("p", _proof(one), class_="quiet"))
    return h("li", head, *more, what, class_="card")


def _lines(found: ProvedChanges, one: Proposal, reveal: bool) -> list[Html]:
    """The lines of each file that differ."""
    shown = []
    for name, before, after in found.texts(one, reveal):
        lines = differing_lines(name, before, after).splitlines()
        rows = [h(LINES.get(line[:1], "span"), line) for line in [name, *lines[2:]]]
        shown.append(h("pre", *[[row, "\n"] for row in rows], class_="diff"))
    return shown


def _proof(one: Proposal) -> str:
    """The targets that were evaluated with the change."""
    targets = list(dict.fromkeys(target for target, _ in one.places))
    rest = f" and {len(targets) - NAMED:,} more" if len(targets) > NAMED else ""
    return visible(f"proved: every result of {', '.join(targets[:NAMED])}{rest} stays")
