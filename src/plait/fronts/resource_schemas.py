"""Resources of Kubernetes and the JSON Schemas of their kinds, in a folder that the user names.

The files have the names that collections of such schemas give them: `deployment-apps-v1.json`, `configmap-v1.json` and,
for custom resources, also `GROUP/KIND_VERSION.json`. A kind without a file is named once, as not checked.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from plait.core.diagnostic import Fault, Label
from plait.core.resource import Identity
from plait.fronts.values_schema import refusals, unusable
from plait.report.catalog import BAD_OPTION, NO_RESOURCE_SCHEMA, NO_SCHEMA_CHECK, RESOURCE_REFUSED
from plait.report.installing import how_to_install
from plait.schemas import BadSchema, Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.source import Source
    from plait.fronts.front import Target
    from plait.fronts.project import Project


class ResourceSchemas:
    """The schemas of a folder, each made ready once."""

    def __init__(self, project: Project, folder: str) -> None:
        if not project.door.is_folder(project.present(folder)):
            hint = "--schemas names a folder with files such as deployment-apps-v1.json"
            raise BAD_OPTION.error(why=f"`{folder}` is not a folder", hint=hint)
        self._project = project
        self._folder = folder
        self._ready: dict[Source, Validator | None] = {}
        self._found: dict[tuple[str, ...], Source | None] = {}
        """The schema of each kind, by the names that it may have."""
        self._unchecked: set[tuple[str, str]] = set()
        """The kinds, each with its API version, that were named as not checked."""

    def refused(self, resources: Iterable[Node]) -> Iterator[Diagnostic]:
        """Yield what the schemas refuse in resources, and each kind that was not checked, once."""
        for resource in resources:
            yield from self._refused(resource)

    def _refused(self, resource: Node) -> Iterator[Diagnostic]:
        identity = Identity.of(resource)
        if identity is None:
            return
        source = self._schema(identity)
        if source is None:
            yield from self._not_checked(identity, resource)
            return
        if source not in self._ready:
            yield from self._prepare(source)
        validator = self._ready[source]
        if validator is not None:
            yield from refusals(validator, source, resource, RESOURCE_REFUSED, identity.label)

    def _prepare(self, source: Source) -> Iterator[Diagnostic]:
        self._ready[source] = None
        try:
            self._ready[source] = Validator(json.loads(source.text), self._project.meter)
        except ImportError:
            yield NO_SCHEMA_CHECK(how=how_to_install("schema"))
        except (ValueError, BadSchema) as trouble:
            yield unusable(source, trouble, RESOURCE_REFUSED)

    def _not_checked(self, identity: Identity, resource: Node) -> Iterator[Diagnostic]:
        """Yield a warning for the first resource of a kind without a schema."""
        kind = identity.kind, identity.api
        if kind not in self._unchecked:
            self._unchecked.add(kind)
            names = " or ".join(file_names(identity))
            note = f"looked for {names}" if names else "its kind or version cannot be a part of the name of a file"
            facts = {"kind": identity.kind, "api": identity.api or "no apiVersion", "folder": self._folder}
            yield NO_RESOURCE_SCHEMA(Label(resource.origin), notes=(note,), **facts)

    def _schema(self, identity: Identity) -> Source | None:
        names = tuple(file_names(identity))
        if names not in self._found:
            files = filter(self._project.door.is_file, (os.path.join(self._folder, name) for name in names))
            self._found[names] = next(map(self._project.source, files), None)
        return self._found[names]


def refused_resources(target: Target, schemas: ResourceSchemas) -> Iterator[Diagnostic]:
    """Resources of a target that schemas refuse; what cannot be computed of it is among its findings."""
    return schemas.refused(_computed(target))


def _computed(target: Target) -> Iterator[Node]:
    with suppress(Fault):
        for document in target.documents():
            with suppress(Fault):
                yield target.tree(document).value()


def file_names(identity: Identity) -> list[str]:
    """The names under which the schema of a kind may be found."""
    kind, group, version = identity.kind.lower(), identity.group, identity.api.rpartition("/")[2]
    if not all(map(_is_name, filter(None, (kind, group, version)))):
        return []
    names = ["-".join(filter(None, (kind, group.partition(".")[0], version))) + ".json"]
    return [*names, f"{group}/{kind}_{version}.json"] if group else names


def _is_name(text: str) -> bool:
    """Whether a text that a repository brings is no way out of a folder."""
    return text.replace("-", "").replace(".", "").isalnum()
