"""Which fields kustomize changes, by kind: the defaults that are built into kustomize 5.5.

Source: the default configurations of the transformers in kustomize v5.5.0 (api/internal/konfig/builtinpluginconsts); a
kustomization adds to them with `configurations` and `crds`. A path has `/` between its steps; a step that ends in `[]`
is a list; lists on the way are walked item by item.
"""

from __future__ import annotations

from plait.core.find import word
from plait.core.node import Mapping, Node, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class FieldSpec:
    """A field of the resources of a kind; of every kind where nothing says which. `create` makes it where it is not
    there."""

    __slots__ = ("create", "group", "kind", "path", "steps", "version")

    def __init__(self, path: str, kind: str = "", group: str = "", version: str = "", create: bool = False) -> None:
        self.path = path
        self.kind = kind
        self.group = group
        self.version = version
        self.create = create
        self.steps = tuple(step.replace("\0", "/") for step in path.replace("\\/", "\0").strip("/").split("/") if step)

    def fits(self, group: str, version: str, kind: str) -> bool:
        return (
            (not self.kind or self.kind == kind)
            and (not self.group or self.group == group)
            and (not self.version or self.version == version)
        )

    @property
    def identity(self) -> tuple[str, str, str, str]:
        return (self.path, self.kind, self.group, self.version)

    def __repr__(self) -> str:
        return f"FieldSpec({self.kind} {self.path})"


class NameReference:
    """The fields that hold the name of a resource of some kind."""

    __slots__ = ("fields", "group", "kind", "version")

    def __init__(self, kind: str, fields: list[FieldSpec], group: str = "", version: str = "") -> None:
        self.kind = kind
        self.group = group
        self.version = version
        self.fields = fields

    def fits(self, group: str, version: str, kind: str) -> bool:
        return (
            (not self.kind or self.kind == kind)
            and (not self.group or self.group == group)
            and (not self.version or self.version == version)
        )


_CONTROLLERS = ("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job")
_POD, _TEMPLATE, _CRON = "spec", "spec/template/spec", "spec/jobTemplate/spec/template/spec"


def _in_pods(field: str, *kinds: str) -> Iterator[FieldSpec]:
    """A field of the pods that some kinds make."""
    where = {"Pod": _POD, "CronJob": _CRON, "PodTemplate": "template/spec"}
    return (FieldSpec(f"{where.get(kind, _TEMPLATE)}/{field}", kind) for kind in kinds)


def _each_in_pods(fields: Iterable[str], *kinds: str) -> list[FieldSpec]:
    return [spec for kind in kinds for field in fields for spec in _in_pods(field, kind)]


_ALL_PODS = ("Pod", "PodTemplate", *_CONTROLLERS, "CronJob")
_ACCOUNTS = ("Pod", "StatefulSet", "Deployment", "ReplicationController", "CronJob", "Job", "DaemonSet")


def _volumes_and_env(volume: str, env: str, all_env: str, projected: str) -> tuple[str, ...]:
    return (
        f"volumes/{volume}",
        f"containers/env/valueFrom/{env}",
        f"initContainers/env/valueFrom/{env}",
        f"containers/envFrom/{all_env}",
        f"initContainers/envFrom/{all_env}",
        f"volumes/projected/sources/{projected}",
    )


_CONFIG_MAPS = _volumes_and_env("configMap/name", "configMapKeyRef/name", "configMapRef/name", "configMap/name")
_SECRETS = (
    *_volumes_and_env("secret/secretName", "secretKeyRef/name", "secretRef/name", "secret/name"),
    "imagePullSecrets/name",
)
_RBAC, _ADMISSION = "rbac.authorization.k8s.io", "admissionregistration.k8s.io"

_AFFINITY = tuple(
    f"spec/template/spec/affinity/{side}/{when}/labelSelector/matchLabels"
    for side in ("podAffinity", "podAntiAffinity")
    for when in (
        "preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm",
        "requiredDuringSchedulingIgnoredDuringExecution",
    )
)
_TEMPLATES = "spec/template/metadata"


