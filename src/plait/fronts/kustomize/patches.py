"""The patches of a kustomization: which resources they are for, and what they change."""

from __future__ import annotations

import json

from plait.core.diagnostic import Label
from plait.core.find import entry, word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.fields import flag
from plait.fronts.kustomize.history import is_absent, string
from plait.fronts.kustomize.json6902 import JsonPatch, is_json_patch
from plait.fronts.kustomize.kustomization import inline_source
from plait.fronts.kustomize.patching import REPLACE, WORD, StrategicPatch
from plait.fronts.kustomize.resource import ResourceId
from plait.fronts.kustomize.selecting import Selector
from plait.fronts.kustomize.state import check
from plait.report.catalog import (
    KUSTOMIZE_FIELD,
    KUSTOMIZE_IGNORED,
    KUSTOMIZE_MORE,
    KUSTOMIZE_NO_MATCH,
    KUSTOMIZE_NOTHING,
    KUSTOMIZE_PATCH,
)
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource
    from plait.fronts.kustomize.state import Accumulated, BuildState


class Patches:
    """Applies patches in one build."""

    def __init__(self, state: BuildState) -> None:
        self.state = state

    def old(self, one: Kustomization, item: Node, into: Accumulated) -> None:
        """An entry of `patchesStrategicMerge`: a file, or the patch itself."""
        if not isinstance(item, Scalar):
            return
        patches = self.state.inline(item) or self.documents(one, item, False)
        self.named([self._as_texts(patch, "of `patchesStrategicMerge`") for patch in patches], item, into)

    def named(self, patches: list[Node], asked: Node, into: Accumulated) -> None:
        """Patches for the resources whose names they have."""
        if all(into.named(_meant(patch)) for patch in patches):
            self.state.settled.add(id(asked))
        for patch in patches:
            self._by_name(patch, asked, into)

    def apply(self, one: Kustomization, node: MapNode, into: Accumulated, keeps_names: bool = True) -> None:
        """An entry of `patches`; those of `patchesJson6902` do not keep the names that they change."""
        path, inline = node.entries.get("path"), node.entries.get("patch")
        named = [item for item in (path, inline) if isinstance(item, Scalar) and item.value not in (None, "")]
        if len(named) != 1:
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="a patch has a `path` or a `patch`, and not both")
        item = named[0]
        documents = self.documents(one, item, item is inline)
        if item is inline and item.text.lstrip().startswith("["):
            _check_json(item)
        target = node.entries.get("target")
        if not documents:
            return
        if is_json_patch(documents[0]):
            self._by_json(self._operations(documents[0], item, item is inline), node, target, into, keeps_names)
            return
        for patch in documents:
            _check_name(patch)
        if is_absent(target):
            self.named(documents, node, into)
        elif isinstance(target, MapNode):
            if len(documents) > 1:
                why = "a file with several patches cannot have a `target`"
                raise KUSTOMIZE_FIELD.error(Label(target.origin), why=why, hint="write an entry for each of them")
            selected = self._selected(target, node, into)
            patch = self._as_texts(documents[0], "with a `target`") if selected else documents[0]
            for resource in selected:
                self._merge(resource, patch, node, into)
            self.state.findings += _ignored(documents[0]) if selected else ()

    def documents(self, one: Kustomization, item: Scalar, is_inline: bool) -> list[Node]:
        if is_inline:
            return self.state.files.inline(item)
        return self.state.files.documents(self.state.file(one, item.text, item))

    def _operations(self, document: Node, item: Scalar, is_inline: bool) -> Node:
        source = inline_source(item) if is_inline else document.origin.source
        return self.state.files.operations(source)[0]

    def _selected(self, target: MapNode, asked: Node, into: Accumulated) -> list[BuiltResource]:
        selector = Selector(target)
        found = [one for one in into.resources if selector.selects(one)]
        if found and selector.names_one:
            self.state.settled.add(id(asked))
        if not found and not self.state.missing:
            names = [f"{one.kind}/{one.name}" for one in into.resources]
            wanted = f"{word(target, 'kind')}/{word(target, 'name')}"
            hint = did_you_mean(wanted, names) or (f"there are: {', '.join(names[:8])}" if names else "")
            self.state.findings.append(
                KUSTOMIZE_NOTHING(Label(target.origin), what="the target of this patch", hint=hint)
            )
        return found

    def _by_json(
        self, operations: Node, node: MapNode, target: Node | None, into: Accumulated, keeps_names: bool
    ) -> None:
        if not isinstance(target, MapNode):
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="a JSON patch has a `target`")
        patch = JsonPatch(operations, self.state.history, node)
        for resource in self._selected(target, node, into):
            if keeps_names:
                resource.keep_id()
            with resource.patched(as_text=True):
                patch.apply(resource.node)
            resource.written.append(operations)
            resource.renamed()
        self.state.findings += patch.added.values()
        into.changed()

    def _by_name(self, patch: Node, asked: Node, into: Accumulated) -> None:
        check(patch)
        wanted = _meant(patch)
        name, found = wanted.name, into.named(wanted)
        if len(found) == 1:
            self._merge(found[0], patch, asked, into)
            self.state.findings += _ignored(patch)
        elif self.state.missing:
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

    def _as_texts(self, patch: Node, which: str) -> Node:
        """A patch for a `target`, or an old one: kustomize makes texts of all its labels and annotations, so that null
        does not remove one, and leaves out what is not a map."""
        metadata = patch.entries.get("metadata") if isinstance(patch, MapNode) else None
        if not isinstance(patch, MapNode) or not isinstance(metadata, MapNode):
            return patch
        entries = dict(metadata.entries)
        for field in ("labels", "annotations"):
            found = entries.pop(field, None)
            if isinstance(found, ListNode):
                why = f"the {field} of a patch are a map"
                raise KUSTOMIZE_PATCH.error(Label(found.origin), why=why)
            if not isinstance(found, MapNode):
                continue
            texts = {key: string(node.text, node) for key, node in found.entries.items() if isinstance(node, Scalar)}
            if texts:
                entries[field] = found.but(entries={**found.entries, **texts})
            self.state.findings += (
                KUSTOMIZE_MORE(
                    Label(node.origin if node.text else found.key_origin(str(key))),
                    why=f"`{key}` becomes the text `{node.text}`: a patch {which} removes no {field}",
                    hint="only a JSON patch removes it",
                )
                for key, node in found.entries.items()
                if isinstance(node, Scalar) and node.value is None
            )
        return patch.but(entries={**patch.entries, "metadata": metadata.but(entries=entries)})

    def _merge(self, resource: BuiltResource, patch: Node, asked: Node, into: Accumulated) -> None:
        """Apply a strategic merge patch; it changes the name or kind only where it may."""
        check(patch)
        assert isinstance(patch, MapNode)
        options = asked.entries.get("options") if isinstance(asked, MapNode) else None
        renames, changes_kind = flag(options, "allowNameChange"), flag(options, "allowKindChange")
        if renames or changes_kind:
            resource.keep_id()
        metadata = resource.metadata.entries
        kept = {key: metadata.get(key) for key in ("name", "namespace")}
        api, kind = resource.node.entries.get("apiVersion"), resource.node.entries.get("kind")
        merge = StrategicPatch(self.state.types, self.state.history, asked)
        with resource.patched(as_text=False):
            made = merge.apply(resource.node, patch, self.state.type_of(resource))
            resource.node = made if made is not None else resource.node
        resource.written.append(patch)
        if made is None:
            into.remove(resource)
            return
        restore(made, "apiVersion", api)
        if not changes_kind:
            restore(made, "kind", kind)
        restore(resource.metadata, "namespace", kept["namespace"])
        if not renames:
            restore(resource.metadata, "name", kept["name"])
        resource.renamed()
        if renames or changes_kind:
            into.changed()
            into.check_unique(asked)


