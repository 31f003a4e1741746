"""A kustomization as it lies on the disk: its fields, each with its node, and the files that it names."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, Scalar, is_null, text
from plait.core.source import YAML_ENDINGS, Source
from plait.core.visible import counted
from plait.fronts.kustomize.shape import FIELDS, check_shape
from plait.report.catalog import KUSTOMIZE_FILE, KUSTOMIZE_OLD, KUSTOMIZE_OUTSIDE
from plait.yaml.build import Reading, build
from plait.yaml.files import kind_of
from plait.yaml.readers import READERS, go_json_key, text_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.fronts.project import Project

NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
NEEDED = f"a folder needs one of {', '.join(NAMES)}"
COMPONENT = "Component"
_GROUP = "kustomize.config.k8s.io"
VERSIONS = {"Kustomization": f"{_GROUP}/v1beta1", COMPONENT: f"{_GROUP}/v1alpha1"}
READER, STRICT = READERS["go-yaml-3"], READERS["go-yaml-2"]
"""How resources are read, and how kustomizations are."""
OLD = {
    "bases": "name the folders under `resources`",
    "commonLabels": "use `labels` with `includeSelectors: true`",
    "patchesStrategicMerge": "use `patches`",
    "patchesJson6902": "use `patches` with `target`",
    "vars": "use `replacements`",
    "imageTags": "use `images`",
    "helmChartInflationGenerator": "use `helmCharts`",
}
_KNOWN = {name.lower(): name for name in FIELDS}


class Kustomization:
    """The file of one folder."""

    def __init__(self, folder: str, path: str, node: MapNode) -> None:
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
        return field if isinstance(field, Scalar) and field.value is not None and field.text else None

    def mapping(self, name: str) -> MapNode | None:
        field = self.fields.get(name)
        return field if isinstance(field, MapNode) else None

    def items(self, name: str) -> list[Node]:
        field = self.fields.get(name)
        return field.items if isinstance(field, ListNode) else []

    def texts(self, *names: str) -> list[Scalar]:
        return [item for name in names for item in self.items(name) if isinstance(item, Scalar)]

    def maps(self, *names: str) -> list[MapNode]:
        return [item for name in names for item in self.items(name) if isinstance(item, MapNode)]

    def findings(self) -> Iterator[Diagnostic]:
        for key in self.node.entries:
            name = _KNOWN[str(key).lower()]
            if name in OLD:
                yield KUSTOMIZE_OLD(Label(self.node.key_origin(key), length=len(name)), name=name, hint=OLD[name])


def _says_something(node: MapNode) -> bool:
    """Whether a kustomization has a field with a value, besides its kind and apiVersion."""
    fields = [value for key, value in node.entries.items() if key not in ("kind", "apiVersion")]
    return any(not isinstance(value, Scalar) or (value.value is not None and value.text) for value in fields)


def _check_kind(node: MapNode, path: str) -> None:
    """The kind and the apiVersion are those of a kustomization or of a component, or not said."""
    kind, api = (node.entries.get(name) for name in ("kind", "apiVersion"))
    called = kind.text if isinstance(kind, Scalar) and kind.text else "Kustomization"
    if called not in VERSIONS:
        why, hint = f"its kind is `{called}`", f"write {' or '.join(VERSIONS)}"
        raise KUSTOMIZE_FILE.error(Label((kind or node).origin), name=path, why=why, hint=hint)
    if isinstance(api, Scalar) and api.text and api.text != VERSIONS[called]:
        why, hint = f"its apiVersion is `{api.text}`", f"write {VERSIONS[called]}"
        raise KUSTOMIZE_FILE.error(Label(api.origin), name=path, why=why, hint=hint)


def file_in(project: Project, folder: str) -> str:
    """The kustomization of a folder; empty where it has none."""
    found = [path for name in NAMES if project.door.is_file(path := os.path.normpath(os.path.join(folder, name)))]
    if len(found) > 1:
        labels = [Label.at(Source(path), 0) for path in found]
        raise KUSTOMIZE_FILE.error(*labels, name=folder, why="it has several of these files", hint="keep one of them")
    return found[0] if found else ""


def from_folder(path: str, folder: str) -> str:
    """A path as a folder names it, where both are normal; the system is not asked."""
    if os.path.isabs(path) != os.path.isabs(folder) or os.sep in (path, folder) or folder.startswith(os.pardir):
        return os.path.relpath(path, folder)
    above, steps = (one.split(os.sep) if one != os.curdir else [] for one in (folder, path))
    while above and steps and above[0] == steps[0]:
        above, steps = above[1:], steps[1:]
    return os.sep.join([os.pardir] * len(above) + steps) or os.curdir


class KustomizeFiles:
    """Reads the files of one build, each once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.outside: list[Diagnostic] = []

    def kustomization(self, folder: str, asker: Node | None = None, is_generated: bool = False) -> Kustomization:
        """The kustomization of a folder; with `is_generated` one that names its manifests where it has none, as Flux
        makes it."""
        labels = [Label(asker.origin)] if asker is not None else []
        path = file_in(self._project, folder)
        if not path and is_generated:
            return self._generated(folder)
        if not path:
            raise KUSTOMIZE_FILE.error(*labels, name=folder, why="the file is missing", hint=NEEDED)
        documents = self.documents(path)
        if not documents or (isinstance(documents[0], MapNode) and not _says_something(documents[0])):
            label = Label.at(self._project.source(path), 0)
            raise KUSTOMIZE_FILE.error(label, name=path, why="it is empty", hint="begin with `resources: []`")
        node = documents[0]
        if not isinstance(node, MapNode) or len(documents) > 1:
            raise KUSTOMIZE_FILE.error(Label(node.origin), name=path, why="it is one mapping")
        check_shape(node)
        _check_kind(node, path)
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
                elif name.endswith(YAML_ENDINGS) and not is_folder:
                    names.append(path)
        if not names:
            raise KUSTOMIZE_FILE.error(name=folder, why="the folder has no manifests", hint=NEEDED)
        source = Source(folder, "", given=True)
        items: list[Node] = [text(name, source) for name in sorted(names)]
        return Kustomization(folder, folder, MapNode({"resources": ListNode(items, source)}, source))

    def documents(self, path: str) -> list[Node]:
        """The documents of a file that are something; the same for all builds, as long as its text is."""
        reading = _strict if os.path.basename(path) in NAMES else _reading

        def read() -> list[Node]:
            return [node for node in self._project.read(path, reading) if not is_null(node)]

        return self._project.about_text(("kustomize", path), path, read)

    def inline(self, node: Scalar) -> list[Node]:
        """The documents of a text that is written in a kustomization, at its lines."""
        return self._built(inline_source(node), _reading)

    def operations(self, source: Source) -> list[Node]:
        """The documents of a text with JSON patches, which kustomize reads as it reads its own files."""
        return self._built(source, _strict)

    def _built(self, source: Source, reading: Callable[[Source], Reading]) -> list[Node]:
        found = [build(program, source, reading(source)) for program in self._project.parsed(source)]
        return [one for one in found if not is_null(one)]

    def path(self, folder: str, name: str, asker: Node) -> str:
        """A file that a kustomization names; kustomize wants it in the folder."""
        path = os.path.normpath(os.path.join(folder, name))
        if path != folder and from_folder(path, os.path.normpath(folder)).startswith("../"):
            self.outside.append(
                KUSTOMIZE_OUTSIDE(
                    Label(asker.origin), name=name, hint="move it below the folder, or run kustomize with that option"
                )
            )
        return path

    def bytes(self, path: str, asker: Node) -> tuple[Source, bytes]:
        """A file as it is, whatever it holds."""
        self._project.check_inside(path, asker)
        data = self._project.bytes(path)
        return kind_of(path, self._project.door)(path, data.decode("utf-8", "surrogateescape")), data


