"""What templates of a chart see besides its values: the chart, its files, the release, and what the cluster can do."""

from __future__ import annotations

from base64 import b64encode

from plait.core.glob import Glob, GlobError
from plait.core.node import Node, Scalar, plain_value
from plait.core.struct import struct
from plait.notations.gotemplate import goyaml
from plait.notations.gotemplate.function import Function
from plait.notations.gotemplate.quoting import from_bytes
from plait.notations.gotemplate.sprig.versions import version
from plait.notations.gotemplate.values import MISSING, Int64, Object, StringMap, Strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.fronts.charts.chart import Chart

HELM_VERSION = "v3.17.2"
"""The version of helm that rendering is compared with, and that templates see."""
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
    """A Go struct: fields by name."""

    __slots__ = ("fields", "text")

    def __init__(self, fields: dict[str, Any], text: str = "{}") -> None:
        self.fields = fields
        self.text = text

    def field(self, name: str) -> Any:
        return self.fields.get(name, MISSING)

    def go_string(self) -> str:
        return self.text


class KubeVersion(GoStruct):
    __slots__ = ()
    methods = {  # noqa: RUF012
        "GitVersion": _method("GitVersion", "func() string", lambda self: self.text),
        "String": _method("String", "func() string", lambda self: self.text),
    }


class VersionSet(Strings, Object):
    """The API versions that a cluster has."""

    __slots__ = ()
    go_type = "chartutil.VersionSet"
    methods = {"Has": _method("Has", "func(string) bool", lambda self, name: name in self)}  # noqa: RUF012


def capabilities(kube_version: str, more: Iterable[str] = ()) -> GoStruct:
    """`.Capabilities`: the version of Kubernetes, and the API versions, with some more."""
    parsed = version(kube_version or KUBE_VERSION)
    text = f"v{parsed.go_string()}"
    kube = KubeVersion({"Version": text, "Major": str(parsed.numbers[0]), "Minor": str(parsed.numbers[1])}, text)
    helm = GoStruct({"Version": HELM_VERSION, "GitCommit": "", "GitTreeState": "", "GoVersion": ""})
    versions = VersionSet([*API_VERSIONS, *more])
    return GoStruct({"KubeVersion": kube, "APIVersions": versions, "HelmVersion": helm})


FIELD_NAMES = {
    "name": "Name", "home": "Home", "sources": "Sources", "version": "Version", "description": "Description",
    "keywords": "Keywords", "maintainers": "Maintainers", "icon": "Icon", "apiVersion": "APIVersion",
    "condition": "Condition", "tags": "Tags", "appVersion": "AppVersion", "deprecated": "Deprecated",
    "annotations": "Annotations", "kubeVersion": "KubeVersion", "dependencies": "Dependencies", "type": "Type",
}  # fmt: skip
_LISTS = frozenset(("sources", "keywords", "maintainers", "dependencies"))


def chart_fields(chart: Chart, is_root: bool) -> GoStruct:
    """`.Chart`: what Chart.yaml says, with the name that the chart has here."""
    fields: dict[str, Any] = {go: "" for key, go in FIELD_NAMES.items()}
    fields |= {FIELD_NAMES[key]: [] for key in _LISTS} | {"Deprecated": False, "Annotations": StringMap()}
    for key, node in chart.metadata.entries.items():
        if key in FIELD_NAMES:
            fields[FIELD_NAMES[str(key)]] = _fact(str(key), node)
    return GoStruct({**fields, "Name": chart.name, "IsRoot": is_root})


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

    def __init__(self, names: Iterable[str], read: Callable[[str], bytes]) -> None:
        self._names = dict.fromkeys(names)
        self._read = read

    def __len__(self) -> int:
        return len(self._names)

    def field(self, name: str) -> Any:
        return self._read(name) if name in self._names else b""

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        return ((name, self._read(name)) for name in sorted(self._names))

    def get(self, name: str) -> str:
        return from_bytes(self._read(name)) if name in self._names else ""

    def get_bytes(self, name: str) -> bytes:
        return self._read(name) if name in self._names else b""

    def glob(self, pattern: str) -> Files:
        try:
            matches = Glob(pattern).matches
        except GlobError:
            matches = Glob("**").matches
        return Files([name for name in self._names if matches(name)], self._read)

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
            "IsInstall": not self.is_upgrade, "Revision": Int64(1), "Service": "Helm",
        }  # fmt: skip
