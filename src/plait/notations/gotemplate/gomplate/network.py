"""`net`: addresses, networks and ranges of them, which only compute; and names that are looked up."""

from __future__ import annotations

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup, methods
from plait.notations.gotemplate.gomplate.casts import text, whole, wrong_count
from plait.notations.gotemplate.values import Object, Strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NETWORK = FunctionGroup("gomplate network", "gomplate: net")
function = NETWORK.function
MOST = 16
"""By how many bits a network is divided at most: into 65,536."""
LONGEST = 32
"""By how many bits one network of several sizes is smaller at most."""
PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
"""The private networks."""
NET = 100
"""What a network in a list takes, in bytes."""


class HostAddress(Object):
    """An address of IPv4 or IPv6."""

    __slots__ = ("ip",)
    go_type = "netaddr.IP"

    def __init__(self, ip: Any) -> None:
        self.ip = ip

    def go_string(self) -> str:
        return str(self.ip)

    def moved(self, by: int) -> HostAddress:
        number = int(self.ip) + by
        if not 0 <= number < 1 << self.ip.max_prefixlen:
            raise CallError(
                f"there is no address after {self.ip}" if by > 0 else f"there is no address before {self.ip}"
            )
        return HostAddress(self.ip.__class__(number))


class NetPrefix(Object):
    """An address with the length of its network."""

    __slots__ = ("bits", "ip")
    go_type = "netaddr.IPPrefix"

    def __init__(self, ip: Any, bits: int) -> None:
        self.ip = ip
        self.bits = bits

    @property
    def network(self) -> Any:
        from ipaddress import ip_network

        return ip_network(f"{self.ip}/{self.bits}", strict=False)

    def go_string(self) -> str:
        return f"{self.ip}/{self.bits}"

    def range(self) -> AddressRange:
        network = self.network
        return AddressRange(network[0], network[-1])

    def masked(self) -> NetPrefix:
        return NetPrefix(self.network.network_address, self.bits)


class AddressRange(Object):
    """All addresses from one to another."""

    __slots__ = ("first", "last")
    go_type = "netaddr.IPRange"

    def __init__(self, first: Any, last: Any) -> None:
        self.first = first
        self.last = last

    def go_string(self) -> str:
        return f"{self.first}-{self.last}"

    def contains(self, address: HostAddress) -> bool:
        return bool(address.ip.version == self.first.version and self.first <= address.ip <= self.last)

    def prefixes(self) -> list[NetPrefix]:
        from ipaddress import summarize_address_range

        return [NetPrefix(one.network_address, one.prefixlen) for one in summarize_address_range(self.first, self.last)]

    def overlaps(self, other: AddressRange) -> bool:
        same = self.first.version == other.first.version
        return same and bool(self.first <= other.last and other.first <= self.last)


def _is(name: str) -> Callable[[HostAddress], bool]:
    return lambda address: bool(getattr(address.ip, name))


