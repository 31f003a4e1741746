"""What templates of a chart see besides its values: the chart, its files, the release, and what the cluster can do."""

from __future__ import annotations

from base64 import b64encode

from plait.core.glob import Glob, GlobError
from plait.core.node import Node, Scalar, plain_value
from plait.core.quoting import from_bytes
from plait.core.struct import struct
from plait.fronts.charts.file_globs import FileGlobCompiler
from plait.notations.gotemplate import goyaml
from plait.notations.gotemplate.function import Function
from plait.notations.gotemplate.sprig.versions import version
from plait.notations.gotemplate.values import (
    MISSING,
    NilList,
    NilStringMap,
    NilStrings,
    Object,
    StringMap,
    Strings,
    StructFields,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, ClassVar

    from plait.fronts.charts.chart import Chart

HELM_VERSION = "v3.17.2"
"""The version of helm that rendering is compared with, and that templates see."""
HELM_BUILD = {
    "Version": HELM_VERSION, "GitCommit": "cc0bbbd6d6276b83880042c1ecb34087e84d41eb", "GitTreeState": "clean",
    "GoVersion": "go1.23.7",
}  # fmt: skip
KUBE_VERSION = "v1.32.0"
"""The version of Kubernetes that templates see, unless another one is given."""
API_VERSIONS = (
    "v1", "admissionregistration.k8s.io/v1", "admissionregistration.k8s.io/v1alpha1",
    "admissionregistration.k8s.io/v1beta1", "internal.apiserver.k8s.io/v1alpha1", "apps/v1", "apps/v1beta1",
    "apps/v1beta2", "authentication.k8s.io/v1", "authentication.k8s.io/v1alpha1", "authentication.k8s.io/v1beta1",
    "authorization.k8s.io/v1", "authorization.k8s.io/v1beta1", "autoscaling/v1", "autoscaling/v2",
    "autoscaling/v2beta1", "autoscaling/v2beta2", "batch/v1", "batch/v1beta1", "certificates.k8s.io/v1",
    "certificates.k8s.io/v1beta1", "certificates.k8s.io/v1alpha1", "coordination.k8s.io/v1alpha2",
    "coordination.k8s.io/v1beta1", "coordination.k8s.io/v1", "discovery.k8s.io/v1", "discovery.k8s.io/v1beta1",
    "events.k8s.io/v1", "events.k8s.io/v1beta1", "extensions/v1beta1", "flowcontrol.apiserver.k8s.io/v1",
    "flowcontrol.apiserver.k8s.io/v1beta1", "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3", "networking.k8s.io/v1", "networking.k8s.io/v1alpha1",
    "networking.k8s.io/v1beta1", "node.k8s.io/v1", "node.k8s.io/v1alpha1", "node.k8s.io/v1beta1", "policy/v1",
    "policy/v1beta1", "rbac.authorization.k8s.io/v1", "rbac.authorization.k8s.io/v1beta1",
    "rbac.authorization.k8s.io/v1alpha1", "resource.k8s.io/v1beta1", "resource.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha1", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1", "storage.k8s.io/v1beta1",
    "storage.k8s.io/v1", "storage.k8s.io/v1alpha1", "storagemigration.k8s.io/v1alpha1",
    "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1",
)  # fmt: skip
"""What `.Capabilities.APIVersions` has without a cluster: the groups that helm is built with."""


def _method(name: str, signature: str, call: Callable[..., Any]) -> Function:
    made = Function(name, signature, "", "", "", call)
    made.group = "method"
    return made


class GoStruct(Object):
    """A Go struct: fields by name, in their order."""

    __slots__ = ("values",)
    json_names: ClassVar[dict[str, str]] = {}
    """What JSON calls fields; where it has a name of its own, an empty value is left out."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = StructFields(values)

    def field(self, name: str) -> Any:
        return self.values.get(name, MISSING)

    def fields(self) -> StructFields:
        return self.values

    def data(self) -> StructFields:
        names = self.json_names
        rows = ((name, value) for name, value in self.values.items() if value or name not in names)
        return StructFields((names.get(name, name), value) for name, value in rows)

    def each(self, change: Callable[[Any], Any]) -> GoStruct:
        return self.__class__({name: change(value) for name, value in self.values.items()})


class KubeVersion(GoStruct):
    __slots__ = ()
    go_type = "chartutil.KubeVersion"

    def go_string(self) -> str:
        return str(self.values["Version"])

    methods = {  # noqa: RUF012
        "GitVersion": _method("GitVersion", "func() string", go_string),
        "String": _method("String", "func() string", go_string),
    }


class BuildInfo(GoStruct):
    """What helm says of itself."""

    __slots__ = ()
    go_type = "version.BuildInfo"
    json_names = {  # noqa: RUF012
        "Version": "version", "GitCommit": "git_commit", "GitTreeState": "git_tree_state", "GoVersion": "go_version",
    }  # fmt: skip


class Capabilities(GoStruct):
    __slots__ = ()
    go_type = "*chartutil.Capabilities"
    go_kind = "ptr"


class VersionSet(Strings, Object):
    """The API versions that a cluster has."""

    __slots__ = ()
    go_type = "chartutil.VersionSet"
    go_kind = "slice"
    methods = {"Has": _method("Has", "func(string) bool", lambda self, name: name in self)}  # noqa: RUF012

    def data(self) -> Strings:
        return Strings(self)


def capabilities(kube_version: str, more: Iterable[str] = ()) -> Capabilities:
    """`.Capabilities`: the version of Kubernetes, and the API versions, with some more."""
    parsed = version(kube_version or KUBE_VERSION)
    major, minor = map(str, parsed.numbers[:2])
    kube = KubeVersion({"Version": f"v{parsed.go_string()}", "Major": major, "Minor": minor})
    return Capabilities(
        {"KubeVersion": kube, "APIVersions": VersionSet([*API_VERSIONS, *more]), "HelmVersion": BuildInfo(HELM_BUILD)}
    )


FIELD_NAMES = {
    "name": "Name", "home": "Home", "sources": "Sources", "version": "Version", "description": "Description",
    "keywords": "Keywords", "maintainers": "Maintainers", "icon": "Icon", "apiVersion": "APIVersion",
    "condition": "Condition", "tags": "Tags", "appVersion": "AppVersion", "deprecated": "Deprecated",
    "annotations": "Annotations", "kubeVersion": "KubeVersion", "dependencies": "Dependencies", "type": "Type",
}  # fmt: skip
_LISTS = frozenset(("sources", "keywords", "maintainers", "dependencies"))


class Metadata(GoStruct):
    """What Chart.yaml says."""

    __slots__ = ()
    go_type = "chart.Metadata"


class ChartStruct(GoStruct):
    """`.Chart`: the fields of Chart.yaml, which are a struct inside it, and whether it is the root."""

    __slots__ = ()
    go_type = "struct { chart.Metadata; IsRoot bool }"
    json_names = {go: key for key, go in FIELD_NAMES.items()}  # noqa: RUF012

    def printed(self) -> StructFields:
        facts = {name: value for name, value in self.values.items() if name != "IsRoot"}
        return StructFields(Metadata=Metadata(facts), IsRoot=self.values["IsRoot"])


def chart_fields(chart: Chart, is_root: bool) -> ChartStruct:
    """`.Chart`: what Chart.yaml says, with the name that the chart has here."""
    fields: dict[str, Any] = dict.fromkeys(FIELD_NAMES.values(), "") | {
        "Sources": NilStrings(), "Keywords": NilStrings(), "Maintainers": NilList(), "Dependencies": NilList(),
        "Deprecated": False, "Annotations": NilStringMap(),
    }  # fmt: skip
    for key, node in chart.metadata.entries.items():
        if key in FIELD_NAMES:
            fields[FIELD_NAMES[str(key)]] = _fact(str(key), node)
    return ChartStruct({**fields, "Name": chart.name, "IsRoot": is_root})


def _fact(key: str, node: Node) -> Any:
    value = plain_value(node)
    if key == "annotations":
        return StringMap({str(name): str(text) for name, text in value.items()}) if isinstance(value, dict) else {}
    if key in _LISTS or isinstance(value, bool):
        return value
    return node.text if isinstance(node, Scalar) and value is not None else ""


class Files(Object):
    """`.Files`: files of the chart by path, read when a template asks for them."""

    __slots__ = ("_names", "_read")
    go_type = "engine.files"
    go_kind = "map"

    def __init__(self, names: Iterable[str], read: Callable[[str], bytes]) -> None:
        self._names = dict.fromkeys(names)
        self._read = read

    def __len__(self) -> int:
        return len(self._names)

    def field(self, name: str) -> Any:
        return self._read(name) if name in self._names else b""

    def data(self) -> dict[str, bytes]:
        return dict(self.pairs())

    def printed(self) -> dict[str, bytes]:
        return self.data()

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        return ((name, self._read(name)) for name in sorted(self._names))

    def get(self, name: str) -> str:
        return from_bytes(self._read(name)) if name in self._names else ""

    def get_bytes(self, name: str) -> bytes:
        return self._read(name) if name in self._names else b""

    def glob(self, pattern: str) -> Files:
        try:
            glob = Glob(pattern, FileGlobCompiler)
        except GlobError:
            return self
        return Files([name for name in self._names if glob.matches(name)], self._read)

    def as_config(self) -> str:
        return goyaml.encode({name.rpartition("/")[2]: self.get(name) for name in self._names})

    def as_secrets(self) -> str:
        made = {name.rpartition("/")[2]: b64encode(self._read(name)).decode() for name in self._names}
        return goyaml.encode(made)

    def lines(self, name: str) -> list[str]:
        text = self.get(name)
        return Strings(text.removesuffix("\n").split("\n")) if text else Strings()

    methods = {  # noqa: RUF012
        "Get": _method("Get", "func(string) string", get),
        "GetBytes": _method("GetBytes", "func(string) []uint8", get_bytes),
        "Glob": _method("Glob", "func(string) engine.files", glob),
        "AsConfig": _method("AsConfig", "func() string", as_config),
        "AsSecrets": _method("AsSecrets", "func() string", as_secrets),
        "Lines": _method("Lines", "func(string) []string", lines),
    }


@struct
class Release:
    """What helm says of an installation: its name, its namespace, and whether it is the first one."""

    name: str
    namespace: str = "default"
    is_upgrade: bool = False

    def fields(self) -> dict[str, Any]:
        """`.Release`."""
        return {
            "Name": self.name, "Namespace": self.namespace, "IsUpgrade": self.is_upgrade,
            "IsInstall": not self.is_upgrade, "Revision": 1, "Service": "Helm",
        }  # fmt: skip