def _in_templates(name: str) -> list[FieldSpec]:
    """Labels or annotations of resources and of the pods that they make."""
    field = f"{_TEMPLATES}/{name}"
    return [
        FieldSpec(f"metadata/{name}", create=True),
        FieldSpec(field, "ReplicationController", version="v1", create=True),
        *(FieldSpec(field, kind, create=True) for kind in ("Deployment", "ReplicaSet", "DaemonSet")),
        FieldSpec(field, "StatefulSet", "apps" if name == "labels" else "", create=True),
        FieldSpec(field, "Job", "batch", create=True),
        FieldSpec(f"spec/jobTemplate/metadata/{name}", "CronJob", "batch", create=True),
        FieldSpec(f"spec/jobTemplate/spec/template/metadata/{name}", "CronJob", "batch", create=True),
    ]


TEMPLATE_LABELS = [
    *_in_templates("labels"),
    FieldSpec("spec/volumeClaimTemplates[]/metadata/labels", "StatefulSet", "apps", create=True),
]
"""Where `labels` with `includeTemplates` go."""
COMMON_LABELS = [
    FieldSpec("spec/selector", "Service", version="v1", create=True),
    FieldSpec("spec/selector", "ReplicationController", version="v1", create=True),
    *(FieldSpec("spec/selector/matchLabels", kind, create=True) for kind in ("Deployment", "ReplicaSet", "DaemonSet")),
    FieldSpec("spec/selector/matchLabels", "StatefulSet", "apps", create=True),
    *(
        FieldSpec(path, kind, "apps")
        for kind in ("Deployment", "StatefulSet")
        for path in (*_AFFINITY, "spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels")
    ),
    FieldSpec("spec/selector/matchLabels", "Job", "batch"),
    FieldSpec("spec/jobTemplate/spec/selector/matchLabels", "CronJob", "batch"),
    FieldSpec("spec/selector/matchLabels", "PodDisruptionBudget", "policy"),
    FieldSpec("spec/podSelector/matchLabels", "NetworkPolicy", "networking.k8s.io"),
    FieldSpec("spec/ingress/from/podSelector/matchLabels", "NetworkPolicy", "networking.k8s.io"),
    FieldSpec("spec/egress/to/podSelector/matchLabels", "NetworkPolicy", "networking.k8s.io"),
    *TEMPLATE_LABELS,
]
"""Where `commonLabels`, and `labels` with `includeSelectors`, go."""
METADATA_LABELS = FieldSpec("metadata/labels", create=True)
COMMON_ANNOTATIONS = _in_templates("annotations")
NAMESPACE = [
    FieldSpec("metadata/name", "Namespace", create=True),
    FieldSpec("spec/service/namespace", "APIService", "apiregistration.k8s.io", create=True),
    FieldSpec(
        "spec/conversion/webhook/clientConfig/service/namespace", "CustomResourceDefinition", "apiextensions.k8s.io"
    ),
]
IMAGES = [
    FieldSpec(f"{where}/{containers}[]/image")
    for where in (_POD, _TEMPLATE)
    for containers in ("containers", "initContainers")
]
REPLICAS = [
    FieldSpec("spec/replicas", kind, create=True)
    for kind in ("Deployment", "ReplicationController", "ReplicaSet", "StatefulSet")
]
NAMES = [FieldSpec("metadata/name")]
NOT_RENAMED = (
    FieldSpec("", "CustomResourceDefinition"),
    FieldSpec("", "APIService", "apiregistration.k8s.io"),
    FieldSpec("", "Namespace"),
)
"""Kinds that get no prefix and no suffix."""

