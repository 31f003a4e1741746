"""What a profile is made of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Kind = tuple[str, str]
    """The group and the kind of a Kubernetes resource."""

NULLS = {
    "keep": "null is a value like any other",
    "delete": "null in a higher layer removes the key",
    "error": "null in a higher layer over another value is an error",
    "defaults": "null in a higher layer removes a key that the lowest layer has; any other null stays",
    "ignore": "null in a higher layer changes nothing; without a value below it stays",
}
YAML = {
    "1.2": "`no` is text, `0644` is 644",
    "1.1": "`no` is false, `0644` is 420, `1:30` is 90",
    "go-yaml-2": "`no` and `n` are false, `0644` is 420, `1:30` is text",
    "go-yaml-3": "`no` is text, `0644` is 420, `1:30` is text",
    "compose-go": "`no` is text, `0644` is 420, `1:30` is text, and keys are texts",
    "pyyaml": "`no` is false, `n` is text, `0644` is 420, `1:30` is 90, `1e3` is text",
    "omegaconf": "`no` is false, `n` is text, `0644` is 420, `1:30` is 90, `1e3` is 1000",
    "ruamel": "`no` is text, `0644` is 644, `1:30` is text",
}
MAPS = {
    "deep": "maps are merged key by key, at every level",
    "top": "a map below a top-level key replaces the one of a lower layer",
}
KINDS = {
    "any": "a value of another kind replaces what is below it",
    "containers": "a map or a list can only be overridden by a value of its kind",
}
LAYERS = {
    "in order": "each layer is merged over all that are below it",
    "overrides first": "the layers above the lowest one are merged with each other, and their result over the lowest",
}
DOCUMENTS = {
    "ask": "Kubernetes resources are paired by name; for other files with several documents `--documents` must choose",
    "pair": "resources are paired by name, other documents by position",
}
SETS = {
    "path": "`--set PATH=VALUE` sets one value, written in YAML",
    "helm": (
        "`--set`, `--set-string`, `--set-json`, `--set-file` and `--set-literal` are layers above all files, "
        "read as helm does"
    ),
}
MARKERS = {
    "patch": (
        "`delete` empties a map or removes an item of a list, `replace` replaces a map, or the list that it is an item "
        "of; a map that asks for either is left out where nothing is below"
    ),
    "order": "`$setElementOrder/LIST` names the items of a list in their order; others go where they were between them",
    "drop": "`$deleteFromPrimitiveList/LIST` names the values of a list that go",
    "retain": "the keys of a map that stay; all others that are below go",
    "missing": "a value that a lower layer has stays",
}
"""What the words that a tool finds in the data ask for."""
SETTINGS = {
    "nulls": NULLS,
    "yaml": YAML,
    "maps": MAPS,
    "kinds": KINDS,
    "layers": LAYERS,
    "documents": DOCUMENTS,
    "set": SETS,
}
"""The settings of a profile, and what each of their values means."""


NOTHING: Mapping[Any, Any] = {}


class Setting:
    """The value of one setting, and where the tool's documentation says so."""

    __slots__ = ("cites", "value")

    def __init__(self, value: str, cites: str) -> None:
        self.value = value
        self.cites = cites


class Listed:
    """How lists at a path are merged: a path pattern and a list strategy."""

    __slots__ = ("cites", "path", "strategy")

    def __init__(self, path: str, strategy: str, cites: str) -> None:
        self.path = path
        self.strategy = strategy
        self.cites = cites


class Form:
    """A value that may be written in several forms: it is brought into one `form` where several layers have it. With a
    `field`: where that is a map in one of them, and a single value in a higher one."""

    __slots__ = ("cites", "field", "form", "path")

    def __init__(self, path: str, form: str, cites: str, field: str = "") -> None:
        self.path = path
        self.form = form
        self.cites = cites
        self.field = field


class Whole:
    """A value that replaces what is below it, whatever it is. With a `field`: where both have the field, and it
    differs."""

    __slots__ = ("cites", "field", "path")

    def __init__(self, path: str, cites: str, field: str = "") -> None:
        self.path = path
        self.cites = cites
        self.field = field


class Tag:
    """A tag of the tool that asks for something that a tag of plait asks for as well."""

    __slots__ = ("cites", "means", "tag")

    def __init__(self, tag: str, means: str, cites: str) -> None:
        self.tag = tag
        self.means = means
        self.cites = cites


class DataMarker:
    """A word in the data that asks for something; `what` is one of `MARKERS`."""

    __slots__ = ("cites", "text", "what")

    def __init__(self, what: str, text: str, cites: str) -> None:
        self.what = what
        self.text = text
        self.cites = cites


class NotFollowed:
    """A key that the tool acts on and plait leaves in the result: a path, in which `**` is any number of steps, and
    what to do instead."""

    __slots__ = ("cites", "instead", "path")

    def __init__(self, path: tuple[str, ...], instead: str, cites: str) -> None:
        self.path = path
        self.instead = instead
        self.cites = cites


class Profile:
    """The rules of one tool."""

    __slots__ = (
        "about",
        "advice",
        "differences",
        "forms",
        "keys",
        "kinds",
        "lists",
        "name",
        "not_followed",
        "settings",
        "tags",
        "whole",
        "words",
    )

    def __init__(
        self,
        name: str,
        about: str,
        settings: Mapping[str, Setting],
        lists: tuple[Listed, ...] = (),
        kinds: Mapping[Kind, tuple[Listed, ...]] = NOTHING,
        forms: tuple[Form, ...] = (),
        whole: tuple[Whole, ...] = (),
        tags: tuple[Tag, ...] = (),
        words: tuple[DataMarker, ...] = (),
        not_followed: tuple[NotFollowed, ...] = (),
        differences: tuple[str, ...] = (),
        advice: str = "",
        keys: Mapping[tuple[str, ...], frozenset[str]] = NOTHING,
    ) -> None:
        self.name = name
        self.about = about
        self.settings = settings
        self.lists = lists
        self.kinds = kinds
        self.forms = forms
        self.whole = whole
        self.tags = tags
        self.words = words
        self.not_followed = not_followed
        self.advice = advice
        """What helps in this tool where a list replaces another one."""
        self.keys = keys
        """The keys that the tool knows, by the path of the map that has them; in a path, `*` is any key."""
        self.differences = differences
        """What plait is known to do otherwise than the tool."""

    def setting(self, name: str) -> str:
        """The value of a setting; the first of its values where the profile does not say."""
        found = self.settings.get(name)
        return found.value if found is not None else next(iter(SETTINGS[name]))

    def lists_of(self, group: str, kind: str) -> tuple[Listed, ...]:
        """The list rules for a resource of a kind, weakest first."""
        replaced = (Listed(whole.path, "replace", whole.cites) for whole in self.whole if not whole.field)
        return (*self.lists, *replaced, *self.kinds.get((group, kind), ()))

    @property
    def unique(self) -> bool:
        """Whether items of some list may be there only once."""
        return any(listed.strategy.startswith("unique:") for listed in self.lists)

    def word(self, what: str) -> str:
        return next((word.text for word in self.words if word.what == what), "")
