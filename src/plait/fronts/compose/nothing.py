"""Values that are the same as nothing, which Compose does not print."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node, Scalar, with_changes
from plait.fronts.compose.nodes import changed_at
from plait.profiles.keys import COMPOSE_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_ZEROS = {
    "services.*": (
        "cpu_count cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus mem_limit "
        "mem_reservation mem_swappiness memswap_limit oom_kill_disable oom_score_adj pids_limit privileged read_only "
        "shm_size stdin_open tty use_api_socket"
    ),
    "services.*.blkio_config": "weight",
    "services.*.build": "no_cache privileged pull shm_size",
    "services.*.depends_on.*": "restart",
    "services.*.deploy.placement": "max_replicas_per_node",
    "services.*.deploy.rollback_config": "delay max_failure_ratio monitor",
    "services.*.deploy.resources.limits": "cpus memory pids",
    "services.*.deploy.resources.reservations": "cpus memory pids",
    "services.*.deploy.resources.reservations.devices.*": "count",
    "services.*.deploy.update_config": "delay max_failure_ratio monitor",
    "services.*.gpus.*": "count",
    "services.*.healthcheck": "disable",
    "services.*.networks.*": "gw_priority priority",
    "services.*.volumes.*": "read_only",
    "services.*.volumes.*.tmpfs": "mode size",
    "services.*.volumes.*.volume": "nocopy",
    "networks.*": "attachable external internal",
    "volumes.*": "external",
    "secrets.*": "external",
    "configs.*": "external",
}
ZEROS = {tuple(path.split(".")): words.split() for path, words in _ZEROS.items()}
"""Keys that are as good as missing where they are false or 0."""
DEPLOY = ("services", "*", "deploy")
BY_VALUE = (("networks", "*", "ipam"), (*DEPLOY, "placement"), (*DEPLOY, "resources"))
"""The maps that say nothing where they are empty, although their keys are known."""
COMMANDS = tuple(("services", "*", key) for key in ("command", "entrypoint"))
"""The lists that say something although they are empty."""


def without_nothing(root: Node) -> Node:
    """A project whose maps have only keys that say something."""
    for pattern in sorted(COMPOSE_KINDS, key=len, reverse=True):  # what is inside a map first
        if pattern:
            root = changed_at(root, pattern, _kept(pattern))
    return root


def _kept(pattern: tuple[str, ...]) -> Callable[[Node], Node]:
    """What makes the maps at a path smaller."""
    own, zeros = COMPOSE_KINDS[pattern], ZEROS.get(pattern, ())

    def kept(node: Node) -> Node:
        if not isinstance(node, MapNode):
            return node
        gone = [key for key in own if key in node.entries]
        gone = [key for key in gone if _is_nothing(node.entries[key], (*pattern, key), key in zeros)]
        return with_changes(node, dict.fromkeys(gone))

    return kept


def _is_nothing(node: Node, path: tuple[str, ...], zero: bool) -> bool:
    if isinstance(node, MapNode):
        return not node.entries and (path not in COMPOSE_KINDS or path in BY_VALUE)
    if isinstance(node, ListNode):
        return not node.items and path not in COMMANDS
    return isinstance(node, Scalar) and (node.value in (None, "") or (zero and node.value in (False, 0, "0", "0s")))
