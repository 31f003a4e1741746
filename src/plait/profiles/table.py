"""The profiles: one entry for each tool, each rule with the documentation that states it."""

from __future__ import annotations

from plait.profiles.rules import DataMarker, Form, Listed, NotFollowed, Profile, Setting, Tag

_HELM = "Helm documentation"
HELM = Profile(
    "helm",
    "values files of a Helm chart: values.yaml first, then the files given with -f",
    {
        "nulls": Setting("delete", f"{_HELM}, Chart Template Guide, Values Files, 'Deleting a default key'"),
        "yaml": Setting(
            "1.1", "go-yaml v2, README, Compatibility: Helm reads values with it, through sigs.k8s.io/yaml"
        ),
    },
    lists=(Listed("**", "replace", f"{_HELM}, Charts, Templates and Values, 'Values files'"),),
)

_API = "Kubernetes API reference"
_PATCH = "Kubernetes documentation, Update API Objects in Place Using kubectl patch"
_WORDS = "Kubernetes community repository, sig-api-machinery, Strategic Merge Patch"
_POD = (
    Listed("**.containers", "key:name", f"{_API}, PodSpec.containers: patch strategy merge on key name"),
    Listed("**.initContainers", "key:name", f"{_API}, PodSpec.initContainers: patch strategy merge on key name"),
    Listed("**.ephemeralContainers", "key:name", f"{_API}, PodSpec.ephemeralContainers: merge on key name"),
    Listed(
        "**.containers[*].ports",
        "key:containerPort,protocol=TCP",
        f"{_API}, Container.ports: map type, keys containerPort and protocol",
    ),
    Listed(
        "**.initContainers[*].ports",
        "key:containerPort,protocol=TCP",
        f"{_API}, Container.ports: map type, keys containerPort and protocol",
    ),
    Listed("**.containers[*].env", "key:name", f"{_API}, Container.env: patch strategy merge on key name"),
    Listed("**.initContainers[*].env", "key:name", f"{_API}, Container.env: patch strategy merge on key name"),
    Listed("**.volumeMounts", "key:mountPath", f"{_API}, Container.volumeMounts: merge on key mountPath"),
    Listed("**.volumeDevices", "key:devicePath", f"{_API}, Container.volumeDevices: merge on key devicePath"),
    Listed("**.volumes", "key:name", f"{_API}, PodSpec.volumes: patch strategy merge, retainKeys on key name"),
    Listed("**.imagePullSecrets", "key:name", f"{_API}, PodSpec.imagePullSecrets: merge on key name"),
    Listed("**.hostAliases", "key:ip", f"{_API}, PodSpec.hostAliases: merge on key ip"),
    Listed(
        "**.resourceClaims", "key:name", f"{_API}, PodSpec.resourceClaims: patch strategy merge, retainKeys on key name"
    ),
    Listed("**.schedulingGates", "key:name", f"{_API}, PodSpec.schedulingGates: merge on key name"),
    Listed(
        "**.topologySpreadConstraints",
        "key:topologyKey,whenUnsatisfiable",
        f"{_API}, PodSpec.topologySpreadConstraints: map type, keys topologyKey and whenUnsatisfiable",
    ),
)
KUBERNETES = Profile(
    "kubernetes",
    "resources and partial resources laid over them, as kubectl and kustomize patch them",
    {
        "nulls": Setting("delete", f"{_PATCH}, 'Use a JSON merge patch to update a Deployment'; RFC 7396, section 2"),
        "yaml": Setting("1.1", f"{_API}, ConfigMapVolumeSource.defaultMode: YAML accepts octal values such as 0644"),
        "documents": Setting(
            "pair",
            "Kustomize documentation, Reference, patches: a patch names its target by group, version, kind and name",
        ),
    },
    lists=(
        Listed(
            "**", "replace", f"{_PATCH}, 'Notes on the strategic merge patch': lists without a merge key are replaced"
        ),
        Listed("metadata.finalizers", "set", f"{_API}, ObjectMeta.finalizers: patch strategy merge, a set"),
        Listed("metadata.ownerReferences", "key:uid", f"{_API}, ObjectMeta.ownerReferences: merge on key uid"),
    ),
    kinds={
        **{("apps", kind): _POD for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")},
        **{("batch", kind): _POD for kind in ("Job", "CronJob")},
        **{("", kind): _POD for kind in ("Pod", "PodTemplate", "ReplicationController")},
        ("", "Service"): (
            Listed(
                "spec.ports", "key:port,protocol=TCP", f"{_API}, ServiceSpec.ports: map type, keys port and protocol"
            ),
        ),
        ("", "ServiceAccount"): (Listed("secrets", "key:name", f"{_API}, ServiceAccount.secrets: merge on key name"),),
    },
    words=(DataMarker("patch", "$patch", f"{_WORDS}, Basic Patch Format: `delete` and `replace`"),),
    not_followed=(
        NotFollowed(
            ("**", "$setElementOrder/*"), "write the list in the order that you want", f"{_WORDS}, SetElementOrder"
        ),
        NotFollowed(("**", "$deleteFromPrimitiveList/*"), "write the whole list", f"{_WORDS}, List of Primitives"),
        NotFollowed(
            ("**", "$retainKeys"),
            "set the other keys to null",
            f"{_PATCH}, 'Use strategic merge patch to update a Deployment using the retainKeys strategy'",
        ),
    ),
)

_MERGE = "Compose file reference, Merge"
_SERVICES = "Compose file reference, Services"
COMPOSE = Profile(
    "compose",
    "compose.yaml and the files that override it",
    {
        "nulls": Setting("keep", f"{_SERVICES}, environment: a variable without a value is taken from the shell"),
        "yaml": Setting("1.1", f"{_SERVICES}, environment: true, false, yes and no must be quoted to stay text"),
    },
    lists=(
        Listed("**", "append", f"{_MERGE}, Sequence: values of the overriding file are appended"),
        Listed("services.*.command", "replace", f"{_MERGE}, Exceptions, Shell commands"),
        Listed("services.*.entrypoint", "replace", f"{_MERGE}, Exceptions, Shell commands"),
        Listed("services.*.healthcheck.test", "replace", f"{_MERGE}, Exceptions, Shell commands"),
        Listed("services.*.volumes", "key:target", f"{_MERGE}, Unique resources: volumes by target"),
        Listed("services.*.secrets", "key:target", f"{_MERGE}, Unique resources: secrets by target"),
        Listed("services.*.configs", "key:target", f"{_MERGE}, Unique resources: configs by target"),
        Listed(
            "services.*.ports",
            "key:host_ip=,target,published=,protocol=tcp",
            f"{_MERGE}, Unique resources: ports by ip, target, published and protocol",
        ),
    ),
    forms=(
        Form("services.*.environment", "pairs", f"{_SERVICES}, environment: an array or a map"),
        Form("services.*.labels", "pairs", f"{_SERVICES}, labels: an array or a map"),
        Form("services.*.annotations", "pairs", f"{_SERVICES}, annotations: an array or a map"),
        Form("services.*.sysctls", "pairs", f"{_SERVICES}, sysctls: an array or a map"),
        Form("services.*.deploy.labels", "pairs", "Compose file reference, Deploy, labels: an array or a map"),
        Form("services.*.build", "context", "Compose file reference, Build: a string is the context"),
        Form("services.*.build.args", "pairs", "Compose file reference, Build, args: an array or a map"),
        Form("services.*.build.labels", "pairs", "Compose file reference, Build, labels: an array or a map"),
        Form("services.*.depends_on", "started", f"{_SERVICES}, depends_on, short syntax: service_started"),
        Form("services.*.networks", "names", f"{_SERVICES}, networks: names, or a map of options"),
        Form("services.*.dns", "list", f"{_SERVICES}, dns: a single value or a list"),
        Form("services.*.dns_search", "list", f"{_SERVICES}, dns_search: a single value or a list"),
        Form("services.*.env_file", "list", f"{_SERVICES}, env_file: a single value or a list"),
        Form("services.*.tmpfs", "list", f"{_SERVICES}, tmpfs: a single value or a list"),
        Form("services.*.ports", "ports", f"{_SERVICES}, ports, short and long syntax"),
        Form("services.*.volumes", "volumes", f"{_SERVICES}, volumes, short and long syntax"),
        Form("services.*.secrets", "secrets", f"{_SERVICES}, secrets: the short syntax mounts at /run/secrets/NAME"),
        Form("services.*.configs", "configs", f"{_SERVICES}, configs: the short syntax mounts at /NAME"),
        Form("volumes.*.labels", "pairs", "Compose file reference, Volumes, labels: an array or a map"),
        Form("networks.*.labels", "pairs", "Compose file reference, Networks, labels: an array or a map"),
    ),
    tags=(
        Tag("!reset", "!unset", f"{_MERGE}, Reset value"),
        Tag("!override", "!replace", f"{_MERGE}, Replace value"),
    ),
    not_followed=(
        NotFollowed(
            ("services", "*", "extends"),
            "`docker compose config` follows it in the result; or name the file that it extends as a lower layer",
            "Compose file reference, Services, extends",
        ),
        NotFollowed(
            ("include",),
            "`docker compose config` follows it in the result; or name the files as lower layers",
            "Compose file reference, Include",
        ),
    ),
)

_VARIABLES = "Ansible documentation, Configuration settings"
_PYYAML = "Ansible documentation, YAML Syntax, YAML Basics: yes and no are booleans"
_HASHES = f"{_VARIABLES}, DEFAULT_HASH_BEHAVIOUR"
_LISTS = f"{_HASHES}: only dictionaries are merged"
_SEEN = "not documented; as ansible-core does, with which the tests compare"
ANSIBLE = Profile(
    "ansible",
    "files of Ansible variables with hash_behaviour = replace, which is Ansible's default",
    {
        "maps": Setting("top", f"{_HASHES}: a variable that is defined more than once is overwritten"),
        "nulls": Setting("keep", _SEEN),
        "yaml": Setting("1.1", _PYYAML),
    },
    lists=(Listed("**", "replace", _LISTS),),
)
ANSIBLE_MERGE = Profile(
    "ansible-merge",
    "files of Ansible variables with hash_behaviour = merge",
    {
        "maps": Setting("deep", f"{_HASHES}: any dictionary variable is recursively merged"),
        "nulls": Setting("keep", _SEEN),
        "yaml": Setting("1.1", _PYYAML),
    },
    lists=(Listed("**", "replace", _LISTS),),
)

_OMEGACONF = "OmegaConf documentation, Usage"
_MERGING = f"{_OMEGACONF}, Merging configurations, OmegaConf.merge()"
HYDRA = Profile(
    "hydra",
    "configurations of Hydra and OmegaConf, merged in the order of the defaults list",
    {
        "nulls": Setting("keep", "not documented; as OmegaConf.merge does, with which the tests compare"),
        "yaml": Setting("1.1", f"{_OMEGACONF}, Creating, From a YAML file: PyYAML reads it"),
    },
    lists=(Listed("**", "replace", f"{_MERGING}: lists are replaced"),),
    words=(DataMarker("missing", "???", f"{_OMEGACONF}, Access and manipulation, Mandatory values"),),
    not_followed=(
        NotFollowed(
            ("defaults",),
            "name the files of the list as layers, in its order",
            "Hydra documentation, Advanced, The Defaults List",
        ),
    ),
)

PROFILES = {one.name: one for one in (HELM, KUBERNETES, COMPOSE, ANSIBLE, ANSIBLE_MERGE, HYDRA)}
