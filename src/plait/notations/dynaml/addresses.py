"""Functions on IP addresses, networks and versions."""

from __future__ import annotations

from plait.core.node import Node, Scalar, Sequence
from plait.core.semver import SemanticVersion, compared, following, meets
from plait.core.semver import version as read_version
from plait.notations.dynaml.declared import FunctionTable, integer_in, items_in, text_in, wrong
from plait.notations.dynaml.manifest import address_at, one_range, static_ips
from plait.notations.dynaml.operators import address, network
from plait.report.catalog import NO_STATIC, RAISED, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.manifest import Range
    from plait.notations.dynaml.tree import CallTerm

ADDRESSES = FunctionTable("Addresses")
function = ADDRESSES.function


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
    return static_ips(tree, env, *_flat(arguments))


def _flat(arguments: tuple[Node, ...]) -> list[Node]:
    """Indices, and those of lists of them."""
    return [
        item for argument in arguments for item in (argument.items if isinstance(argument, Sequence) else [argument])
    ]


@function(
    "ipset",
    "ranges, count, indices...",
    "Addresses of some ranges: the first ones, or those with the indices.",
    'ipset("10.0.0.0/24", 2, 10, 11)',
    2,
)
def ipset(tree: CallTerm, env: Env, ranges: Node, count: Node, *indices: Node) -> Node:
    entries = items_in(tree, env, ranges, "ranges") if isinstance(ranges, Sequence) else [ranges]
    pool = [_range(tree, env, entry) for entry in entries]
    wanted = integer_in(tree, env, count, "second argument of ipset")
    chosen = [integer_in(tree, env, index, "an index of ipset") for index in _flat(indices)]
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


# Versions

VERSIONS = FunctionTable("Versions")


def _version(tree: CallTerm, env: Env, node: Node) -> SemanticVersion:
    text = text_in(tree, env, node, f"a version of {tree.name}")
    try:
        return read_version(text)
    except ValueError as trouble:
        raise wrong(tree, env, f"{trouble}", node) from None


def _prefix(found: SemanticVersion) -> str:
    return "v" if found.original.startswith("v") else ""


@VERSIONS.function("semver", "version", "A version in its normal form, without `v`.", 'semver("v1.2")', 1, 1)
def semver(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made(str(_version(tree, env, value)))


def _number(name: str, place: int, about: str) -> None:
    @VERSIONS.function(name, "version", about, f'{name}("1.2.3")', 1, 1)
    def evaluate(tree: CallTerm, env: Env, value: Node) -> Node:
        return env.made(_version(tree, env, value).numbers[place])


_number("semvermajor", 0, "The first number of a version.")
_number("semverminor", 1, "The second number of a version.")
_number("semverpatch", 2, "The third number of a version.")


def _next(name: str, place: int, about: str) -> None:
    @VERSIONS.function(name, "version", about, f'{name}("1.2.3")', 1, 1)
    def evaluate(tree: CallTerm, env: Env, value: Node) -> Node:
        found = _version(tree, env, value)
        return env.made(_prefix(found) + ".".join(map(str, following(found, place))))


_next("semverincmajor", 0, "The next major version.")
_next("semverincminor", 1, "The next minor version.")
_next("semverincpatch", 2, "The next patch version; of a pre-release, its release.")


def _part(
    name: str, about: str, get: Callable[[SemanticVersion], str], put: Callable[[SemanticVersion, str], SemanticVersion]
) -> None:
    @VERSIONS.function(name, "version [, new]", about, f'{name}("1.2.3-rc+b")', 1, 2)
    def evaluate(tree: CallTerm, env: Env, value: Node, new: Node | None = None) -> Node:
        found = _version(tree, env, value)
        if new is None:
            return env.made(get(found))
        made = put(found, text_in(tree, env, new, f"second argument of {name}"))
        return env.made(_prefix(found) + str(_checked(tree, env, str(made))))


def _checked(tree: CallTerm, env: Env, text: str) -> SemanticVersion:
    return _version(tree, env, env.made(text))


def _release(found: SemanticVersion) -> str:
    return _prefix(found) + ".".join(map(str, found.numbers))


def _with_release(found: SemanticVersion, new: str) -> SemanticVersion:
    return SemanticVersion(read_version(new).numbers, found.prerelease, found.build)


_part("semverrelease", "The numbers of a version, or the version with others.", _release, _with_release)
_part(
    "semverprerelease",
    "What comes before the release, or the version with another such part.",
    lambda found: found.prerelease,
    lambda found, new: SemanticVersion(found.numbers, new, found.build),
)
_part(
    "semvermetadata",
    "The build metadata of a version, or the version with others.",
    lambda found: found.build,
    lambda found, new: SemanticVersion(found.numbers, found.prerelease, new),
)


@VERSIONS.function("semvercmp", "a, b", "-1, 0 or 1: before, same, after.", 'semvercmp("1.2.3", "1.10.0")', 2, 2)
def semvercmp(tree: CallTerm, env: Env, a: Node, b: Node) -> Node:
    return env.made(compared(_version(tree, env, a), _version(tree, env, b)))


def _meets(tree: CallTerm, env: Env, found: SemanticVersion, constraint: Node) -> bool:
    try:
        return meets(found, text_in(tree, env, constraint, f"a constraint of {tree.name}"))
    except ValueError as trouble:
        raise wrong(tree, env, str(trouble), constraint) from None


@VERSIONS.function(
    "semvermatch",
    "version, constraints...",
    "Whether a version meets constraints.",
    'semvermatch("1.2.3", "~1.2")',
    1,
)
def semvermatch(tree: CallTerm, env: Env, value: Node, *constraints: Node) -> Node:
    found = _version(tree, env, value)
    return env.made(all(_meets(tree, env, found, each) for each in _flat(constraints)))


@VERSIONS.function(
    "semvervalidate",
    "version, constraints...",
    "A version that meets constraints; any other fails.",
    'semvervalidate("1.2.3", "~1.2")',
    1,
)
def semvervalidate(tree: CallTerm, env: Env, value: Node, *constraints: Node) -> Node:
    found = _version(tree, env, value)
    for each in _flat(constraints):
        if not _meets(tree, env, found, each):
            issue = f"{found.original} does not meet {text_in(tree, env, each, 'a constraint')}"
            raise env.failure(RAISED, tree, issue=issue)
    return value


@VERSIONS.function("semversort", "versions...", "Versions in order.", 'semversort("1.10.0", "1.9.0")', 1)
def semversort(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    versions = _flat(arguments)
    env.meter.step(8 * len(versions))
    return env.made_list(sorted(versions, key=lambda each: _version(tree, env, each).order()))
