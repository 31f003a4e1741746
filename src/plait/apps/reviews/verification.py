"""A verification in the forms that people read: terminal, Markdown, HTML."""

from __future__ import annotations

from collections import Counter

from plait.apps.cli.explain import brief
from plait.apps.reviews.html import as_html, page
from plait.apps.reviews.markdown import as_code
from plait.apps.reviews.rows import count
from plait.core.visible import visible
from plait.report.markdown import running_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.review.verify import Proof, Verification, VerifyRow

SHOWN = 200
"""How many differences of one target Markdown lists."""


def headline(verification: Verification) -> str:
    parts = {status: verification.count(status) for status in dict.fromkeys(v.status for v in verification.verdicts)}
    statuses = ", ".join(f"{n} {status}" for status, n in parts.items())
    reasons = Counter(one.why for one in verification.unknown)
    unknown = [f"{count(number, 'value')} not compared: {why}" for why, number in reasons.items()]
    return "; ".join([f"{count(len(verification.verdicts), 'target')}: {statuses}", *unknown])


def normalised(verdict: Proof) -> list[str]:
    return [f"{name}: {count(number, 'place')} normalised" for name, number in verdict.normalised.items()]


def sides(row: VerifyRow, reveal: bool) -> list[str]:
    return [brief(node, reveal) if node is not None else "(absent)" for node in (row.theirs, row.ours)]


def kind_of(row: VerifyRow) -> str:
    """The class of a difference, in words."""
    found = row.difference
    return {
        "option": f"equal with {found.text}",
        "decision": f"a decision: {found.text} ({found.see})",
    }.get(found.kind, "reason unknown")


def options_text(data: dict[str, object]) -> str:
    import json

    return json.dumps(data["options"], ensure_ascii=False)


def text(verification: Verification, data: dict[str, object], reveal: bool) -> str:
    lines = [headline(verification)]
    for verdict in verification.verdicts:
        if verdict.status != "equal":
            lines += ["", visible(f"{verdict.name}: {verdict.status}")]
            lines += [f"  {visible(line)}" for line in (*normalised(verdict), *verdict.errors)]
            lines += [f"  {visible(str(one))}" for one in verdict.unknown]
            for row in verdict.rows:
                theirs, ours = sides(row, reveal)
                lines.append(
                    f"  {visible(row.path) or '(everything)'}    theirs: {visible(theirs)}    ours: {visible(ours)}"
                )
                lines += [f"      ours from {visible(line)}" for line in row.account]
                lines.append(f"      {visible(kind_of(row))}")
    return "\n".join(lines) + "\n"


def markdown(verification: Verification, data: dict[str, object], reveal: bool) -> str:
    lines = [f"## plait verify: {headline(verification)}", "", "| target | status | digest |", "|---|---|---|"]
    lines += [f"| {as_code(v.name)} | {v.status} | {as_code(v.digest[:16])} |" for v in verification.verdicts]
    for verdict in verification.verdicts:
        if verdict.rows or verdict.normalised or verdict.errors or verdict.unknown:
            lines += ["", f"### {running_text(verdict.name)}", ""]
        lines += [f"- {line}" for line in normalised(verdict)]
        lines += [f"- {as_code(line)}" for line in verdict.errors]
        lines += [f"- {as_code(one.path)} is not compared: {running_text(one.why)}" for one in verdict.unknown]
        if verdict.rows:
            lines += ["", "| value | theirs | ours | ours comes from | class |", "|---|---|---|---|---|"]
            lines += [_row(row, reveal) for row in verdict.rows[:SHOWN]]
        if len(verdict.rows) > SHOWN:
            lines += ["", f"and {count(len(verdict.rows) - SHOWN, 'more difference')}"]
    lines += ["", "<details><summary>Digests, version and options</summary>", ""]
    lines += [f"- plait {running_text(str(data['plait']))}, options {as_code(options_text(data))}"]
    for title, files in (("input", verification.inputs), ("saved output", verification.outputs)):
        lines += [f"- {title} {as_code(name)} {as_code(digest)}" for name, digest in files.items()]
    return "\n".join([*lines, "", "</details>"]) + "\n"


def _row(row: VerifyRow, reveal: bool) -> str:
    theirs, ours = sides(row, reveal)
    account = "<br>".join(as_code(line) for line in row.account)
    cells = (as_code(row.path or "(everything)"), as_code(theirs), as_code(ours), account, running_text(kind_of(row)))
    return f"| {' | '.join(cells)} |"


def html(verification: Verification, data: dict[str, object], reveal: bool) -> str:
    parts = [f"<h1>{as_html(headline(verification))}</h1>", SEARCH]
    for verdict in verification.verdicts:
        rows = "".join(_html_row(row, reveal) for row in verdict.rows)
        notes = "".join(
            f"<p>{as_html(line)}</p>" for line in (*normalised(verdict), *verdict.errors, *map(str, verdict.unknown))
        )
        head = (
            "<thead><tr><th>value</th><th>theirs</th><th>ours</th><th>ours comes from</th><th>class</th></tr></thead>"
        )
        table = f"<table>{head}<tbody>{rows}</tbody></table>" if rows else ""
        opened = " open" if rows else ""
        title = f"<summary><span>{as_html(verdict.status)}</span><b>{as_html(verdict.name)}</b></summary>"
        parts.append(f"<details{opened}>{title}{notes}{table}</details>")
    parts.append(f"<h2>plait {as_html(str(data['plait']))}</h2><p><code>{as_html(options_text(data))}</code></p><ul>")
    for title, files in (("input", verification.inputs), ("saved output", verification.outputs)):
        parts += [f"<li>{title} <code>{as_html(name)} {as_html(digest)}</code></li>" for name, digest in files.items()]
    return page("plait verify", "\n".join([*parts, "</ul>"]))


SEARCH = '<input type="search" placeholder="Search targets, paths, values" aria-label="Search">'


def _html_row(row: VerifyRow, reveal: bool) -> str:
    theirs, ours = sides(row, reveal)
    account = "<br>".join(as_html(line) for line in row.account)
    values = "".join(f"<td><code>{as_html(value)}</code></td>" for value in (row.path or "(everything)", theirs, ours))
    return f"<tr>{values}<td><code>{account}</code></td><td>{as_html(kind_of(row))}</td></tr>"