NAME_REFERENCES = [
    *(
        NameReference(kind, [FieldSpec("spec/scaleTargetRef/name", "HorizontalPodAutoscaler")])
        for kind in ("Deployment", "ReplicationController", "ReplicaSet", "StatefulSet")
    ),
    NameReference(
        "ConfigMap",
        [
            *_each_in_pods(_CONFIG_MAPS, *_ALL_PODS),
            FieldSpec("spec/configSource/configMap", "Node"),
            FieldSpec("rules/resourceNames", "Role"),
            FieldSpec("rules/resourceNames", "ClusterRole"),
            FieldSpec("metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap", "Ingress"),
        ],
        version="v1",
    ),
    NameReference(
        "Secret",
        [
            *_each_in_pods(_SECRETS, *_ALL_PODS),
            FieldSpec("spec/tls/secretName", "Ingress"),
            *(
                FieldSpec(f"metadata/annotations/{name}", "Ingress")
                for name in (
                    "ingress.kubernetes.io\\/auth-secret",
                    "nginx.ingress.kubernetes.io\\/auth-secret",
                    "nginx.ingress.kubernetes.io\\/auth-tls-secret",
                )
            ),
            FieldSpec("imagePullSecrets/name", "ServiceAccount"),
            *(
                FieldSpec(f"parameters/{name}", "StorageClass")
                for name in ("secretName", "adminSecretName", "userSecretName", "secretRef")
            ),
            FieldSpec("rules/resourceNames", "Role"),
            FieldSpec("rules/resourceNames", "ClusterRole"),
            FieldSpec(
                "spec/template/spec/containers/env/valueFrom/secretKeyRef/name", "Service", "serving.knative.dev", "v1"
            ),
            FieldSpec("spec/azureFile/secretName", "PersistentVolume"),
        ],
        version="v1",
    ),
    NameReference(
        "Service",
        [
            FieldSpec("spec/serviceName", "StatefulSet", "apps"),
            *(
                FieldSpec(path, "Ingress")
                for path in (
                    "spec/rules/http/paths/backend/serviceName",
                    "spec/backend/serviceName",
                    "spec/rules/http/paths/backend/service/name",
                    "spec/defaultBackend/service/name",
                )
            ),
            FieldSpec("spec/service/name", "APIService", "apiregistration.k8s.io"),
            FieldSpec("webhooks/clientConfig/service", "ValidatingWebhookConfiguration", _ADMISSION),
            FieldSpec("webhooks/clientConfig/service", "MutatingWebhookConfiguration", _ADMISSION),
        ],
        version="v1",
    ),
    NameReference("Role", [FieldSpec("roleRef/name", "RoleBinding", _RBAC)], _RBAC),
    NameReference(
        "ClusterRole",
        [FieldSpec("roleRef/name", "RoleBinding", _RBAC), FieldSpec("roleRef/name", "ClusterRoleBinding", _RBAC)],
        _RBAC,
    ),
    NameReference(
        "ServiceAccount",
        [
            FieldSpec("subjects", "RoleBinding", _RBAC),
            FieldSpec("subjects", "ClusterRoleBinding", _RBAC),
            *_in_pods("serviceAccountName", *_ACCOUNTS),
        ],
        version="v1",
    ),
    NameReference(
        "PersistentVolumeClaim", [*_in_pods("volumes/persistentVolumeClaim/claimName", *_ACCOUNTS)], version="v1"
    ),
    NameReference(
        "PersistentVolume",
        [FieldSpec("spec/volumeName", "PersistentVolumeClaim"), FieldSpec("rules/resourceNames", "ClusterRole")],
        version="v1",
    ),
    NameReference(
        "StorageClass",
        [
            FieldSpec("spec/storageClassName", "PersistentVolume"),
            FieldSpec("spec/storageClassName", "PersistentVolumeClaim"),
            FieldSpec("spec/volumeClaimTemplates/spec/storageClassName", "StatefulSet"),
        ],
        "storage.k8s.io",
        "v1",
    ),
    NameReference("PriorityClass", [*_in_pods("priorityClassName", *_ACCOUNTS)], "scheduling.k8s.io", "v1"),
    NameReference("IngressClass", [FieldSpec("spec/ingressClassName", "Ingress")], "networking.k8s.io/v1", "v1"),
    NameReference(
        "ValidatingAdmissionPolicy",
        [FieldSpec("spec/policyName", "ValidatingAdmissionPolicyBinding", _ADMISSION)],
        _ADMISSION,
    ),
]

