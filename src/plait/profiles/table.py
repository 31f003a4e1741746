"""The profiles: one entry for each tool, each rule with the documentation that states it."""

from __future__ import annotations

from plait.profiles.keys import COMPOSE_KEYS
from plait.profiles.kubernetes import SOURCE, PatchField, kinds, patched_fields
from plait.profiles.rules import DataMarker, Form, Listed, NotFollowed, Profile, Setting, Tag, Whole

_HELM = "Helm documentation"
HELM = Profile(
    "helm",
    "values files of a Helm chart: values.yaml first, then the files given with -f",
    {
        "nulls": Setting(
            "defaults",
            f"{_HELM}, Chart Template Guide, Values Files, 'Deleting a default key'; helm, pkg/chartutil/coalesce.go",
        ),
        "layers": Setting("overrides first", "helm, pkg/cli/values, MergeValues; pkg/chartutil/coalesce.go"),
        "yaml": Setting("go-yaml-2", "helm, pkg/chartutil/values.go: sigs.k8s.io/yaml, which has goyaml.v2"),
        "set": Setting("helm", f"{_HELM}, Using Helm, 'The Format and Limitations of --set'; helm, pkg/strvals"),
    },
    lists=(Listed("**", "replace", f"{_HELM}, Charts, Templates and Values, 'Values files'"),),
    advice="helm replaces lists: repeat the items that are to stay, or let the chart take a map instead",
    differences=(
        "a duplicate key is an error with both places; helm uses the last one",
        "`.inf`, `.nan` and a key that is null are values; helm refuses the file",
        "integers keep all their digits; helm makes floats of those over 53 bits",
        "`--set =1`, `--set '[0]=1'` and `--set a..b=1`, which helm ignores, are errors",
        "`--set 'a[0].b='` sets an empty text; helm leaves the whole item out where a flag ends so",
        "`--set-json` also takes a whole map without a path, as versions of helm after 3.17 do",
        "the first layer counts as the chart's own values; values of subcharts are merged as any other map",
    ),
)

_PATCH = "Kubernetes documentation, Update API Objects in Place Using kubectl patch"
_WORDS = "Kubernetes community repository, sig-api-machinery, Strategic Merge Patch"


def _patched(type: str) -> tuple[Listed, ...]:
    """The rules for the lists of a type of Kubernetes, by the table of its patches."""
    return tuple(
        Listed(path, _strategy(field), f"{SOURCE}, {field.name}: {field.strategy}")
        for path, field in patched_fields(type)
        if field.merges or field.strategy == "replace"
    )


def _strategy(field: PatchField) -> str:
    if not field.merges:
        return "patch-whole"
    return f"patch:{field.key}" if field.key else "patch-set"


_BY_TYPE = {type: _patched(type) for _, _, type in kinds()}
KUBERNETES = Profile(
    "kubernetes",
    "resources and partial resources laid over them, as kubectl and kustomize patch them",
    {
        "nulls": Setting("delete", f"{_PATCH}, 'Use a JSON merge patch to update a Deployment'; RFC 7396, section 2"),
        "yaml": Setting("go-yaml-2", "k8s.io/apimachinery, pkg/util/yaml: sigs.k8s.io/yaml, which has goyaml.v2"),
        "documents": Setting(
            "pair",
            "Kustomize documentation, Reference, patches: a patch names its target by group, version, kind and name",
        ),
    },
    lists=(
        Listed(
            "**", "replace", f"{_PATCH}, 'Notes on the strategic merge patch': lists without a merge key are replaced"
        ),
    ),
    kinds={(group, kind): _BY_TYPE[type] for group, kind, type in kinds()},
    differences=(
        "directives in a value that nothing is below of are left out; kubectl leaves some of them in the result",
        "two items of a patch with the same merge key are an error; kubectl merges the second into the first",
        "fields that Kubernetes does not have are merged; kubectl refuses maps and lists of such names",
        "`$setElementOrder` over an empty list is followed, and left out of a list without a key; kubectl refuses it",
        "`$patch` in a value that is replaced whole is followed; kubectl leaves it in the result",
        "kinds that are not in this table have no merge keys, as custom resources have none; kubectl refuses them",
    ),
    advice="this list has no merge key in Kubernetes, so a patch replaces it: repeat the items that are to stay",
    words=(
        DataMarker("patch", "$patch", f"{_WORDS}, Basic Patch Format: `delete` and `replace`"),
        DataMarker("order", "$setElementOrder", f"{_WORDS}, SetElementOrder"),
        DataMarker("drop", "$deleteFromPrimitiveList", f"{_WORDS}, List of Primitives"),
        DataMarker(
            "retain",
            "$retainKeys",
            f"{_PATCH}, 'Use strategic merge patch to update a Deployment using the retainKeys strategy'",
        ),
    ),
)

