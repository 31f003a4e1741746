"""Secrets in charts: which values of rendered resources are made of values that are marked `!sensitive`.

A template moves text, and text has no marks. So a chart with secrets is rendered in pieces that know what they were
made from, and a value that has such a piece is a secret.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from plait.core.diagnostic import Label, spellings
from plait.core.node import MapNode, Scalar, children, hidden, key_text, rewrite, secrets_in, untagged
from plait.core.source import SENSITIVE
from plait.fronts.charts.rendering import is_secret
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

SHORTEST = 4
"""A shorter secret may be in any text by chance."""
A_TAG = "a tag"


class ChartSecrets:
    """The secrets that the templates of a chart can read: those of its values, and its files that have some."""

    def __init__(self, family: Family, values: Node) -> None:
        self.texts = {secret.text for secret in secrets_in(values) if secret.text}
        self._files = {id(chart): names for chart, names in _files_with_secrets(family)}
        self._values = values

    def __bool__(self) -> bool:
        return bool(self.texts or self._files)

    def has_file(self, chart: Chart, name: str) -> bool:
        """Whether something in a file of a chart is marked."""
        return name in self._files.get(id(chart), ())

    @cached_property
    def keys(self) -> set[str]:
        """The keys of the values: templates write them together with what is below them."""
        nodes = [self._values]
        for node in nodes:
            nodes += [child for _, child in children(node)]
        return {key_text(key) for node in nodes if isinstance(node, MapNode) for key in node.entries}

    @cached_property
    def forms(self) -> set[str]:
        return {form for secret in self.texts for form in spellings(secret) if len(form) >= SHORTEST}


class SecretParts:
    """The parts of a rendered text that are made of secrets, and those that are there because of what one is."""

    def __init__(self, secrets: ChartSecrets, pieces: Iterable[WrittenPiece], everything: bool) -> None:
        """`everything`: it is not known where secrets went, so all that is computed counts."""
        self._secrets = secrets
        self._made: list[tuple[int, int]] = []
        self._led: list[tuple[int, int]] = []
        at = 0
        for piece in pieces:
            span = (at, at + len(piece.text))
            at = span[1]
            if any(map(is_secret, piece.reads)) or (everything and not piece.is_literal):
                self._made.append(span)
            elif any(one.compares and any(map(is_secret, one.reads)) for one in piece.why):
                self._led.append(span)

    def __bool__(self) -> bool:
        return bool(self._made or self._led)

    def concealed(self, node: Node, source: Source, begins: int) -> Node:
        """A document that begins at a place of the text, with its secrets marked."""
        layout = lay_out(source)[0]
        named = {scalar.at for scalar in identity_scalars(node)}
        self._check(layout, node, named, begins)
        ends = dict(zip(layout.ats, layout.ends, strict=False))

        def leaf(one: Node) -> Node:
            if not isinstance(one, Scalar) or one.at in named:
                return one
            start, end = begins + one.at, begins + ends.get(one.at, one.at + len(one.text))
            if _meets(self._made, start, end) or _meets(self._led, start, end) or self._spells(one.text):
                return hidden(one if one.tag in (None, SENSITIVE) else untagged(one))
            return one

        return rewrite(node, leaf)

    def _check(self, layout: Layout, node: Node, named: set[int], begins: int) -> None:
        """That no secret is where nothing can be masked."""
        values = {scalar.at for scalar in _scalars(node)}
        for step, at in enumerate(layout.ats):
            if at in named:
                what, end = A_NAME, layout.ends[step]
            elif layout.kind(step) in (PLAIN, TEXT):
                what, end = ("", at) if at in values else (A_KEY, layout.ends[step])
            else:
                what, end = (A_TAG, layout.props_end(step)) if step in layout.props else ("", at)
            text = layout.texts[step] or ""
            is_known = what == A_KEY and text in self._secrets.keys
            if what and not is_known and (_meets(self._made, begins + at, begins + end) or self._spells(text)):
                raise visible(Label.at(layout.source, at), what)

    def _spells(self, text: str) -> bool:
        return any(form in text for form in self._secrets.forms)


def _meets(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of some spans, which are in order, has a character between two places."""
    at = bisect_right(spans, (start, end)) if spans else 0
    return any(first < end and last > start for first, last in spans[max(at - 1, 0) : at + 1])


def _files_with_secrets(family: Family) -> Iterator[tuple[Chart, set[str]]]:
    """The files of a chart and its subcharts that have secrets, as far as templates can read them."""
    chart = family.chart
    found = {name for name in chart.files if SENSITIVE.encode() in chart.folder.bytes(name)}
    if found:
        yield chart, found
    for child in family.children:
        yield from _files_with_secrets(child)


def _scalars(node: Node) -> Iterator[Scalar]:
    nodes = [node]
    for one in nodes:
        nodes += [child for _, child in children(one)]
        if isinstance(one, Scalar):
            yield one
