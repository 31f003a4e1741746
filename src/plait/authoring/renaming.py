"""Renaming: every place that a name is written at, or why it cannot be known."""

from __future__ import annotations

from plait.authoring.mentions import ANCHOR, VALUE
from plait.core.diagnostic import Label
from plait.core.source import Origin
from plait.fronts.structure import COMPONENT, INPUT, LOCAL
from plait.report.catalog import CANNOT_RENAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.authoring.symbols import Symbol, Symbols
    from plait.yaml.places import Span

    Found = tuple[str, Span]

RENAMED = {
    LOCAL: "a local",
    COMPONENT: "a component",
    ANCHOR: "an anchor",
    INPUT: "an input of a pattern",
    VALUE: "a key of a template and its stubs",
}
"""What can be renamed."""
PUNCTUATION = frozenset(" \t\r\n:#{}[],&*!|>'\"%@`()")
DOTTED = (LOCAL, INPUT, VALUE)
"""Names in which a dot would be a step of a path."""


def renamable(symbols: Symbols, file: str, offset: int) -> tuple[Symbol, Span]:
    """What would be renamed at a place, and the span of its name; PlaitError where nothing can be."""
    found = symbols.at(file, offset)
    if found is None or found[0].kind not in RENAMED:
        why = f"nothing at this place can be renamed; only {', '.join(RENAMED.values())} can"
        raise CANNOT_RENAME.error(Label(Origin(symbols.authoring.source(file), offset)), why=why)
    return found


def renamed(symbols: Symbols, file: str, offset: int, name: str) -> list[Found]:
    """Every span that holds the name; PlaitError where the new name will not do, or a template makes the name."""
    symbol, span = renamable(symbols, file, offset)
    label = Label(Origin(symbols.authoring.source(file), span[0]), length=span[1] - span[0])
    bad = PUNCTUATION if symbol.kind not in DOTTED else PUNCTUATION | {"."}
    if not name or any(letter in bad for letter in name) or name.startswith("-"):
        raise CANNOT_RENAME.error(label, why=f"`{name}` cannot be {RENAMED[symbol.kind].removesuffix('s')} here")
    _check_templates(symbols, symbol, label)
    return list(dict.fromkeys([*symbols.defined(symbol), *symbols.references(symbol)]))


def _check_templates(symbols: Symbols, symbol: Symbol, label: Label) -> None:
    """Refuse to rename a component where a template makes the name of one."""
    if symbol.kind != COMPONENT:
        return
    for file in symbols.authoring.manifests():
        if "{{" not in symbols.authoring.source(file).text:
            continue
        for mention in symbols.mentions(file):
            if mention.kind == COMPONENT and mention.computed:
                other = Label(
                    Origin(symbols.authoring.source(file), mention.span[0]), "this template computes the name"
                )
                why = f"a template computes the name of a component, which may be `{symbol.name}`"
                raise CANNOT_RENAME.error(label, other, why=why, hint="write that name out, or rename by hand")
