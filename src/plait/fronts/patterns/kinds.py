"""Lists of well-known kinds whose items have a key of their own: one line each."""

from __future__ import annotations

from plait.core.path import parse_path
from plait.core.policy import ListRule, MergePolicy, PlaceRule
from plait.merging.align import INFER
from plait.profiles.kubernetes import kinds, patched_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.profiles.kubernetes import PatchField


def _rules(type: str) -> dict[str, str]:
    """How the lists of a type are told apart, item by item, as the server does."""
    return {path: _rule(field) for path, field in patched_fields(type) if field.merges}


def _rule(field: PatchField) -> str:
    names = ",".join("protocol=TCP" if key == "protocol" else key for key in field.keys)
    return f"key:{names}" if names else "set"


_BY_TYPE = {type: {"metadata.finalizers": "set", **_rules(type)} for _, _, type in kinds()}
KNOWN: dict[tuple[str, str], dict[str, str]] = {
    **{(group, kind): _BY_TYPE[type] for group, kind, type in kinds()},
    ("", "Endpoints"): {"subsets[*].ports": "key:port,protocol=TCP"},
    ("networking.k8s.io", "Ingress"): {"spec.rules": "key:host", "spec.rules[*].http.paths": "key:path"},
}
"""(group, kind) to path patterns and rules."""

TABLE, PATTERN, FLAG = 0, 1, 2
"""Who declared a rule: the higher wins."""


class KindPolicies:
    """How lists merge in each kind of resource: what is declared for all of them, over what the table knows."""

    def __init__(self, declared: Iterable[PlaceRule] = ()) -> None:
        self.declared = tuple(declared)
        self._made: dict[tuple[str, str], MergePolicy] = {}
        self._plain = MergePolicy(INFER, patterns=self.declared)

    def of(self, group: str, kind: str) -> MergePolicy:
        known = KNOWN.get((group, kind))
        if known is None:
            return self._plain
        if (group, kind) not in self._made:
            rules = [rule(path, text, TABLE, order) for order, (path, text) in enumerate(known.items())]
            self._made[(group, kind)] = MergePolicy(INFER, patterns=[*rules, *self.declared])
        return self._made[(group, kind)]

    def for_resource(self, api: str, kind: str) -> MergePolicy:
        group, slash, _ = api.rpartition("/")
        return self.of(group if slash else "", kind)


def rule(path: str, text: str, level: int, order: int) -> PlaceRule:
    return PlaceRule.at_level(level, order, parse_path(path, pattern=True), ListRule.parse(text))
