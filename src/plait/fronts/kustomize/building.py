"""What `kustomize build` does: resources, generators, components, then the transformers in their order, layer by layer;
at the end hashes, references, variables and the order."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import Node, Scalar
from plait.fronts.identities import check_identity
from plait.fronts.kustomize.crds import custom_references
from plait.fronts.kustomize.generating import Generators
from plait.fronts.kustomize.generators import add_hashes
from plait.fronts.kustomize.kustomization import once_each
from plait.fronts.kustomize.order import in_order
from plait.fronts.kustomize.patches import Patches
from plait.fronts.kustomize.plugins import Plugins
from plait.fronts.kustomize.references import NameReferences
from plait.fronts.kustomize.schemas import custom_kinds
from plait.fronts.kustomize.state import FOLDER, Accumulated, BuildState
from plait.fronts.kustomize.transforming import Transformers
from plait.fronts.kustomize.variables import BuildVariable, fill
from plait.report.catalog import KUSTOMIZE_CONFLICT, KUSTOMIZE_FIELD, KUSTOMIZE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.kustomize.generating import Charts
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource, Maker
    from plait.fronts.project import Project

LOCAL = "config.kubernetes.io/local-config"
BUILT_IN = "v1.21.2"
"""The version of Kubernetes whose schema is built into kustomize."""


class Build:
    """One build of one folder."""

    def __init__(
        self,
        project: Project,
        folder: str,
        charts: Charts,
        is_generated: bool = False,
    ) -> None:
        """`is_generated`: whether a folder without a kustomization stands for its manifests."""
        self.state = BuildState(project, folder)
        self._is_generated = is_generated
        self._generators = Generators(self.state, charts)
        self._transformers = Transformers(self.state, Patches(self.state))
        self._plugins = Plugins(self.state, self._generators, self._transformers, self._given_by)

    def build(self) -> list[BuiltResource]:
        top = self._load(self.state.root, None)
        self.state.notes.ask(top)
        made = self._accumulate(top, Accumulated(), ())
        made.check_unique(top.node)
        add_hashes(made.resources, self.state.history)
        NameReferences(made.resources, made.fields.references, self.state.history).follow()
        self.state.findings += fill(made.resources, made.variables, made.fields["varReference"], self.state.history)
        kept = [one for one in made.resources if not _is_local(one)]
        self.state.findings += once_each(self.state.files.outside)
        for one in kept:
            check_identity(one.node)
        return self.state.notes.finish(in_order(kept, top.fields.get("sortOptions")), self.state.history)

    def _load(self, folder: str, asker: Node | None) -> Kustomization:
        found = self.state.files.kustomization(folder, asker, self._is_generated and folder == self.state.root)
        if folder not in self.state.kustomizations:
            self.state.findings += found.findings()
        self.state.kustomizations.setdefault(folder, found)
        return found

    def _accumulate(self, one: Kustomization, into: Accumulated, above: tuple[str, ...]) -> Accumulated:
        """What a kustomization gives; a component adds to what is there."""
        self.state.project.meter.step(FOLDER + len(into.resources))
        above = (*above, os.path.abspath(one.folder))
        self._schema(one)
        for item in one.texts("resources", "bases"):
            self._resource(one, item, into, above)
        self._configure(one, into)
        self._generators.generate(one, into)
        self._plugins.generate(one, into, above)
        for item in one.texts("components"):
            self._component(one, item, into, above)
        self._transformers.transform(one, into)
        self._plugins.transform(one, into, above)
        self._declare(one, into)
        self.state.change_missing(one, into)
        return into

    def _resource(self, one: Kustomization, item: Scalar, into: Accumulated, above: tuple[str, ...]) -> None:
        path = os.path.normpath(os.path.join(one.folder, item.text))
        door = self.state.project.door
        self.state.project.check_inside(path, item)
        if door.is_file(path):
            self.state.files.path(one.folder, item.text, item)
            self.state.link(one, path, item)
            for resource in self.state.in_file(path):
                into.add(resource, item)
        elif door.is_folder(path):
            below = self._inner(path, item, above)
            if below.is_component:
                why = "it is a component"
                raise KUSTOMIZE_FILE.error(
                    Label(item.origin), name=item.text, why=why, hint="name it under `components`"
                )
            self.state.link(one, below.path, item)
            made = Accumulated(len(self.state.missing))
            self._join(into, self._accumulate(below, made, above), item)
        else:
            self.state.elsewhere(one, item)

    def _inner(self, path: str, item: Scalar, above: tuple[str, ...]) -> Kustomization:
        if os.path.abspath(path) in above:
            why = "it is part of itself"
            raise KUSTOMIZE_FILE.error(Label(item.origin), name=item.text, why=why, hint="remove one of the two")
        return self._load(path, item)

    def _given_by(self, path: str, item: Scalar, above: tuple[str, ...]) -> list[tuple[Node, Maker]]:
        """The resources of a folder, where they are not resources of this build, and where each comes from."""
        made = self._accumulate(self._inner(path, item, above), Accumulated(len(self.state.missing)), above)
        return [(resource.node, resource.origin) for resource in made.resources]

    def _component(self, one: Kustomization, item: Scalar, into: Accumulated, above: tuple[str, ...]) -> None:
        path = os.path.normpath(os.path.join(one.folder, item.text))
        self.state.project.check_inside(path, item)
        if not self.state.project.door.is_folder(path):
            self.state.elsewhere(one, item, *(resource.node for resource in into.resources))
            return
        below = self._inner(path, item, above)
        if not below.is_component:
            why = "it is no component"
            raise KUSTOMIZE_FILE.error(Label(item.origin), name=item.text, why=why, hint="name it under `resources`")
        self.state.link(one, below.path, item)
        self._accumulate(below, into, above)

    def _join(self, into: Accumulated, below: Accumulated, asker: Node) -> None:
        for resource in below.resources:
            into.add(resource, asker)
        into.fields.take(below.fields, asker)
        self._take_variables(into, below.variables.values())

    def _schema(self, one: Kustomization) -> None:
        """The schema that the outermost kustomization with one names; it takes the place of the built-in one."""
        node = one.mapping("openapi")
        path, version = word(node, "path"), word(node, "version")
        if node is None or (not path and not version) or self.state.has_schema:
            return
        self.state.has_schema = True
        if path and version:
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="`openapi` has a `path` or a `version`, not both")
        if version and version != BUILT_IN:
            label = Label(node.entries["version"].origin)
            raise KUSTOMIZE_FIELD.error(label, why=f"the version `{version}` is not built in", hint=f"it is {BUILT_IN}")
        if path:
            for document in self.state.files.documents(self.state.file(one, path, node)):
                self.state.types, self.state.kinds = custom_kinds(document)

    def _configure(self, one: Kustomization, into: Accumulated) -> None:
        configurations = [self._first(one, item) for item in one.texts("configurations")]
        into.fields.configure([node for node in configurations if node is not None], one.node)
        for item in one.texts("crds"):
            document = self._first(one, item)
            if document is not None:
                custom_references(document, into.fields)

    def _first(self, one: Kustomization, item: Scalar) -> Node | None:
        """What a file says that an entry names."""
        found = self.state.files.documents(self.state.file(one, item.text, item))
        return found[0] if found else None

    def _declare(self, one: Kustomization, into: Accumulated) -> None:
        made = [BuildVariable(node) for node in one.maps("vars")]
        for variable in made:
            variable.bind(into.resources)
        self._take_variables(into, made)

    def _take_variables(self, into: Accumulated, variables: Iterable[BuildVariable]) -> None:
        for variable in variables:
            other = into.variables.setdefault(variable.name, variable)
            if other is not variable and other.node is not variable.node:
                labels = (Label(variable.node.origin), Label(other.node.origin, "it is also here"))
                raise KUSTOMIZE_CONFLICT.error(*labels, why=f"the variable `{variable.name}` is there twice")


def _is_local(resource: BuiltResource) -> bool:
    note = resource.texts("annotations").get(LOCAL)
    return note is not None and note.text != "false"
