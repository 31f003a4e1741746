"""Which fields kustomize changes, by kind: the defaults that are built into kustomize 5.5.

Source: the default configurations of the transformers in kustomize v5.5.0 (api/internal/konfig/builtinpluginconsts); a
kustomization adds to them with `configurations` and `crds`. A path has `/` between its steps; a step that ends in `[]`
is a list; lists on the way are walked item by item.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.struct import struct
from plait.fronts.kustomize.order import PLACES
from plait.report.catalog import KUSTOMIZE_FIELD
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def path_steps(path: str) -> tuple[str, ...]:
    """The steps of a path; a slash after a backslash is part of a name."""
    return tuple(step.replace("\0", "/") for step in path.replace("\\/", "\0").strip("/").split("/") if step)


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
        self.steps = path_steps(path)

    def fits(self, group: str, version: str, kind: str) -> bool:
        return (
            (not self.kind or self.kind == kind)
            and (not self.group or self.group == group)
            and (not self.version or self.version == version)
        )

    @property
    def kinds(self) -> tuple[str, str, str]:
        return (self.group, self.version, self.kind)

    def __repr__(self) -> str:
        return f"FieldSpec({self.kind} {self.path})"


@struct
class NameReference:
    """The fields that hold the name of a resource of some kind."""

    kind: str
    fields: list[FieldSpec]
    group: str = ""
    version: str = ""

    @property
    def kinds(self) -> tuple[str, str, str]:
        return (self.group, self.version, self.kind)

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
    "labels": [],
    "templateLabels": TEMPLATE_LABELS,
    "commonAnnotations": COMMON_ANNOTATIONS,
    "namespace": NAMESPACE,
    "namePrefix": NAMES,
    "nameSuffix": NAMES,
    "images": IMAGES,
    "replicas": REPLICAS,
    "varReference": VARIABLES,
}
REFERENCES = "nameReference"


def merged(known: list[FieldSpec], more: Iterable[FieldSpec], asked: Node) -> list[FieldSpec]:
    """The fields of two lists. One that is said for all kinds is left out where a kind has said the same before: so a
    kind of one's own can take the place of all others, which is what kustomize does."""
    found = list(known)
    for one in more:
        other = next((spec for spec in found if spec.path == one.path and one.fits(*spec.kinds)), None)
        if other is None:
            found.append(one)
        elif other.create != one.create:
            why = f"`{one.path}` is there with and without `create`"
            raise KUSTOMIZE_FIELD.error(Label(asked.origin), why=why, hint="write the same for both")
    return found


class FieldTable:
    """The fields that each transformer changes: the defaults, and what kustomizations add. Lists are never changed in
    place: tables share them."""

    def __init__(self) -> None:
        self._specs: dict[str, list[FieldSpec]] = {name: [] for name in _DEFAULTS}
        self.references: list[NameReference] = []

    def __getitem__(self, name: str) -> list[FieldSpec]:
        """The fields of a transformer, by the name that `configurations` have for it."""
        return self._specs[name]

    def configure(self, documents: list[Node], asked: Node) -> None:
        """Take in the defaults, with what files of `configurations` add to them."""
        more = FieldTable()
        for document in documents:
            more.take(_table(document), document)
        table = _default()
        if documents:
            table.take(more, asked)
        self.take(table, asked)

    def add(self, name: str, spec: FieldSpec, asked: Node) -> None:
        self._specs[name] = merged(self._specs[name], [spec], asked)

    def refer(self, reference: NameReference, asked: Node) -> None:
        """Add fields that hold names of a kind."""
        found = list(self.references)
        for at, one in enumerate(found):
            if one.kinds == reference.kinds:
                fields = merged(one.fields, reference.fields, asked)
                found[at] = NameReference(one.kind, fields, one.group, one.version)
                break
        else:
            found.append(reference)
        self.references = found

    def take(self, other: FieldTable, asked: Node) -> None:
        """Add what another table has."""
        for name, theirs in other._specs.items():
            mine = self._specs[name]
            if theirs is mine or not theirs:
                continue
            is_default = not mine and theirs is _SORTED[name]
            self._specs[name] = theirs if is_default else sorted(merged(mine, theirs, asked), key=sort_key)
        if not self.references:
            self.references = other.references
        elif other.references is not self.references:
            for reference in other.references:
                self.refer(reference, asked)
            self.references.sort(key=sort_key)


def sort_key(one: FieldSpec | NameReference) -> tuple[int, str]:
    """The order of kustomize: by kind."""
    group, version, kind = one.kinds
    return PLACES.get(kind, 0), f"{group or '~G'}_{version or '~V'}_{kind or '~K'}"


_SORTED = {name: sorted(known, key=sort_key) for name, known in _DEFAULTS.items()}
_SORTED_REFERENCES = sorted(NAME_REFERENCES, key=sort_key)


def _default() -> FieldTable:
    table = FieldTable()
    table._specs = dict(_SORTED)
    table.references = _SORTED_REFERENCES
    return table


def _table(node: Node) -> FieldTable:
    """What a file of `configurations` says."""
    table = FieldTable()
    for key, child in node.entries.items() if isinstance(node, MapNode) else ():
        if key == REFERENCES:
            for item in _items(child):
                for found in _reference(item):
                    table.refer(found, item)
        elif key in table._specs:
            table._specs[str(key)] = sorted((_spec(item) for item in _items(child)), key=sort_key)
        else:
            known = [*_DEFAULTS, REFERENCES]
            hint = did_you_mean(str(key), known) or f"fields: {', '.join(known)}"
            raise KUSTOMIZE_FIELD.error(Label(child.origin), why=f"unknown field `{key}`", hint=hint)
    return table


def _items(node: Node) -> list[MapNode]:
    return [item for item in node.items if isinstance(item, MapNode)] if isinstance(node, ListNode) else []


def flag(node: Node | None, key: str) -> bool:
    field = node.entries.get(key) if isinstance(node, MapNode) else None
    return isinstance(field, Scalar) and field.value is True


def _spec(node: MapNode) -> FieldSpec:
    return FieldSpec(
        word(node, "path"), word(node, "kind"), word(node, "group"), word(node, "version"), flag(node, "create")
    )


def specs(node: Node | None) -> list[FieldSpec]:
    """The fields of a list that a kustomization has."""
    return [_spec(item) for item in _items(node)] if node is not None else []


def _reference(node: MapNode) -> Iterator[NameReference]:
    fields = node.entries.get("fieldSpecs")
    found = specs(fields)
    if found:
        yield NameReference(word(node, "kind"), found, word(node, "group"), word(node, "version"))
