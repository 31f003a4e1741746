"""The sections and locals of a file before it is rendered, which its own templates may read."""

from __future__ import annotations

from plait.core.find import entry
from plait.core.node import MapNode, Node
from plait.core.scope import Place
from plait.fronts.stacks.language.scope import CONTEXT, FileScope
from plait.fronts.stacks.language.versions import READ, asserted_track, locked_versions
from plait.fronts.stacks.read.locals import locals_of
from plait.yaml.build import build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Source
    from plait.fronts.stacks.language.scope import Language
    from plait.fronts.stacks.language.templates import Parsed


class RawSections:
    """The sections of a text that is YAML before it is rendered; PlaitError where it is not."""

    def __init__(self, language: Language, source: Source, path: str, ignore_missing: bool) -> None:
        self._session = language.session
        self._scope = FileScope(language, language.session.shown(path), path)
        self._scope.ignore_missing = ignore_missing
        programs = self._session.documents(source)
        root = build(programs[0], source, self._scope.reading()) if programs else MapNode({}, source)
        self._scope.open(*sections_for_templates(root, self._scope))
        self.track = asserted_track(entry(root, "version"))
        """The track of locked versions that the file asks for."""

    def values(self, parsed: Parsed) -> dict[str, object]:
        """What a template can read of them, as plain data; or `Blocked`."""
        place, nodes = self._scope.place, self.nodes()
        return {name: self._session.plain(parsed.used(node, name), place.child(name)) for name, node in nodes.items()}

    def nodes(self) -> dict[str, Node]:
        """The same as it is written."""
        nodes: dict[str, Node] = dict(self._scope.context)
        if self._scope.visible():
            nodes["locals"] = MapNode(self._scope.visible(), live=True)
        return nodes


def sections_for_templates(root: Node, scope: FileScope) -> tuple[MapNode | None, dict[str, Node]]:
    """The locals and the sections of a document that its templates may read."""
    own = entry(root, "locals")
    context = {name: node for name in CONTEXT if (node := entry(root, name)) is not None}
    context.update(versions_for_locals(root.source.text, entry(root, "version"), scope))
    return (locals_of(own, scope.file, scope) if own is not None else None), context


def versions_for_locals(text: str, section: Node | None, scope: FileScope) -> dict[str, Node]:
    """The locked versions, where a text reads them: the templates of a file's locals may."""
    if not READ.search(text):
        return {}
    found = locked_versions(scope.session, scope.language.config, asserted_track(section), Place())
    return {"version": found}
