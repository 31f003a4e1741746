"""What dynaml knows of deployment manifests: the size of resource pools, and the static addresses of networks."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.scope import Denied
from plait.notations.dynaml.env import Env
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.lookup import find
from plait.notations.dynaml.operators import address, integer
from plait.report.catalog import NO_AUTO, NO_STATIC, OVERFLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv4Address, IPv6Address

    from plait.notations.dynaml.tree import Auto, CallTerm


def pool_size(tree: Auto, env: Env) -> Node:
    """`auto`: the instances of all jobs in the resource pool whose size this is."""
    path = env.place.path
    shown = ".".join(f"[{step}]" if isinstance(step, int) else str(step) for step in path)
    if len(path) != 3 or path[0] != "resource_pools" or path[2] != "size":
        issue = "auto only allowed for size entry in resource pools"
        raise env.failure(NO_AUTO, tree, issue=issue, referred=shown, hint="write a number, or `merge`")
    pool = text_of(find(env, ("name",), tree)) if isinstance(path[1], int) else str(path[1])
    try:
        jobs = find(env, ("jobs",), tree, rooted=True)
    except Denied:
        raise
    except Fault:
        raise env.failure(
            NO_AUTO, tree, issue="no jobs found", referred=shown, hint="`auto` counts the instances of `jobs`"
        ) from None
    if not isinstance(jobs, ListNode):
        raise env.failure(NO_AUTO, tree, issue="jobs must be a list", referred=shown)
    return env.made(sum(_instances(tree, env, job, shown) for job in jobs.items if _in_pool(job, pool)))


def _in_pool(job: Node, pool: str | None) -> bool:
    return isinstance(job, MapNode) and pool is not None and text_of(job.entries.get("resource_pool")) == pool


def _instances(tree: Auto, env: Env, job: Node, shown: str) -> int:
    assert isinstance(job, MapNode)
    node = job.entries.get("instances")
    count = integer(node) if isinstance(node, Scalar) and node.value is not None else None
    if count is None:
        name = text_of(job.entries.get("name")) or "a job"
        raise env.failure(NO_AUTO, tree, issue=f"'{name}' has no integer instances", referred=shown)
    return count


def static_ips(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    """`static_ips(0, 3)`: these addresses of the static ranges of the network that the entry names, one for each
    instance."""
    network = text_of(find(env, ("name",), tree))
    if network is None:
        raise env.failure(NO_STATIC, tree, issue="name field must be string")
    count = find(env, ("instances",), tree)
    instances = integer(count) if isinstance(count, Scalar) and count.value is not None else None
    if instances is None:
        raise env.failure(NO_STATIC, tree, issue="instances must be an integer")
    indices = [_index(tree, env, argument) for argument in arguments]
    pool = list(_pool(tree, env, network, find(env, ("networks", network, "subnets"), tree, rooted=True)))
    if len(indices) < instances:
        raise env.failure(
            NO_STATIC, tree, issue=f"too less static IPs for {instances} instances", hint="name an index for each"
        )
    addresses = [env.made(address_at(tree, env, pool, index, f"static ips for network {network}")) for index in indices]
    return env.made_list(list(addresses[: max(instances, 0)]))


def _index(tree: CallTerm, env: Env, node: Node) -> int:
    value = integer(node) if isinstance(node, Scalar) and node.value is not None else None
    if value is None or value < 0:
        raise env.failure(NO_STATIC, tree, issue="static IP indices must be integers from 0 on")
    return value


Range = tuple["IPv4Address | IPv6Address", int]


def address_at(tree: CallTerm, env: Env, pool: list[Range], index: int, what: str) -> str:
    """The address with an index in some ranges."""
    env.meter.step(len(pool))
    left = index
    for first, size in pool:
        if left < size:
            return str(first + left)
        left -= size
    issue = f"index {index} is beyond the {what}"
    raise env.failure(NO_STATIC, tree, issue=issue, hint=f"there are {index - left} of them")


def _pool(tree: CallTerm, env: Env, network: str, subnets: Node) -> Iterator[Range]:
    """The ranges of a network, each with its first address and its size."""
    if not isinstance(subnets, ListNode):
        raise env.failure(NO_STATIC, tree, issue="subnets field must be a list")
    for subnet in subnets.items:
        if not isinstance(subnet, MapNode):
            raise env.failure(NO_STATIC, tree, issue="subnet must be a map")
        static = subnet.entries.get("static")
        if static is None:
            hint = "every subnet of the network needs a `static` range"
            raise env.failure(NO_STATIC, tree, issue=f"no static ips for network {network}", hint=hint)
        if not isinstance(static, ListNode):
            raise env.failure(NO_STATIC, tree, issue=f"static ips for network {network} must be a list")
        for entry in static.items:
            yield one_range(tree, env, f"network {network}", entry)


def one_range(tree: CallTerm, env: Env, what: str, entry: Node) -> Range:
    """A range that is written as an address, or as two with a - between them."""
    text = text_of(entry)
    bounds = [address(bound.strip()) for bound in (text or "").split("-")]
    first, last = bounds[0], bounds[-1]
    if text is None or len(bounds) > 2 or first is None or last is None or first.version != last.version:
        hint = "an entry is an address, or two with a - between them"
        raise env.failure(NO_STATIC, tree, issue=f"invalid entry for static ips for {what}", hint=hint)
    size = int(last) - int(first) + 1
    if size < 1:
        raise env.failure(OVERFLOW, tree, issue=f"range '{text}' of {what} ends before it begins")
    return first, size
