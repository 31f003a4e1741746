"""One document: its values as a tree, each line with the place that it comes from, and the layers behind each value."""

from __future__ import annotations

from plait.apps.cli.explanation import Masks, role_words, verdict
from plait.apps.web.links import ACROSS, LAYERS, MAP, anchor_of
from plait.apps.web.markup import NOTHING, fragment, h
from plait.apps.web.pages.beside import FilesBeside
from plait.apps.web.pages.change import change_form
from plait.apps.web.pages.frame import Page, counted, crumbs, document_name, place, place_of, problems, prose
from plait.apps.web.pages.lines import coloured
from plait.core.diagnostic import Fault
from plait.core.node import Failure, MapNode, Unknown
from plait.core.path import format_path
from plait.core.role import BASE, CONFIG, DEFAULT, ENVIRONMENT, FACT, FLAG, IMPORT, OVERRIDE
from plait.core.unknown import MAYBE, overridden
from plait.core.visible import visible
from plait.fronts.front import VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.core.path import Path
    from plait.core.source import Origin
    from plait.evaluate.explain import Contribution, Explanation, Leaf
    from plait.evaluate.hops import Hop
    from plait.evaluate.tree import Tree
    from plait.fronts.blame import Blame, BlameLine

FOLDED = ("imports",)
"""Sections that are closed at first."""
IMPORTED = "imported by"
"""The hop that a card shows as a chain of its own."""
PLAIN = tuple((name,) for name in FOLDED)
"""Parts of an exported document whose layers are left out: there are many of them, and few look at them."""


