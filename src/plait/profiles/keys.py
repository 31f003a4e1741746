"""The keys that Compose knows and the kinds of their values, by the path of the map that has them: from the schema of
the Compose specification, compose-spec.json. A path ends where any key is allowed; `x-` begins a key of one's own
everywhere.

A kind is `OWN:ITEMS:VALUES`: what the value may be, and, where it is a list or a map that the table does not go into,
what its items or values may be.
"""

from __future__ import annotations

ANYTHING = "text,number,boolean,null"
PAIRS = f"list,map:text:{ANYTHING}"
NUMBER, FLAG = "number,text", "boolean,text"
WORDS = "text,list:text"
COMMAND = "null,text,list:text"
OPTIONS = f"map::{NUMBER}"
SOURCES = "list:text,map"

_HOOK = {COMMAND: "command", "text": "user working_dir", FLAG: "privileged", PAIRS: "environment"}
_UPDATE = {NUMBER: "parallelism max_failure_ratio", "text": "delay failure_action monitor order"}
_LIMITS = {NUMBER: "cpus pids", "text": "memory", "list:map": "generic_resources devices"}
_DEVICE = {"list:text": "capabilities device_ids", NUMBER: "count", "text": "driver", PAIRS: "options"}
_MOUNT = {"text": "source target uid gid", NUMBER: "mode"}
_RATE = {"text": "path", NUMBER: "rate"}
_LIMIT = {NUMBER: "hard soft"}
_EXTERNAL = "boolean,text,map"
_TABLE: dict[str, dict[str, str]] = {
    "": {
        "text": "version name",
        "list:text,map": "include",
        "map::map,null": "networks volumes",
        "map::map": "services secrets configs models",
    },
    "services.*": {
        "map,null": "deploy develop",
        PAIRS: "annotations environment labels sysctls",
        "list,map:text:text,list": "extra_hosts",
        "list,map:text:map": "depends_on",
        "list,map:text:map,null": "models networks",
        FLAG: "attach init oom_kill_disable privileged read_only stdin_open tty",
        "text,map": "build extends",
        "map": "blkio_config credential_spec healthcheck logging provider",
        f"map::{NUMBER},map": "ulimits",
        f"map::{ANYTHING}": "storage_opt",
        "list:text": (
            "cap_add cap_drop device_cgroup_rules dns_opt external_links links profiles security_opt volumes_from"
        ),
        "list:number,text": "expose group_add",
        "list:number,text,map": "ports",
        SOURCES: "configs devices secrets volumes",
        "list:map": "post_start pre_start pre_stop",
        "text": (
            "cgroup cgroup_parent container_name cpuset domainname hostname image ipc isolation mac_address "
            "network_mode platform pull_policy pull_refresh_after restart runtime stop_grace_period stop_signal user "
            "userns_mode uts working_dir"
        ),
        COMMAND: "command entrypoint",
        NUMBER: (
            "cpu_count cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus mem_limit "
            "mem_reservation mem_swappiness memswap_limit oom_score_adj pids_limit scale shm_size"
        ),
        WORDS: "dns dns_search label_file tmpfs",
        "text,list:text,map": "env_file",
        "text,list:map": "gpus",
        "null,text": "pid",
        "boolean": "use_api_socket",
    },
    "services.*.blkio_config": {
        "list:map": "device_read_bps device_read_iops device_write_bps device_write_iops weight_device",
        NUMBER: "weight",
    },
    "services.*.blkio_config.device_read_bps.*": _RATE,
    "services.*.blkio_config.device_read_iops.*": _RATE,
    "services.*.blkio_config.device_write_bps.*": _RATE,
    "services.*.blkio_config.device_write_iops.*": _RATE,
    "services.*.blkio_config.weight_device.*": {"text": "path", NUMBER: "weight"},
    "services.*.build": {
        "text": "context dockerfile dockerfile_inline isolation network target",
        "list:text": "cache_from cache_to entitlements platforms tags",
        SOURCES: "secrets",
        PAIRS: "additional_contexts args labels ssh",
        "list,map:text:text,list": "extra_hosts",
        FLAG: "no_cache privileged provenance pull sbom",
        WORDS: "no_cache_filter",
        NUMBER: "shm_size",
        f"map::{NUMBER},map": "ulimits",
    },
    "services.*.build.secrets.*": _MOUNT,
    "services.*.build.ulimits.*": _LIMIT,
    "services.*.configs.*": _MOUNT,
    "services.*.credential_spec": {"text": "config file registry"},
    "services.*.depends_on.*": {FLAG: "restart", "boolean": "required", "text": "condition"},
    "services.*.deploy": {
        "text": "endpoint_mode mode",
        NUMBER: "replicas",
        PAIRS: "labels",
        "map": "placement resources restart_policy rollback_config update_config",
    },
    "services.*.deploy.placement": {
        "list:text": "constraints",
        "list:map": "preferences",
        NUMBER: "max_replicas_per_node",
    },
    "services.*.deploy.placement.preferences.*": {"text": "spread"},
    "services.*.deploy.resources": {"map": "limits reservations"},
    "services.*.deploy.resources.limits": _LIMITS,
    "services.*.deploy.resources.reservations": _LIMITS,
    "services.*.deploy.resources.reservations.devices.*": _DEVICE,
    "services.*.deploy.restart_policy": {"text": "condition delay window", NUMBER: "max_attempts"},
    "services.*.deploy.rollback_config": _UPDATE,
    "services.*.deploy.update_config": _UPDATE,
    "services.*.develop": {"list:map": "watch"},
    "services.*.develop.watch.*": {
        WORDS: "ignore include",
        "text": "action path target",
        "map": "exec",
        "boolean": "initial_sync",
    },
    "services.*.develop.watch.*.exec": _HOOK,
    "services.*.devices.*": {"text": "permissions source target"},
    "services.*.env_file.*": {"text": "format path", FLAG: "required"},
    "services.*.extends": {"text": "file service"},
    "services.*.gpus.*": _DEVICE,
    "services.*.healthcheck": {
        FLAG: "disable",
        "text": "interval start_interval start_period timeout",
        NUMBER: "retries",
        WORDS: "test",
    },
    "services.*.logging": {"text": "driver", f"map::{NUMBER},null": "options"},
    "services.*.models.*": {"text": "endpoint_var model_var"},
    "services.*.networks.*": {
        "list:text": "aliases link_local_ips",
        "text": "interface_name ipv4_address ipv6_address mac_address",
        OPTIONS: "driver_opts",
        "number": "gw_priority priority",
    },
    "services.*.ports.*": {"text": "app_protocol host_ip mode name protocol", NUMBER: "published target"},
    "services.*.post_start.*": _HOOK,
    "services.*.pre_start.*": {**_HOOK, "text": "image user working_dir", FLAG: "per_replica privileged"},
    "services.*.pre_stop.*": _HOOK,
    "services.*.provider": {"text": "type", "map::text,number,boolean,list": "options"},
    "services.*.secrets.*": _MOUNT,
    "services.*.ulimits.*": _LIMIT,
    "services.*.volumes.*": {
        "text": "consistency source target type",
        FLAG: "read_only",
        "map": "bind image tmpfs volume",
    },
    "services.*.volumes.*.bind": {"text": "propagation recursive selinux", FLAG: "create_host_path"},
    "services.*.volumes.*.image": {"text": "subpath"},
    "services.*.volumes.*.tmpfs": {NUMBER: "mode size"},
    "services.*.volumes.*.volume": {PAIRS: "labels", FLAG: "nocopy", "text": "subpath"},
    "networks.*": {
        "text": "driver name",
        OPTIONS: "driver_opts",
        "map": "ipam",
        _EXTERNAL: "external",
        FLAG: "attachable enable_ipv4 enable_ipv6 internal",
        PAIRS: "labels",
    },
    "networks.*.ipam": {"text": "driver", "list:map": "config", "map::text": "options"},
    "networks.*.ipam.config.*": {"text": "gateway ip_range subnet", "map::text": "aux_addresses"},
    "volumes.*": {"text": "driver name", OPTIONS: "driver_opts", _EXTERNAL: "external", PAIRS: "labels"},
    "secrets.*": {
        "text": "driver environment file name template_driver",
        OPTIONS: "driver_opts",
        _EXTERNAL: "external",
        PAIRS: "labels",
    },
    "configs.*": {"text": "content environment file name template_driver", _EXTERNAL: "external", PAIRS: "labels"},
    "models.*": {"text": "model name", "number": "context_size", "list:text": "runtime_flags"},
}
_REQUIRED = {
    "services.*.build.ulimits.*": "hard soft",
    "services.*.depends_on.*": "condition",
    "services.*.develop.watch.*": "action path",
    "services.*.develop.watch.*.exec": "command",
    "services.*.devices.*": "source",
    "services.*.deploy.resources.reservations.devices.*": "capabilities",
    "services.*.env_file.*": "path",
    "services.*.extends": "service",
    "services.*.post_start.*": "command",
    "services.*.pre_stop.*": "command",
    "services.*.provider": "type",
    "services.*.ulimits.*": "hard soft",
    "services.*.volumes.*": "type",
    "models.*": "model",
}
_ONCE = {
    "services.*": (
        "depends_on device_cgroup_rules external_links extra_hosts group_add models networks security_opt volumes_from"
    ),
    "services.*.build": "extra_hosts ssh",
    "services.*.deploy.resources.reservations.devices.*": "capabilities device_ids",
    "volumes.*": "labels",
    "secrets.*": "labels",
    "configs.*": "labels",
}
_ORDER = {"order": "start-first stop-first"}
_CHOICES = {
    "services.*": {
        "cgroup": "host private",
        "gpus": "all",
        "pull_policy": "always never build if_not_present missing refresh daily weekly every_TIME",
    },
    "services.*.deploy.rollback_config": _ORDER,
    "services.*.deploy.update_config": _ORDER,
    "services.*.depends_on.*": {"condition": "service_started service_healthy service_completed_successfully"},
    "services.*.develop.watch.*": {"action": "rebuild sync restart sync+restart sync+exec"},
    "services.*.volumes.*": {"type": "bind volume tmpfs cluster npipe image"},
    "services.*.volumes.*.bind": {"recursive": "enabled disabled writable readonly", "selinux": "z Z"},
}
_COUNT = (0, None)
_BOUNDS: dict[str, dict[str, tuple[int, int | None]]] = {
    "services.*": {"cpu_count": _COUNT, "cpu_percent": (0, 100), "oom_score_adj": (-1000, 1000), "scale": _COUNT},
    "services.*.blkio_config": {"weight": _COUNT},
    "services.*.blkio_config.weight_device.*": {"weight": _COUNT},
    "services.*.build.secrets.*": {"mode": _COUNT},
    "services.*.configs.*": {"mode": _COUNT},
    "services.*.deploy.placement": {"max_replicas_per_node": _COUNT},
    "services.*.deploy.restart_policy": {"max_attempts": _COUNT},
    "services.*.deploy.rollback_config": {"parallelism": _COUNT},
    "services.*.deploy.update_config": {"parallelism": _COUNT},
    "services.*.healthcheck": {"retries": _COUNT},
    "services.*.ports.*": {"target": _COUNT},
    "services.*.secrets.*": {"mode": _COUNT},
    "services.*.volumes.*.tmpfs": {"mode": _COUNT, "size": _COUNT},
}
_NAMED = "services volumes secrets configs services.*.depends_on services.*.networks"


def _path(words: str) -> tuple[str, ...]:
    return tuple(words.split(".")) if words else ()


COMPOSE_KINDS = {
    _path(path): {key: kind for kind, words in rows.items() for key in words.split()} for path, rows in _TABLE.items()
}
"""The kinds of values, by key, of the maps at each path."""
COMPOSE_KEYS = {path: frozenset(kinds) for path, kinds in COMPOSE_KINDS.items()}
COMPOSE_REQUIRED = {_path(path): words.split() for path, words in _REQUIRED.items()}
"""The keys that must be in the maps at a path."""
COMPOSE_ONCE = {_path(path): words.split() for path, words in _ONCE.items()}
"""The lists whose items must differ, and that no rule of merging keeps so."""
COMPOSE_CHOICES = {_path(path): {key: words.split() for key, words in rows.items()} for path, rows in _CHOICES.items()}
"""The words that a text may be, by key; `every_TIME` stands for `every_12h` and the like."""
COMPOSE_BOUNDS = {_path(path): rows for path, rows in _BOUNDS.items()}
"""The lowest and the highest number that a key may have."""
COMPOSE_NAMED = tuple(map(_path, _NAMED.split()))
"""The maps whose keys are names, of letters, digits and `.`, `_`, `-`."""
