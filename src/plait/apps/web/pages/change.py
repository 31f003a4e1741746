"""Changes: what differs from a base revision and why, and what would happen if a value were another one."""

from __future__ import annotations

from time import monotonic

from plait.apps.cli.explanation import brief
from plait.apps.cli.line_diff import differing_lines
from plait.apps.cli.result_edit import change_text
from plait.apps.reviews.rows import causes_of, errors_of, folded, headline, not_compared, remark
from plait.apps.web.links import CHANGE
from plait.apps.web.markup import NOTHING, fragment, h
from plait.apps.web.pages.frame import Page, counted, in_targets, place, problems, prose
from plait.core.diagnostic import Fault
from plait.core.path import format_path
from plait.core.struct import struct
from plait.core.visible import visible
from plait.edits.value import ResultEdit
from plait.fronts.typed import typed_path
from plait.report.catalog import NO_PLACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.apps.reviews.rows import ReviewRow
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.edits.value import ResultEdit, Trial
    from plait.fronts.editing import WrittenPlace
    from plait.review.finding import Effect
    from plait.review.hunks import Hunk
    from plait.review.review import CauseGroup, Review

PATIENCE = 1.0
"""Seconds that places are tried for before an answer is given."""
LAST = "9"
"""The rank of a place that was not tried yet."""
MOST = 50
"""How many changes of a cause, or of a what-if, are listed."""


# The review


def change_page(state: State, links: Links, base: str) -> Page:
    form = h(
        "form",
        h("label", "compare with ", h("input", type="search", name="base", value=base, placeholder="main, HEAD~1, v1.2",
                                      autocomplete="off")),
        h("button", "Compare", type="submit"),
        class_="controls", action=links.page(CHANGE), method="get",
    )  # fmt: skip
    status, body = 200, _invitation()
    try:
        body = _review(state, links, state.review(base)) if base else body
    except Fault as error:
        status, body = 422, problems(error.diagnostics)
    return Page("Change", CHANGE, h("h1", "Change"), NOTHING if links.static else form, body, status=status)


def _invitation() -> Html:
    text = "Name a revision: the page then shows every value that differs from it, and the lines that cause it."
    return h("p", text, class_="quiet")


def _review(state: State, links: Links, review: Review) -> Html:
    notes = [h("p", note, class_="quiet") for note in review.notes]
    groups = [_group(state, links, review, group) for group in review.groups]
    idle = [*review.idle, *review.tied]
    return fragment(
        h("h2", headline(review), h("small", f" compared with {review.label}")),
        *notes,
        _errors("New errors", review, review.broken),
        _errors("Fixed errors", review, review.fixed),
        *groups,
        _not_compared(review),
        _lines_with("Changed lines that change no value", state, links, idle),
        _lines_with("Changed lines whose effect is not known", state, links, review.unseen),
    )


def _group(state: State, links: Links, review: Review, group: CauseGroup) -> Html:
    places = [_hunk(state, links, hunk) for hunk in group.hunks] or [h("p", causes_of(group))]
    size = f"{counted(len(group.effects), 'value')} {in_targets(sorted(group.targets), review.kind)}"
    guards = [h("p", f"protected: {guard}", class_="guard") for guard in review.protected(group)]
    note = h("p", remark(group), class_="quiet") if remark(group) else None
    rows = folded(group, state.choices.reveal)
    body = [_row(state, links, review, row) for row in rows[:MOST]]
    head = h("tr", *(h("th", text, scope="col") for text in ("value", "change", f"{review.kind}s")))
    more = h("p", f"and {len(rows) - MOST} more", class_="quiet") if len(rows) > MOST else None
    return h("section", h("p", size, class_="size quiet"), *places, *guards, note,
             h("table", h("thead", head), h("tbody", *body), class_="rows"), more, class_="panel cause")  # fmt: skip


def _hunk(state: State, links: Links, hunk: Hunk) -> Html:
    known = hunk.file in state.survey.links()
    where = place(hunk.file, hunk.line, links) if known else h("span", hunk.place, class_="place")
    return h("div", where, _lines("del", hunk.shown[0]), _lines("ins", hunk.shown[1]), class_="hunk")


def _lines(tag: str, lines: Iterable[str]) -> Html:
    text = "".join(lines).rstrip("\n")
    return h(tag, h("code", text)) if text else NOTHING


