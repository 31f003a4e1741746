"""`--prove` of `plait explain`: the text is changed at one place after the other, and the question is asked again."""

from __future__ import annotations

from plait.apps.cli.namespace import CommandRun, Namespace
from plait.apps.cli.opening import workspace_of
from plait.core.path import Keyed, format_path, split_prefix
from plait.core.visible import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.source import Origin
    from plait.edits.proof import ExplanationProof
    from plait.evaluate.explain import Explanation
    from plait.workspace import Workspace

    Again = Callable[[Namespace, Workspace], Explanation]
    """Asks what a command asks, in a workspace whose files may have changed."""

ACTING = ("exec", "network", "write", "python", "random")
"""What no changed text may do, whatever is allowed and trusted: nobody has seen it."""


def proof_of(args: Namespace, again: Again) -> ExplanationProof:
    """The proof of what a command explains."""
    words = {**vars(args), "deny": [*args.deny, *ACTING], "allow": [], "no_cache": True}
    run = CommandRun(args.run.console)
    workspace = workspace_of(Namespace(words, run))
    from plait.edits.proof import prove

    def ask() -> Explanation:
        made = again(Namespace(words, run), workspace)
        if any(isinstance(step, Keyed) for step in made.path):  # then nothing is said about the item with a number
            name, _ = split_prefix(args.path)
            words["path"] = f"{name}:{format_path(made.path)}" if name else format_path(made.path)
        return made

    return prove(workspace, ask)


def proof_lines(proof: ExplanationProof, path: str) -> list[str]:
    """What was tried, and whether it held."""
    missed = [f"could not be tried: {what}" for what in proof.untried]
    if missed and proof.held:
        lines = [*missed, f"  {counted(proof.tried, 'change')} tried"]
    else:
        lines = [f"{'proved' if proof.held else 'not proved'}: {counted(proof.tried, 'change')} tried"]
    lines += [f"  {origin}: {what}" for origin, what in proof.failures]
    lines += [f"  {line}" for line in missed if not proof.held]
    if proof.named:
        each = "it changes" if len(proof.named) == 1 else "each changes"
        lines.append(f"  {counted(len(proof.named), 'place')} named: {each} {path}")
    lines += [
        f"  without {winner}, {f'{loser} wins' if loser is not None else f'there is no value at {path}'}"
        for winner, loser in proof.removed
    ]
    lines += [f"  {origin}: no change tried here changes {path}" for origin in proof.idle]
    if proof.others:
        lines.append(f"  {counted(proof.others, 'other value')} of the files: no change of {path}")
    if proof.broken:
        lines.append(f"  {counted(proof.broken, 'other value')} cannot be changed alone: the files have an error then")
    if proof.naming:
        decide = "decides" if proof.naming == 1 else "decide"
        lines.append(f"  {counted(proof.naming, 'other value')} {decide} the kind or name of the document")
    if proof.structures:
        lines.append(f"  {counted(proof.structures, 'other change')} of keys, items and files: no change of {path}")
    return lines


def proof_data(proof: ExplanationProof) -> dict[str, object]:
    """The same as data."""
    return {
        "held": proof.held,
        "tried": proof.tried,
        "named": [_place(origin) for origin in proof.named],
        "removed": [{"winner": _place(winner), "then": _place(loser)} for winner, loser in proof.removed],
        "idle": [_place(origin) for origin in proof.idle],
        "others": proof.others,
        "structures": proof.structures,
        "broken": proof.broken,
        "naming": proof.naming,
        "refuted": [{"origin": _place(origin), "what": what} for origin, what in proof.failures],
        "untried": proof.untried,
    }


def _place(origin: Origin | None) -> dict[str, object] | None:
    if origin is None:
        return None
    return {"file": origin.file, "line": origin.line, "column": origin.column, "kind": origin.kind}
