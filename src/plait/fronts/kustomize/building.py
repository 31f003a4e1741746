"""What `kustomize build` does: resources, generators, components, then the transformers in their order, layer by layer;
at the end hashes, references, variables and the order."""

from __future__ import annotations

import json
import os

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.find import word
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.fronts.kustomize.charts import chart_folder
from plait.fronts.kustomize.crds import custom_references
from plait.fronts.kustomize.fields import METADATA_LABELS, FieldTable, flag, specs
from plait.fronts.kustomize.generators import HASHED, DataGenerator, hashed
from plait.fronts.kustomize.history import History, is_null, string
from plait.fronts.kustomize.json6902 import JsonPatch, is_json_patch
from plait.fronts.kustomize.kustomization import READER, Kustomization, KustomizeFiles
from plait.fronts.kustomize.metadata import annotated
from plait.fronts.kustomize.order import in_order
from plait.fronts.kustomize.patching import PatchTypes, StrategicPatch
from plait.fronts.kustomize.references import NameReferences
from plait.fronts.kustomize.replacements import Replacement
from plait.fronts.kustomize.resource import BuiltResource, ResourceId
from plait.fronts.kustomize.schemas import custom_kinds
from plait.fronts.kustomize.selecting import Selector
from plait.fronts.kustomize.transforms import (
    ANNOTATED,
    LABELLED,
    mark,
    rename,
    set_images,
    set_namespace,
    set_replicas,
)
from plait.fronts.kustomize.variables import BuildVariable, fill
from plait.profiles.kubernetes import kustomize_type
from plait.report.catalog import (
    KUSTOMIZE_CONFLICT,
    KUSTOMIZE_FIELD,
    KUSTOMIZE_FILE,
    KUSTOMIZE_NO_MATCH,
    KUSTOMIZE_NOTHING,
    KUSTOMIZE_PATCH,
    KUSTOMIZE_REMOTE,
)
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.source import Source
    from plait.fronts.project import Project

    Charts = Callable[[Mapping, Kustomization], list[Node]]

DEEPEST = 150
"""Resources that are nested deeper are refused: no real one is."""
LOCAL = "config.kubernetes.io/local-config"
NEEDS_HASH, BEHAVIOR = "kustomize.config.k8s.io/needs-hash", "kustomize.config.k8s.io/behavior"


class MissingPart:
    """A part of a build that is elsewhere: what it would give is not known."""

    __slots__ = ("diagnostic", "node")

    def __init__(self, node: Node, diagnostic: Diagnostic) -> None:
        self.node = node
        self.diagnostic = diagnostic


