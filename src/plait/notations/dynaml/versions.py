"""Functions on semantic versions."""

from __future__ import annotations

from plait.core.node import Node
from plait.core.semver import SemanticVersion, compared, following, meets_together
from plait.core.semver import version as read_version
from plait.notations.dynaml.declared import FunctionTable, flat, text_in, wrong
from plait.report.catalog import RAISED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm

TABLE = FunctionTable("Versions")


def _version(tree: CallTerm, env: Env, node: Node) -> SemanticVersion:
    text = text_in(tree, env, node, f"a version of {tree.name}")
    try:
        return read_version(text)
    except ValueError as trouble:
        raise wrong(tree, env, f"{trouble}", node) from None


def _prefix(found: SemanticVersion) -> str:
    return "v" if found.original.startswith("v") else ""


@TABLE.function("semver", "version", "A version in its normal form, without `v`.", 'semver("v1.2")', 1, 1)
def semver(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made(str(_version(tree, env, value)))


def _number(name: str, place: int, about: str) -> None:
    @TABLE.function(name, "version", about, f'{name}("1.2.3")', 1, 1)
    def evaluate(tree: CallTerm, env: Env, value: Node) -> Node:
        return env.made(_version(tree, env, value).numbers[place])


_number("semvermajor", 0, "The first number of a version.")
_number("semverminor", 1, "The second number of a version.")
_number("semverpatch", 2, "The third number of a version.")


def _next(name: str, place: int, about: str) -> None:
    @TABLE.function(name, "version", about, f'{name}("1.2.3")', 1, 1)
    def evaluate(tree: CallTerm, env: Env, value: Node) -> Node:
        found = _version(tree, env, value)
        return env.made(_prefix(found) + ".".join(map(str, following(found, place))))


_next("semverincmajor", 0, "The next major version.")
_next("semverincminor", 1, "The next minor version.")
_next("semverincpatch", 2, "The next patch version; of a pre-release, its release.")


def _part(
    name: str, about: str, get: Callable[[SemanticVersion], str], put: Callable[[SemanticVersion, str], SemanticVersion]
) -> None:
    @TABLE.function(name, "version [, new]", about, f'{name}("1.2.3-rc+b")', 1, 2)
    def evaluate(tree: CallTerm, env: Env, value: Node, new: Node | None = None) -> Node:
        found = _version(tree, env, value)
        if new is None:
            return env.made(get(found))
        try:
            made = put(found, text_in(tree, env, new, f"second argument of {name}"))
        except ValueError as trouble:
            raise wrong(tree, env, f"{trouble}", new) from None
        return env.made(_prefix(made) + str(_checked(tree, env, str(made))))


def _checked(tree: CallTerm, env: Env, text: str) -> SemanticVersion:
    return _version(tree, env, env.made(text))


def _release(found: SemanticVersion) -> str:
    return _prefix(found) + ".".join(map(str, found.numbers))


def _with_release(found: SemanticVersion, new: str) -> SemanticVersion:
    return SemanticVersion(read_version(new).numbers, found.prerelease, found.build, new)


_part("semverrelease", "The numbers of a version, or the version with others.", _release, _with_release)
_part(
    "semverprerelease",
    "What comes before the release, or the version with another such part.",
    lambda found: found.prerelease,
    lambda found, new: SemanticVersion(found.numbers, new, found.build, found.original),
)
_part(
    "semvermetadata",
    "The build metadata of a version, or the version with others.",
    lambda found: found.build,
    lambda found, new: SemanticVersion(found.numbers, found.prerelease, new, found.original),
)


@TABLE.function("semvercmp", "a, b", "-1, 0 or 1: before, same, after.", 'semvercmp("1.2.3", "1.10.0")', 2, 2)
def semvercmp(tree: CallTerm, env: Env, a: Node, b: Node) -> Node:
    return env.made(compared(_version(tree, env, a), _version(tree, env, b)))


def _meets(tree: CallTerm, env: Env, found: SemanticVersion, constraint: Node) -> bool:
    try:
        return meets_together(found, text_in(tree, env, constraint, f"a constraint of {tree.name}"))
    except ValueError as trouble:
        raise wrong(tree, env, str(trouble), constraint) from None


@TABLE.function(
    "semvermatch",
    "version, constraints...",
    "Whether a version meets constraints.",
    'semvermatch("1.2.3", "~1.2")',
    1,
)
def semvermatch(tree: CallTerm, env: Env, value: Node, *constraints: Node) -> Node:
    found = _version(tree, env, value)
    return env.made(all(_meets(tree, env, found, each) for each in constraints))


@TABLE.function(
    "semvervalidate",
    "version, constraints...",
    "A version that meets constraints; any other fails.",
    'semvervalidate("1.2.3", "~1.2")',
    1,
)
def semvervalidate(tree: CallTerm, env: Env, value: Node, *constraints: Node) -> Node:
    found = _version(tree, env, value)
    for each in constraints:
        if not _meets(tree, env, found, each):
            issue = f"{found.original} does not meet {text_in(tree, env, each, 'a constraint')}"
            raise env.failure(RAISED, tree, issue=issue)
    return value


@TABLE.function("semversort", "versions...", "Versions in order.", 'semversort("1.10.0", "1.9.0")', 0)
def semversort(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    versions = flat(arguments)
    env.meter.step(8 * len(versions))
    return env.made_list(sorted(versions, key=lambda each: _version(tree, env, each).order()))
