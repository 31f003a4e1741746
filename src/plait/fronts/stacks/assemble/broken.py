"""Files with errors or put together: one policy for every command.

A question about one stack is answered if that stack is whole. A listing shows what is whole and reports the rest,
each finding once. Where `strict` is set, any of it stops the question.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


class Broken(dict[str, Fault]):
    """The errors of manifests by name, and of components as `MANIFEST: COMPONENT`. The first error of each is kept."""

    def __init__(self, strict: bool = False) -> None:
        super().__init__()
        self.strict = strict

    def manifest(self, name: str, error: Fault) -> None:
        self.setdefault(name, error)

    def component(self, manifest: str, name: str, error: Fault) -> None:
        self.setdefault(f"{manifest}: {name}", error)

    def problems(self, manifests: Collection[str] | None = None) -> list[Diagnostic]:
        """Every finding once: of some manifests and their components, or of all."""
        wanted = [
            error
            for owner, error in self.items()
            if manifests is None or owner in manifests or owner.rpartition(": ")[0] in manifests
        ]
        return list(dict.fromkeys(diagnostic for error in wanted for diagnostic in error.diagnostics))

    def check(self) -> None:
        """Stop here if nothing may be left out, and something was."""
        if self.strict and self:
            raise Fault(*self.problems())
