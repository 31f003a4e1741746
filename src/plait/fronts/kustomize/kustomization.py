"""A kustomization as it lies on the disk: its fields, each with its node, and the files that it names."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.node import Mapping, Node, Scalar, Sequence, is_null, key_text, text
from plait.core.source import Source
from plait.report.catalog import KUSTOMIZE_FIELD, KUSTOMIZE_FILE, KUSTOMIZE_OLD, KUSTOMIZE_OUTSIDE
from plait.report.near import did_you_mean
from plait.yaml.build import Reading, build
from plait.yaml.readers import READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.fronts.project import Project

NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
COMPONENT = "Component"
READER, STRICT = READERS["go-yaml-3"], READERS["go-yaml-2"]
"""How resources are read, and how kustomizations are."""
FIELDS = (
    "apiVersion", "kind", "metadata", "resources", "bases", "components", "crds", "configurations", "generators",
    "transformers", "validators", "namePrefix", "nameSuffix", "namespace", "commonLabels", "labels",
    "commonAnnotations", "patches", "patchesStrategicMerge", "patchesJson6902", "images", "imageTags", "replicas",
    "replacements", "vars",
    "configMapGenerator", "secretGenerator", "generatorOptions", "helmCharts", "helmGlobals",
    "helmChartInflationGenerator", "inventory", "openapi", "buildMetadata", "sortOptions",
)  # fmt: skip
OLD = {
    "bases": "name the folders under `resources`",
    "commonLabels": "use `labels` with `includeSelectors: true`",
    "patchesStrategicMerge": "use `patches`",
    "patchesJson6902": "use `patches` with `target`",
    "vars": "use `replacements`",
    "imageTags": "use `images`",
    "helmChartInflationGenerator": "use `helmCharts`",
}
TEXTS = ("commonLabels", "commonAnnotations")
_KNOWN = {name.lower(): name for name in FIELDS}


class Kustomization:
    """The file of one folder."""

    def __init__(self, folder: str, path: str, node: Mapping) -> None:
        self.folder = folder
        self.path = path
        self.node = node
        self.fields = {_KNOWN[str(key).lower()]: child for key, child in node.entries.items()}

    @property
    def is_component(self) -> bool:
        return self.text("kind") == COMPONENT

    def text(self, name: str) -> str:
        field = self.fields.get(name)
        return field.text if isinstance(field, Scalar) and field.value is not None else ""

    def scalar(self, name: str) -> Scalar | None:
        field = self.fields.get(name)
        if field is not None and not is_null(field):
            check_text(field, name)
        return field if isinstance(field, Scalar) and field.value is not None and field.text else None

    def mapping(self, name: str) -> Mapping | None:
        field = self.fields.get(name)
        if field is not None and not isinstance(field, Mapping) and not is_null(field):
            raise KUSTOMIZE_FIELD.error(Label(field.origin), why=f"`{name}` must be a mapping")
        if isinstance(field, Mapping) and name in TEXTS:
            for key, value in field.entries.items():
                check_text(value, f"{name}.{key_text(key)}")
        return field if isinstance(field, Mapping) else None

    def items(self, name: str) -> list[Node]:
        field = self.fields.get(name)
        if field is None or is_null(field):
            return []
        if not isinstance(field, Sequence):
            raise KUSTOMIZE_FIELD.error(Label(field.origin), why=f"`{name}` must be a list")
        return field.items

    def texts(self, *names: str) -> list[Scalar]:
        return [item for name in names for item in self.items(name) if isinstance(item, Scalar)]

    def maps(self, *names: str) -> list[Mapping]:
        return [item for name in names for item in self.items(name) if isinstance(item, Mapping)]

    def findings(self) -> Iterator[Diagnostic]:
        for key in self.node.entries:
            name = _KNOWN[str(key).lower()]
            if name in OLD:
                yield KUSTOMIZE_OLD(Label(self.node.key_origin(key), length=len(name)), name=name, hint=OLD[name])


def check_text(node: Node, name: str) -> None:
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        what = node.kind if not isinstance(node, Scalar) else f"`{node.text}` is a {type(node.value).__name__}"
        raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"`{name}` must be a text: {what}", hint="put it in quotes")


def file_in(project: Project, folder: str) -> str:
    """The kustomization of a folder; empty where it has none."""
    found = [path for name in NAMES if project.door.is_file(path := os.path.normpath(os.path.join(folder, name)))]
    if len(found) > 1:
        labels = [Label.at(Source(path), 0) for path in found]
        raise KUSTOMIZE_FILE.error(*labels, name=folder, why="it has several of these files", hint="keep one of them")
    return found[0] if found else ""


class KustomizeFiles:
    """Reads the files of one build, each once."""

    def __init__(self, project: Project, documents: dict[str, list[Node]]) -> None:
        self._project = project
        self._documents = documents
        """What was read before, for all builds of a world."""
        self.outside: list[Diagnostic] = []

    def kustomization(self, folder: str, asker: Node | None = None, is_generated: bool = False) -> Kustomization:
        """The kustomization of a folder; with `is_generated` one that names its manifests where it has none, as Flux
        makes it."""
        labels = [Label(asker.origin)] if asker is not None else []
        path = file_in(self._project, folder)
        if not path and is_generated:
            return self._generated(folder)
        if not path:
            hint = f"a folder needs one of {', '.join(NAMES)}"
            raise KUSTOMIZE_FILE.error(*labels, name=folder, why="the file is missing", hint=hint)
        documents = self.documents(path)
        node = documents[0] if documents else Mapping({}, self._project.source(path), 0)
        if not isinstance(node, Mapping) or len(documents) > 1:
            raise KUSTOMIZE_FILE.error(Label(node.origin), name=path, why="it is one mapping")
        for key in node.entries:
            if str(key).lower() not in _KNOWN:
                label = Label(node.key_origin(key), length=len(key_text(key)))
                hint = did_you_mean(key_text(key), FIELDS) or f"fields: {', '.join(FIELDS)}"
                raise KUSTOMIZE_FIELD.error(label, why=f"unknown field `{key_text(key)}`", hint=hint)
        return Kustomization(folder, path, node)

    def _generated(self, folder: str) -> Kustomization:
        names: list[str] = []
        stack = [""]
        while stack:
            inner = stack.pop()
            if inner and file_in(self._project, os.path.join(folder, inner)):
                names.append(inner)
                continue
            for name, is_folder, _ in self._project.door.entries(os.path.join(folder, inner)):
                path = os.path.join(inner, name)
                if is_folder and not name.startswith("."):
                    stack.append(path)
                elif name.endswith((".yaml", ".yml")) and not is_folder:
                    names.append(path)
        source = Source(folder, "", given=True)
        items: list[Node] = [text(name, source) for name in sorted(names)]
        return Kustomization(folder, folder, Mapping({"resources": Sequence(items, source)}, source))

    def documents(self, path: str) -> list[Node]:
        """The documents of a file that are something."""
        self._project.source(path)  # whoever collects the names of files gets this one
        if path not in self._documents:
            reading = _strict if os.path.basename(path) in NAMES else _reading
            self._documents[path] = [node for node in self._project.read(path, reading) if not is_null(node)]
        return self._documents[path]

    def inline(self, node: Scalar) -> list[Node]:
        """The documents of a text that is written in a kustomization, at its lines."""
        source = inline_source(node)
        programs = self._project.parsed(source)
        found = [build(program, source, _reading(source)) for program in programs]
        return [one for one in found if not is_null(one)]

    def path(self, folder: str, name: str, asker: Node) -> str:
        """A file that a kustomization names; kustomize wants it in the folder."""
        path = os.path.normpath(os.path.join(folder, name))
        if path != folder and os.path.relpath(path, folder).startswith("../"):
            self.outside.append(
                KUSTOMIZE_OUTSIDE(
                    Label(asker.origin), name=name, hint="move it below the folder, or run kustomize with that option"
                )
            )
        return path

    def bytes(self, path: str, asker: Node) -> tuple[Source, bytes]:
        """A file as it is, whatever it holds."""
        self._project.check_inside(path, asker)
        if self._project.watched is not None:
            self._project.watched.add(path)
        data = self._project.bytes(path)
        return Source(path, data.decode("utf-8", "surrogateescape")), data


def _strict(source: Source) -> Reading:
    """How kustomize reads its own files."""
    return Reading(schema=STRICT.schema, keys=STRICT.keys)


def _reading(source: Source) -> Reading:
    return Reading(schema=READER.schema, keys=READER.keys)


def inline_source(node: Scalar) -> Source:
    """The text of a value as a source whose lines are those of the file that it is written in."""
    outer = node.origin.source
    row = outer.position(node.at)[0] - 1
    is_block = outer.text[node.at : node.at + 1] in ("|", ">")
    count = node.text.count("\n") + 1
    lines = [row + 1 + number if is_block else row for number in range(count)]
    return Source(outer.name, node.text, written=outer.written or outer, line_map=lines)
