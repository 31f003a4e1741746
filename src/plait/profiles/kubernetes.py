"""How Kubernetes patches its own kinds: one table, for `kubectl patch` and for kustomize.

Sources:
- fields, patch strategies and merge keys: k8s.io/api v0.32.3, `patchStrategy`, `patchMergeKey` and `+listMapKey` of the
  types (the same as `x-kubernetes-patch-strategy`, `x-kubernetes-patch-merge-key` and `x-kubernetes-list-map-keys` of
  Kubernetes 1.32's OpenAPI);
- what kustomize 5.5 knows: Kubernetes 1.21.2's OpenAPI, which is built into it, `kubectl version --client` names the
  version. Fields that came `later` than that have no merge key there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = "k8s.io/api v0.32.3"


class PatchField:
    """A field that a patch does not simply merge or replace, or one that such a field is below of.

    `strategy` is `merge` (items are merged), `merge,retainKeys`, `retainKeys` or `replace`; empty where the field only
    leads to others. `key` is what kubectl tells the items of a list by; without one they are plain values. `keys` are
    what the server, and kustomize, tell them by, where that is more.
    """

    __slots__ = ("key", "keys", "later", "name", "strategy", "type")

    def __init__(
        self,
        name: str,
        type: str = "",
        strategy: str = "",
        key: str = "",
        keys: tuple[str, ...] = (),
        later: bool = False,
    ) -> None:
        self.name = name
        self.type = type
        self.strategy = strategy
        self.key = key
        self.keys = keys or ((key,) if key else ())
        self.later = later
        """Whether it came after Kubernetes 1.21."""

    @property
    def merges(self) -> bool:
        """Whether the items of a list are merged."""
        return self.strategy.startswith("merge")


def _merged(name: str, key: str, type: str = "", later: bool = False) -> PatchField:
    return PatchField(name, type, "merge", key, later=later)


_META = PatchField("metadata", "ObjectMeta")
_CONDITIONS = _merged("conditions", "type")
_MATCHES = _merged("matchConditions", "name", later=True)
_PORTS = PatchField("ports", "", "merge", "containerPort", ("containerPort", "protocol"))
_CONTAINER = (_merged("env", "name"), _merged("volumeMounts", "mountPath"), _merged("volumeDevices", "devicePath"))

_TYPES: dict[str, tuple[PatchField, ...]] = {
    "ObjectMeta": (_merged("finalizers", ""), _merged("ownerReferences", "uid")),
    "Object": (_META,),
    "Conditioned": (_META, PatchField("status", "Conditions")),
    "Conditions": (_CONDITIONS,),
    "ConditionedLater": (_META, PatchField("status", "ConditionsLater")),
    "ConditionsLater": (_merged("conditions", "type", later=True),),
    # pods
    "Container": (_PORTS, *_CONTAINER),
    "EphemeralContainer": (
        PatchField("ports", "", "merge", "containerPort", ("containerPort", "protocol"), later=True),
        *_CONTAINER,
    ),
    "Volume": (PatchField("ephemeral", "EphemeralVolume"),),
    "EphemeralVolume": (PatchField("volumeClaimTemplate", "Object"),),
    "PodSpec": (
        _merged("containers", "name", "Container"),
        _merged("initContainers", "name", "Container"),
        _merged("ephemeralContainers", "name", "EphemeralContainer"),
        PatchField("volumes", "Volume", "merge,retainKeys", "name"),
        _merged("imagePullSecrets", "name"),
        _merged("hostAliases", "ip"),
        PatchField("topologySpreadConstraints", "", "merge", "topologyKey", ("topologyKey", "whenUnsatisfiable")),
        _merged("schedulingGates", "name", later=True),
        PatchField("resourceClaims", "", "merge,retainKeys", "name", later=True),
    ),
    "ContainerStatus": (
        _merged("volumeMounts", "mountPath", later=True),
        _merged("allocatedResourcesStatus", "name", later=True),
    ),
    "PodStatus": (
        _CONDITIONS,
        _merged("podIPs", "ip"),
        _merged("hostIPs", "ip", later=True),
        PatchField("resourceClaimStatuses", "", "merge,retainKeys", "name", later=True),
        PatchField("containerStatuses", "ContainerStatus"),
        PatchField("initContainerStatuses", "ContainerStatus"),
        PatchField("ephemeralContainerStatuses", "ContainerStatus"),
    ),
    "PodTemplateSpec": (_META, PatchField("spec", "PodSpec")),
    "Pod": (_META, PatchField("spec", "PodSpec"), PatchField("status", "PodStatus")),
    "PodTemplate": (_META, PatchField("template", "PodTemplateSpec")),
    # what makes pods
    "WithTemplate": (PatchField("template", "PodTemplateSpec"),),
    "Controller": (_META, PatchField("spec", "WithTemplate"), PatchField("status", "Conditions")),
    "DeploymentSpec": (PatchField("template", "PodTemplateSpec"), PatchField("strategy", "", "retainKeys")),
    "Deployment": (_META, PatchField("spec", "DeploymentSpec"), PatchField("status", "Conditions")),
    "StatefulSetSpec": (
        PatchField("template", "PodTemplateSpec"),
        PatchField("volumeClaimTemplates", "Conditioned"),
    ),
    "StatefulSet": (_META, PatchField("spec", "StatefulSetSpec"), PatchField("status", "Conditions")),
    "JobTemplate": (_META, PatchField("spec", "WithTemplate")),
    "CronJobSpec": (PatchField("jobTemplate", "JobTemplate"),),
    "CronJob": (_META, PatchField("spec", "CronJobSpec")),
    # others
    "ServiceSpec": (PatchField("ports", "", "merge", "port", ("port", "protocol")),),
    "Service": (_META, PatchField("spec", "ServiceSpec"), PatchField("status", "Conditions")),
    "ServiceAccount": (_META, _merged("secrets", "name")),
    "ComponentStatus": (_META, _CONDITIONS),
    "NodeSpec": (_merged("podCIDRs", ""),),
    "NodeStatus": (_CONDITIONS, _merged("addresses", "type")),
    "Node": (_META, PatchField("spec", "NodeSpec"), PatchField("status", "NodeStatus")),
    "Webhook": (_MATCHES,),
    "WebhookConfiguration": (_META, _merged("webhooks", "name", "Webhook")),
    "AdmissionPolicySpec": (_MATCHES, _merged("variables", "name", later=True)),
    "AdmissionPolicy": (_META, PatchField("spec", "AdmissionPolicySpec")),
    "DisruptionBudgetSpec": (PatchField("selector", "", "replace"),),
    "DisruptionBudget": (_META, PatchField("spec", "DisruptionBudgetSpec"), PatchField("status", "Conditions")),
    "CSINodeSpec": (_merged("drivers", "name"),),
    "CSINode": (_META, PatchField("spec", "CSINodeSpec")),
    "ClaimStatus": (_merged("reservedFor", "uid", later=True),),
    "ResourceClaim": (_META, PatchField("status", "ClaimStatus")),
    "ResourceClaimTemplate": (_META, PatchField("spec", "Object")),
}
"""The types of Kubernetes as far as a patch looks at them, each with its fields."""

_KINDS: dict[str, dict[str, str]] = {
    "": {
        "Pod": "Pod",
        "PodTemplate": "PodTemplate",
        "ReplicationController": "Controller",
        "Service": "Service",
        "ServiceAccount": "ServiceAccount",
        "Node": "Node",
        "Namespace": "Conditioned",
        "PersistentVolumeClaim": "Conditioned",
        "ComponentStatus": "ComponentStatus",
        **dict.fromkeys(
            ("ConfigMap", "Secret", "Endpoints", "Event", "LimitRange", "PersistentVolume", "ResourceQuota", "Binding"),
            "Object",
        ),
    },
    "apps": {
        "Deployment": "Deployment",
        "StatefulSet": "StatefulSet",
        "DaemonSet": "Controller",
        "ReplicaSet": "Controller",
        "ControllerRevision": "Object",
    },
    "extensions": {
        "Deployment": "Deployment",
        "DaemonSet": "Controller",
        "ReplicaSet": "Controller",
        "Ingress": "Object",
        "NetworkPolicy": "Object",
    },
    "batch": {"Job": "Controller", "CronJob": "CronJob"},
    "authentication.k8s.io": dict.fromkeys(("TokenRequest", "TokenReview"), "Object"),
    "authorization.k8s.io": dict.fromkeys(
        ("LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"),
        "Object",
    ),
    "autoscaling": {"HorizontalPodAutoscaler": "ConditionedLater", "Scale": "Object"},
    "policy": {"PodDisruptionBudget": "DisruptionBudget", "PodSecurityPolicy": "Object", "Eviction": "Object"},
    "networking.k8s.io": {
        **dict.fromkeys(("Ingress", "IngressClass", "NetworkPolicy", "IPAddress"), "Object"),
        "ServiceCIDR": "Conditioned",
    },
    "rbac.authorization.k8s.io": dict.fromkeys(("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"), "Object"),
    "storage.k8s.io": {
        **dict.fromkeys(
            ("CSIDriver", "CSIStorageCapacity", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"), "Object"
        ),
        "CSINode": "CSINode",
    },
    "admissionregistration.k8s.io": {
        "MutatingWebhookConfiguration": "WebhookConfiguration",
        "ValidatingWebhookConfiguration": "WebhookConfiguration",
        "ValidatingAdmissionPolicy": "AdmissionPolicy",
        "MutatingAdmissionPolicy": "AdmissionPolicy",
        "ValidatingAdmissionPolicyBinding": "Object",
        "MutatingAdmissionPolicyBinding": "Object",
    },
    "apiextensions.k8s.io": {"CustomResourceDefinition": "Object"},
    "apiregistration.k8s.io": {"APIService": "Conditioned"},
    "certificates.k8s.io": {"CertificateSigningRequest": "Object", "ClusterTrustBundle": "Object"},
    "coordination.k8s.io": {"Lease": "Object", "LeaseCandidate": "Object"},
    "discovery.k8s.io": {"EndpointSlice": "Object"},
    "events.k8s.io": {"Event": "Object"},
    "flowcontrol.apiserver.k8s.io": dict.fromkeys(("FlowSchema", "PriorityLevelConfiguration"), "ConditionedLater"),
    "node.k8s.io": {"RuntimeClass": "Object"},
    "resource.k8s.io": {
        "DeviceClass": "Object",
        "ResourceClaim": "ResourceClaim",
        "ResourceClaimTemplate": "ResourceClaimTemplate",
        "ResourceSlice": "Object",
    },
    "scheduling.k8s.io": {"PriorityClass": "Object"},
}
"""The type of each kind, by group. Other kinds are custom resources: a patch replaces all of their lists."""

_NAMESPACED = {
    "v1": (
        "ConfigMap", "Endpoints", "Event", "LimitRange", "PersistentVolumeClaim", "Pod", "PodTemplate",
        "ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount",
    ),
    "apps/v1": ("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
    "autoscaling/v1": ("HorizontalPodAutoscaler", "Scale"),
    "autoscaling/v2beta1": ("HorizontalPodAutoscaler",),
    "autoscaling/v2beta2": ("HorizontalPodAutoscaler",),
    "batch/v1": ("CronJob", "Job"),
    "batch/v1beta1": ("CronJob",),
    "coordination.k8s.io/v1": ("Lease",),
    "coordination.k8s.io/v1beta1": ("Lease",),
    "discovery.k8s.io/v1": ("EndpointSlice",),
    "discovery.k8s.io/v1beta1": ("EndpointSlice",),
    "events.k8s.io/v1": ("Event",),
    "events.k8s.io/v1beta1": ("Event",),
    "extensions/v1beta1": ("Ingress",),
    "networking.k8s.io/v1": ("Ingress", "NetworkPolicy"),
    "networking.k8s.io/v1beta1": ("Ingress",),
    "policy/v1": ("PodDisruptionBudget",),
    "policy/v1beta1": ("PodDisruptionBudget",),
    "rbac.authorization.k8s.io/v1": ("Role", "RoleBinding"),
    "rbac.authorization.k8s.io/v1beta1": ("Role", "RoleBinding"),
    "storage.k8s.io/v1beta1": ("CSIStorageCapacity",),
}  # fmt: skip
_CLUSTER = {
    "v1": ("ComponentStatus", "Namespace", "Node", "PersistentVolume"),
    "admissionregistration.k8s.io/v1": ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"),
    "admissionregistration.k8s.io/v1beta1": ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"),
    "apiextensions.k8s.io/v1": ("CustomResourceDefinition",),
    "apiextensions.k8s.io/v1beta1": ("CustomResourceDefinition",),
    "apiregistration.k8s.io/v1": ("APIService",),
    "apiregistration.k8s.io/v1beta1": ("APIService",),
    "certificates.k8s.io/v1": ("CertificateSigningRequest",),
    "certificates.k8s.io/v1beta1": ("CertificateSigningRequest",),
    "flowcontrol.apiserver.k8s.io/v1beta1": ("FlowSchema", "PriorityLevelConfiguration"),
    "networking.k8s.io/v1": ("IngressClass",),
    "networking.k8s.io/v1beta1": ("IngressClass",),
    "node.k8s.io/v1": ("RuntimeClass",),
    "node.k8s.io/v1beta1": ("RuntimeClass",),
    "policy/v1beta1": ("PodSecurityPolicy",),
    "rbac.authorization.k8s.io/v1": ("ClusterRole", "ClusterRoleBinding"),
    "rbac.authorization.k8s.io/v1beta1": ("ClusterRole", "ClusterRoleBinding"),
    "scheduling.k8s.io/v1": ("PriorityClass",),
    "scheduling.k8s.io/v1beta1": ("PriorityClass",),
    "storage.k8s.io/v1": ("CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"),
    "storage.k8s.io/v1beta1": ("CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"),
}
_NEVER_STORED = {
    "v1": ("Binding",),
    "authentication.k8s.io/v1": ("TokenRequest", "TokenReview"),
    "authentication.k8s.io/v1beta1": ("TokenReview",),
    **dict.fromkeys(
        ("authorization.k8s.io/v1", "authorization.k8s.io/v1beta1"),
        ("LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"),
    ),
    "policy/v1beta1": ("Eviction",),
}
"""The kinds of Kubernetes 1.21.2: what kustomize knows the merge keys of, and whether they are in a namespace. What is
only asked of a server is in one, too."""
CLUSTER_SCOPED = frozenset((api, kind) for api, kinds in _CLUSTER.items() for kind in kinds)
KNOWN_TO_KUSTOMIZE = CLUSTER_SCOPED | {
    (api, kind) for table in (_NAMESPACED, _NEVER_STORED) for api, kinds in table.items() for kind in kinds
}

_EARLY = {name: {field.name: field for field in fields if not field.later} for name, fields in _TYPES.items()}
NO_FIELDS: dict[str, PatchField] = {}


def group_of(api: str) -> str:
    """The group of an apiVersion."""
    return api.rpartition("/")[0]


def fields_of(type: str) -> dict[str, PatchField]:
    """The fields of a type that matter to a patch, as kustomize knows them."""
    return _EARLY.get(type, NO_FIELDS)


def kind_type(group: str, kind: str) -> str:
    """The type of a kind; empty for a custom resource."""
    return _KINDS.get(group, {}).get(kind, "")


def kustomize_type(api: str, kind: str) -> str:
    """The same as kustomize knows it: the version counts."""
    return kind_type(group_of(api), kind) if (api, kind) in KNOWN_TO_KUSTOMIZE else ""


def kinds() -> Iterator[tuple[str, str, str]]:
    """Each group, kind and type."""
    return ((group, kind, type) for group, found in _KINDS.items() for kind, type in found.items())


def patched_fields(type: str, prefix: str = "") -> Iterator[tuple[str, PatchField]]:
    """The paths of a type at which something is patched in a special way; an item of a list is `[*]`."""
    for field in _TYPES[type]:
        path = f"{prefix}{field.name}"
        if field.strategy:
            yield path, field
        if field.type:
            is_list = field.merges or field.name in _LISTS
            yield from patched_fields(field.type, f"{path}[*]." if is_list else f"{path}.")


_LISTS = ("volumeClaimTemplates", "containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
"""Lists that are replaced whose items have fields of this table."""