HostAddress.methods = methods(
    ("String", "func() string", "The text.", HostAddress.go_string),
    ("Is4", "func() bool", "Whether it is of IPv4.", lambda address: address.ip.version == 4),
    ("Is6", "func() bool", "Whether it is of IPv6.", lambda address: address.ip.version == 6),
    ("IsPrivate", "func() bool", "Whether it is of a private network.", lambda address: _in(address, PRIVATE)),
    ("IsLoopback", "func() bool", "Whether it is this machine's own.", _is("is_loopback")),
    ("IsMulticast", "func() bool", "Whether it is of a group.", _is("is_multicast")),
    ("IsUnspecified", "func() bool", "Whether it is all zeros.", _is("is_unspecified")),
    ("IsLinkLocalUnicast", "func() bool", "Whether it is of the own link only.", _is("is_link_local")),
    ("BitLen", "func() int", "How many bits it has.", lambda address: address.ip.max_prefixlen),
    ("Next", "func() netaddr.IP", "The address after it.", lambda address: address.moved(1)),
    ("Prev", "func() netaddr.IP", "The address before it.", lambda address: address.moved(-1)),
    ("Prefix", "func(int) (netaddr.IPPrefix, error)", "The network that it is in.",
     lambda address, bits: _prefix(f"{address.ip}/{bits}").masked()),
    ("Less", "func(netaddr.IP) bool", "Whether it comes before another.",
     lambda address, other: (address.ip.version, int(address.ip)) < (other.ip.version, int(other.ip))),
)  # fmt: skip
NetPrefix.methods = methods(
    ("String", "func() string", "The text.", NetPrefix.go_string),
    ("IP", "func() netaddr.IP", "The address.", lambda prefix: HostAddress(prefix.ip)),
    ("Addr", "func() netaddr.IP", "The address.", lambda prefix: HostAddress(prefix.ip)),
    ("Bits", "func() int", "How many bits all addresses share.", lambda prefix: prefix.bits),
    ("IsSingleIP", "func() bool", "Whether it has one address.", lambda prefix: prefix.bits == prefix.ip.max_prefixlen),
    ("Contains", "func(netaddr.IP) bool", "Whether an address is in it.",
     lambda prefix, address: address.ip in prefix.network),
    ("Overlaps", "func(netaddr.IPPrefix) bool", "Whether it shares an address with another.",
     lambda prefix, other: prefix.range().overlaps(other.range())),
    ("Masked", "func() netaddr.IPPrefix", "The network itself.", NetPrefix.masked),
    ("Range", "func() netaddr.IPRange", "The first and last address.", NetPrefix.range),
)  # fmt: skip
AddressRange.methods = methods(
    ("String", "func() string", "The text.", AddressRange.go_string),
    ("From", "func() netaddr.IP", "The first address.", lambda span: HostAddress(span.first)),
    ("To", "func() netaddr.IP", "The last address.", lambda span: HostAddress(span.last)),
    ("Contains", "func(netaddr.IP) bool", "Whether an address is in it.", AddressRange.contains),
    ("Prefixes", "func() []netaddr.IPPrefix", "The networks that it consists of.", AddressRange.prefixes),
    ("Overlaps", "func(netaddr.IPRange) bool", "Whether it shares an address with another.", AddressRange.overlaps),
)


def _in(address: HostAddress, networks: tuple[str, ...]) -> bool:
    from ipaddress import ip_network

    return any(address.ip in ip_network(network) for network in networks)


def _address(written: str) -> Any:
    from ipaddress import ip_address

    try:
        return ip_address(written)
    except ValueError as trouble:
        raise CallError(f"ParseIP: {trouble}") from None


def _prefix(value: Any) -> NetPrefix:
    """A network, or the text of one."""
    if isinstance(value, NetPrefix):
        return value
    given = text(value)
    address, slash, bits = given.partition("/")
    ip = _address(address)
    if not slash or not (bits.isdecimal() and bits.isascii()) or int(bits[:9]) > ip.max_prefixlen:
        raise CallError(f"invalid CIDR address: {given}")
    return NetPrefix(ip, int(bits))


# -- addresses


@function("net.ParseIP net.ParseAddr", "func(interface {}) (netaddr.IP, error)",
          "An address, with methods such as Next and IsPrivate.",
          '{{ (net.ParseIP "10.0.0.255").Next }} {{ (net.ParseIP "10.0.0.1").IsPrivate }}',
          "10.0.1.0 true")  # fmt: skip
def parse_ip(value: Any) -> HostAddress:
    return HostAddress(_address(text(value)))


@function("net.ParseIPPrefix net.ParsePrefix", "func(interface {}) (netaddr.IPPrefix, error)",
          "A network, with methods such as Range and Contains.",
          '{{ $n := net.ParseIPPrefix "10.0.0.5/24" }}{{ $n.Bits }} {{ $n.Range }}',
          "24 10.0.0.0-10.0.0.255")  # fmt: skip
def parse_prefix(value: Any) -> NetPrefix:
    return _prefix(value)


@function("net.ParseIPRange net.ParseRange", "func(interface {}) (netaddr.IPRange, error)",
          "A range of addresses, with methods such as Contains and Prefixes.",
          '{{ (net.ParseIPRange "10.0.0.0-10.0.0.11").Prefixes }}', "[10.0.0.0/29 10.0.0.8/30]")  # fmt: skip
