"""The settings of a project: what `plait.yaml` says. All that is wrong in it is reported at once. Targets that
are wrong stop only what asks for targets."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label, for_each
from plait.core.meter import BUDGETS
from plait.core.node import ListNode, MapNode, Node, Scalar, children, key_text
from plait.core.path import PathError, parse_path, split_assignment
from plait.core.policy import STRATEGIES, ListRule, PlaceRule
from plait.core.protection import Guards, Protection
from plait.core.source import Source
from plait.fronts.setting import bad, named, profile_problem, unknown_key
from plait.profiles.rules import SETTINGS as PROFILE_SETTINGS
from plait.report.catalog import BAD_RULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from plait.access.door import Door
    from plait.core.node import Key

SETTINGS = "plait.yaml"
NOTATIONS = ("dynaml", "gotemplate")
ELSEWHERE = {
    "directives": "`plait expand` reads documents with directives",
    "query": "`plait query` asks such questions",
}
"""Notations that layers can use beside tags, and those that have commands of their own instead."""
FLAG, POLICY_FILE, SETTINGS_FILE, PROFILE = 3, 2, 1, 0
"""Where a list rule was declared: the higher wins."""
UNGUARDED = Guards()
DIALECTS, FEATURES = ("spiff", "spiff++"), ("control", "interpolation")


class ProjectSettings:
    """What `plait.yaml` says. It can grant nothing."""

    __slots__ = (
        "budgets",
        "keep",
        "kinds",
        "lists",
        "notations",
        "nulls",
        "profile",
        "repositories",
        "review",
        "spiff",
        "targets",
        "yaml",
    )

    def __init__(self) -> None:
        self.notations: tuple[str, ...] = ()
        self.lists: list[PlaceRule] = []
        self.kinds = "replace"
        self.budgets: dict[str, int] = {}
        self.profile = ""
        self.nulls = ""
        self.yaml = ""
        self.repositories: dict[str, str] = {}
        """Folders that includes of documents with directives name, from the root of the project."""
        self.spiff: tuple[str, list[str]] = ("", [])
        """How templates of spiff are read: the dialect, and the features that are on."""
        self.targets: Node | None = None
        """As they are written; see `fronts.targets`."""
        self.keep: list[Protection] = []
        """Values that `plait tidy` leaves as they are."""
        self.review = UNGUARDED

    @classmethod
    def read(cls, documents: Sequence[Node], door: Door, folder: str) -> ProjectSettings:
        """Those of a file in a folder; an error names everything that is wrong."""
        settings = cls()
        try:
            for_each(settings._take, documents)
        except Fault as fault:
            from plait.fronts.entries import wrong_entries

            raise Fault(*fault.diagnostics, *wrong_entries(settings.targets, door, folder)) from None
        return settings

    def _take(self, document: Node) -> None:
        if isinstance(document, Scalar) and document.value is None:
            return
        if not isinstance(document, MapNode):
            raise bad(document, "plait.yaml must be a mapping", "write NAME: VALUE lines, as in `kinds: error`")
        keys: dict[str, Callable[[Node], None]] = {
            "notations": self._take_notations,
            "lists": self._take_lists,
            "kinds": self._take_kinds,
            "budgets": self._take_budgets,
            "repositories": self._take_repositories,
            "profile": self._take_profile,
            "nulls": self._take_nulls,
            "yaml": self._take_yaml,
            "targets": self._take_targets,
            "review": self._take_review,
            "keep": self._take_keep,
            "spiff": self._take_spiff,
        }

        def take(key: Key) -> None:
            if key not in keys:
                raise unknown_key(document, key, keys, f"unknown setting `{key_text(key)}` in plait.yaml")
            keys[str(key)](document.entries[key])

        for_each(take, document.entries)

    def _take_notations(self, node: Node) -> None:
        self.notations = tuple(for_each(_notation, _items(node)))

    def _take_lists(self, node: Node) -> None:
        self.lists += list_patterns(node, SETTINGS_FILE)

    def _take_kinds(self, node: Node) -> None:
        self.kinds = _one_of(node, "`kinds` is `replace` or `error`", ("replace", "error"))

    def _take_profile(self, node: Node) -> None:
        self.profile = named(node, "`profile` is the name of one profile")
        why, hint = profile_problem(self.profile)
        if why:
            raise bad(node, why, hint)

    def _take_nulls(self, node: Node) -> None:
        self.nulls = _of_profile(node, "nulls")

    def _take_yaml(self, node: Node) -> None:
        self.yaml = _of_profile(node, "yaml")

    def _take_targets(self, node: Node) -> None:
        self.targets = node

    def _take_spiff(self, node: Node) -> None:
        """`spiff: {dialect: spiff++, features: [control]}`"""
        dialect: list[str] = []
        features: list[str] = []

        def take_dialect(child: Node) -> None:
            dialect.append(_one_of(child, "`dialect` is `spiff` or `spiff++`", DIALECTS))

        def take_features(child: Node) -> None:
            why = "`features` are `control` and `interpolation`"
            features.extend(for_each(lambda each: _one_of(each, why, FEATURES), _items(child)))

        _fields(node, "spiff", {"dialect": take_dialect, "features": take_features})
        self.spiff = ("".join(dialect), features)

    def _take_review(self, node: Node) -> None:
        """`review: {protect: [PATH, ...], widest: NUMBER}`"""
        self.review = Guards()

        def take_protect(child: Node) -> None:
            self.review.protect = protections(child, "protect")

        def take_widest(child: Node) -> None:
            self.review.widest = _count(child, "`widest` is a whole number above 0")

        _fields(node, "review", {"protect": take_protect, "widest": take_widest})

    def _take_keep(self, node: Node) -> None:
        self.keep = protections(node, "keep")

    def _take_repositories(self, node: Node) -> None:
        if not isinstance(node, MapNode):
            example = "write them as in `repositories: {shared: ../shared}`"
            raise bad(node, "`repositories` maps names to folders", example)

        def folder(key: Key) -> str:
            return named(node.entries[key], f"the repository `{key_text(key)}` is a folder")

        folders = for_each(folder, node.entries)
        self.repositories = dict(zip(map(key_text, node.entries), folders, strict=True))

    def _take_budgets(self, node: Node) -> None:
        self.budgets = budgets_of(node)


UNSET = ProjectSettings()
"""Those of a project without plait.yaml."""


def budgets_of(node: Node) -> dict[str, int]:
    """The mapping `budgets` of a file of settings."""
    if not isinstance(node, MapNode):
        raise bad(node, "`budgets` must be a mapping", "write them as in `budgets: {depth: 50}`")

    def budget(key: Key) -> int:
        if key not in BUDGETS:
            raise unknown_key(node, key, BUDGETS, f"unknown budget `{key_text(key)}`")
        return _count(node.entries[key], f"the budget `{key}` is a whole number above 0")

    return dict(zip(map(str, node.entries), for_each(budget, node.entries), strict=True))


def protections(node: Node, name: str) -> list[Protection]:
    """A list of protected values, or of values to keep."""
    if not isinstance(node, ListNode):
        raise bad(node, f"`{name}` is a list of paths", f'write them as in `{name}: ["**.replicas"]`')
    return for_each(lambda item: protection(item, name), node.items)


def protection(node: Node, name: str) -> Protection:
    """An entry of such a list."""
    text = named(node, f"an entry of `{name}` is a path, or `target=GLOB: PATH` in quotes")
    try:
        return Protection(text)
    except (PathError, ValueError) as trouble:
        raise bad(node, f"invalid entry of `{name}`: {trouble}") from None


def notation_problem(name: str) -> tuple[str, str]:
    """Why layers cannot use a notation, and what to do; two empty texts where they can."""
    if name in NOTATIONS:
        return "", ""
    if name in ELSEWHERE:
        return f"layers do not support the notation `{name}`", ELSEWHERE[name]
    from plait.report.near import did_you_mean

    return f"unknown notation `{name}`", did_you_mean(name, NOTATIONS) or f"available: {', '.join(NOTATIONS)}"


def _notation(node: Node) -> str:
    name = named(node, "a notation is a name")
    why, hint = notation_problem(name)
    if why:
        raise bad(node, why, hint)
    return name


def _fields(node: Node, section: str, takes: dict[str, Callable[[Node], None]]) -> None:
    """Take the known keys of a section."""
    if not isinstance(node, MapNode):
        raise bad(node, f"`{section}` has {' and '.join(f'`{name}`' for name in takes)}")

    def take(key: Key) -> None:
        if key not in takes:
            raise unknown_key(node, key, takes, f"unknown setting `{key_text(key)}` in `{section}`")
        takes[str(key)](node.entries[key])

    for_each(take, node.entries)


def _items(node: Node) -> list[Node]:
    return [child for _, child in children(node)] if not isinstance(node, Scalar) else [node]


def _one_of(node: Node, why: str, known: Iterable[object]) -> str:
    from plait.report.near import did_you_mean

    if not isinstance(node, Scalar) or node.text not in known:
        text = node.text if isinstance(node, Scalar) else ""
        raise bad(node, why, did_you_mean(text, [word for word in known if isinstance(word, str)]))
    return node.text


def _of_profile(node: Node, name: str) -> str:
    """A setting that a profile may have as well."""
    known = PROFILE_SETTINGS[name]
    return _one_of(node, f"`{name}` is one of {', '.join(known)}", known)


def _count(node: Node, why: str) -> int:
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(value, int) or value is True or value < 1:
        raise bad(node, why)
    return value


def list_patterns(node: Node, level: int) -> list[PlaceRule]:
    """The list rules of a mapping from patterns to strategies (`jobs: key:name`, or `jobs: {key: name}`)."""
    if not isinstance(node, MapNode):
        raise bad(node, "`lists` maps patterns to strategies", "write them as in `lists: {jobs: append}`")

    def rule(numbered: tuple[int, Key]) -> PlaceRule:
        order, key = numbered
        child = node.entries[key]
        text = child.text if isinstance(child, Scalar) else _long_form(child)
        return list_pattern(key_text(key), text, level, order, Label(child.origin))

    return for_each(rule, enumerate(node.entries))


def _long_form(node: Node) -> str:
    fields = node.entries.get("key") if isinstance(node, MapNode) else None
    if fields is None:
        raise bad(node, "a list strategy is a word, or {key: NAME}")
    return "key:" + ",".join(child.text for child in _items(fields) if isinstance(child, Scalar))


def list_pattern(pattern: str, rule: str, level: int, order: int, *labels: Label) -> PlaceRule:
    """One list rule."""
    try:
        origin = labels[0].origin if labels else None
        return PlaceRule.at_level(
            level, order, parse_path(pattern, pattern=True), ListRule.parse(rule, STRATEGIES, origin)
        )
    except PathError as trouble:
        raise BAD_RULE.error(*labels, why=f"`{pattern}` is not a path pattern: {trouble.message}") from None
    except ValueError as trouble:
        raise BAD_RULE.error(*labels, why=str(trouble)) from None


def flag_patterns(flags: list[str]) -> list[PlaceRule]:
    """The list rules of `--list PATH=STRATEGY` flags."""
    rules = []
    for order, flag in enumerate(flags):
        pattern, equals, rule = split_assignment(flag)
        label = Label.at(Source(f"--list {flag}", flag, given=True), 0)
        if not equals or not pattern:
            raise BAD_RULE.error(
                label, why=f"`{flag}` is not a list policy", hint="write PATH=STRATEGY, as in jobs=key:name"
            )
        rules.append(list_pattern(pattern, rule, FLAG, order, label))
    return rules