class Accumulated:
    """The resources of a kustomization so far, and the fields that it knows of."""

    def __init__(self) -> None:
        self.resources: list[BuiltResource] = []
        self.fields = FieldTable()
        self.variables: dict[str, BuildVariable] = {}
        self._ids: dict[ResourceId, BuiltResource] | None = None
        self._named: dict[ResourceId, list[BuiltResource]] | None = None

    def add(self, resource: BuiltResource, asker: Node | None = None) -> None:
        """A resource that must not be there yet."""
        if self._ids is None:
            self._ids = {one.id: one for one in self.resources}
        other = self._ids.setdefault(resource.id, resource)
        if other is not resource:
            labels = [Label(resource.document.origin), Label(other.document.origin, "it is also here")]
            labels += [Label(asker.origin, "asked for here")] if asker is not None else []
            why = f"`{resource.kind}/{resource.name}` is there twice"
            raise KUSTOMIZE_CONFLICT.error(*labels, why=why, hint="give one of them another name or namespace")
        self.resources.append(resource)
        self._named = None

    def changed(self) -> None:
        """Names have changed."""
        self._ids = self._named = None

    def remove(self, resource: BuiltResource) -> None:
        self.resources.remove(resource)
        self.changed()

    def named(self, wanted: ResourceId) -> list[BuiltResource]:
        """The resources that are or were called so."""
        if self._named is None:
            self._named = {}
            for resource in self.resources:
                for one in dict.fromkeys(resource.ids):
                    self._named.setdefault(one, []).append(resource)
        return self._named.get(wanted, [])


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
        self._project = project
        self._is_generated = is_generated
        self._root = folder
        self._charts = charts
        self.files = KustomizeFiles(project, documents)
        self.history = History()
        self.findings: list[Diagnostic] = []
        self.missing: list[MissingPart] = []
        self.kustomizations: dict[str, Kustomization] = {}
        """Every kustomization that takes part, by its folder, the outermost first."""
        self.links: dict[str, dict[str, int]] = {}
        """The files that each kustomization names, with the line."""
        self._types = PatchTypes()
        self._kinds: dict[tuple[str, str], str] = {}
        self._is_traced = False

    def run(self) -> list[BuiltResource]:
        top = self._load(self._root, None)
        self._traces(top)
        made = self._accumulate(top, Accumulated(), ())
        self._hashes(made.resources)
        NameReferences(made.resources, made.fields.references, self.history).follow()
        self.findings += fill(made.resources, made.variables, made.fields["varReference"], self.history)
        kept = [one for one in made.resources if not _is_local(one)]
        self.findings += self.files.outside
        return annotated(in_order(kept, top.fields.get("sortOptions")), top, self._root)

    def _traces(self, top: Kustomization) -> None:
        wanted = {item.text for item in top.texts("buildMetadata")}
        self._is_traced = bool(wanted & {"transformerAnnotations"})

    # Folders

    def _load(self, folder: str, asker: Node | None) -> Kustomization:
        found = self.files.kustomization(folder, asker, self._is_generated and folder == self._root)
        if folder not in self.kustomizations:
            self.findings += found.findings()
        self.kustomizations.setdefault(folder, found)
        return found

    def _accumulate(self, one: Kustomization, into: Accumulated, above: tuple[str, ...]) -> Accumulated:
        """What a kustomization gives; a component adds to what is there."""
        above = (*above, os.path.abspath(one.folder))
        self._schema(one)
        for item in one.texts("resources", "bases"):
            self._resource(one, item, into, above)
        self._configure(one, into)
        self._generate(one, into)
        for item in one.texts("components"):
            self._component(one, item, into, above)
        self._transform(one, into)
        self._declare(one, into)
        return into

    def _link(self, one: Kustomization, path: str, node: Node) -> None:
        self.links.setdefault(one.path, {}).setdefault(path, node.origin.line)

    def _resource(self, one: Kustomization, item: Scalar, into: Accumulated, above: tuple[str, ...]) -> None:
        path = os.path.normpath(os.path.join(one.folder, item.text))
        door = self._project.door
        self._project.check_inside(path, item)
        if door.is_file(path):
            self.files.path(one.folder, item.text, item)
            self._link(one, path, item)
            for resource in self._in_file(path):
                into.add(resource, item)
        elif door.is_folder(path):
            below = self._inner(path, item, above)
            if below.is_component:
                why = "it is a component"
                raise KUSTOMIZE_FILE.error(
                    Label(item.origin), name=item.text, why=why, hint="name it under `components`"
                )
            self._link(one, below.path, item)
            self._join(into, self._accumulate(below, Accumulated(), above), item)
        else:
            self._elsewhere(item, item.text)

    def _inner(self, path: str, item: Scalar, above: tuple[str, ...]) -> Kustomization:
        if os.path.abspath(path) in above:
            why = "it is part of itself"
            raise KUSTOMIZE_FILE.error(Label(item.origin), name=item.text, why=why, hint="remove one of the two")
        return self._load(path, item)

    def _component(self, one: Kustomization, item: Scalar, into: Accumulated, above: tuple[str, ...]) -> None:
        path = os.path.normpath(os.path.join(one.folder, item.text))
        self._project.check_inside(path, item)
        if not self._project.door.is_folder(path):
            self._elsewhere(item, item.text)
            return
        below = self._inner(path, item, above)
        if not below.is_component:
            why = "it is no component"
            raise KUSTOMIZE_FILE.error(Label(item.origin), name=item.text, why=why, hint="name it under `resources`")
        self._link(one, below.path, item)
        self._accumulate(below, into, above)

    def _elsewhere(self, node: Node, name: str) -> None:
        """Something that is not here: a remote base is not known, a wrong name is a mistake."""
        if not is_remote(name):
            folder = os.path.dirname(node.origin.file)
            near = did_you_mean(name, _near_files(self._project, folder, name))
            raise KUSTOMIZE_NO_MATCH.error(Label(node.origin), why=f"file not found: `{name}`", hint=near)
        why = "plait downloads nothing"
        hint = "copy it into the repository (kustomize localize) to have its resources here"
        found = KUSTOMIZE_REMOTE(Label(node.origin), name=name, why=why, hint=hint)
        self.missing.append(MissingPart(node, found))

    def _join(self, into: Accumulated, below: Accumulated, asker: Node) -> None:
        for resource in below.resources:
            into.add(resource, asker)
        into.fields.take(below.fields)
        self._take_variables(into, below.variables.values())

    def _in_file(self, path: str) -> Iterable[BuiltResource]:
        origin = os.path.relpath(path, self._root)
        for node in self.files.documents(path):
            yield from self._resources(node, origin)

    def _resources(self, node: Node, origin: str, generator: Node | None = None) -> Iterable[BuiltResource]:
        """The resources of a document: one, or those of a list."""
        self._check(node)
        assert isinstance(node, Mapping)
        items = node.entries.get("items")
        if word(node, "kind").endswith("List") and isinstance(items, Sequence):
            for item in items.items:
                yield from self._resources(item, origin, generator)
            return
        kind, name = word(node, "kind"), word(node.entries.get("metadata"), "name")
        if not kind or (not name and not kind.endswith("List")):
            what = "kind" if not kind else "metadata.name"
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"a resource without `{what}`")
        made = BuiltResource(node, origin, generator)
        notes = made.texts("annotations")
        if NEEDS_HASH in notes and generator is not None:
            made.wants_hash = notes[NEEDS_HASH].text == "true"
        yield made

    def _check(self, node: Node) -> None:
        if not isinstance(node, Mapping):
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"a resource is a mapping, and this is a {node.kind}")
        level: list[Node] = [node]
        for _ in range(DEEPEST):
            level = [child for one in level for child in _below(one)]
            if not level:
                return
        raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"a resource is nested deeper than {DEEPEST} levels")

    # What a kustomization adds to the tables

    def _schema(self, one: Kustomization) -> None:
        path = word(one.mapping("openapi"), "path")
        node = one.fields.get("openapi")
        if path and node is not None:
            name = self.files.path(one.folder, path, node)
            self._link(one, name, node)
            for document in self.files.documents(name):
                self._types.more, self._kinds = custom_kinds(document)

    def _configure(self, one: Kustomization, into: Accumulated) -> None:
        for item in one.texts("configurations"):
            path = self.files.path(one.folder, item.text, item)
            self._link(one, path, item)
            for document in self.files.documents(path):
                into.fields.add(document)
        for item in one.texts("crds"):
            path = self.files.path(one.folder, item.text, item)
            self._link(one, path, item)
            for document in self.files.documents(path):
                custom_references(document, into.fields)

    # Generators

    def _generate(self, one: Kustomization, into: Accumulated) -> None:
        shared = one.mapping("generatorOptions")
        for field, kind in (("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")):
            for node in one.maps(field):
                generator = DataGenerator(kind, node, shared, lambda name, item: self._bytes(one, name, item))
                made = generator.resource(self.history)
                made.origin = f"{os.path.relpath(one.path, self._root)}#{kind}Generator"
                self._absorb(into, made, node)
        for node in one.maps("helmCharts"):
            self._chart(one, node, into)
        for field in ("generators", "transformers", "validators"):
            for item in one.items(field):
                self._plugin(item, field)
        for item in one.items("helmChartInflationGenerator"):
            self._plugin(item, "helmChartInflationGenerator")

    def _chart(self, one: Kustomization, node: Mapping, into: Accumulated) -> None:
        folder = chart_folder(node, one)
        if not self._project.door.is_folder(folder):
            why = f"there is no folder `{folder}`, and plait downloads nothing"
            label = Label(node.entries.get("name", node).origin)
            found = KUSTOMIZE_REMOTE(label, name=word(node, "name"), why=why, hint="helm pull --untar puts it there")
            self.missing.append(MissingPart(node.entries.get("name", node), found))
            return
        self._link(one, os.path.join(folder, "Chart.yaml"), node)
        origin = f"{os.path.relpath(one.path, self._root)}#HelmChartInflationGenerator"
        for document in self._charts(node, one):
            for resource in self._resources(document, origin, node):
                into.add(resource, node)

    def _plugin(self, item: Node, field: str) -> None:
        what = item.text if isinstance(item, Scalar) and "\n" not in item.text else field
        why = f"plait does not run {field}"
        found = KUSTOMIZE_REMOTE(Label(item.origin), name=what, why=why, hint="use the fields of a kustomization")
        self.missing.append(MissingPart(item, found))

    def _bytes(self, one: Kustomization, name: str, item: Node) -> tuple[Source, bytes]:
        path = self.files.path(one.folder, name, item)
        if not self._project.door.is_file(path):
            near = did_you_mean(name, _near_files(self._project, one.folder, name))
            raise KUSTOMIZE_NO_MATCH.error(Label(item.origin), why=f"file not found: `{name}`", hint=near)
        self._link(one, path, item)
        return self.files.bytes(path, item)

    def _absorb(self, into: Accumulated, made: BuiltResource, node: Node) -> None:
        """A generated resource: new, or merged with or in place of one that is there."""
        there = into.named(made.id)
        behavior = made.behavior or "create"
        label = Label((node.entries.get("behavior", node) if isinstance(node, Mapping) else node).origin)
        if not there and behavior in ("merge", "replace"):
            names = [f"{one.name}" for one in into.resources if one.kind == made.kind]
            why = f"there is no {made.kind} `{made.name}` to {behavior}"
            if self.missing:
                return
            raise KUSTOMIZE_NO_MATCH.error(label, why=why, hint=did_you_mean(made.name, names))
        if not there:
            into.add(made, node)
            return
        if behavior not in ("merge", "replace") or len(there) > 1:
            why = f"{made.kind} `{made.name}` is there already"
            labels = (label, *(Label(one.document.origin, "it is here") for one in there))
            raise KUSTOMIZE_CONFLICT.error(*labels, why=why, hint="`behavior: merge` adds to it, `replace` replaces it")
        self._over(there[0], made, behavior, node)

    def _over(self, old: BuiltResource, new: BuiltResource, behavior: str, node: Node) -> None:
        """Lay a generated resource over an older one, which keeps its name."""
        for field in ("data", "binaryData"):
            low, high = old.node.entries.get(field), new.node.entries.get(field)
            if isinstance(high, Mapping):
                kept = low.entries if isinstance(low, Mapping) and behavior == "merge" else {}
                target = Mapping(dict(kept), high.source, high.at)
                old.node.entries[field] = target
                for key, value in high.entries.items():
                    assert isinstance(value, Scalar)
                    mine = Scalar(value.value, value.text, value.source, value.at, None, value.secret)
                    self.history.put(target, str(key), mine, "generated by", node, value)
            elif behavior == "replace":
                old.node.entries.pop(field, None)
        for key in ("type", "immutable"):  # these are always those of the new one
            self._restore(old.node, key, new.node.entries.get(key))
        for key in ("labels", "annotations"):
            found = new.metadata.entries.get(key)
            if isinstance(found, Mapping):
                own = old.metadata.entries.setdefault(key, Mapping({}, found.source, found.at))
                assert isinstance(own, Mapping)
                own.entries.update(found.entries)
        old.wants_hash = old.wants_hash and new.wants_hash
        old.written.append(node)

    # Transformers

    def _transform(self, one: Kustomization, into: Accumulated) -> None:
        """In kustomize's order."""
        history, resources = self.history, into.resources
        for item in one.items("patchesStrategicMerge"):
            self._old_patch(one, item, into)
        for node in one.maps("patches"):
            self._patch(one, node, into)
        fields = into.fields
        namespace = one.scalar("namespace")
        if namespace is not None:
            set_namespace(resources, namespace, fields["namespace"], history)
            self._trace(one, resources, "NamespaceTransformer")
        for name, known, is_prefix in (
            ("namePrefix", fields["namePrefix"], True),
            ("nameSuffix", fields["nameSuffix"], False),
        ):
            affix = one.scalar(name)
            if affix is not None:
                rename(resources, affix, known, history, is_prefix)
                self._trace(one, resources, "PrefixTransformer" if is_prefix else "SuffixTransformer")
        self._labels(one, into)
        for node in one.maps("patchesJson6902"):
            self._patch(one, node, into)
        self.findings += self._unless_missing(
            set_replicas(resources, one.maps("replicas"), fields["replicas"], history), fatal=True
        )
        self.findings += self._unless_missing(
            set_images(resources, one.maps("images", "imageTags"), fields["images"], history)
        )
        for node in one.maps("replacements"):
            self._replace(one, node, into)
        into.changed()

    def _trace(self, one: Kustomization, resources: Iterable[BuiltResource], name: str) -> None:
        if self._is_traced:
            where = os.path.relpath(one.path, self._root)
            for resource in resources:
                resource.steps.append((where, name))

    def _unless_missing(self, found: Iterable[Diagnostic], fatal: bool = False) -> list[Diagnostic]:
        """What matched nothing: it may be meant for something that is not here."""
        told = list(found)
        if self.missing:
            return []
        if fatal and told:
            raise Fault(*(KUSTOMIZE_NO_MATCH(*d.labels, why=d.message, hint=d.hint) for d in told))
        return told

    def _labels(self, one: Kustomization, into: Accumulated) -> None:
        for entry in one.maps("labels"):
            pairs = entry.entries.get("pairs")
            if not isinstance(pairs, Mapping):
                continue
            known = specs(entry.entries.get("fields"))
            if flag(entry, "includeSelectors"):
                known += into.fields["commonLabels"]
            else:
                known += into.fields["templateLabels"] if flag(entry, "includeTemplates") else []
                known.append(METADATA_LABELS)
            mark(into.resources, pairs, known, self.history, LABELLED)
            self._trace(one, into.resources, "LabelTransformer")
        common = one.mapping("commonLabels")
        if common is not None:
            mark(into.resources, common, into.fields["commonLabels"], self.history, LABELLED)
            self._trace(one, into.resources, "LabelTransformer")
        notes = one.mapping("commonAnnotations")
        if notes is not None:
            mark(into.resources, notes, into.fields["commonAnnotations"], self.history, ANNOTATED)
            self._trace(one, into.resources, "AnnotationsTransformer")

    # Patches

    def _old_patch(self, one: Kustomization, item: Node, into: Accumulated) -> None:
        """An entry of `patchesStrategicMerge`: a file, or the patch itself."""
        if not isinstance(item, Scalar):
            return
        for patch in self._patch_documents(one, item, is_inline="\n" in item.text):
            self._check(patch)
            self._by_name(patch, item, into, Mapping({}))

    def _patch_documents(self, one: Kustomization, item: Scalar, is_inline: bool) -> list[Node]:
        if is_inline:
            return self.files.inline(item)
        path = self.files.path(one.folder, item.text, item)
        if not self._project.door.is_file(path):
            near = did_you_mean(item.text, _near_files(self._project, one.folder, item.text))
            raise KUSTOMIZE_NO_MATCH.error(Label(item.origin), why=f"file not found: `{item.text}`", hint=near)
        self._link(one, path, item)
        return self.files.documents(path)

    def _patch(self, one: Kustomization, node: Mapping, into: Accumulated) -> None:
        path, inline = node.entries.get("path"), node.entries.get("patch")
        item = inline if not is_null(inline) else path
        if not isinstance(item, Scalar) or (not is_null(path) and not is_null(inline)):
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="a patch has a `path` or a `patch`, and not both")
        documents = self._patch_documents(one, item, item is inline)
        if item is inline and item.text.lstrip().startswith("["):
            self._check_json(item)
        target = node.entries.get("target")
        if not documents:
            return
        if is_json_patch(documents[0]):
            self._by_json(documents[0], node, target, into)
        elif isinstance(target, Mapping):
            if len(documents) > 1:
                why = "a file with several patches cannot have a `target`"
                raise KUSTOMIZE_FIELD.error(Label(target.origin), why=why, hint="write an entry for each of them")
            for resource in self._selected(target, into):
                self._merge(resource, documents[0], node, into)
        else:
            for patch in documents:
                self._by_name(patch, node, into, node.entries.get("options"))
        self._trace(one, into.resources, "PatchTransformer")

    def _check_json(self, item: Scalar) -> None:
        """A patch that begins as JSON does must be JSON."""
        try:
            json.loads(item.text)
        except ValueError:
            why = "kustomize reads a patch that begins with `[` as JSON, and this is not JSON"
            raise KUSTOMIZE_PATCH.error(
                Label(item.origin), why=why, hint="quote keys and texts, or begin with `- `"
            ) from None

    def _selected(self, target: Mapping, into: Accumulated) -> list[BuiltResource]:
        selector = Selector(target)
        found = [one for one in into.resources if selector.selects(one)]
        if not found and not self.missing:
            names = [f"{one.kind}/{one.name}" for one in into.resources]
            wanted = f"{word(target, 'kind')}/{word(target, 'name')}"
            hint = did_you_mean(wanted, names) or (f"there are: {', '.join(names[:8])}" if names else "")
            self.findings.append(KUSTOMIZE_NOTHING(Label(target.origin), what="the target of this patch", hint=hint))
        return found

    def _by_json(self, operations: Node, node: Mapping, target: Node | None, into: Accumulated) -> None:
        if not isinstance(target, Mapping):
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="a JSON patch has a `target`")
        patch = JsonPatch(operations, self.history, node)
        for resource in self._selected(target, into):
            resource.keep_id()
            patch.apply(resource.node)
            resource.written.append(operations)
            resource.renamed()
        into.changed()

    def _by_name(self, patch: Node, asked: Node, into: Accumulated, options: Node | None) -> None:
        self._check(patch)
        metadata = patch.entries.get("metadata") if isinstance(patch, Mapping) else None
        name = word(metadata, "name")
        wanted = ResourceId(word(patch, "apiVersion"), word(patch, "kind"), word(metadata, "namespace"), name)
        found = into.named(wanted)
        if len(found) == 1:
            self._merge(found[0], patch, asked, into)
        elif self.missing:
            return
        else:
            names = [f"{one.kind}/{one.name}" for one in into.resources]
            wanted_name = f"{wanted.kind}/{name}"
            why = f"`{wanted_name}` of this patch is {'several resources' if found else 'not there'}"
            same = [one for one in into.resources if one.kind == wanted.kind and one.name == name]
            hint = did_you_mean(wanted_name, names)
            if same:
                other = same[0]
                hint = f"there is one of apiVersion {other.api}" + (
                    f" in the namespace {other.namespace}" if other.namespace else ""
                )
            raise KUSTOMIZE_NO_MATCH.error(
                Label(patch.origin), Label(asked.origin, "asked for here"), why=why, hint=hint
            )

    def _merge(self, resource: BuiltResource, patch: Node, asked: Node, into: Accumulated) -> None:
        """Apply a strategic merge patch; it changes the name or kind only where it may."""
        self._check(patch)
        assert isinstance(patch, Mapping)
        options = asked.entries.get("options") if isinstance(asked, Mapping) else None
        renames, changes_kind = flag(options, "allowNameChange"), flag(options, "allowKindChange")
        if renames or changes_kind:
            resource.keep_id()
        metadata = resource.metadata.entries
        kept = {key: metadata.get(key) for key in ("name", "namespace")}
        api, kind = resource.node.entries.get("apiVersion"), resource.node.entries.get("kind")
        type = self._kinds.get((resource.api, resource.kind)) or kustomize_type(resource.api, resource.kind)
        made = StrategicPatch(self._types, self.history, asked).apply(resource.node, patch, type)
        resource.written.append(patch)
        if made is None:
            into.remove(resource)
            return
        resource.node = made
        self._restore(made, "apiVersion", api)
        if not changes_kind:
            self._restore(made, "kind", kind)
        self._restore(resource.metadata, "namespace", kept["namespace"])
        if not renames:
            self._restore(resource.metadata, "name", kept["name"])
        resource.renamed()
        if renames or changes_kind:
            into.changed()

    @staticmethod
    def _restore(holder: Mapping, key: str, node: Node | None) -> None:
        if node is None:
            holder.entries.pop(key, None)
        else:
            holder.entries[key] = node

    # The rest

    def _replace(self, one: Kustomization, node: Mapping, into: Accumulated) -> None:
        path = node.entries.get("path")
        entries: list[Node] = [node]
        if isinstance(path, Scalar):
            documents = self._patch_documents(one, path, False)
            entries = [
                item for found in documents for item in (found.items if isinstance(found, Sequence) else [found])
            ]
        for entry in entries:
            if isinstance(entry, Mapping):
                try:
                    found = Replacement(entry, self.history, retyped).apply(into.resources)
                    self.findings += self._unless_missing(found)
                except Fault:
                    if not self.missing:
                        raise
        into.changed()

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
                self.history.put(resource.metadata, "name", node, HASHED, resource.generator, reads=reads)
                resource.renamed()


