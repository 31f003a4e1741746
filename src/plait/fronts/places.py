"""Where a value of a target could be written: in each of its files, the highest first."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.resource import Identity
from plait.evaluate.explain import Teller
from plait.fronts.editing import Editor, WrittenPlace
from plait.fronts.front import label
from plait.report.catalog import NO_TARGET, UNKNOWN_PATH
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path
    from plait.evaluate.explain import Contribution
    from plait.fronts.front import DocumentId, Target
    from plait.fronts.project import Project


def check(target: Target, document: DocumentId, path: Path) -> None:
    """That a target has such a document, and that the path names a value in it."""
    if not path:
        raise UNKNOWN_PATH.error(path="", hint="name a value inside the document")
    if not any(one == document and not isinstance(found, Fault) for one, found in target.results()):
        hint = "the target has errors, or no such document; plait render shows why"
        raise NO_TARGET.error(name=f"{target.name} {label(document)}".strip(), hint=hint)


def in_files(target: Target, document: DocumentId, path: Path) -> Iterator[WrittenPlace]:
    """The place in every file of a target, the highest layer first."""
    check(target, document, path)
    parts = list(contributions(target, document, path))
    expressions = {(part.node.origin.file, part.node.origin.line): part.expression for part in parts if part.expression}
    decider = (parts[0].node.origin.file, parts[0].node.origin.line) if parts else None
    names = target.files
    for at, name in reversed(list(enumerate(names))):
        steps = target.path_in(at, path)
        about = target.place_words(at, len(names))
        for site in _in_file(target.project, name, about, document, steps) if steps is not None else ():
            place = (site.file, site.line)
            if site.written is not None:
                site.computed, site.decides = expressions.get(place, ""), place == decider
            yield site


def contributions(target: Target, document: DocumentId, path: Path) -> Iterator[Contribution]:
    """Everything that files say about a value, the part that decides first."""
    tree = target.tree(document)
    account = tree.account().find(path)
    if account is None or account.gone:
        return
    teller = Teller(tree)
    for part in (account.winner, *(drop.part for drop in account.losers)):
        yield teller.contribution(part, path)


def _in_file(project: Project, name: str, about: str, document: DocumentId, path: Path) -> Iterator[WrittenPlace]:
    """The place in one file; none where the file has no such document, or cannot be read as YAML."""
    editor = Editor(project)
    source = read_source(name, door=project.door)
    try:
        trees = editor.trees_of(source)
        resources = [Identity.of(tree) for tree in trees]
        wanted = document[1:]
        named = [at for at, one in enumerate(resources) if one and (one.kind, one.namespace, one.name) == wanted]
        if named or not any(resources):
            number = named[0] if named else 0
            yield WrittenPlace(name, name, source, about, path, editor.documents(source, number), number)
    except Fault:
        return