def parse_range(value: Any) -> AddressRange:
    given = text(value)
    first, dash, last = given.partition("-")
    if not dash:
        raise CallError(f"no hyphen in range {given}")
    span = AddressRange(_address(first), _address(last))
    if span.first.version != span.last.version or span.first > span.last:
        raise CallError(f"range {given} not valid")
    return span


# -- networks


@function("net.CIDRHost", "func(interface {}, interface {}) (netip.Addr, error)",
          "An address of a network, by its number; from the end for a negative one.",
          '{{ net.CIDRHost 5 "10.0.0.0/24" }} {{ net.CIDRHost -2 "10.0.0.0/24" }}', "10.0.0.5 10.0.0.254")  # fmt: skip
def cidr_host(number: Any, prefix: Any) -> HostAddress:
    network, at = _prefix(prefix).network, whole(number)
    if not -network.num_addresses <= at < network.num_addresses:
        raise CallError(f"the network {network} has no address {at}")
    return HostAddress(network[at])


@function("net.CIDRNetmask", "func(interface {}) (netip.Addr, error)", "The mask of a network.",
          '{{ net.CIDRNetmask "10.0.0.0/12" }}', "255.240.0.0")  # fmt: skip
def cidr_netmask(prefix: Any) -> HostAddress:
    return HostAddress(_prefix(prefix).network.netmask)


@function("net.CIDRSubnets", "func(interface {}, interface {}) ([]netip.Prefix, error)",
          "The networks that a network is divided into, by so many bits more.",
          '{{ net.CIDRSubnets 1 "10.0.0.0/8" }}', "[10.0.0.0/9 10.128.0.0/9]", context=True)  # fmt: skip
def cidr_subnets(frame: Any, bits: Any, prefix: Any) -> list[NetPrefix]:
    network, more = _prefix(prefix).network, whole(bits)
    if more < 1:
        raise CallError("must extend prefix by at least one bit")
    if more > min(MOST, network.max_prefixlen - network.prefixlen):
        raise CallError(f"{network} cannot be divided by {more} bits")
    frame.make(NET << more)
    return [NetPrefix(one.network_address, one.prefixlen) for one in network.subnets(more)]


@function("net.CIDRSubnetSizes", "func(...interface {}) ([]netip.Prefix, error)",
          "Networks of several sizes, one after the other: BITS... NETWORK.",
          '{{ net.CIDRSubnetSizes 4 4 8 "10.1.0.0/16" }}', "[10.1.0.0/20 10.1.16.0/20 10.1.32.0/24]")  # fmt: skip
def cidr_subnet_sizes(*values: Any) -> list[NetPrefix]:
    if len(values) < 2:
        raise wrong_count("2 or more", values)
    network = _prefix(values[-1]).network
    found: list[NetPrefix] = []
    at, end = int(network[0]), int(network[-1]) + 1
    for more in map(whole, values[:-1]):
        if not 1 <= more <= LONGEST:
            raise CallError(
                "must extend prefix by at least one bit" if more < 1 else "may not extend prefix by more than 32 bits"
            )
        length = network.prefixlen + more
        if length > network.max_prefixlen:
            raise CallError(
                f"would extend prefix to {length} bits, which is too long for an IPv{network.version} address"
            )
        size = 1 << (network.max_prefixlen - length)
        at = -(-at // size) * size
        if at + size > end:
            raise CallError(f"not enough remaining address space for a subnet with a prefix of {length} bits")
        found.append(NetPrefix(network.network_address.__class__(at), length))
        at += size
    return found


# -- names


@function("net.LookupIP", "func(interface {}) (string, error)", "The address of a host name. Needs `network`.", "", "",
          context=True)  # fmt: skip
def lookup_ip(frame: Any, name: Any) -> str:
    return next(iter(lookup_ips(frame, name)), "")


@function("net.LookupIPs", "func(interface {}) ([]string, error)",
          "The addresses of IPv4 of a host name. Needs `network`.", "", "", context=True)  # fmt: skip
def lookup_ips(frame: Any, name: Any) -> Strings:
    found = frame.host.addresses_of(text(name))
    if not found:
        raise CallError(f"lookup {text(name)}: no such host")
    return Strings(address for address in found if ":" not in address)
