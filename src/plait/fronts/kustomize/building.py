"""What `kustomize build` does: resources, generators, components, then the transformers in their order, layer by layer;
at the end hashes, references, variables and the order."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import Mapping, Node, Scalar
from plait.fronts.identities import check_identity
from plait.fronts.kustomize.crds import custom_references
from plait.fronts.kustomize.generating import Generators
from plait.fronts.kustomize.generators import hashed
from plait.fronts.kustomize.history import HASHED, string
from plait.fronts.kustomize.metadata import annotated
from plait.fronts.kustomize.order import in_order
from plait.fronts.kustomize.patches import Patches
from plait.fronts.kustomize.plugins import Plugins
from plait.fronts.kustomize.references import NameReferences
from plait.fronts.kustomize.schemas import custom_kinds
from plait.fronts.kustomize.state import FOLDER, Accumulated, BuildState
from plait.fronts.kustomize.transforming import Transformers
from plait.fronts.kustomize.variables import BuildVariable, fill
from plait.report.catalog import KUSTOMIZE_CONFLICT, KUSTOMIZE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.kustomize.generating import Charts
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource
    from plait.fronts.project import Project

LOCAL = "config.kubernetes.io/local-config"


class Build:
    """One build of one folder."""

    def __init__(
        self,
        project: Project,
        folder: str,
        documents: dict[str, list[Node]],
        charts: Charts,
        is_generated: bool = False,
    ) -> None:
        """`is_generated`: whether a folder without a kustomization stands for its manifests."""
        self.state = BuildState(project, folder, documents)
        self._is_generated = is_generated
        self._generators = Generators(self.state, charts)
        self._transformers = Transformers(self.state, Patches(self.state))
        self._plugins = Plugins(self.state, self._generators, self._transformers, self._given_by)

    def run(self) -> list[BuiltResource]:
        top = self._load(self.state.root, None)
        self._traces(top)
        made = self._accumulate(top, Accumulated(), ())
        self._hashes(made.resources)
        NameReferences(made.resources, made.fields.references, self.state.history).follow()
        self.state.findings += fill(made.resources, made.variables, made.fields["varReference"], self.state.history)
        kept = [one for one in made.resources if not _is_local(one)]
        self.state.findings += self.state.files.outside
        for one in kept:
            check_identity(one.node)
        return annotated(in_order(kept, top.fields.get("sortOptions")), top, self.state.history)

    def _traces(self, top: Kustomization) -> None:
        wanted = {item.text for item in top.texts("buildMetadata")}
        self.state.is_traced = bool(wanted & {"transformerAnnotations"})

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
        self._generators.run(one, into)
        self._plugins.generate(one, into, above)
        for item in one.texts("components"):
            self._component(one, item, into, above)
        self._transformers.run(one, into)
        self._plugins.transform(one, into, above)
        self._declare(one, into)
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
            self._join(into, self._accumulate(below, Accumulated(), above), item)
        else:
            self.state.elsewhere(item, item.text)

    def _inner(self, path: str, item: Scalar, above: tuple[str, ...]) -> Kustomization:
        if os.path.abspath(path) in above:
            why = "it is part of itself"
            raise KUSTOMIZE_FILE.error(Label(item.origin), name=item.text, why=why, hint="remove one of the two")
        return self._load(path, item)

    def _given_by(self, path: str, item: Scalar, above: tuple[str, ...]) -> list[Node]:
        """The resources of a folder, where they are not resources of this build."""
        made = self._accumulate(self._inner(path, item, above), Accumulated(), above)
        return [resource.node for resource in made.resources]

    def _component(self, one: Kustomization, item: Scalar, into: Accumulated, above: tuple[str, ...]) -> None:
        path = os.path.normpath(os.path.join(one.folder, item.text))
        self.state.project.check_inside(path, item)
        if not self.state.project.door.is_folder(path):
            self.state.elsewhere(item, item.text)
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
        into.fields.take(below.fields)
        self._take_variables(into, below.variables.values())

    def _schema(self, one: Kustomization) -> None:
        path = word(one.mapping("openapi"), "path")
        node = one.fields.get("openapi")
        if path and node is not None:
            name = self.state.files.path(one.folder, path, node)
            self.state.link(one, name, node)
            for document in self.state.files.documents(name):
                self.state.types.more, self.state.kinds = custom_kinds(document)

    def _configure(self, one: Kustomization, into: Accumulated) -> None:
        for item in one.texts("configurations"):
            path = self.state.files.path(one.folder, item.text, item)
            self.state.link(one, path, item)
            for document in self.state.files.documents(path):
                into.fields.add(document)
        for item in one.texts("crds"):
            path = self.state.files.path(one.folder, item.text, item)
            self.state.link(one, path, item)
            for document in self.state.files.documents(path):
                custom_references(document, into.fields)

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

    def _hashes(self, resources: list[BuiltResource]) -> None:
        for resource in resources:
            if resource.wants_hash:
                before = resource.metadata.entries.get("name")
                if not isinstance(before, Scalar):
                    continue
                resource.keep_id()
                name = f"{before.text}-{hashed(resource.node)}"
                reads = tuple(_data(resource.node))
                node = string(name, before)
                self.state.history.put(resource.metadata, "name", node, HASHED, resource.generator, reads=reads)
                resource.renamed()


def _data(node: Mapping) -> Iterable[Node]:
    for field in ("data", "binaryData", "stringData"):
        found = node.entries.get(field)
        if isinstance(found, Mapping):
            yield from found.entries.values()


def _is_local(resource: BuiltResource) -> bool:
    note = resource.texts("annotations").get(LOCAL)
    return note is not None and note.text != "false"
