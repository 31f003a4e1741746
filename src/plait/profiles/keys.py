"""The keys that Compose knows, by the path of the map that has them: from the schema of the Compose specification,
compose-spec.json. A path ends where any key is allowed; `x-` begins a key of one's own everywhere."""

from __future__ import annotations

_IPAM = "driver config options"
_LIMITS = "cpus memory pids generic_resources devices"
_TEXTS: dict[str, str] = {
    "": "version name include services networks volumes secrets configs models",
    "services.*": (
        "annotations attach blkio_config build cap_add cap_drop cgroup cgroup_parent command configs container_name "
        "cpu_count cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset "
        "credential_spec depends_on deploy develop device_cgroup_rules devices dns dns_opt dns_search domainname "
        "entrypoint env_file environment expose extends external_links extra_hosts gpus group_add healthcheck hostname "
        "image init ipc isolation label_file labels links logging mac_address mem_limit mem_reservation mem_swappiness "
        "memswap_limit models network_mode networks oom_kill_disable oom_score_adj pid pids_limit platform ports "
        "post_start pre_stop privileged profiles provider pull_policy pull_refresh_after read_only restart runtime "
        "scale secrets security_opt shm_size stdin_open stop_grace_period stop_signal storage_opt sysctls tmpfs tty "
        "ulimits use_api_socket user userns_mode uts volumes volumes_from working_dir"
    ),
    "services.*.build": (
        "additional_contexts args cache_from cache_to context dockerfile dockerfile_inline entitlements extra_hosts "
        "isolation labels network no_cache platforms privileged provenance pull sbom secrets shm_size ssh tags target "
        "ulimits"
    ),
    "services.*.deploy": (
        "endpoint_mode labels mode placement replicas resources restart_policy rollback_config update_config"
    ),
    "services.*.deploy.resources": "limits reservations",
    "services.*.deploy.resources.limits": _LIMITS,
    "services.*.deploy.resources.reservations": _LIMITS,
    "services.*.deploy.restart_policy": "condition delay max_attempts window",
    "services.*.deploy.update_config": "parallelism delay failure_action monitor max_failure_ratio order",
    "services.*.deploy.rollback_config": "parallelism delay failure_action monitor max_failure_ratio order",
    "services.*.deploy.placement": "constraints preferences max_replicas_per_node",
    "services.*.healthcheck": "disable interval retries start_interval start_period test timeout",
    "services.*.logging": "driver options",
    "services.*.extends": "service file",
    "services.*.depends_on.*": "condition required restart",
    "services.*.networks.*": (
        "aliases driver_opts gw_priority interface_name ipv4_address ipv6_address link_local_ips mac_address priority"
    ),
    "networks.*": "attachable driver driver_opts enable_ipv4 enable_ipv6 external internal ipam labels name",
    "networks.*.ipam": _IPAM,
    "volumes.*": "driver driver_opts external labels name",
    "secrets.*": "driver driver_opts environment external file labels name template_driver",
    "configs.*": "content environment external file labels name template_driver",
}
COMPOSE_KEYS = {tuple(path.split(".")) if path else (): frozenset(words.split()) for path, words in _TEXTS.items()}
