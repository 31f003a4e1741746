"""Files with errors or put together: one policy for every command.

A question about one stack is answered if that stack is whole. A listing shows what is whole and reports the rest,
each finding once. Where `strict` is set, any of it stops the question.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


class Broken(dict[tuple[str, ...], Fault]):
    """The errors of manifests by name, and of components by manifest, type and name. The first error of each is
    kept."""

    def __init__(self, strict: bool = False) -> None:
        super().__init__()
        self.strict = strict

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

    def problems(self, manifests: Collection[str] | None = None) -> list[Diagnostic]:
        """Every finding once: of some manifests and their components, or of all."""
        wanted = [error for owner, error in self.items() if manifests is None or owner[0] in manifests]
        return list(dict.fromkeys(diagnostic for error in wanted for diagnostic in error.diagnostics))

    def check(self) -> None:
        """Stop here if nothing may be left out, and something was."""
        if self.strict and self:
            raise Fault(*self.problems())
