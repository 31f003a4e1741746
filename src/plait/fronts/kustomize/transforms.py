"""What kustomizations change in all resources: labels, annotations, namespace, prefix and suffix, images, replicas."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.fields import NOT_RENAMED, FieldSpec
from plait.fronts.kustomize.history import child, is_absent, string
from plait.fronts.kustomize.ties import tie
from plait.fronts.kustomize.walking import leaves, slots, unexpected
from plait.regexp import Regexp
from plait.report.catalog import KUSTOMIZE_NOTHING
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.fronts.kustomize.history import History, Holder
    from plait.fronts.kustomize.resource import BuiltResource

LABELLED, ANNOTATED, NAMESPACED = "labelled by", "annotated by", "namespace by"
PREFIXED, SUFFIXED, IMAGED, SCALED = "prefixed by", "suffixed by", "image by", "replicas by"


def _fitting(specs: Iterable[FieldSpec], resource: BuiltResource) -> list[FieldSpec]:
    gvk = resource.gvk
    return [spec for spec in specs if spec.fits(*gvk)]


def mark(
    resources: Iterable[BuiltResource], pairs: MapNode, specs: list[FieldSpec], history: History, what: str
) -> None:
    """Set labels or annotations."""
    if not pairs.entries:
        return
    values = [(str(key), value) for key, value in sorted(pairs.entries.items(), key=lambda pair: str(pair[0]))]
    by_kind: dict[tuple[str, str, str], list[FieldSpec]] = {}
    for resource in resources:
        gvk = resource.gvk
        if gvk not in by_kind:
            by_kind[gvk] = _fitting(specs, resource)
        added: dict[str, list[MapNode]] = {}
        for spec in by_kind[gvk]:
            for holder in _maps(resource.node, spec, pairs):
                for key, value in values:
                    if key not in holder.entries:
                        added.setdefault(key, []).append(holder)
                    text = value.text if isinstance(value, Scalar) and value.value is not None else ""
                    history.put(holder, key, string(text, value), what, pairs, value)
        for key, maps in added.items():
            tie(resource, key, maps)


def _maps(root: MapNode, spec: FieldSpec, like: Node) -> Iterator[MapNode]:
    """The maps at a path, made where they are wanted and missing."""
    for holder, key in slots(root, spec.steps, spec.create, like):
        assert isinstance(holder, MapNode)
        found = holder.entries.get(key)
        if isinstance(found, MapNode):
            yield found
        elif found is not None and not is_absent(found):
            raise unexpected(found, "a mapping", spec.steps)
        elif spec.create:
            made = holder.entries[key] = MapNode({}, like.source, like.at)
            yield made


# Namespace


def set_namespace(
    resources: list[BuiltResource],
    node: Scalar,
    specs: list[FieldSpec],
    history: History,
    subjects: str = "",
    only_unset: bool = False,
) -> None:
    for resource in resources:
        resource.keep_id()
        if not resource.id.is_cluster_scoped and not (only_unset and resource.namespace):
            _set_texts(resource, [FieldSpec("metadata/namespace", create=True)], node, history)
        if resource.kind in ("RoleBinding", "ClusterRoleBinding"):
            _set_subjects(resource, node, history, subjects, only_unset)
        wanted = [spec for spec in specs if spec.path != "metadata/name" or resource.api == "v1"]
        _set_texts(resource, [spec for spec in wanted if spec.path != "metadata/namespace"], node, history)
        resource.renamed()


def _set_texts(resource: BuiltResource, specs: list[FieldSpec], node: Scalar, history: History) -> None:
    for spec in _fitting(specs, resource):
        for holder, key in slots(resource.node, spec.steps, spec.create, node):
            before = holder.entries.get(key) if isinstance(holder, MapNode) else None
            if not isinstance(before, Scalar) or before.value != node.text:
                history.put(holder, key, string(node.text, node), NAMESPACED, node, node)


def _set_subjects(resource: BuiltResource, node: Scalar, history: History, mode: str, only_unset: bool) -> None:
    subjects = resource.node.entries.get("subjects")
    for item in subjects.items if isinstance(subjects, ListNode) and mode != "none" else ():
        if only_unset and word(item, "namespace"):
            continue
        wanted = (
            word(item, "kind") == "ServiceAccount" if mode == "allServiceAccounts" else word(item, "name") == "default"
        )
        if isinstance(item, MapNode) and wanted:
            history.put(item, "namespace", string(node.text, node), NAMESPACED, node, node)


# Names


def rename(
    resources: list[BuiltResource], node: Scalar, specs: list[FieldSpec], history: History, is_prefix: bool
) -> None:
    """Add a prefix or a suffix to names."""
    for resource in resources:
        first = resource.original
        if any(spec.fits(*first[:3]) for spec in NOT_RENAMED):
            continue
        for spec in (spec for spec in specs if spec.fits(*first[:3])):
            if spec.path == "metadata/name":
                (resource.prefixes if is_prefix else resource.suffixes).append(node.text)
                resource.keep_id()
            _affix(resource, spec, node, history, is_prefix)
        resource.renamed()


def _affix(resource: BuiltResource, spec: FieldSpec, node: Scalar, history: History, is_prefix: bool) -> None:
    for holder, key in slots(resource.node, spec.steps, spec.create, node):
        for place, name, before in [*leaves(holder, key)]:
            made = f"{node.text}{before.text}" if is_prefix else f"{before.text}{node.text}"
            what = PREFIXED if is_prefix else SUFFIXED
            history.put(place, name, string(made, before), what, node)


# Images


_SPECIAL = frozenset("|*+?()[]{}^$\\")


class ImageChange:
    """One entry of `images`."""

    def __init__(self, node: MapNode) -> None:
        self.node = node
        self.name = word(node, "name")
        self.new_name = word(node, "newName")
        self.new_tag = word(node, "newTag")
        self.digest = word(node, "digest")
        self.suffix = word(node, "tagSuffix")
        self._is_plain = not frozenset(self.name) & _SPECIAL
        try:
            self._pattern: Regexp | None = Regexp(
                f"(?:^){self.name}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$"
            )
        except ValueError:
            self._pattern = None
        self.used = False

    def fits(self, image: str) -> bool:
        """A name is a regular expression; a plain one is looked for at the beginning first, which is faster."""
        if self._is_plain and not image.startswith(self.name[:1]):
            return False
        return self._pattern is not None and self._pattern.found_in(image)

    def changed(self, image: str) -> str:
        name, tag, digest = split_image(image)
        name = self.new_name or name
        if self.new_tag or self.digest:
            tag, digest = self.new_tag, self.digest
        elif self.suffix:
            tag, digest = f"{tag}{self.suffix}", ""
        return f"{name}{':' if tag else ''}{tag}{'@' if digest else ''}{digest}"

    @property
    def decider(self) -> Node:
        """The field that most people mean where the image is changed."""
        for key in ("newTag", "digest", "tagSuffix", "newName"):
            if key in self.node.entries:
                return self.node.entries[key]
        return self.node


def split_image(image: str) -> tuple[str, str, str]:
    """The name, the tag and the digest of an image; a port of the registry is part of its name."""
    slash = max(image.find("/"), 0)
    at, colon = image.find("@", slash), image.find(":", slash)
    if at < 0 and colon < 0:
        return image, "", ""
    if at >= 0 and (colon < 0 or at < colon):
        return image[:at], "", image[at + 1 :]
    if at >= 0:
        return image[:colon], image[colon + 1 : at], image[at + 1 :]
    return image[:colon], image[colon + 1 :], ""


def set_images(
    resources: list[BuiltResource], entries: list[MapNode], specs: list[FieldSpec], history: History
) -> Iterator[Diagnostic]:
    """Change images; what matched none is told."""
    changes = [ImageChange(node) for node in entries]
    seen: dict[str, None] = {}
    for change in changes:
        for resource in resources:
            if resource.kind == "CustomResourceDefinition":
                continue
            for holder, key in (*_containers(resource.node), *_image_fields(resource, specs)):
                image = holder.entries.get(key)
                if not isinstance(image, Scalar):
                    continue
                seen.setdefault(split_image(image.text)[0])
                if change.fits(image.text):
                    change.used = True
                    made = change.changed(image.text)
                    if made != image.text:
                        history.put(holder, key, string(made, change.decider), IMAGED, change.node, change.decider)
    for change in changes:
        if not change.used:
            node = change.node.entries.get("name", change.node)
            known = [name for name in seen if name]
            hint = did_you_mean(change.name, known) or (f"images: {', '.join(known[:8])}" if known else "")
            yield KUSTOMIZE_NOTHING(Label(node.origin), what=f"the image `{change.name}`", hint=hint)


def _image_fields(resource: BuiltResource, specs: list[FieldSpec]) -> Iterator[tuple[MapNode, str]]:
    """Images at the known places. Those of containers come a second time, so that a suffix is added twice, as kustomize
    does."""
    for spec in _fitting(specs, resource):
        for holder, key in slots(resource.node, spec.steps):
            if isinstance(holder, MapNode):
                _check_scalar(holder, key, spec)
                yield holder, key


def _check_scalar(holder: Holder, key: str, spec: FieldSpec) -> None:
    found = child(holder, key)
    if isinstance(found, MapNode | ListNode):
        raise unexpected(found, "a single value", spec.steps)


def _containers(root: Node) -> Iterator[tuple[MapNode, str]]:
    """The images of whatever is called a container, wherever it is."""
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, MapNode):
            for key, child in node.entries.items():
                if key in ("containers", "initContainers") and isinstance(child, ListNode):
                    yield from ((item, "image") for item in child.items if isinstance(item, MapNode))
                if not isinstance(child, Scalar):
                    stack.append(child)
        elif isinstance(node, ListNode):
            stack.extend(item for item in node.items if not isinstance(item, Scalar))


# Replicas


def set_replicas(
    resources: list[BuiltResource], entries: list[MapNode], specs: list[FieldSpec], history: History
) -> Iterator[Diagnostic]:
    for entry in entries:
        name, count = word(entry, "name"), entry.entries.get("count")
        if not isinstance(count, Scalar) or count.value is None:
            count = Scalar(0, "0", entry.source, entry.at)
        found = False
        for resource in resources:
            fitting = [spec for spec in _fitting(specs, resource) if any(one.name == name for one in resource.ids)]
            for spec in fitting:
                found = True
                for holder, key in slots(resource.node, spec.steps, spec.create, count):
                    _check_scalar(holder, key, spec)
                    node = Scalar(count.value, count.text, count.source, count.at)
                    history.put(holder, key, node, SCALED, entry, count)
        if not found:
            names = [one.name for one in resources if any(spec.fits(*one.gvk) for spec in specs)]
            hint = did_you_mean(name, names) or (f"there are: {', '.join(names[:8])}" if names else "")
            label = Label(entry.entries.get("name", entry).origin)
            yield KUSTOMIZE_NOTHING(label, what=f"`replicas` of `{name}`", hint=hint)