def once_each(outside: list[Diagnostic]) -> list[Diagnostic]:
    """The first file outside of each kustomization, with the number of the others: they have one reason."""
    files: dict[str, list[Diagnostic]] = {}
    for finding in dict.fromkeys(outside):
        files.setdefault(finding.labels[0].origin.file, []).append(finding)
    return [_with_others(*found) for found in files.values()]


def _with_others(first: Diagnostic, *others: Diagnostic) -> Diagnostic:
    is_or_are = "is" if len(others) == 1 else "are"
    return first.also_noting(f"so {is_or_are} {counted(len(others), 'other file')} that it names") if others else first


def _strict(source: Source) -> Reading:
    """How kustomize reads its own files."""
    return Reading(schema=STRICT.schema, keys=go_json_key)


def _reading(source: Source) -> Reading:
    return Reading(schema=READER.schema, keys=text_key)


def inline_source(node: Scalar) -> Source:
    """The text of a value as a source whose lines are those of the file that it is written in."""
    outer = node.origin.source
    row = outer.position(node.at)[0] - 1
    is_block = outer.text[node.at : node.at + 1] in ("|", ">")
    count = node.text.count("\n") + 1
    lines = [row + 1 + number if is_block else row for number in range(count)]
    at = node.at if outer.written is None else None
    return Source(outer.name, node.text, written=outer.written or outer, line_map=lines, value_at=at)
