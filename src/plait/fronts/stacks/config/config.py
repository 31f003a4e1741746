"""The effective configuration: each value is computed when it is read.

`list stacks`, for example, does not evaluate `env: {TOKEN: !exec ...}`. Functions in the configuration cannot read
stacks, so they have an evaluator of their own.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.find import entry
from plait.core.node import Deferred, ListNode, MapNode, Node, Scalar, plain_value
from plait.core.scope import Place
from plait.core.struct import struct
from plait.core.unknown import fault_of
from plait.evaluate.engine import Evaluator
from plait.evaluate.tree import Tree
from plait.fronts.stacks.config.keys import KEYS, SHAPES
from plait.fronts.stacks.session.policies import STRATEGIES, SectionPolicies, unknown_strategy
from plait.fronts.stacks.session.session import ERROR_MODES
from plait.report.catalog import BAD_CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.session.session import StackOptions, StackSession

TRUE = ("1", "true", "yes", "on", "t")


@struct
class ManifestSettings:
    """How texts of manifests are read and rendered."""

    delimiters: tuple[str, str]
    """The signs around a template."""
    evaluations: int
    """How often a text is rendered."""
    enabled: bool
    """Whether templates are rendered at all."""
    ignore_missing: bool
    """Whether a template may read keys that do not exist."""
    key_delimiter: str
    """The character that makes a key a path; empty if there is none."""


class Config:
    """The effective configuration. `tree` has all of it, also the keys that plait does not use."""

    def __init__(self, session: StackSession, tree: MapNode, folder: str, files: set[str]) -> None:
        self.tree = tree
        self.folder = folder
        """The folder of the configuration file."""
        self._files = files
        self._included = session.trace.files
        self.base_path = ""
        self.stacks_path = ""
        project = session.project
        self._secrets = session.secrets
        self._evaluator = Evaluator(project.door, project.meter, {}, project.counters)
        self._evaluator.watch = project.progress
        self._evaluator.share(session.evaluator)
        self._place = Place(node=tree)
        self._values: dict[tuple[str, ...], object] = {}
        self._checked()
        strategy = self.text("settings", "list_merge_strategy") or "replace"
        if strategy not in STRATEGIES:
            raise unknown_strategy(strategy, *labels_at(tree, ("settings", "list_merge_strategy")))
        self.policies = SectionPolicies(project.settings, strategy)

    # Values

    def get(self, *path: str) -> object:
        """The value at a path as plain data; None if there is none."""
        if path not in self._values:
            value = self._value(path)
            check_kind(self.tree, path, value)
            self._values[path] = value
        return self._values[path]

    def _value(self, path: tuple[str, ...]) -> object:
        node: Node = self.tree
        for depth, step in enumerate(path):
            if isinstance(node, Deferred):
                node = self._evaluator.force(node, self._place_of(path[:depth]))
            child = node.entries.get(step) if isinstance(node, MapNode) else None
            if child is None:
                return None
            node = child
        if isinstance(node, Scalar):
            return node.value
        if not node.live:
            return plain_value(node, reveal=True)
        made = self._finished(node, self._place_of(path))
        self._secrets.add(made)
        return plain_value(made, reveal=True)

    def _place_of(self, path: tuple[str, ...]) -> Place:
        place = self._place
        for step in path:
            place = place.child(step)
        return place

    def _finished(self, node: Node, place: Place) -> Node:
        made, failures = self._evaluator.finish(node, place)
        if failures:
            raise fault_of(failures)
        return made

    @property
    def files(self) -> set[str]:
        """The files that the configuration is made of."""
        return self._files | self._included.get(self._place, set())

    def explainable(self) -> Tree:
        """The configuration as a tree whose values can be read and explained."""
        return Tree(self.tree, self._evaluator, top=self._place)

    def text(self, *path: str) -> str:
        value = self.get(*path)
        return "" if value is None else str(value)

    def texts_of(self, section: str, *keys: str) -> list[str]:
        """Several keys of a section, each as a text."""
        return [self.text(section, key) for key in keys]

    def truth(self, *path: str, default: bool = False) -> bool:
        value = self.get(*path)
        if isinstance(value, str):
            return value.strip().lower() in TRUE
        return default if value is None else bool(value)

    def texts(self, *path: str) -> list[str]:
        value = self.get(*path)
        return [str(item) for item in value] if isinstance(value, list) else [str(value)] if value else []

    def number(self, *path: str, default: int) -> int:
        """A whole number above zero."""
        value = self.get(*path)
        return value if isinstance(value, int) and value > 0 else default

    # What several floors ask for

    def component_path(self, type: str) -> str:
        base = self.text("components", type, "base_path") or f"components/{type}"
        return os.path.normpath(os.path.join(self.base_path, base))

    def error_mode(self, options: StackOptions) -> str:
        """What to do with a value that is not known here."""
        mode = options.error_mode or self.text(options.section, "error_mode") or "warn"
        if mode not in ERROR_MODES:
            labels = labels_at(self.tree, (options.section, "error_mode"))
            raise BAD_CONFIG.error(
                *labels, why=f"unknown error mode `{mode}`", hint=f"error modes: {', '.join(ERROR_MODES)}"
            )
        return mode

    def _checked(self) -> None:
        """Check the types of all values that are known without computing anything; the others are checked when they are
        read."""
        diagnostics: list[Diagnostic] = []
        for name in KEYS:
            node: Node | None = self.tree
            for step in name.split("."):
                node = node.entries.get(step) if isinstance(node, MapNode) else None
            if node is not None and not isinstance(node, Deferred):
                try:
                    check_kind(self.tree, tuple(name.split(".")), kind_only(node))
                except Fault as error:
                    diagnostics += error.diagnostics
        if diagnostics:
            raise Fault(*diagnostics)


def manifest_settings(config: Config) -> ManifestSettings:
    """How texts of manifests are read and rendered."""
    return ManifestSettings(
        delimiters=_delimiters(config),
        evaluations=config.number("templates", "settings", "evaluations", default=1),
        enabled=config.truth("templates", "settings", "enabled", default=True),
        ignore_missing=config.get("templates", "settings", "ignore_missing_template_values") is True,
        key_delimiter=config.text("settings", "yaml", "key_delimiter"),
    )


def describe_settings(config: Config) -> tuple[bool, bool, bool]:
    """What `describe component` shows: whether every section, comments about origins, and empty sections."""
    return (
        config.text("describe", "component", "filter") == "full",
        config.truth("describe", "provenance", default=True),
        config.truth("describe", "settings", "include_empty"),
    )


def _delimiters(config: Config) -> tuple[str, str]:
    """The signs around a template that is rendered for a component."""
    given = config.get("templates", "settings", "delimiters")
    if given in (None, []):
        return ("{{", "}}")
    if isinstance(given, list) and len(given) == 2 and all(isinstance(word, str) and word for word in given):
        return (given[0], given[1])
    raise BAD_CONFIG.error(
        *labels_at(config.tree, ("templates", "settings", "delimiters")),
        why="invalid 'templates.settings.delimiters' config in 'atmos.yaml'",
        hint="write two non-empty strings",
    )


def kind_only(node: Node) -> object:
    """Plain data of the kind of a node, as far as that has to be known to check it."""
    if isinstance(node, MapNode):
        return {}
    return [] if isinstance(node, ListNode) else node.value if isinstance(node, Scalar) else plain_value(node)


def check_kind(tree: MapNode, path: tuple[str, ...], value: object) -> None:
    """Check that a key has a value of the type that plait expects."""
    name = ".".join(path)
    kind = KEYS.get(name)
    if kind is None or value is None:
        return
    types, hint = SHAPES[kind]
    if not isinstance(value, types) or isinstance(value, bool):
        raise BAD_CONFIG.error(
            *labels_at(tree, path),
            why=f"`{name}` of the configuration must be {kind}",
            hint=hint.format(key=path[-1]),
        )


def labels_at(tree: Node, path: tuple[str, ...]) -> tuple[Label, ...]:
    node = entry(tree, *path)
    return (Label(node.origin),) if node is not None else ()
