"""Diagnostics: what is wrong, in the open file first, then in everything that the change reaches."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session
from plait.core.diagnostic import Diagnostic, Label
from plait.report.catalog import DENIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pygls.lsp.server import LanguageServer

    from plait.workspace import Authoring

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
NOT_COMPUTED = (DENIED.code,)
"""Codes of values that were not computed because nobody allowed it: that is no error in an editor."""


def look(server: LanguageServer, session: Session, path: str) -> Iterator[None]:
    """Look at a file and then at all that it may have changed, step by step; tell the editor what is found."""
    authoring = session.folder_of(path)
    text = authoring.check_text(path)
    if text:
        send(server, session, authoring, {path: text}, only=path)
        yield
    near, rest = authoring.order(path)
    open_files = [name for name in session.texts if name != path and session.folder_of(name) is authoring]
    found = [*text, *authoring.broken, *(one for name in open_files for one in authoring.check_text(name))]
    for units, only in ((near, path), (rest, "")):
        for unit in units:
            found += authoring.check(unit)
            yield
        send(server, session, authoring, by_file(authoring, found, path), only)


def by_file(authoring: Authoring, found: Iterable[Diagnostic], path: str) -> dict[str, list[Diagnostic]]:
    """Findings by the file that the first of their places is in; those without a place are about the file itself."""
    files: dict[str, list[Diagnostic]] = {}
    for finding in dict.fromkeys(found):
        where = next((name for label in finding.labels if (name := authoring.path_of(label.origin.source))), path)
        files.setdefault(where, []).append(finding)
    return files


def send(
    server: LanguageServer,
    session: Session,
    authoring: Authoring,
    files: dict[str, list[Diagnostic]],
    only: str = "",
) -> None:
    """Tell the editor what is new. With `only`, about one file; else about every file of the folder."""
    names = [only] if only else dict.fromkeys([*files, *session.published])
    for name in names:
        if not only and name not in files and not authoring.owns(name):
            continue
        rows = [converted(session, authoring, finding) for finding in files.get(name, ())]
        if session.published.get(name, []) == rows and (name in session.published or not only):
            continue
        session.published[name] = rows
        if not rows and not only:
            session.published.pop(name, None)
        version = session.versions.get(name)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(session.uri(name), rows, version))


def converted(session: Session, authoring: Authoring, finding: Diagnostic) -> types.Diagnostic:
    """A finding as the protocol has it."""
    placed = _placed(authoring, finding)
    lines = [finding.message, *finding.notes, *([finding.hint] if finding.hint else [])]
    severity = SEVERITIES.get(finding.severity, types.DiagnosticSeverity.Warning)
    if finding.code in NOT_COMPUTED:
        severity = types.DiagnosticSeverity.Hint
        lines[0] = f"(not computed) {lines[0]}"
    return types.Diagnostic(
        range=session.range_of(placed[0].origin, placed[0].length) if placed else START,
        message="\n".join(lines),
        severity=severity,
        code=finding.code,
        source="plait",
        related_information=[_related(session, authoring, other, finding) for other in placed[1:]] or None,
    )


START = types.Range(types.Position(0, 0), types.Position(0, 0))


def _placed(authoring: Authoring, finding: Diagnostic) -> list[Label]:
    return [label for label in finding.labels if authoring.path_of(label.origin.source)]


def _related(
    session: Session, authoring: Authoring, label: Label, finding: Diagnostic
) -> types.DiagnosticRelatedInformation:
    path = authoring.path_of(label.origin.source)
    where = types.Location(session.uri(path), session.range_of(label.origin, label.length))
    return types.DiagnosticRelatedInformation(where, label.text or "also here")
