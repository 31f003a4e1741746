"""Semantic versions, and the constraints they may meet."""

from __future__ import annotations

from plait.core.semver import SemanticVersion, any_of, compared, conditions, following
from plait.core.semver import version as read_version
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup, methods
from plait.notations.gotemplate.values import Object, Uint64

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

VERSIONS = FunctionGroup("versions", "Versions")
function = VERSIONS.function


class Version(SemanticVersion, Object):
    """A version as templates see it."""

    __slots__ = ()
    go_type = "*semver.Version"
    go_kind = "ptr"

    def go_string(self) -> str:
        return str(self)


def version(text: str) -> Version:
    try:
        found = read_version(text)
    except ValueError as trouble:
        raise CallError(str(trouble)) from None
    return Version(found.numbers, found.prerelease, found.build, found.original)


@function(
    "semver",
    "func(string) (*semver.Version, error)",
    "The parts of a version.",
    '{{ (semver "1.2.3-beta").Minor }}',
    "2",
)
def semver(text: str) -> Version:
    return version(text)


@function("semverCompare", "func(string, string) (bool, error)", "Whether a version meets a constraint.",
          '{{ semverCompare "^1.2.0" "1.3.0" }}', "true")  # fmt: skip
def semver_compare(constraint: str, text: str) -> bool:
    try:
        alternatives = conditions(constraint)
        return any_of(alternatives, version(text))
    except ValueError as trouble:
        raise CallError(str(trouble)) from None


def _next(left: Version, place: int) -> Version:
    return Version(following(left, place))


_ONE = "func(*semver.Version) bool"
Version.methods = methods(
    ("Major", "func() uint64", "The first number.", lambda v: Uint64(v.numbers[0])),
    ("Minor", "func() uint64", "The second number.", lambda v: Uint64(v.numbers[1])),
    ("Patch", "func() uint64", "The third number.", lambda v: Uint64(v.numbers[2])),
    ("Prerelease", "func() string", "What came before the release.", lambda v: v.prerelease),
    ("Metadata", "func() string", "The build metadata.", lambda v: v.build),
    ("Original", "func() string", "The version as it was written.", lambda v: v.original),
    ("String", "func() string", "The version in full.", lambda v: v.go_string()),
    ("Compare", "func(*semver.Version) int", "-1, 0 or 1: before, same, after.", compared),
    ("Equal", _ONE, "Whether it is the same version.", lambda v, o: compared(v, o) == 0),
    ("LessThan", _ONE, "Whether it comes before.", lambda v, o: compared(v, o) < 0),
    ("GreaterThan", _ONE, "Whether it comes after.", lambda v, o: compared(v, o) > 0),
    ("IncMajor", "func() semver.Version", "The next major version.", lambda v: _next(v, 0)),
    ("IncMinor", "func() semver.Version", "The next minor version.", lambda v: _next(v, 1)),
    ("IncPatch", "func() semver.Version", "The next patch version.", lambda v: _next(v, 2)),
)
