"""The rest of gomplate's namespaces: `net`, `random`, `file`, `uuid`, and what is less common in the others.

Requests to the outside go through the host. `REFUSED` lists unsupported functions with the reason.
"""

from __future__ import annotations

import csv
import hashlib
import ipaddress
import math
import re
import tomllib

from plait.notations.gotemplate.casts import to_float, to_int, to_text
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.sprig.patterns import compiled
from plait.notations.gotemplate.values import MAX_PARTS, Int64, Strings, endless, is_list, is_map, lookup, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TOOLS = FunctionGroup("gomplate tools", "gomplate: net, random, file and the rest")
function = TOOLS.function
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
ASCII = "".join(map(chr, range(32, 127)))
LONGEST = 100_000
"""The longest random text."""
REFUSED = {
    "coll.JSONPath": "use `jq`",
    "tmpl.Path tmpl.PathDir": "a template is part of a manifest; see `.atmos_stack_file`",
    "file.Write file.Walk file.ReadDir file.Stat": "a template reads single files of the project and nothing else",
    "data.CUE data.ToCUE": "CUE is not supported",
    "data.ToTOML data.ToCSV data.EJSON data.DecryptEJSON": "write JSON or YAML",
    "net.LookupCNAME net.LookupSRV net.LookupSRVs net.LookupTXT": "only addresses are looked up (`net.LookupIP`)",
    "crypto.RSAEncrypt crypto.RSADecrypt": "use `crypto.EncryptAES`, or keep secrets in a store and read them with "
    "`!secret`",
    "uuid.V1": "it tells the time and the machine; use `uuid.V4`",
    "aws.EC2Meta aws.KMSEncrypt aws.KMSDecrypt aws.ARN aws.Account aws.UserID": "use `!aws.account_id` and the like",
    "sockaddr.GetPrivateIP sockaddr.GetPublicIP": "facts about this machine are not configuration",
    "gcp.Meta": "facts about this machine are not configuration",
    "include defineDatasource datasourceReachable listDatasources": "declare data sources in atmos.yaml",
}
"""Unsupported functions of gomplate, with the reason."""


# -- the network


def _network(text: str) -> Any:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as trouble:
        raise CallError(str(trouble)) from None


@function("net.CIDRHost", "func(int, string) (string, error)", "An address of a network, by its number.",
          '{{ net.CIDRHost 5 "10.0.0.0/24" }}', "10.0.0.5")  # fmt: skip
def cidr_host(number: int, prefix: str) -> str:
    network = _network(prefix)
    if not -network.num_addresses <= number < network.num_addresses:
        raise CallError(f"the network {prefix} has no address {number}")
    return str(network[number])


@function("net.CIDRNetmask", "func(string) (string, error)", "The mask of a network.",
          '{{ net.CIDRNetmask "10.0.0.0/12" }}', "255.240.0.0")  # fmt: skip
def cidr_netmask(prefix: str) -> str:
    return str(_network(prefix).netmask)


@function("net.CIDRSubnets", "func(int, string) ([]string, error)", "The networks that a network is divided into.",
          '{{ net.CIDRSubnets 1 "10.0.0.0/8" }}', "[10.0.0.0/9 10.128.0.0/9]")  # fmt: skip
def cidr_subnets(bits: int, prefix: str) -> Strings:
    network = _network(prefix)
    if not 1 <= bits <= min(16, network.max_prefixlen - network.prefixlen):
        raise CallError(f"{prefix} cannot be divided by {bits} bits")
    return Strings([str(one) for one in network.subnets(bits)])


@function("net.LookupIP net.LookupIPs", "func(string) string", "The address of a host name. Needs `network`.", "", "",
          context=True)  # fmt: skip
def lookup_ip(frame: Any, name: str) -> str:
    return str(frame.host.address_of(name))


# -- chance


def _random(frame: Any, letters: str, count: int) -> str:
    if not 0 <= count <= LONGEST:
        raise CallError(f"a random text has at most {LONGEST} letters")
    return "".join(letters[frame.host.random_below(len(letters))] for _ in range(count))


@function("random.ASCII", "func(int) string", "Random ASCII letters, digits and signs.", "{{ random.ASCII 8 | len }}",
          "8", context=True)  # fmt: skip
def random_ascii(frame: Any, count: int) -> str:
    return _random(frame, ASCII, count)


@function("random.Alpha", "func(int) string", "Random letters.", "{{ random.Alpha 8 | len }}", "8", context=True)
def random_alpha(frame: Any, count: int) -> str:
    return _random(frame, LETTERS, count)