def _row(state: State, links: Links, review: Review, row: ReviewRow) -> Html:
    first = row.targets[0]
    address = links.document(first, row.document or state.part, row.path) if row.kind != "removed" else ""
    name = h("code", row.name)
    shown = h("details", h("summary", counted(len(row.targets), review.kind)), h("p", ", ".join(row.targets)))
    return h("tr", h("td", h("a", name, href=address) if address else name), h("td", h("code", row.change)),
             h("td", shown if len(row.targets) > 1 else first))  # fmt: skip


def _errors(title: str, review: Review, effects: list[Effect]) -> Html:
    if not effects:
        return NOTHING
    items = [
        h("li", f"{row.name(review.kind)}: ", h("code", text)) for row in errors_of(effects) for text in row.messages
    ]
    return h("section", h("h2", title), h("ul", *items), class_="problems" if title.startswith("New") else "panel")


def _not_compared(review: Review) -> Html:
    items = [h("li", h("b", name), " ", why) for name, why in not_compared(review)]
    return h("section", h("h2", "Not compared"), h("ul", *items), class_="panel") if items else NOTHING


def _lines_with(title: str, state: State, links: Links, rows: list[tuple[Hunk, str]]) -> Html:
    if not rows:
        return NOTHING
    items = [h("div", _hunk(state, links, hunk), h("p", why, class_="quiet")) for hunk, why in rows]
    return h("section", h("h2", title), *items, class_="panel")


# What would happen


@struct
class WantedChange:
    """A proposed value: where, and which one. Without a text, none at all."""

    target: str
    document: str
    path: str
    value: str
    remove: bool = False

    @property
    def words(self) -> dict[str, str]:
        """The wish as the words of an address or a form."""
        return {"target": self.target, "document": self.document, "path": self.path, "value": self.value,
                "remove": "yes" if self.remove else ""}  # fmt: skip

    def edit(self, state: State) -> ResultEdit:
        """Every place where it can be written; PlaitError where there is none."""
        from plait.fronts.typed_values import typed_value

        node = None if self.remove else typed_value(self.value, False, self.path)
        target = state.survey.of.find(self.target)
        document = state.survey.document(self.target, self.document)
        return ResultEdit(target, document or target.named(self.document), typed_path(self.path), node)


def change_form(state: State, links: Links, target: str, document: str, path: str) -> Html:
    """The question what would happen, where a server can answer it."""
    if links.static:
        return NOTHING
    hidden = [h("input", type="hidden", name=name, value=value)
              for name, value in (("target", target), ("document", document), ("path", path))]  # fmt: skip
    return h(
        "form",
        *hidden,
        h("label", "What if it were ", h("input", name="value", autocomplete="off", placeholder="a value, as YAML",
                                         required=True)),
        h("button", "Show", type="submit"),
        class_="wish", action="/try", method="get",
    )  # fmt: skip


def trials(state: State, links: Links, asked: WantedChange) -> Html:
    """The places where a value can be written, the narrowest first, each with everything that would change.

    In a large repository only the first places are tried at once; the page asks for the others one by one.
    """
    edit = state.edit_of(asked)
    until = monotonic() + PATIENCE
    tried = [edit.trial(site) for at, site in enumerate(edit.sites) if not at or monotonic() < until]
    rows = [_trial(state, links, asked, edit, trial) for trial in sorted(tried, key=lambda trial: rank(edit, trial))]
    rows += [_waiting(links, asked, site) for site in edit.sites[len(tried) :]]
    nowhere = NOTHING if edit.sites else _by_hand(edit, links)
    now = brief(edit.now, state.choices.reveal) if edit.now is not None else "not set"
    wanted = "removed" if asked.remove else visible(asked.value)
    return h("div", h("p", h("code", asked.path), " is ", h("code", now), ", and would be ", h("code", wanted)),
             h("ol", *rows, class_="trials") if rows else nowhere, class_="outcome", role="status")  # fmt: skip


def _by_hand(edit: ResultEdit, links: Links) -> Html:
    """The template that makes a value which no other file can change."""
    where = place(*edit.decider, links)
    return h("p", "plait cannot write this value: it comes from the template ", where,
             ": edit it by hand.")  # fmt: skip


