"""Data that templates may read in addition to the sections of their component: the files that mention its values, the
configuration, and the running command.

It is computed when a template names it, from the files as they are written: it never waits for a value.
"""

from __future__ import annotations

from functools import partial

from plait.core.expression import Expression
from plait.core.node import Key, MapNode, Node, Overlay, Suspension, plain_value, rewrite, text
from plait.core.plain import from_plain
from plait.fronts.stacks.language.versions import asserted_track, locked_versions
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.stacks.session.nodes import DERIVED, source_text
from plait.merging.account import Tracer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Scope
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.config.config import Config
    from plait.merging.account import Account

    Row = dict[str, object]

CONFIGURATION = "configuration"
TRACED = ("vars", "env", "settings", "backend")
"""The sections for which `sources` lists every file."""


class ValueSources:
    """For each value of some sections, every file that mentions it, according to the account of the component.

    `sections` are those whose values are shown, evaluated or as they are written.
    """

    def __init__(self, component: Component, account: Account, sections: dict[Key, Node], reveal: bool = False) -> None:
        self._account = account
        self._shown = {name: section for name in TRACED if isinstance(section := sections.get(name), MapNode)}
        self._reveal = reveal
        self._own = component.manifest.name
        self._names = {file.scope.file: file.name for file in files_of(component.manifest)}

    def table(self) -> dict[str, object]:
        """`sources`: by section and key the value and its parts, the highest first. `deps`: the files that decide a
        value. `deps_all`: the files that say something about one, and the manifest itself."""
        sources = {name: rows for name, shown in self._shown.items() if (rows := self._section(name, shown))}
        files = [_files(row) for section in sources.values() for row in section.values()]
        return {
            "sources": sources,
            "deps": sorted({found[0] for found in files if found}),
            "deps_all": sorted({self._own, *(file for found in files for file in found)}),
        }

    def _section(self, name: str, shown: MapNode) -> dict[str, Row]:
        return {
            str(key): {
                "name": str(key),
                "final_value": self._value(value),
                "stack_dependencies": self._dependencies(name, key),
            }
            for key, value in shown.entries.items()
        }

    def _dependencies(self, section: str, key: Key) -> list[Row]:
        """The parts of one value, the highest first, without parts that are in no file."""
        account = self._account.find((section, str(key)))
        parts = account.everything_written() if account is not None else []
        return [self._row(section, part.node) for part in parts if not part.node.origin.source.given]

    def _row(self, section: str, part: Node) -> Row:
        file = self._names.get(part.origin.file)
        kind = CONFIGURATION if file is None else "inline" if file == self._own else "import"
        return {
            "stack_file": file or part.origin.file,
            "stack_file_section": section,
            "variable_value": source_text(part) if part.live else plain_value(part, self._reveal),
            "dependency_type": kind,
        }

    def _value(self, node: Node) -> object:
        return plain_value(rewrite(node, _as_written) if node.live else node, self._reveal)


def _files(row: Row) -> list[str]:
    """The manifests among the parts of a value, the highest first."""
    parts = row["stack_dependencies"]
    assert isinstance(parts, list)
    return [str(part["stack_file"]) for part in parts if part["dependency_type"] != CONFIGURATION]


def _as_written(node: Node) -> Node:
    """The text of what is not known yet."""
    while isinstance(node, Overlay):
        node = node.parts[-1]
    return text(source_text(node), node.source, node.at) if node.live else node


def _sources(name: str, component: Component) -> Node:
    """One of the tables of `ValueSources`, of values as they are written: no value waits for it."""
    account = Tracer(lambda node, place: node).account(component.root, component.place)
    return from_plain(ValueSources(component, account, component.root.entries).table()[name], DERIVED)


def _command(component: Component) -> Node:
    return from_plain(component.shared.session.options.command, DERIVED)


def _configuration(component: Component) -> Node:
    """The effective configuration; a key of it is computed when a template reads it."""
    config = component.shared.config
    entries: dict[Key, Node] = {
        key: Suspension(ConfigurationKey(config, str(key)), node.source, node.at) if node.live else node
        for key, node in config.tree.entries.items()
    }
    return MapNode(entries, config.tree.source, config.tree.at, None, True)


class ConfigurationKey(Expression):
    """A key of the configuration as templates see it: an expression."""

    __slots__ = ("_config", "_key", "text")

    def __init__(self, config: Config, key: str) -> None:
        self._config = config
        self._key = key
        self.text = f"atmos_cli_config.{key}"

    def evaluate(self, scope: Scope) -> Node:
        return self._config.explainable().value((self._key,))


def _versions(component: Component) -> Node:
    shared, asserted = component.shared, asserted_track(component.manifest.section("version"))
    return locked_versions(shared.session, shared.config, asserted, component.place)


FACTS: dict[str, Callable[[Component], Node]] = {
    "sources": partial(_sources, "sources"),
    "deps": partial(_sources, "deps"),
    "deps_all": partial(_sources, "deps_all"),
    "cli_args": _command,
    "atmos_cli_config": _configuration,
    "version": _versions,
}
"""Data that templates may read in addition to sections, by name."""
