"""Kustomizations that no other one includes, and what Flux builds and releases from this repository."""

from __future__ import annotations

import os
from functools import cached_property

from plait.core.find import entry, items_of, word
from plait.core.node import Scalar
from plait.core.source import YAML_ENDINGS
from plait.fronts.deployed import BUILDS, FLUX, RELEASES, unapplied_fields
from plait.fronts.discovery.found import FoundTarget, ObjectParts
from plait.fronts.discovery.repository import is_kind
from plait.fronts.signs import CHART, KUSTOMIZATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.discovery.repository import RepositoryFiles

INCLUDED = ("resources", "bases", "components")
USUAL_KEY = "values.yaml"
GENERATORS = {"ConfigMap": "configMapGenerator", "Secret": "secretGenerator"}
GENERATED_FROM = ("files", "envs")
RELEASED: set[Path] = {
    *((("spec", "chart", "spec", key)) for key in ("chart", "valuesFiles")),
    *((("spec", key)) for key in ("values", "releaseName", "targetNamespace")),
    *((("metadata", key)) for key in ("name", "namespace")),
}
"""The fields of a HelmRelease that a target is made of."""


class Kustomizations:
    """The kustomizations of a repository, with what each includes."""

    def __init__(self, repository: RepositoryFiles) -> None:
        self.repository = repository
        self.files = {os.path.dirname(file): file for file in repository.named(*KUSTOMIZATIONS)}
        """The file of each folder that is a kustomization."""

    def includes(self, folder: str) -> Iterator[str]:
        """The files and folders that a kustomization names, as paths from the root."""
        document = self.repository.document(self.files[folder])
        for field in INCLUDED:
            for item in items_of(document, field):
                if isinstance(item, Scalar) and "://" not in item.text:
                    yield self.repository.path(folder, item.text)

    @cached_property
    def tops(self) -> list[str]:
        """Those that no other one includes, and that are no components."""
        included = {path for folder in self.files for path in self.includes(folder)}
        return [
            folder
            for folder in sorted(self.files)
            if folder not in included and word(self.repository.document(self.files[folder]), "kind") != "Component"
        ]

    def built(self, folder: str) -> tuple[list[str], list[str]]:
        """The manifests that building a folder reads, and the kustomizations on the way, outermost first."""
        manifests: list[str] = []
        folders: list[str] = []
        stack = [folder]
        while stack:
            one = stack.pop()
            if one in self.files and one not in folders:
                folders.append(one)
                stack += reversed(list(self.includes(one)))
            elif one in self.repository.known:
                manifests.append(one)
            elif one == folder and one in self.repository.folders:
                manifests += [f"{one}/{name}" for name in self.repository.below(one) if name.endswith(YAML_ENDINGS)]
        return manifests, folders


def kustomizations_by_name(kustomizations: Kustomizations) -> Iterator[FoundTarget]:
    for folder in kustomizations.tops:
        yield FoundTarget("kustomization", os.path.basename(folder) or "kustomization", [folder or "."])


# Flux