@function("random.AlphaNum random.String", "func(int) string", "Random letters and digits.",
          "{{ random.AlphaNum 8 | len }}", "8", context=True)  # fmt: skip
def random_alphanum(frame: Any, count: int) -> str:
    return _random(frame, LETTERS + DIGITS, count)


@function("random.Item", "func(interface {}) interface {}", "A random item of a list.", "{{ random.Item (list 7 7) }}",
          "7", context=True)  # fmt: skip
def random_item(frame: Any, value: Any) -> Any:
    items = list(value) if is_list(value) else []
    if not items:
        raise CallError("expected a list with items")
    return items[frame.host.random_below(len(items))]


@function("random.Number", "func(...int) int", "A random number: of 0 to 100, to MAX, or of MIN to MAX.",
          "{{ random.Number 4 4 }}", "4", context=True)  # fmt: skip
def random_number(frame: Any, *limits: int) -> Int64:
    low, high = (limits[0], limits[1]) if len(limits) == 2 else (0, limits[0] if limits else 100)
    if low > high:
        raise CallError("the minimum must not be above the maximum")
    return Int64(low + frame.host.random_below(high - low + 1))


# -- files of the project


@function("file.Read", "func(string) (string, error)", "The text of a file of the project.", "", "", context=True)
def file_read(frame: Any, path: str) -> str:
    return str(frame.host.read_file(path))


@function("file.Exists", "func(string) bool", "Whether a file of the project exists.", "", "", context=True)
def file_exists(frame: Any, path: str) -> bool:
    return bool(frame.host.has_file(path))


# -- identifiers and digests

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}").fullmatch


@function("uuid.Nil", "func() string", "The UUID of zeros.", "{{ uuid.Nil }}", "00000000-0000-0000-0000-000000000000")
def uuid_nil() -> str:
    return "00000000-0000-0000-0000-000000000000"


@function("uuid.IsValid", "func(interface {}) bool", "Whether a string is a UUID.", '{{ uuid.IsValid "x" }}', "false")
def uuid_is_valid(value: Any) -> bool:
    return _UUID(to_text(value)) is not None


@function("crypto.SHA224", "func(interface {}) string", "A digest.", '{{ crypto.SHA224 "a" | trunc 8 }}', "abd37534")
def sha224(value: Any) -> str:
    return hashlib.sha224(to_text(value).encode("utf-8", "surrogateescape")).hexdigest()


@function("crypto.SHA384", "func(interface {}) string", "A digest.", '{{ crypto.SHA384 "a" | trunc 8 }}', "54a59b9f")
def sha384(value: Any) -> str:
    return hashlib.sha384(to_text(value).encode("utf-8", "surrogateescape")).hexdigest()


# -- numbers


@function("math.Ceil", "func(interface {}) float64", "The next whole number above.", "{{ math.Ceil 1.2 }}", "2")
def math_ceil(value: Any) -> float:
    return float(math.ceil(to_float(value)))


@function("math.Floor", "func(interface {}) float64", "The next whole number below.", "{{ math.Floor 1.8 }}", "1")
def math_floor(value: Any) -> float:
    return float(math.floor(to_float(value)))


@function("math.Round", "func(interface {}) float64", "The nearest whole number.", "{{ math.Round 1.5 }}", "2")
def math_round(value: Any) -> float:
    number = to_float(value)
    return math.copysign(math.floor(abs(number) + 0.5), number)


@function("math.IsInt", "func(interface {}) bool", "Whether a value is a whole number.", '{{ math.IsInt "7" }}', "true")
def math_is_int(value: Any) -> bool:
    return re.fullmatch(r"[+-]?\d+", to_text(value)) is not None


@function("math.IsNum", "func(interface {}) bool", "Whether a value is a number.", '{{ math.IsNum "x" }}', "false")
def math_is_num(value: Any) -> bool:
    return re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", to_text(value)) is not None


@function("math.Seq", "func(...interface {}) []int64", "The numbers of 1 to N, or of START to END in steps.",
          "{{ math.Seq 2 8 3 }}", "[2 5 8]")  # fmt: skip
def math_seq(*values: Any) -> list[Int64]:
    numbers = [to_int(value) for value in values]
    start, end = (1, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1]) if len(numbers) > 1 else (1, 1)
    step = numbers[2] if len(numbers) > 2 else 1
    step = abs(step) if end >= start else -abs(step)
    if step == 0:
        return []
    if abs(end - start) // abs(step) > MAX_PARTS:
        raise endless()
    return [Int64(number) for number in range(start, end + (1 if step > 0 else -1), step)]