class DocumentView:
    """One document of one target, as its pages show it."""

    def __init__(self, state: State, links: Links, target: str, document: str) -> None:
        self.state = state
        self.links = links
        self.target = target
        self.document = document
        self.reveal = state.choices.reveal
        self.tree: Tree = state.tree(target, document)
        self._cards = None if links.static else links.page("cards", target=target, document=document)
        """Where the cards of a line are asked for, with its path."""
        self._beside = FilesBeside(state, links) if state.survey.of[target].is_rendered else None
        """The files that it is rendered from; None for a document that is a merge of its files."""

    @property
    def title(self) -> str:
        return f"{document_name(self.document)} in {self.target}"

    def page(self, path: str = "") -> Page:
        """The whole document; a value that is asked for is open."""
        parts = [self.section(name, path) for name in sorted(self.sections(), key=section_order)]
        return Page(
            self.title,
            MAP,
            crumbs(("Map", self.links.page(MAP)),
                   (self.target, self.links.page(LAYERS, target=self.target)), (document_name(self.document), "")),
            h("h1", document_name(self.document), h("small", f" in {self.target}"), self.compared()),
            h("p", h("label", "Find ", h("input", type="search", id="find", placeholder="a path, a value or a file",
                                         autocomplete="off")), class_="controls"),
            h("div", h("div", *parts), self._beside.panels(), class_="beside") if self._beside is not None else parts,
        )  # fmt: skip

    def compared(self) -> Html:
        """The way to the same document in all targets."""
        address = self.links.page(ACROSS, document=self.document)
        several = address and len(self.state.targets) > 1
        return h("small", " ", h("a", f"compare all {self.state.kind}s", href=address)) if several else NOTHING

    def sections(self) -> list[str]:
        """The sections that are shown; one without a name where a document has none."""
        root, names = self.tree.root, self.state.survey.of[self.target].sections(self.tree)
        return [name for name in names if isinstance(root, MapNode) and name in root.entries] if names else [""]

    # Lines

    def section(self, name: str, opened: str) -> Html:
        """A section with all its lines; one that is folded at first brings them when it is opened."""
        if name in FOLDED and not self.links.static and not opened.startswith(name):
            source = self.links.page("section", target=self.target, document=self.document, name=name)
            return self.folded(name, "", h("div", data_source=source))
        return self.whole_section(name, opened)

    def folded(self, name: str, counts: str, body: Html) -> Html:
        head = h("h2", name, h("small", counts) if counts else None)
        return h("section", h("details", h("summary", head), body), class_="values", data_cards=self._cards)

    def section_body(self, name: str) -> Html:
        """The lines of a section, when it is opened."""
        blame = self.blamed(name)
        return fragment(h("div", *self.rows(blame, name, ""), class_="lines"), self.gone(blame))

    def whole_section(self, name: str, opened: str) -> Html:
        try:
            blame = self.blamed(name)
        except Fault as error:
            return h(
                "section", h("h2", name or document_name(self.document)), problems(error.diagnostics), class_="values"
            )
        if _is_bare(blame):
            return NOTHING
        rows = list(self.rows(blame, name, opened))
        head = h("h2", name or document_name(self.document), h("small", f" {self.counts(blame)}"))
        body = fragment(h("div", *rows, class_="lines"), self.gone(blame))
        if name in FOLDED:
            return self.folded(name, f" {self.counts(blame)}", body)
        return h("section", head, body, class_="values", data_cards=self._cards)

    def blamed(self, name: str) -> Blame:
        """A section with the origin of each line, printed as the commands print it."""
        schema = self.state.survey.of[self.target].schema
        return self.state.workspace.blame(self.tree, name, self.reveal, schema=schema, partial=True)

    def counts(self, blame: Blame) -> str:
        overriding = blame.overriding
        count = counted(len(blame.written), "value")
        return f"{count}, {overriding} override{'s' * (overriding == 1)} others" if overriding else count

    def rows(self, blame: Blame, section: str, opened: str) -> Iterator[Html]:
        above = (section,) if section else ()
        for line in blame.lines():
            yield self.row(line, (*above, *line.path), opened)

    def row(self, line: BlameLine, above: Path, opened: str) -> Html:
        leaf = line.leaf
        node = leaf.winner.node if leaf is not None else line.written
        path = format_path(leaf.path if leaf is not None else above)
        text = h("code", *coloured(line.text))
        if node is None:
            return h("div", text, class_="line key", id=anchor_of(path), data_key=path)
        open_now = path == opened
        body = None
        if open_now or (self.links.static and above[:1] not in PLAIN):
            body = self.cards(leaf) if leaf is not None else self.value(path)
        return h(
            "div",
            h("details", h("summary", text), h("div", body, class_="cards"), open=open_now),
            h("span", self.badges(leaf) if leaf is not None else None, place_of(node, self.links), class_="origin"),
            class_="line failed" if leaf is not None and isinstance(leaf.value, Failure) else "line",
            id=anchor_of(path), data_key=path,
            data_from=self._beside.marks(leaf) if self._beside is not None and leaf is not None else None,
        )  # fmt: skip

    def badges(self, leaf: Leaf) -> list[Html]:
        """What is to be known about a value at first sight."""
        rows = []
        if isinstance(leaf.value, Failure):
            word = "not known" if isinstance(leaf.value, Unknown) else "error"
            rows.append(h("span", word, class_="badge bad"))
        if leaf.winner.expression:
            rows.append(h("span", "computed", class_="badge soft"))
        if leaf.losers:
            rows.append(h("span", f"{leaf.verb} {counted(len(leaf.losers), 'layer')}", class_="badge"))
        return rows

    def gone(self, blame: Blame) -> Html:
        """What some layer says and the result does not have."""
        if not blame.gone:
            return NOTHING
        masks = Masks([gone.was.result for gone in blame.gone], self.reveal)
        rows = [
            h("tr", h("td", h("code", format_path(gone.path))), h("td", h("code", masks.brief(gone.was.result))),
              h("td", place_of(gone.was.node, self.links)),
              h("td", gone.reason, [" by ", place_of(gone.by.node, self.links)] if gone.by is not None else None))
            for gone in blame.gone
        ]  # fmt: skip
        head = h("tr", *(h("th", text, scope="col") for text in ("path", "value", "written at", "why")))
        return h("details", h("summary", f"{counted(len(rows), 'value')} not in the result"),
                 h("table", h("thead", head), h("tbody", *rows)), class_="gone")  # fmt: skip

    # Cards

    def value(self, path: str) -> Html:
        """The layers behind the value at a path."""
        explanation = self.state.workspace.explain(self.tree, path)
        return (
            fragment(*(self.cards(leaf) for leaf in explanation.leaves))
            if explanation.leaves
            else self.removed(explanation)
        )

    def removed(self, explanation: Explanation) -> Html:
        masks = Masks.of(explanation, self.reveal)
        rows = [
            self.card(lost, masks, h("span", why, class_="verdict lost")) for lost, why in reversed(explanation.losers)
        ]
        return h("ol", *rows, class_="stack")

    def cards(self, leaf: Leaf) -> Html:
        """The layers of one value as a stack of cards, lowest first, then what can be done with it."""
        wrong = problems(leaf.value.diagnostics) if isinstance(leaf.value, Failure) else NOTHING
        if isinstance(leaf.value, Failure) and not isinstance(leaf.value, Unknown):
            return wrong
        masks = Masks(leaf.values, self.reveal)
        rows = [
            self.card(one.was, masks, h("span", one.why, class_="verdict lost"), "lost")
            for one in reversed(leaf.removed)
        ]
        rows += [
            self.card(lost, masks, h("span", f"{overridden(why)}: {why}", class_="verdict lost"), _lost(why))
            for lost, why in reversed(leaf.losers)
        ]
        why = "wins" if leaf.losers else verdict(leaf, masks)
        rows.append(self.card(leaf.winner, masks, h("span", *prose(why), class_="verdict"), "winner", leaf))
        path = format_path(leaf.path)
        return fragment(
            wrong,
            h("p", h("code", path, class_="path"), class_="of"),
            h("ol", *rows, class_="stack", aria_label=f"Layers of {path}, lowest first"),
            *self.hops(leaf, masks),
            self.actions(path),
        )

    def hops(self, leaf: Leaf, masks: Masks) -> Iterator[Html]:
        """The steps of the way that a value came, each with what was read there below it."""
        stack = [(hop, 0) for hop in reversed(leaf.hops) if hop.word != IMPORTED]
        while stack:
            hop, depth = stack.pop()
            if hop.origin is not None:
                yield self.hop(hop, hop.origin, [leaf.told(hop)] if hop.text else [], masks, depth)
            stack.extend((inner, depth + 1) for inner in reversed(hop.hops))

    def hop(self, hop: Hop, origin: Origin, said: list[str], masks: Masks, depth: int) -> Html:
        """One step: what it is to the value, what is read there, its place, and what is written there or the value."""
        said += [masks.brief(hop.value)] if hop.value is not None else []
        path = h("code", format_path(hop.path)) if hop.path else None
        address = self.given(hop.path) if path else ""
        name = h("a", path, href=address) if address else path
        text = h("code", visible(" \u2192 ".join(said))) if said else None
        where = place(origin.file, origin.line, self.links)
        return h("p", f"{hop.word} ", name, " ", where, " ", text, class_=f"chain deep{min(depth, 6)}")

    def given(self, path: Path) -> str:
        """The page of a value that templates see; empty where there is none."""
        is_value = path[:1] == (VALUES,) and self.state.survey.document(self.target, VALUES) is not None
        return self.links.document(self.target, VALUES, format_path(path[1:])) if is_value else ""

    def card(self, part: Contribution, masks: Masks, verdict: Html, kind: str = "", leaf: Leaf | None = None) -> Html:
        text = masks.brief(part.node if part.expression else part.result)
        result = masks.brief(leaf.value) if leaf is not None else masks.result(part)
        chain, role = part.role.chain, h("span", *prose(role_text(part)), class_="role")
        return h(
            "li",
            h("div", place_of(part.node, self.links), role, verdict, class_="head"),
            h("pre", h("code", text), *([h("span", " \u2192 ", aria_label="gives"), h("code", result)]
                                        if part.expression else ())),
            self.inputs(part, masks),
            h("p", "imported by ", _separated([place(file, 0, self.links) for file in chain[:-1]]), class_="chain")
            if len(chain) > 1 else None,
            class_=f"card {kind}".strip(),
        )  # fmt: skip

    def inputs(self, part: Contribution, masks: Masks) -> Html:
        """What an expression read, and what that read, as a chain that can be followed."""
        rows: list[Html] = []
        stack = [(read, 0) for read in reversed(part.reads)]
        while stack:
            read, depth = stack.pop()
            rows.append(self.read(read, depth, masks))
            stack.extend((inner, depth + 1) for inner in reversed(read.reads))
        return h("ul", *rows, class_="inputs", aria_label="Computed from") if rows else NOTHING

    def read(self, read: Contribution, depth: int, masks: Masks) -> Html:
        path = format_path(read.path)
        known = self.has(read)
        address = self.links.document(self.target, self.document, path) if known else ""
        name = h("a", path, href=address, class_="follow", data_follow=anchor_of(path)) if address else h("span", path)
        by = [h("code", read.expression), " \u2192 "] if read.expression else None
        where = place_of(read.node, self.links)
        return h("li", h("code", name), " ", by, h("code", masks.brief(read.result)), " ", where,
                 class_=f"deep{min(depth, 6)}")  # fmt: skip

    def has(self, read: Contribution) -> bool:
        """Whether what was read is a value that the page shows."""
        sections = self.state.survey.of[self.target].sections(self.tree)
        return bool(read.path) and (not sections or read.path[0] in sections)

    def actions(self, path: str) -> Html:
        across = self.links.page(ACROSS, document=self.document, path=path)
        link = h("a", f"the same value in all {self.state.kind}s", href=across) if across else None
        form = change_form(self.state, self.links, self.target, self.document, path)
        return h("div", link, form, class_="actions", data_part="actions")


def _lost(why: str) -> str:
    """The class of the card of a value that lost; one of which nobody knows whether it lost is as any other."""
    return "" if why == MAYBE else "lost"


def _is_bare(blame: Blame) -> bool:
    """Whether a section is empty, and no file says so."""
    return not blame.gone and not blame.written


ROLE_WORDS = {
    IMPORT: "from an import",
    FACT: "worked out from the stack's configuration",
    CONFIG: "from the configuration of the stacks",
    DEFAULT: "a default",
    ENVIRONMENT: "from an environment variable",
    FLAG: "set by an option",
}
"""What parts are that were not written as a layer, in words."""


def role_text(part: Contribution) -> str:
    """What a part is to the merge, in words."""
    kind = part.role.kind
    return role_words(part.role) if kind in (BASE, OVERRIDE) else ROLE_WORDS.get(kind, kind)


def _separated(parts: list[Html]) -> Sequence[object]:
    return [piece for part in parts for piece in (" \u2192 ", part)][1:]


def section_order(name: str) -> tuple[bool, int]:
    """Values first, then what the document is made of."""
    first = ("vars", "settings", "env")
    return name in FOLDED, first.index(name) if name in first else len(first)