_TEXTS = tuple(
    f"{containers}/{field}"
    for containers in ("containers", "initContainers")
    for field in ("args", "command", "env/value", "volumeMounts/mountPath")
)
VARIABLES = [
    *_each_in_pods(_TEXTS, "CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"),
    FieldSpec("spec/jobTemplate/spec/template/volumes/nfs/server", "CronJob"),
    *_in_pods("volumes/nfs/server", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet"),
    FieldSpec("spec/template/metadata/annotations", "Deployment"),
    FieldSpec("spec/rules/host", "Ingress"),
    FieldSpec("spec/tls/hosts", "Ingress"),
    FieldSpec("spec/tls/secretName", "Ingress"),
    FieldSpec("spec/ports/port", "Service"),
    FieldSpec("spec/ports/targetPort", "Service"),
    FieldSpec("spec/volumeClaimTemplates/spec/nfs/server", "StatefulSet"),
    FieldSpec("spec/nfs/server", "PersistentVolume"),
    FieldSpec("metadata/labels"),
    FieldSpec("metadata/annotations"),
]
"""Where `$(NAME)` of `vars` is replaced."""

_DEFAULTS = {
    "commonLabels": COMMON_LABELS,
    "templateLabels": TEMPLATE_LABELS,
    "commonAnnotations": COMMON_ANNOTATIONS,
    "namespace": NAMESPACE,
    "namePrefix": NAMES,
    "nameSuffix": NAMES,
    "images": IMAGES,
    "replicas": REPLICAS,
    "varReference": VARIABLES,
}


class FieldTable:
    """The fields that each transformer changes: the defaults, and what kustomizations add."""

    def __init__(self) -> None:
        self._specs = {name: list(known) for name, known in _DEFAULTS.items()}
        self.references = list(NAME_REFERENCES)

    def __getitem__(self, name: str) -> list[FieldSpec]:
        """The fields of a transformer, by the name that `configurations` have for it."""
        return self._specs[name]

    def add(self, node: Node) -> None:
        """What a file of `configurations` says."""
        for key, child in node.entries.items() if isinstance(node, Mapping) else ():
            if key == "nameReference":
                self.references += [found for item in _items(child) for found in _reference(item)]
            elif key in self._specs:
                self._add(str(key), [_spec(item) for item in _items(child)])

    def take(self, other: FieldTable) -> None:
        """What the kustomization below has added."""
        for name in self._specs:
            self._add(name, other[name])
        known = {id(one) for one in self.references}
        self.references += [one for one in other.references if id(one) not in known]

    def _add(self, name: str, more: list[FieldSpec]) -> None:
        there = {spec.identity for spec in self._specs[name]}
        self._specs[name] += [spec for spec in more if spec.identity not in there]


def _items(node: Node) -> list[Mapping]:
    return [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Sequence) else []


def flag(node: Node | None, key: str) -> bool:
    field = node.entries.get(key) if isinstance(node, Mapping) else None
    return isinstance(field, Scalar) and field.value is True


def _spec(node: Mapping) -> FieldSpec:
    return FieldSpec(
        word(node, "path"), word(node, "kind"), word(node, "group"), word(node, "version"), flag(node, "create")
    )


def specs(node: Node | None) -> list[FieldSpec]:
    """The fields of a list that a kustomization has."""
    return [_spec(item) for item in _items(node)] if node is not None else []


def _reference(node: Mapping) -> Iterator[NameReference]:
    fields = node.entries.get("fieldSpecs")
    found = specs(fields)
    if found:
        yield NameReference(word(node, "kind"), found, word(node, "group"), word(node, "version"))
