"""Manifests and components that cannot be read or put together: one policy for every command.

A question about one stack is answered if that stack is whole. A listing shows what is whole and reports the rest,
each finding once. Where `strict` is set, any of it stops the question.

What is decided by a value that is not known here (the name of a stack, an import, a base component) is not known
either. It is not a mistake in the files: it is told apart, shown as `(computed)` and counted.
"""

from __future__ import annotations

from contextlib import contextmanager

from plait.core.diagnostic import Diagnostic, Fault, NotKnown
from plait.core.node import COMPUTED, FAILED
from plait.core.unknown import unknown_of
from plait.report.unknown import UnknownValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator


class Broken(dict[tuple[str, ...], Fault]):
    """The errors of manifests by name, and of components by manifest, type and name. The first error of each is
    kept."""

    def __init__(self, strict: bool = False, refuses: Callable[[], bool] = lambda: False) -> None:
        """`refuses` says whether what is not known is an error in this run."""
        super().__init__()
        self.strict = strict
        self.refuses = refuses

    def manifest(self, name: str, error: Fault) -> None:
        self.setdefault((name,), error)

    def component(self, manifest: str, type: str, name: str, error: Fault) -> None:
        self.setdefault((manifest, type, name), error)

    def manifests(self) -> dict[str, Fault]:
        """The manifests that cannot be read."""
        return {owner[0]: error for owner, error in self.items() if len(owner) == 1}

    def components(self, manifests: Collection[str]) -> dict[tuple[str, str], Fault]:
        """The components of some manifests that have errors, by type and name."""
        found = {owner: error for owner, error in self.items() if len(owner) == 3 and owner[0] in manifests}
        return {(type, name): error for (_, type, name), error in reversed(found.items())}

    def problems(self, manifests: Collection[str] | None = None, also_unknown: bool = False) -> list[Diagnostic]:
        """Every mistake in the files once: of some manifests and their components, or of all; where they are checked,
        also what is not known."""
        wanted = [error for owner, error in self.items() if manifests is None or owner[0] in manifests]
        wrong = (
            wanted if also_unknown or self.refuses() else [error for error in wanted if not isinstance(error, NotKnown)]
        )
        return list(dict.fromkeys(diagnostic for error in wrong for diagnostic in error.diagnostics))

    def unknown(self, manifests: Collection[str] | None = None) -> Iterator[tuple[tuple[str, ...], NotKnown]]:
        """The manifests and components that are decided by values which are not known."""
        if self.refuses():
            return
        for owner, error in self.items():
            if isinstance(error, NotKnown) and (manifests is None or owner[0] in manifests):
                yield owner, error

    def words(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Every manifest and component that cannot be shown, with the word that stands for it."""
        refuses = self.refuses()
        for owner, error in self.items():
            yield owner, COMPUTED if isinstance(error, NotKnown) and not refuses else FAILED

    def unknown_values(self, manifests: Collection[str] | None = None) -> list[UnknownValue]:
        """The same as values that are not known: the whole of a manifest or of a component."""
        return [UnknownValue((), unknown_of(error), _words(owner)) for owner, error in self.unknown(manifests)]

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is found wrong in here is not part of the answer: nobody asked for it."""
        known = {*self}
        yield
        for owner in self.keys() - known:
            del self[owner]

    def check(self) -> None:
        """Stop here if nothing may be left out, and something was."""
        if self.strict and (problems := self.problems()):
            raise Fault(*problems)


def _words(owner: tuple[str, ...]) -> str:
    return f" of `{owner[-1]}` in `{owner[0]}`" if len(owner) > 1 else f" of the manifest `{owner[0]}`"
