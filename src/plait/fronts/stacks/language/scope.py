"""What `.locals` means where a text was written: ordinary lexical scope.

A file has a global scope; a section of a type (`terraform:`) and a component may open an inner one. An inner scope
sees the locals of the outer ones. A local is evaluated in its own scope, seen from its own file, so it has one value
however many components use it, and a function in it is called once.
"""

from __future__ import annotations

from plait.core.find import entry
from plait.core.node import Bound, Key, MapNode, Node, Scalar, plain_value
from plait.core.scope import Place
from plait.fronts.stacks.language.templates import DELIMITERS, FACTS, Templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope
    from plait.fronts.stacks.ask.include import Includes
    from plait.fronts.stacks.ask.outside import Outside
    from plait.fronts.stacks.config.config import Config, ManifestSettings
    from plait.fronts.stacks.session.arguments import Arguments
    from plait.fronts.stacks.session.session import StackSession
    from plait.fronts.stacks.session.yaml_function import YamlFunction
    from plait.yaml.build import Reading

CONTEXT = ("settings", "vars", "env")
"""The sections of the same file that templates in locals may read."""


class Language:
    """What texts of manifests mean in one repository. How they are read and rendered is in `language.py`."""

    def __init__(
        self,
        session: StackSession,
        config: Config,
        settings: ManifestSettings,
        templates: Templates,
        outside: Outside,
        includes: Includes,
    ) -> None:
        self.session = session
        self.config = config
        self.templates = templates
        self.outside = outside
        self.includes = includes
        self.settings = settings
        session.evaluator.strict = lambda: config.error_mode(session.options) == "strict"
        session.options.templates = session.options.templates and settings.enabled
        self._late = templates.delimiters[0]
        self.variables: dict[str, Arguments] = {}
        """What is written after `!env`, read."""

    def has_template(self, value: str) -> bool:
        return "{{" in value or self._late in value

    def skips(self, function: YamlFunction) -> bool:
        """Whether a function is to be left as it is written."""
        options = self.session.options
        return function.name in options.skip or (not options.functions and not function.early)

    def reads(self, value: str) -> tuple[tuple[str, ...], ...] | None:
        """The paths of all values that decide what a text is rendered to for a component; None where others may."""
        templates = self.templates
        if self.settings.evaluations != 1 or not self.session.options.templates or templates.delimiters != DELIMITERS:
            return None
        paths = templates.parse(value).paths
        outside = FACTS | {"locals"}
        return None if paths is None or any(path[0] in outside for path in paths) else paths

    def setting(self, scope: Scope | None, name: str) -> object:
        """A key of `templates.settings`: of the configuration, and over it of the settings of the component that is
        rendered."""
        usual = self.config.get("templates", "settings", name)
        root = scope.place.root.node if scope is not None else None
        own = entry(root, "settings", "templates", "settings", name)
        if own is None or own.live:  # what has to be rendered cannot say how
            return usual
        given = plain_value(own)
        return merged_values(usual, given) if isinstance(usual, dict) and isinstance(given, dict) else given

    def rendered(self, value: str, scope: Scope, node: Node) -> str:
        """A text in which templates are rendered, seen from where an expression is."""
        raise NotImplementedError

    def named(self, value: str, scope: Scope, node: Node) -> list[tuple[Node, Place]]:
        """The values that the templates in a text name, each at its place."""
        raise NotImplementedError

    def reading(self, scope: FileScope) -> Reading:
        """How a document is read whose texts are written in a scope."""
        raise NotImplementedError

    def text_node(self, scalar: Scalar, scope: FileScope) -> Node:
        """What a text scalar of a manifest means: a template, a function in quotes, or itself."""
        raise NotImplementedError


def merged_values(low: dict[str, object], high: dict[str, object]) -> dict[str, object]:
    """Two maps of plain data, merged deeply."""
    from plait.notations.yq.functions import deep_merged  # a language of its own, for imports that have a context

    found: dict[str, object] = deep_merged(low, high)
    return found


class FileScope:
    """One scope of one file. `own` are the locals it defines, `context` the sections its templates may read."""

    __slots__ = (
        "_place",
        "_visible",
        "context",
        "file",
        "ignore_missing",
        "label",
        "language",
        "outer",
        "own",
        "path",
    )

    def __init__(
        self, language: Language, file: str, path: str, outer: FileScope | None = None, label: str = "global"
    ) -> None:
        self.language = language
        self.file = file
        """What reports call the file."""
        self.path = path
        """Where the file is."""
        self.outer = outer
        self.label = label
        self.own: MapNode | None = None
        self.context: dict[str, Node] = {}
        self.ignore_missing: bool = outer.ignore_missing if outer is not None else False
        self._place: Place | None = None
        self._visible: dict[Key, Node] | None = None

    @property
    def session(self) -> StackSession:
        return self.language.session

    @property
    def folders(self) -> tuple[str, ...]:
        """Where `!include` looks for a path that begins with no dot."""
        return (self.language.session.folder, self.language.config.base_path)

    def reading(self) -> Reading:
        return self.language.reading(self)

    def text_node(self, scalar: Scalar) -> Node:
        return self.language.text_node(scalar, self)

    @property
    def place(self) -> Place:
        """Where the locals of this scope are seen from."""
        if self._place is None:
            self.visible()
        assert self._place is not None
        return self._place

    def visible(self) -> dict[Key, Node]:
        """Every local that can be read here, each bound to the scope that defines it; the inner ones win."""
        if self._visible is None:
            self._visible = found = dict(self.outer.visible()) if self.outer is not None else {}
            entries: dict[Key, Node] = dict(self.context.items())
            entries["locals"] = MapNode(found, live=True)
            self._place = Place(node=MapNode(entries, live=True))
            here = self._place.child("locals")
            for name, node in self.own.entries.items() if self.own is not None else ():
                found[name] = Bound(node, here.child(name)) if node.live else node
        return self._visible

    def open(self, own: MapNode | None, context: dict[str, Node]) -> None:
        """Set what the scope defines, and what templates in its locals may read."""
        self.own = own
        self.context = context
        self._visible = self._place = None