_OVERRIDE, _UNICITY = "compose-go, override/merge.go", "compose-go, override/uncity.go"
_MERGE = "Compose file reference, Merge"
_PAIRS = (
    "networks.*.labels",
    "volumes.*.labels",
    "services.*.annotations",
    "services.*.build.args",
    "services.*.build.additional_contexts",
    "services.*.build.labels",
    "services.*.deploy.labels",
    "services.*.dns",
    "services.*.dns_opt",
    "services.*.dns_search",
    "services.*.env_file",
    "services.*.label_file",
    "services.*.environment",
    "services.*.labels",
    "services.*.sysctls",
    "services.*.tmpfs",
)
_NAMED = (
    "networks.*.labels",
    "networks.*.ipam.options",
    "services.*.annotations",
    "services.*.build.args",
    "services.*.build.additional_contexts",
    "services.*.build.platform",
    "services.*.build.tags",
    "services.*.build.labels",
    "services.*.cap_add",
    "services.*.cap_drop",
    "services.*.deploy.labels",
    "services.*.dns",
    "services.*.dns_opt",
    "services.*.dns_search",
    "services.*.environment",
    "services.*.labels",
    "services.*.links",
    "services.*.networks.*.aliases",
    "services.*.networks.*.link_local_ips",
    "services.*.profiles",
    "services.*.sysctls",
    "services.*.tmpfs",
)
_RESOURCES = ("networks", "volumes", "secrets", "configs")
_EXTERNAL = "compose-go, transform/external.go, transformMaybeExternal, before the next file is merged"
COMPOSE = Profile(
    "compose",
    "compose.yaml and the files that override it",
    {
        "nulls": Setting("ignore", f"{_OVERRIDE}, MergeYaml: a null override leaves what is there"),
        "kinds": Setting("containers", f"{_OVERRIDE}, MergeYaml: `cannot override`"),
        "yaml": Setting("compose-go", "compose-go, go.mod and loader/loader.go: go.yaml.in/yaml, and texts as keys"),
    },
    lists=(
        Listed("**", "append", f"{_MERGE}, Sequence: values of the overriding file are appended"),
        *(Listed(path, "unique:name", f"{_UNICITY}, keyValueIndexer: the text before `=`") for path in _NAMED),
        Listed("services.*.devices", "unique:device", f"{_UNICITY}, deviceMappingIndexer: the target"),
        Listed("services.*.configs", "unique:mount=/", f"{_UNICITY}, mountIndexer: the target, by default /SOURCE"),
        Listed(
            "services.*.secrets",
            "unique:mount=/run/secrets/",
            f"{_UNICITY}, mountIndexer: the target, by default /run/secrets/SOURCE",
        ),
        Listed("services.*.env_file", "unique:path", f"{_UNICITY}, envFileIndexer: the path"),
        Listed("services.*.expose", "unique:whole", f"{_UNICITY}, exposeIndexer: the text"),
        Listed(
            "services.*.ports",
            "unique:port",
            f"{_UNICITY}, portIndexer: a short form by its text, a long one by address, published, target, protocol",
        ),
        Listed("services.*.volumes", "unique:target", f"{_UNICITY}, volumeIndexer: the target"),
        Listed("services.*.extra_hosts", "unseen", f"{_OVERRIDE}, mergeExtraHosts: equal items are left out"),
        Listed("services.*.build.extra_hosts", "unseen", f"{_OVERRIDE}, mergeExtraHosts: equal items are left out"),
        Listed("networks.*.ipam.config", "subnet", f"{_OVERRIDE}, mergeIPAMConfig: merged by subnet"),
        Listed("models.*.runtime_flags", "replace", "compose-go, its own tests of merging models"),
    ),
    forms=(
        *(Form(path, "pairs", f"{_OVERRIDE}, mergeToSequence: `NAME=VALUE`, sorted") for path in _PAIRS),
        Form("services.*.extra_hosts", "pairs", f"{_OVERRIDE}, mergeExtraHosts: `NAME=VALUE`, sorted"),
        Form("services.*.build.extra_hosts", "pairs", f"{_OVERRIDE}, mergeExtraHosts: `NAME=VALUE`, sorted"),
        Form("services.*.build", "context", f"{_OVERRIDE}, mergeBuild: a text is the context"),
        Form("services.*.depends_on", "started", f"{_OVERRIDE}, mergeDependsOn: required, and service_started"),
        Form("services.*.networks", "names", f"{_OVERRIDE}, mergeNetworks: names, or a map of options"),
        Form("services.*.models", "names", f"{_OVERRIDE}, mergeModels: names, or a map of options"),
        *(Form(f"{kind}.*", "external", f"{_EXTERNAL}: `external.name` is `name`", "external") for kind in _RESOURCES),
    ),
    whole=(
        Whole("services.*.command", f"{_OVERRIDE}, override; {_MERGE}, Exceptions, Shell commands"),
        Whole("services.*.entrypoint", f"{_OVERRIDE}, override; {_MERGE}, Exceptions, Shell commands"),
        Whole("services.*.healthcheck.test", f"{_OVERRIDE}, override; {_MERGE}, Exceptions, Shell commands"),
        Whole("services.*.ulimits.*", f"{_OVERRIDE}, mergeUlimit"),
        Whole("services.*.logging", f"{_OVERRIDE}, mergeLogging", field="driver"),
    ),
    tags=(
        Tag("!reset", "!unset", f"{_MERGE}, Reset value"),
        Tag("!override", "!replace", f"{_MERGE}, Replace value"),
    ),
    not_followed=(
        NotFollowed(
            ("services", "*", "extends"),
            "`plait render` of the file or its folder follows it; or name the file that it extends as a lower layer",
            "Compose file reference, Services, extends",
        ),
        NotFollowed(
            ("include",),
            "`plait render` of the file or its folder follows it; or name the files as lower layers",
            "Compose file reference, Include",
        ),
    ),
    advice="Compose replaces this list: repeat the items that are to stay",
    keys=COMPOSE_KEYS,
    differences=(
        "keys that are no text, such as `1:`, become text; Compose refuses them",
        "times such as `2001-12-14` are text as they are written; Compose prints them in full",
        "`ipam.config` with two or more subnets in both files: each is merged with its own; Compose writes one of them "
        "over another (10.0.0.0/8 and 11.0.0.0/8 over the same two give 11.0.0.0/8 twice)",
        "`ipam.config: []` over a list leaves an empty list; Compose refuses it",
        "a null over or under `logging`, `networks`, `models` or `ipam.config`, where Compose ends with a Go panic, "
        "changes nothing",
        "`models.*.runtime_flags` replace, as compose-go's tests say; its code of July 2026 has no such rule",
        "`!override` on a single value over a map or a list is an error",
        "`x-` keys are merged, as later versions of Compose do; 2.26 takes them from the last file",
        "`1d` and `1w` are durations, as in later versions; 2.26 refuses them",
        "without `--interpolate`, volumes and ports with a variable stay as they are written, and arguments of a build "
        "without a value stay; Compose reads the one as names of volumes, and drops the other",
        "without `--interpolate`, a service that is used and not there is an error; Compose sees it only when it runs",
        "keys that Compose does not have are findings (`plait lint`, `plait validate`); Compose refuses the file",
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
        "yaml": Setting("pyyaml", _PYYAML),
    },
    lists=(Listed("**", "replace", _LISTS),),
    advice="Ansible replaces lists: repeat the items that are to stay, or join the lists in a variable of their own",
)
ANSIBLE_MERGE = Profile(
    "ansible-merge",
    "files of Ansible variables with hash_behaviour = merge",
    {
        "maps": Setting("deep", f"{_HASHES}: any dictionary variable is recursively merged"),
        "nulls": Setting("keep", _SEEN),
        "yaml": Setting("pyyaml", _PYYAML),
    },
    lists=(Listed("**", "replace", _LISTS),),
    advice="Ansible replaces lists: repeat the items that are to stay, or join the lists in a variable of their own",
)

_OMEGACONF = "OmegaConf documentation, Usage"
_MERGING = f"{_OMEGACONF}, Merging configurations, OmegaConf.merge()"
HYDRA = Profile(
    "hydra",
    "configurations of Hydra and OmegaConf, merged in the order of the defaults list",
    {
        "nulls": Setting("keep", "not documented; as OmegaConf.merge does, with which the tests compare"),
        "yaml": Setting("omegaconf", f"{_OMEGACONF}, Creating, From a YAML file: PyYAML reads it"),
    },
    lists=(Listed("**", "replace", f"{_MERGING}: lists are replaced"),),
    advice="OmegaConf replaces lists: repeat the items that are to stay, or make it a map",
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
