"""Functions on IP addresses and networks."""

from __future__ import annotations

from plait.core.node import ListNode, Node, Scalar
from plait.notations.dynaml.declared import FunctionTable, flat, integer_in, items_in, wrong
from plait.notations.dynaml.manifest import address_at, one_range, static_ips
from plait.notations.dynaml.operators import address, network
from plait.report.catalog import NO_STATIC, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.manifest import Range
    from plait.notations.dynaml.tree import CallTerm

TABLE = FunctionTable("Addresses")
function = TABLE.function


def _network(tree: CallTerm, env: Env, arguments: tuple[Node, ...]) -> tuple[int, int, type]:
    """The address of a CIDR as a number, its host bits, and its kind."""
    if len(arguments) != 1:
        raise env.failure(WRONG_ARGUMENT, tree, issue="only one argument expected for CIDR function")
    found = network(arguments[0])
    if found is None:
        raise env.failure(WRONG_ARGUMENT, tree, issue="CIDR argument required", hint='for example: "10.0.0.0/24"')
    return int(found.ip), (1 << (found.max_prefixlen - found.network.prefixlen)) - 1, found.ip.__class__


@function("min_ip", "cidr", "The first address of a network.", 'min_ip("10.1.2.3/24")', 0)
def min_ip(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    number, host, kind = _network(tree, env, arguments)
    return env.made(str(kind(number & ~host)))


@function("max_ip", "cidr", "The last address of a network.", 'max_ip("10.1.2.3/24")', 0)
def max_ip(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    number, host, kind = _network(tree, env, arguments)
    return env.made(str(kind(number | host)))


@function("num_ip", "cidr", "How many addresses a network has.", 'num_ip("10.1.2.3/24")', 0)
def num_ip(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    return env.made(_network(tree, env, arguments)[1] + 1)


@function(
    "contains_ip", "cidr, ip", "Whether a network has an address.", 'contains_ip("10.1.2.0/24", "10.1.2.3")', 2, 2
)
def contains_ip(tree: CallTerm, env: Env, cidr: Node, ip: Node) -> Node:
    number, host, kind = _network(tree, env, (cidr,))
    found = address(ip.value if isinstance(ip, Scalar) else None)
    if found is None:
        raise wrong(tree, env, "second argument of contains_ip must be an IP address", ip)
    return env.made(isinstance(found, kind) and number & ~host == int(found) & ~host)


@function(
    "static_ips",
    "indices...",
    "Static addresses of a job's network, one for each instance.",
    "static_ips(0, 3)",
    0,
)
def static(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    return static_ips(tree, env, *flat(arguments))


@function(
    "ipset",
    "ranges, count, indices...",
    "Addresses of some ranges: the first ones, or those with the indices.",
    'ipset("10.0.0.0/24", 2, 10, 11)',
    2,
)
def ipset(tree: CallTerm, env: Env, ranges: Node, count: Node, *indices: Node) -> Node:
    entries = items_in(tree, env, ranges, "ranges") if isinstance(ranges, ListNode) else [ranges]
    pool = [_range(tree, env, entry) for entry in entries]
    wanted = integer_in(tree, env, count, "second argument of ipset")
    chosen = [integer_in(tree, env, index, "an index of ipset") for index in flat(indices)]
    if not chosen:
        env.meter.step(max(wanted, 0))
        chosen = list(range(wanted))
    if len(chosen) < wanted:
        raise env.failure(NO_STATIC, tree, issue=f"too less IPs for {wanted} addresses", hint="name an index for each")
    indices_used = chosen[: max(wanted, 0)]
    return env.made_list(
        [env.made(address_at(tree, env, pool, index, "addresses of the ranges")) for index in indices_used]
    )


def _range(tree: CallTerm, env: Env, entry: Node) -> Range:
    """A network, an address, or two with a - between them."""
    found = network(entry)
    if found is None:
        return one_range(tree, env, "the ranges", entry)
    return found.network.network_address, found.network.num_addresses