def one_trial(state: State, links: Links, asked: WantedChange, file: str, steps: str) -> Html:
    """What a write at one place would do."""
    edit = state.edit_of(asked)
    return _trial(state, links, asked, edit, edit.trial(site_at(edit, file, steps)))


def rank(edit: ResultEdit, trial: Trial) -> str:
    """A text by which places are sorted: those that give the value first, the narrowest of them first."""
    numbers = (int(not trial.works), *trial.reach, edit.sites.index(trial.site))
    return "".join(f"{number:07}" for number in numbers)


def site_at(edit: ResultEdit, file: str, steps: str) -> WrittenPlace:
    """A place by its file and its path in that file; PlaitError where there is none any more."""
    for site in edit.sites:
        if (site.file, site.address) == (file, steps):
            return site
    raise NO_PLACE.error(path=format_path(edit.path), at=file, hint="open the preview again")


def _waiting(links: Links, asked: WantedChange, site: WrittenPlace) -> Html:
    """A place that was not tried yet."""
    words = {**asked.words, "file": site.file, "place": site.address}
    head = h("div", place(site.file, site.line, links), h("span", *prose(site.about), class_="role"),
             h("span", "computing", class_="verdict lost"), class_="head")  # fmt: skip
    return h("li", head, class_="card pending", data_rank=LAST, data_trial=links.page("trial", **words))


def _trial(state: State, links: Links, asked: WantedChange, edit: ResultEdit, trial: Trial) -> Html:
    site = trial.site
    effect = h("span", *prose(visible(trial.obstacle) or _summary(trial, state.kind)),
               class_="verdict" if trial.works else "verdict lost")  # fmt: skip
    about = h("span", *prose(site.about), class_="role")
    head = h("div", place(site.file, site.line, links), about, effect, class_="head")
    if not trial.works:
        return h("li", head, class_="card lost", data_rank=rank(edit, trial))
    what = h("details", h("summary", "what changes"), _difference(state, trial), _changes(state, trial),
             open=len(trial.targets) <= 1)  # fmt: skip
    return h("li", head, what, _writing(state, asked, trial), class_="card", data_rank=rank(edit, trial))


def _summary(trial: Trial, kind: str) -> str:
    return f"changes {counted(len(trial.changes), 'value')} {in_targets(sorted(trial.targets), kind)}"


def _difference(state: State, trial: Trial) -> Html:
    """The lines of the file that differ."""
    editor, file = state.workspace.editor, trial.site.file
    texts = [text if state.choices.reveal else editor.shown(file, text) for text in (trial.old, trial.new)]
    kinds = {"+": "ins", "-": "del"}
    rows = [h(kinds.get(line[:1], "span"), line) for line in differing_lines(file, *texts).splitlines()[2:]]
    return h("pre", *[[row, "\n"] for row in rows], class_="diff")


def _changes(state: State, trial: Trial) -> Html:
    rows = [
        h("tr", h("td", change.target), h("td", change.document), h("td", h("code", format_path(change.path))),
          h("td", h("code", change_text(change, state.choices.reveal))))
        for change in trial.changes[:MOST]
    ]  # fmt: skip
    hidden = len(trial.changes) - MOST
    more = h("p", f"and {hidden} more", class_="quiet") if hidden > 0 else None
    return h("div", h("table", h("tbody", *rows), class_="rows"), more)


def _writing(state: State, asked: WantedChange, trial: Trial) -> Html:
    """The button that writes, where that is allowed."""
    if not state.choices.edit:
        return h("p", "plait serve --edit lets this page write it", class_="quiet")
    words = {**asked.words, "file": trial.site.file, "place": trial.site.address}
    hidden = [h("input", type="hidden", name=name, value=value) for name, value in words.items()]
    return h("form", *hidden, h("button", "Write it here", type="submit"), class_="write",
             action="/write", method="post")  # fmt: skip


def written(trial: Trial, number: str) -> Html:
    """What was written, and how to take it back."""
    undo = h("form", h("input", type="hidden", name="number", value=number),
             h("button", "Undo", type="submit"), class_="write", action="/undo", method="post")  # fmt: skip
    values = counted(len(trial.changes), "value")
    return h("div", h("p", f"written: {trial.site.where}, {values} changed"), undo, class_="outcome", role="status")