def _meant(patch: Node) -> ResourceId:
    """The resource that a patch names."""
    metadata = entry(patch, "metadata")
    return ResourceId(
        word(patch, "apiVersion"), word(patch, "kind"), word(metadata, "namespace"), word(metadata, "name")
    )


def _check_name(patch: Node) -> None:
    """A patch says what it is for, even where a `target` says it too."""
    check(patch)
    assert isinstance(patch, MapNode)
    kind, name = word(patch, "kind"), word(patch.entries.get("metadata"), "name")
    if not kind or not name:
        why = f"a patch without `{'metadata.name' if kind else 'kind'}`"
        raise KUSTOMIZE_PATCH.error(
            Label(patch.origin), why=why, hint="any will do where the patch has a `target`, but kustomize wants one"
        )


def _ignored(patch: Node) -> list[Diagnostic]:
    """What there is to say about a patch that would replace a whole resource."""
    found = patch.entries.get(WORD) if isinstance(patch, MapNode) and word(patch, WORD) == REPLACE else None
    hint = "leave out this line to merge the patch, or delete the resource (`$patch: delete`) and add another"
    return [KUSTOMIZE_IGNORED(Label(found.origin), hint=hint)] if found is not None else []


def _check_json(item: Scalar) -> None:
    """A patch that begins as JSON does must be JSON."""
    try:
        json.loads(item.text)
    except ValueError:
        why = "kustomize reads a patch that begins with `[` as JSON, and this is not JSON"
        raise KUSTOMIZE_PATCH.error(
            Label(item.origin), why=why, hint="quote keys and texts, or begin with `- `"
        ) from None


def restore(holder: MapNode, key: str, node: Node | None) -> None:
    if node is None:
        holder.entries.pop(key, None)
    else:
        holder.entries[key] = node
