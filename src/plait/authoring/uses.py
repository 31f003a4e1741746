"""Who uses something: mentions of a name, readers and rivals of a value, importers of a file, heirs of a component."""

from __future__ import annotations

from plait.authoring.mentions import QUERY, SCOPED, VALUE
from plait.authoring.symbols import Symbol
from plait.core.path import Path
from plait.fronts.structure import COMPONENT, FILE, IMPORT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.authoring.state import Pointed
    from plait.authoring.symbols import Symbols
    from plait.core.steps import Steps
    from plait.yaml.places import Span

    Found = tuple[str, Span]


def references(symbols: Symbols, file: str, offset: int, declared: bool = True) -> list[Found]:
    """Everywhere that what is at a place is used; with `declared`, where a symbol is defined as well."""
    named = symbols.at(file, offset)
    pointed = symbols.authoring.point(file, offset)
    uses: list[Found] = []
    if named is not None:
        symbol = named[0]
        uses += symbols.defined(symbol) if declared else []
        uses += symbols.references(symbol)
    mention = symbols.mention_at(file, offset)
    if mention is not None and mention.kind in (IMPORT, FILE):
        for target in symbols.files_meant(file, mention):
            uses += importers(symbols, target)
    elif named is None and mention is not None and mention.kind in (VALUE, SCOPED, QUERY):
        uses += readers(symbols, file, symbols.scoped(file, mention))
    elif named is None and pointed is not None:
        uses += of_value(symbols, pointed)
    return list(dict.fromkeys(uses))


def searched(symbols: Symbols, file: str, offset: int) -> list[str]:
    """The files that are searched for uses of what is at a place."""
    named = symbols.at(file, offset)
    mention = symbols.mention_at(file, offset)
    if mention is not None and mention.kind in (IMPORT, FILE):
        return [name for name in symbols.authoring.files() if symbols.authoring.kind_of(name) != "rendered"]
    return symbols.candidates(named[0]) if named is not None else sorted(_met(symbols, file))


def _met(symbols: Symbols, file: str) -> set[str]:
    """The files that meet one in a result."""
    return {name for unit in symbols.authoring.units_of(file) for name in unit.files}


def of_value(symbols: Symbols, pointed: Pointed) -> Iterator[Found]:
    """The other places that a value is written at, and the expressions that read it."""
    paths: dict[Path, None] = {}
    for value in symbols.authoring.values(pointed):
        if value.explanation is None:
            continue
        paths[value.explanation.path] = None
        for leaf in value.explanation.leaves:
            for part in (leaf.winner, *leaf.lost):
                origin = part.node.origin
                file = symbols.authoring.path_of(origin.source)
                if file and origin.source.written is None:
                    yield file, (origin.at, origin.at + symbols.authoring.extent(origin))
    for path in paths:
        yield from readers(symbols, pointed.trail.file, path)


def readers(symbols: Symbols, file: str, path: Path) -> Iterator[Found]:
    """The expressions that read a path, or something above or below it, in the files that meet this one."""
    last = str(path[-1]) if path else ""
    for name in sorted(_met(symbols, file)):
        if last not in symbols.authoring.source(name).text:
            continue
        for mention in symbols.mentions(name):
            if mention.kind in (VALUE, SCOPED, QUERY):
                read = symbols.scoped(name, mention)
                shared = min(len(read), len(path))
                if shared and read[:shared] == path[:shared]:
                    yield name, mention.span


def importers(symbols: Symbols, target: str) -> list[Found]:
    """The lines that name a file: imports, includes and targets."""
    places: list[Found] = []
    for name in symbols.authoring.files():
        if symbols.authoring.kind_of(name) == "rendered":
            continue
        for mention in symbols.mentions(name):
            if mention.kind in (IMPORT, FILE) and target in symbols.files_meant(name, mention):
                places.append((name, mention.span))
    return places


def imports(symbols: Symbols, file: str) -> Steps[list[tuple[str, Span]]]:
    """The files that a file names, each with the span that names it; found in small steps."""
    mentions = yield from symbols.mentions_in_steps(file)
    return [
        (target, mention.span)
        for mention in mentions
        if mention.kind in (IMPORT, FILE)
        for target in symbols.files_meant(file, mention)
    ]


def heirs(symbols: Symbols, symbol: Symbol) -> list[tuple[Symbol, str, Span]]:
    """The components that name one as their base, with the place where they do."""
    components: list[tuple[Symbol, str, Span]] = []
    for file, span in symbols.references(symbol):
        mention = symbols.mention_at(file, span[0])
        path = mention.spot.path if mention is not None and mention.spot is not None else ()
        if len(path) > 2 and path[0] == "components":
            components.append((Symbol(COMPONENT, str(path[2]), type=str(path[1])), file, span))
    return components


def bases(symbols: Symbols, symbol: Symbol) -> list[tuple[Symbol, str, Span]]:
    """The components that one names as its bases, with the place where it does."""
    components: list[tuple[Symbol, str, Span]] = []
    for file, _ in symbols.defined(symbol):
        for mention in symbols.mentions(file):
            path = mention.spot.path if mention.spot is not None else ()
            if mention.kind == COMPONENT and path[:3] == ("components", symbol.type, symbol.name):
                components.append((Symbol(COMPONENT, mention.name, type=mention.type), file, mention.span))
    return components
