"""Secrets in charts: which values of rendered resources are made of values that are marked `!sensitive`.

A template moves text, and text has no marks. So a chart with secrets is rendered in pieces that know what they were
made from, and a value that has such a piece is a secret.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from plait.core.diagnostic import Label
from plait.core.node import MapNode, Scalar, children, hidden, key_text, mask_of, rewrite, secrets_in, text, untagged
from plait.core.resource import IDENTITY
from plait.core.source import MASK, NOT_IN_COMMIT, SENSITIVE
from plait.fronts.charts.rendering import secrecy
from plait.fronts.identities import A_KEY, A_NAME, identity_scalars, visible
from plait.yaml.layout import lay_out
from plait.yaml.program import PLAIN, TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Node
    from plait.core.source import Source
    from plait.fronts.charts.chart import Chart
    from plait.fronts.charts.values import Family
    from plait.notations.gotemplate.ropes import WrittenPiece
    from plait.yaml.layout import Layout

    Span = tuple[int, int, bool | str]
    """Where a part of a text begins and ends, and what `Scalar.secret` is of it."""

A_TAG = "a tag"


class ChartSecrets:
    """The secrets that the templates of a chart can read: those of its values, and its files that have some."""

    def __init__(self, family: Family, values: Node, is_published: bool) -> None:
        """`is_published`: nothing is refused, and a map or document is masked where nothing less can be."""
        self.is_published = is_published
        self.texts = {secret.text for secret in secrets_in(values) if secret.text}
        self._files = {id(chart): secrets for chart, secrets in _files_with_secrets(family)}
        self._values = values
        self.withheld = frozenset(_withheld_templates(family))
        """The texts of templates of which nothing may be shown."""

    def __bool__(self) -> bool:
        return bool(self.texts or self._files or self.withheld)

    def of_file(self, chart: Chart, name: str) -> bool | str:
        """What `Scalar.secret` is of the text of a file of a chart."""
        return self._files.get(id(chart), {}).get(name, False)

    @cached_property
    def keys(self) -> set[str]:
        """The keys of the values: templates write them together with what is below them."""
        nodes = [self._values]
        for node in nodes:
            nodes += [child for _, child in children(node)]
        return {key_text(key) for node in nodes if isinstance(node, MapNode) for key in node.entries}


class SecretParts:
    """The parts of a rendered text that are made of secrets, and those that are there because of what one is."""

    def __init__(self, secrets: ChartSecrets, pieces: Iterable[WrittenPiece], everything: bool) -> None:
        """`everything`: it is not known where secrets went, so all that is computed counts."""
        self._secrets = secrets
        self._made: list[Span] = []
        self._led: list[Span] = []
        at = 0
        for piece in pieces:
            begin, at = at, at + len(piece.text)
            made = mask_of(*map(secrecy, piece.reads), everything and not piece.is_literal)
            if piece.program.text in secrets.withheld:
                made = mask_of(made, NOT_IN_COMMIT)
            led = made or mask_of(*(secrecy(read) for one in piece.why if one.compares for read in one.reads))
            if made:
                self._made.append((begin, at, made))
            elif led:
                self._led.append((begin, at, led))

    def __bool__(self) -> bool:
        return bool(self._made or self._led)

    def concealed(self, node: Node, source: Source, begins: int) -> Node:
        """A document that begins at a place of the text, with its secrets marked."""
        layout = lay_out(source)[0]
        named = {scalar.at for scalar in identity_scalars(node)}
        shown = self._shown_names(layout, node, named, begins)
        ends = dict(zip(layout.ats, layout.ends, strict=False))

        def leaf(one: Node) -> Node:
            if not isinstance(one, Scalar) or one.at in named:
                return one
            start, end = begins + one.at, begins + ends.get(one.at, one.at + len(one.text))
            mask = mask_of(_met(self._made, start, end), _met(self._led, start, end))
            return hidden(one if one.tag in (None, SENSITIVE) else untagged(one), mask) if mask else one

        if not shown:
            return rewrite(node, leaf)
        if isinstance(node, MapNode) and any(at in named or at in node.marks for at in shown):
            return _masked_document(node, shown)
        return rewrite(node, leaf, whole=lambda inner: _masked_map(inner, shown))

    def _shown_names(self, layout: Layout, node: Node, named: set[int], begins: int) -> dict[int, bool | str]:
        """The places of keys, names and tags that are made of secrets, each with its mask; an error at the first one
        where nothing is published."""
        values = {scalar.at for scalar in _scalars(node)}
        found: dict[int, bool | str] = {}
        for step, at in enumerate(layout.ats):
            if at in named:
                what, end = A_NAME, layout.ends[step]
            elif layout.kind(step) in (PLAIN, TEXT):
                what, end = ("", at) if at in values else (A_KEY, layout.ends[step])
            else:
                what, end = (A_TAG, layout.props_end(step)) if step in layout.props else ("", at)
            is_known = what == A_KEY and (layout.texts[step] or "") in self._secrets.keys
            mask = _met(self._made, begins + at, begins + end) if what and not is_known else False
            if mask and not self._secrets.is_published:
                raise visible(Label.at(layout.source, at), what)
            if mask:
                found[at] = mask
        return found


def _masked_map(node: MapNode, shown: dict[int, bool | str]) -> Node:
    """A map, or the mask of one that has a key which is made of secrets."""
    mask = mask_of(*(shown[at] for at in (node.at, *node.marks) if at in shown))
    return Scalar(None, "", node.source, node.at, None, mask) if mask else node


def _masked_document(node: MapNode, shown: dict[int, bool | str]) -> Node:
    """A document of which nothing is left but what it is called by, as far as that is no secret."""
    holder: list[Node] = [MapNode({}, node.source, node.at)]
    stack = [(node, IDENTITY, holder[0])]
    while stack:
        at, fields, into = stack.pop()
        assert isinstance(into, MapNode)
        for key, below in fields.items():
            child = at.entries.get(key) if isinstance(at, MapNode) else None
            if isinstance(child, Scalar):
                mask = shown.get(child.at, False)
                into.entries[key] = (
                    text(mask if isinstance(mask, str) else MASK, child.source, child.at) if mask else child
                )
            elif isinstance(child, MapNode):
                into.entries[key] = inner = MapNode({}, child.source, child.at)
                stack.append((child, below, inner))
    mask = mask_of(*shown.values())
    made = holder[0]
    assert isinstance(made, MapNode)
    made.entries[mask if isinstance(mask, str) else MASK] = Scalar(None, "", node.source, node.at, None, mask)
    return made


def _met(spans: list[Span], start: int, end: int) -> bool | str:
    """The mask of what is between two places, by spans in order."""
    at = max(bisect_right(spans, start, key=lambda span: span[0]) - 1, 0) if spans else 0
    masks = []
    while at < len(spans) and spans[at][0] < end:
        if spans[at][1] > start:
            masks.append(spans[at][2])
        at += 1
    return mask_of(*masks)


def _files_with_secrets(family: Family) -> Iterator[tuple[Chart, dict[str, bool | str]]]:
    """The files of a chart and its subcharts that have secrets, or are withheld, as far as templates can read them."""
    chart = family.chart
    found = {
        name: True if SENSITIVE.encode() in chart.folder.bytes(name) else NOT_IN_COMMIT
        for name in chart.files
        if SENSITIVE.encode() in chart.folder.bytes(name) or chart.folder.is_withheld(name)
    }
    if found:
        yield chart, found
    for child in family.children:
        yield from _files_with_secrets(child)


def _withheld_templates(family: Family) -> Iterator[str]:
    """The texts of the templates of a chart and its subcharts that are withheld."""
    yield from (source.text for source in family.chart.templates.values() if source.is_withheld)
    for child in family.children:
        yield from _withheld_templates(child)


def _scalars(node: Node) -> Iterator[Scalar]:
    nodes = [node]
    for one in nodes:
        nodes += [child for _, child in children(one)]
        if isinstance(one, Scalar):
            yield one
