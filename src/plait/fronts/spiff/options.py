"""How a run of `plait spiff merge` differs from the plain one."""

from __future__ import annotations

from plait.core.struct import struct
from plait.notations.dynaml.dialect import CLASSIC, FEATURES, Dialect
from plait.report.catalog import BAD_OPTION
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.project import Project

DIALECTS = {"spiff": False, "spiff++": True}


@struct
class SpiffOptions:
    """What flags, variables and plait.yaml choose."""

    dialect: Dialect = CLASSIC
    tags: tuple[tuple[str, str], ...] = ()
    """Names of global tags, and the files whose content they stand for."""
    preserve_escapes: bool = False
    preserve_temporary: bool = False


def options_of(
    project: Project,
    dialect: str = "",
    features: Iterable[str] = (),
    tags: Iterable[str] = (),
    preserve_escapes: bool = False,
    preserve_temporary: bool = False,
) -> SpiffOptions:
    """How a run is done: what flags say, then plait.yaml, then the environment."""
    own, declared = project.settings.spiff
    chosen = dialect or own or "spiff"
    wanted = list(features) or declared or [project.door.environment("SPIFF_FEATURES")]
    return SpiffOptions(dialect_of(chosen, wanted), tag_flags(tags), preserve_escapes, preserve_temporary)


def dialect_of(name: str, features: Iterable[str]) -> Dialect:
    """A dialect by its name, with features: `control`, `nocontrol`, several with commas."""
    if name not in DIALECTS:
        raise BAD_OPTION.error(why=f"unknown dialect `{name}`", hint=f"there are {' and '.join(DIALECTS)}")
    chosen: set[str] = set()
    for word in (word.strip() for words in features for word in words.split(",")):
        off = word.startswith("no") and word[2:] in FEATURES
        if word and not off and word not in FEATURES:
            hint = did_you_mean(word, FEATURES) or f"there are {' and '.join(FEATURES)}"
            raise BAD_OPTION.error(why=f"unknown feature `{word}`", hint=hint)
        (chosen.discard if off else chosen.add)(word[2:] if off else word)
    return Dialect(DIALECTS[name], frozenset(chosen - {""}))


def tag_flags(flags: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The names and files of `--tag NAME:FILE`."""
    made: list[tuple[str, str]] = []
    for flag in flags:
        name, colon, file = flag.partition(":")
        if not colon or not name or not file:
            raise BAD_OPTION.error(why=f"`--tag {flag}` has no file", hint="write --tag NAME:FILE")
        made.append((name, file))
    return tuple(made)
