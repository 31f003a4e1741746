"""What a stack is called: `name` in its manifest, else the template or pattern of the configuration, else its file.

A template can see a component's vars, so each component could have another name. Nearly always they all have one, which is
then computed once for the manifest: only where a component or an override may say something that the name is made of, is
each component asked.
"""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Key, Mapping, Node, Scalar
from plait.core.scope import Blocked, Inherited, Place
from plait.fronts.stacks.components import Component
from plait.fronts.stacks.hush import secret_name
from plait.fronts.stacks.imports import Manifest, entry, merged
from plait.fronts.stacks.manifest import Mentions
from plait.report.catalog import BAD_CONFIG, NO_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.run import Run
    from plait.fronts.stacks.templates import Parsed

TOKENS = ("namespace", "tenant", "environment", "stage")
"""What a pattern may be made of."""
SHARED = ("vars", "settings", "env")
UNKNOWN = "<no value>"


class Namer:
    """Names stacks by the rules of one configuration."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.template = run.config.name_template
        self.pattern = run.config.name_pattern
        self.reads = self._reads()
        """The values that a name is made of; None where it may depend on anything."""
        self.mentions = Mentions(self.reads) if self.reads is not None else None
        self.busy = False
        """Whether a name is being made: then nobody can be looked up by name."""
        self._uniform: dict[Manifest, bool] = {}
        self._shared: dict[tuple[Manifest, str], str | PlaitError] = {}

    def _reads(self) -> list[tuple[str, ...]] | None:
        if self.template:
            from plait.fronts.stacks.templates import fields_of

            parsed = self._parsed()
            paths = fields_of(parsed.template.tree)
            simple = parsed.tops is not None and all(len(path) > 1 and path[0] in SHARED for path in paths)
            return [path[:2] for path in paths] if simple else None
        return [("vars", token) for token in TOKENS if f"{{{token}}}" in self.pattern]

    def _parsed(self) -> Parsed:
        from plait.fronts.stacks.templates import place_of
        from plait.notations.gotemplate.errors import TemplateError

        try:
            return self.run.templates.parse(self.template)
        except TemplateError as error:
            node = entry(self.run.config.tree.entries.get("stacks"), "name_template") or Scalar(None, "")
            why = f"`stacks.name_template` is no template: {error.message}"
            raise BAD_CONFIG.error(
                place_of(error, self.template, node), why=why, hint=error.hint or 'for example: "{{ .vars.stage }}"'
            ) from None

    def explicit(self, manifest: Manifest) -> str:
        """The name that a manifest gives itself. It is not inherited."""
        node = manifest.file.section("name")
        if node is not None and node.live:
            node = self.run.finished(node, manifest.file.scope.place)
        if isinstance(node, Scalar) and (node.secret or self.run.revealed.holds(node.value)):
            raise secret_name("the name of a stack", Label.of(node))
        return str(node.value) if isinstance(node, Scalar) and node.value not in (None, "") else ""

    def uniform(self, manifest: Manifest) -> bool:
        """Whether all components of a manifest surely have one name."""
        known = self._uniform.get(manifest)
        if known is None:
            free = self.mentions is not None and not manifest.may_set(self.mentions)
            known = self._uniform[manifest] = (
                free or bool(self.explicit(manifest)) or not (self.template or self.pattern)
            )
        return known

    def shared(self, manifest: Manifest, type: str) -> str:
        """The name of all components of a type; PlaitError where it cannot be made."""
        key = (manifest, type)
        if key not in self._shared:
            try:
                self._shared[key] = self._made(manifest, self._shared_root(manifest, type))
            except PlaitError as error:
                self._shared[key] = error
        found = self._shared[key]
        if isinstance(found, PlaitError):
            raise found
        return found

    def of(self, component: Component) -> str:
        """The name of a component's stack; PlaitError where it cannot be made."""
        if self.uniform(component.manifest):
            return self.shared(component.manifest, component.type)
        return self._made(component.manifest, component.named_root())

    def tolerant(self, component: Component) -> str:
        """The same, or the name of the file where the variables do not make one."""
        try:
            return self.of(component)
        except PlaitError as error:
            if not is_nameless(error):
                raise
            return component.manifest.name

    def _shared_root(self, manifest: Manifest, type: str) -> Mapping:
        """What a name is made of; all shared sections only where one of its values has to be computed."""
        if self.reads is not None:
            root = self._root(manifest, type, tuple(dict.fromkeys(path[0] for path in self.reads)))
            sections = [(root.entries.get(path[0]), path[1]) for path in self.reads]
            if all(
                section is None or (isinstance(section, Mapping) and not _waits(section, key))
                for section, key in sections
            ):
                return root
        return self._root(manifest, type, SHARED)

    def _root(self, manifest: Manifest, type: str, names: tuple[str, ...]) -> Mapping:
        """Sections that all components of a type share."""
        section = manifest.section(type)
        entries: dict[Key, Node] = {}
        for name in names:
            parts = [part for part in (manifest.section(name), entry(section, name)) if part is not None]
            node = merged(parts, self.run.policy("", name))
            if node is not None:
                entries[name] = node
        return Mapping(entries, live=True)

    def _made(self, manifest: Manifest, root: Mapping) -> str:
        explicit = self.explicit(manifest)
        if explicit:
            return explicit
        if not self.template and not self.pattern:
            return manifest.name
        place, before = Place(node=root), self.busy
        self.busy = True
        try:
            return self._from_template(manifest, root, place) if self.template else self._from_pattern(manifest, place)
        finally:
            self.busy = before

    def _from_template(self, manifest: Manifest, root: Mapping, place: Place) -> str:
        if self.reads is not None:
            data: dict[str, dict[str, object]] = {section: {} for section in SHARED}
            for section, key in self.reads:
                value = self._value(place, (section, key))
                if value is not None:
                    data[section][key] = value
            name = self._rendered(data)
        else:
            name = self._rendered(self.run.plain(root, place))
        if UNKNOWN in name or not name.strip():
            raise NO_NAME.error(
                why=f"the name template `{self.template}` makes `{name}` of the stack file `{manifest.name}`",
                hint="a variable that it reads is not defined in the stack file",
            )
        return name

    def _rendered(self, data: object) -> str:
        return self.run.revealed.public(
            "the name of a stack", data, lambda known: self.run.templates.render(self.template, known)
        )

    def _value(self, place: Place, path: tuple[str, ...]) -> object:
        """A plain value of the sections, evaluated; None where there is none."""
        from plait.evaluate.engine import NotThere

        while True:
            try:
                node, at = self.run.evaluator.find(path, place)
                return self.run.plain(node, at)
            except NotThere:
                return None
            except Blocked as blocked:
                self.run.evaluator.run(blocked.wanted)
            except Inherited as failed:
                raise PlaitError(*failed.failure.diagnostics) from None

    def _from_pattern(self, manifest: Manifest, place: Place) -> str:
        words = []
        for piece in self.pattern.split("-"):
            token = piece.strip()[1:-1] if piece.startswith("{") and piece.endswith("}") else ""
            if token not in TOKENS:
                continue
            value = self._value(place, ("vars", token))
            if value in (None, ""):
                raise NO_NAME.error(
                    why=f"the stack name pattern '{self.pattern}' specifies '{token}', but the stack '{manifest.name}' does not have a {token} defined in the stack file",
                    hint=f"set `vars.{token}`, or give the manifest a `name`",
                )
            if self.run.revealed.holds(value):
                raise secret_name("the name of a stack")
            words.append(str(value))
        return "-".join(words)


def is_nameless(error: PlaitError) -> bool:
    """Whether a name could not be made for want of variables, and for no other reason."""
    return all(diagnostic.code == NO_NAME.code for diagnostic in error.diagnostics)


def _waits(section: Mapping, key: str) -> bool:
    """Whether a value of a section is not known yet."""
    node = section.entries.get(key)
    return node is not None and node.live
