"""Diagnostics: what is wrong, in the open file first, then in everything that the change reaches."""

from __future__ import annotations

from lsprotocol import types
from pygls.uris import from_fs_path

from plait.access.pages import page_file
from plait.apps.lsp.session import Session
from plait.core.diagnostic import Label
from plait.fronts.findings import finding_in
from plait.report.catalog import DENIED, VALUES_UNKNOWN
from plait.version import DOCUMENTATION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pygls.lsp.server import LanguageServer

    from plait.authoring.session import Authoring
    from plait.core.diagnostic import PlaitError
    from plait.fronts.findings import Finding

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
NOT_COMPUTED = (DENIED.code, VALUES_UNKNOWN.code)
"""Codes of values that are not known here, or were not computed because nobody allowed it; an editor does not show them
as errors."""


def look(server: LanguageServer, session: Session, path: str) -> Iterator[None]:
    """Look at a file and then at all that it may have changed, step by step; tell the editor what is found."""
    authoring = session.folder_of(path)
    text = authoring.check_text(path)
    near, rest = authoring.order(path)
    if set(text) != session.text_findings.get(path, set()):
        known = [one for unit in near for one in authoring.known(unit)]
        send(server, session, authoring, by_file([*text, *known], path), only=path)
        yield
    session.text_findings[path] = set(text)
    if not text and near and not any(authoring.is_checked(unit) for unit in near):
        send_near(server, session, authoring, path)
        yield
    open_files = [name for name in session.texts if name != path and session.folder_of(name) is authoring]
    findings = [*text, *authoring.troubles(), *(one for name in open_files for one in authoring.check_text(name))]
    for number, unit in enumerate(near):
        fresh = yield from authoring.check_in_steps(unit)
        findings += fresh
        if is_news(session, path, fresh):
            known = [one for later in near[number + 1 :] for one in authoring.known(later)]
            send(server, session, authoring, by_file([*findings, *known], path), only=path)
        yield
    send(server, session, authoring, by_file(findings, path), only=path)
    session.remember(path)
    for unit in rest:
        findings += yield from authoring.check_in_steps(unit)
        yield
    findings += authoring.disagreements()
    send(server, session, authoring, by_file(findings, path))


LARGE = 50_000
"""In a text with more characters, what is around a change is looked at first."""


def send_near(server: LanguageServer, session: Session, authoring: Authoring, path: str) -> None:
    """Tell the editor what is wrong around the last change of a large file; the rest stays as it was."""
    at = session.edited.get(path)
    if at is None or len(session.texts.get(path, "")) < LARGE:
        return
    found = authoring.check_near(path, session.lines(path).offset(at))
    if found is None:
        return
    findings, span = found
    where = session.range(path, *span)
    first, last = where.start.line, where.end.line
    others = [row for row in session.published.get(path, ()) if not first <= row.range.start.line <= last]
    rows = [converted(session, finding) for finding in by_file(findings, path).get(path, ())]
    publish(server, session, path, [*others, *(row for row in rows if row not in others)])


def is_news(session: Session, path: str, findings: list[Finding]) -> bool:
    """Whether something was found in a file that the editor does not show yet."""
    shown = session.published.get(path, [])
    return any(finding.place == path and converted(session, finding) not in shown for finding in findings)


def report_unopened(server: LanguageServer, session: Session, path: str, error: PlaitError) -> None:
    """Show what is wrong with the settings of a folder in their own file; it goes when the folder can be opened."""
    for name, rows in by_file(map(finding_in, error.diagnostics), path).items():
        shown = session.published[name] = [converted(session, finding) for finding in rows]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(session.uri(name), shown))


def by_file(findings: Iterable[Finding], path: str) -> dict[str, list[Finding]]:
    """Findings by the file that the first of their places is in; those without a place are about the file itself."""
    files: dict[str, list[Finding]] = {}
    for finding in dict.fromkeys(findings):
        files.setdefault(finding.place or path, []).append(finding)
    return files


def send(
    server: LanguageServer,
    session: Session,
    authoring: Authoring,
    files: dict[str, list[Finding]],
    only: str = "",
) -> None:
    """Tell the editor what is new. With `only`, about one file; else about every file of the folder."""
    names = [only] if only else dict.fromkeys([*files, *session.published])
    for name in names:
        if not only and name not in files and not authoring.owns(name):
            continue
        rows = [converted(session, finding) for finding in files.get(name, ())]
        publish(server, session, name, rows, bool(only))


def publish(
    server: LanguageServer, session: Session, name: str, rows: list[types.Diagnostic], always: bool = True
) -> None:
    """Tell the editor what is wrong in a file, where it does not know that; with `always`, also that nothing is."""
    is_known = name not in session.shifted and (name in session.published or not always)
    if is_known and session.published.get(name, []) == rows:
        return
    session.shifted.discard(name)
    session.published[name] = rows
    if not rows and not always:
        session.published.pop(name, None)
    version = session.versions.get(name)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(session.uri(name), rows, version))


def page_of(code: str, site: str = DOCUMENTATION) -> str:
    """The address of a diagnostic's page: on the site, or the page that is installed; empty where there is neither."""
    if site:
        return f"{site}reference/diagnostics/{code}.html"
    file = page_file(f"reference/diagnostics/{code}", "reference/diagnostics")
    return from_fs_path(file) or ""


def converted(session: Session, finding: Finding) -> types.Diagnostic:
    """A finding as the protocol has it."""
    diagnostic = finding.diagnostic
    lines = [diagnostic.message, *diagnostic.notes, *([diagnostic.hint] if diagnostic.hint else [])]
    severity = SEVERITIES.get(diagnostic.severity, types.DiagnosticSeverity.Warning)
    if diagnostic.code in NOT_COMPUTED:
        severity = types.DiagnosticSeverity.Hint
        lines[0] = f"(not computed) {lines[0]}"
    label = finding.places[0][1] if finding.places else None
    return types.Diagnostic(
        range=session.range_of(label.origin, label.length) if label is not None else START,
        message="\n".join(lines),
        severity=severity,
        code=diagnostic.code,
        code_description=types.CodeDescription(page) if (page := page_of(diagnostic.code)) else None,
        source="plait",
        related_information=[_related(session, *place) for place in finding.places[1:]] or None,
    )


START = types.Range(types.Position(0, 0), types.Position(0, 0))


def _related(session: Session, path: str, label: Label) -> types.DiagnosticRelatedInformation:
    where = types.Location(session.uri(path), session.range_of(label.origin, label.length))
    return types.DiagnosticRelatedInformation(where, label.text or "also here")