def _data(node: Mapping) -> Iterable[Node]:
    for field in ("data", "binaryData", "stringData"):
        found = node.entries.get(field)
        if isinstance(found, Mapping):
            yield from found.entries.values()


def _below(node: Node) -> Iterable[Node]:
    if isinstance(node, Mapping):
        return node.entries.values()
    return node.items if isinstance(node, Sequence) else ()


def _is_local(resource: BuiltResource) -> bool:
    note = resource.texts("annotations").get(LOCAL)
    return note is not None and note.text != "false"


def _near_files(project: Project, folder: str, name: str) -> list[str]:
    """The files beside a name that is not there, named as it is."""
    inner = os.path.dirname(name)
    where = os.path.join(folder, inner)
    names = project.door.names(where) if project.door.is_folder(where) else []
    return [os.path.join(inner, one) for one in names]


REMOTE = ("://", "git@", "github.com/", "?ref=", "git::")


def is_remote(name: str) -> bool:
    """Whether a resource is named by an address and not by a path."""
    return any(sign in name for sign in REMOTE)


def retyped(text: str, like: Scalar) -> Scalar:
    """A text in the place of a value: the value's type stays where the text can have it."""
    if isinstance(like.value, str):
        return string(text, like)
    value, _ = READER.schema.resolve(text), None
    return Scalar(value, text, like.source, like.at)