class FluxManifests:
    """What Flux is told in this repository."""

    def __init__(self, kustomizations: Kustomizations) -> None:
        self.kustomizations = kustomizations
        self.repository = kustomizations.repository
        self.documents = [
            (file, document)
            for file in self.repository.mentioning(FLUX)
            for document in self.repository.documents(file)
        ]

    def builds(self) -> Iterator[FoundTarget]:
        """The folders that Flux builds."""
        for _, document in self.documents:
            path = word(document, "spec", "path")
            folder = self.repository.path(path)
            if path and is_kind(document, BUILDS, "Kustomization") and folder in self.repository.folders:
                yield FoundTarget("kustomization", word(document, "metadata", "name"), [folder or "."], document)

    def releases(self, targets: list[FoundTarget]) -> Iterator[tuple[FoundTarget, str]]:
        """The releases, one for each kustomization that builds it, each with the chart that it claims."""
        built = [(target.name, *self.kustomizations.built(_root(target.files[0]))) for target in targets]
        for file, document in self.documents:
            if not is_kind(document, RELEASES, "HelmRelease"):
                continue
            builds = [(name, manifests, folders) for name, manifests, folders in built if file in manifests]
            everything = ("", list(self.repository.files), list(self.kustomizations.files))
            for name, manifests, folders in builds or [everything]:
                prefix = f"{name}-" if len(builds) > 1 else ""
                made = self._release(document, prefix, manifests, folders)
                if made is not None:
                    yield made

    def _release(
        self, document: Node, prefix: str, manifests: list[str], folders: list[str]
    ) -> tuple[FoundTarget, str] | None:
        spec = entry(document, "spec", "chart", "spec")
        chart = self.repository.path(word(spec, "chart"))
        is_here = f"{chart}/{CHART}" in self.repository.known
        named = [self.repository.path(item.text) for item in items_of(spec, "valuesFiles") if isinstance(item, Scalar)]
        files = [file for file in named if file in self.repository.known] if is_here else []
        for item in items_of(document, "spec", "valuesFrom"):
            if word(item, "kind") == "ConfigMap":
                key = word(item, "valuesKey") or USUAL_KEY
                files += self._config_map(word(item, "name"), key, manifests, folders)
        inline = [node for node in [entry(document, "spec", "values")] if node is not None]
        name = prefix + word(document, "metadata", "name")
        if is_here:
            words = {"release": word(document, "spec", "releaseName") or word(document, "metadata", "name")}
            namespace = word(document, "spec", "targetNamespace") or word(document, "metadata", "namespace")
            words |= {"namespace": namespace} if namespace else {}
            return FoundTarget("chart", name, [chart, *files], document, inline=inline, release=words), chart
        if files:
            return FoundTarget("layers", name, files, document, profile="helm", inline=inline), ""
        return None

    def build_parts(self, document: Node) -> ObjectParts:
        """What of a Kustomization of Flux is evaluated as a target, and what it names beside that."""
        found, path = ObjectParts(), word(document, "spec", "path")
        folder = self.repository.path(path)
        if path and folder in self.repository.folders:
            found.fields |= {("spec", "path"), ("metadata", "name")}
            found.is_changed = bool(list(unapplied_fields(document)))
        components = items_of(document, "spec", "components")
        texts = [item.text for item in components if isinstance(item, Scalar) and "://" not in item.text]
        found.folders += [(self.repository.path(folder, text), True) for text in texts]
        return found

    def release_parts(self, document: Node) -> ObjectParts:
        """What of a HelmRelease is evaluated as a target, and what it names beside that."""
        found, chart = ObjectParts(), self.repository.path(word(document, "spec", "chart", "spec", "chart"))
        values = [(item, list(self._values_from(item))) for item in items_of(document, "spec", "valuesFrom")]
        taken = all(files and word(item, "kind") == "ConfigMap" for item, files in values)
        if f"{chart}/{CHART}" in self.repository.known:
            found.fields |= RELEASED
            found.fields |= {("spec", "valuesFrom")} if taken else set()
            found.is_changed = not taken or entry(document, "spec", "postRenderers") is not None
        if ("spec", "valuesFrom") not in found.fields:
            found.files += [file for _, files in values for file in files]
        return found

    def _values_from(self, item: Node) -> Iterator[str]:
        """The files that the values of a ConfigMap or a Secret come from."""
        name, key, folders = word(item, "name"), word(item, "valuesKey") or USUAL_KEY, list(self.kustomizations.files)
        if word(item, "kind") == "ConfigMap":
            found = list(self._config_map(name, key, list(self.repository.files), folders))
            yield from found
            if found:
                return
        for folder in folders:
            yield from self._generated_from(folder, GENERATORS.get(word(item, "kind"), ""), name)

    def _generated_from(self, folder: str, field: str, name: str) -> Iterator[str]:
        """The files that say what a generator of a kustomization makes, where one has this name."""
        file = self.kustomizations.files[folder]
        for generator in items_of(self.repository.document(file), field):
            if word(generator, "name") == name:
                yield file
                items = [item for key in GENERATED_FROM for item in items_of(generator, key)]
                texts = [item.text.rpartition("=")[2] for item in items if isinstance(item, Scalar)]
                yield from (self.repository.path(folder, text) for text in texts)

    def _config_map(self, name: str, key: str, manifests: list[str], folders: list[str]) -> Iterator[str]:
        """The file that a ConfigMap's values come from: what it is generated from, or its manifest."""
        for folder in folders:
            for generator in items_of(
                self.repository.document(self.kustomizations.files[folder]), "configMapGenerator"
            ):
                if word(generator, "name") != name:
                    continue
                for item in items_of(generator, "files"):
                    text = item.text if isinstance(item, Scalar) else ""
                    left, equals, right = text.partition("=")
                    file = right if equals else left
                    if (left if equals else os.path.basename(left)) == key:
                        yield self.repository.path(folder, file)
                        return
        for file in manifests:
            if file.endswith(YAML_ENDINGS) and any(
                word(one, "kind") == "ConfigMap" and word(one, "metadata", "name") == name
                for one in self.repository.documents(file)
            ):
                yield file
                return


def _root(folder: str) -> str:
    return "" if folder == "." else folder