# -- conversions and collections


@function("conv.ParseInt conv.Atoi", "func(interface {}, ...int) int", "A text as a whole number, in a base.",
          '{{ conv.ParseInt "ff" 16 64 }}', "255")  # fmt: skip
def conv_parse_int(value: Any, *base: int) -> Int64:
    try:
        return Int64(int(to_text(value), base[0] if base else 10))
    except ValueError:
        raise CallError(f"could not convert `{to_text(value)}` to a whole number") from None


@function("conv.ToInts conv.ToInt64s", "func(...interface {}) []int64", "Values as whole numbers.",
          '{{ conv.ToInts "1" 2.0 }}', "[1 2]")  # fmt: skip
def conv_to_ints(*values: Any) -> list[Int64]:
    return [Int64(to_int(value)) for value in values]


@function("coll.Index", "func(...interface {}) interface {}", "What is at some keys; the map or list comes last.",
          '{{ coll.Index "a" 1 (dict "a" (list 5 6)) }}', "6")  # fmt: skip
def coll_index(*values: Any) -> Any:
    *keys, found = values
    for key in keys:
        if is_list(found) and isinstance(key, int) and 0 <= key < len(found):
            found = found[key]
        elif is_map(found) and key in found:
            found = lookup(found, key)
        else:
            raise CallError(f"there is nothing at `{to_text(key)}`")
    return found


@function("coll.Set", "func(string, interface {}, map[string]interface {}) map[string]interface {}",
          "A map with a key set.", '{{ coll.Set "b" 2 (dict "a" 1) }}', "map[a:1 b:2]")  # fmt: skip
def coll_set(key: str, value: Any, mapping: dict[str, Any]) -> dict[str, Any]:
    return {**plain(mapping), key: value}


@function("coll.Unset", "func(string, map[string]interface {}) map[string]interface {}", "A map without a key.",
          '{{ coll.Unset "a" (dict "a" 1 "b" 2) }}', "map[b:2]")  # fmt: skip
def coll_unset(key: str, mapping: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain(mapping).items() if name != key}


# -- data and texts


@function("data.TOML toml", "func(string) (interface {}, error)", "What a TOML text says.",
          '{{ (data.TOML "a = 1").a }}', "1")  # fmt: skip
def data_toml(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as trouble:
        raise CallError(f"invalid TOML: {trouble}") from None


@function("data.CSV csv", "func(string) ([][]string, error)", "The rows of a CSV text.",
          '{{ index (data.CSV "a,b\\n1,2") 1 }}', "[1 2]")  # fmt: skip
def data_csv(text: str) -> list[Strings]:
    try:
        return [Strings(row) for row in csv.reader(text.splitlines()) if row]
    except csv.Error as trouble:
        raise CallError(f"invalid CSV: {trouble}") from None


@function("regexp.FindAll", "func(string, ...interface {}) ([]string, error)", "Matches: pattern, most, text.",
          '{{ regexp.FindAll "[a-z]" "a1b" }}', "[a b]", context=True)  # fmt: skip
def regexp_find_all(frame: Any, pattern: str, *rest: Any) -> Strings:
    most = to_int(rest[0]) if len(rest) > 1 else -1
    return Strings(found.whole() for found in compiled(pattern).find_all(to_text(rest[-1]), most, frame.meter))


@function("strings.ShellQuote shellQuote", "func(interface {}) string", "A text quoted for a shell.",
          '{{ strings.ShellQuote "a b" }}', "'a b'")  # fmt: skip
def shell_quote(value: Any) -> str:
    texts = [to_text(item) for item in value] if is_list(value) else [to_text(value)]
    return " ".join("'" + text.replace("'", "'\"'\"'") + "'" for text in texts)


@function("strings.RuneCount", "func(...interface {}) int", "The number of characters in strings.",
          '{{ strings.RuneCount "añb" }}', "3")  # fmt: skip
def rune_count(*values: Any) -> Int64:
    return Int64(sum(len(to_text(value)) for value in values))


@function("strings.Slug", "func(interface {}) string", "A text as a part of an address.",
          '{{ strings.Slug "Hello, World!" }}', "hello-world")  # fmt: skip
def slug(value: Any) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", to_text(value).lower()))
