"""A verification in the forms that people read: terminal, Markdown, HTML."""

from __future__ import annotations

from collections import Counter

from plait.apps.cli.explanation import brief
from plait.apps.reviews.html import page, part, search, table
from plait.apps.reviews.markdown import as_code
from plait.apps.reviews.rows import count
from plait.apps.web.markup import h
from plait.core.visible import visible
from plait.report.markdown import running_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.markup import Html
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
    files = [("input", *one) for one in verification.inputs.items()]
    files += [("saved output", *one) for one in verification.outputs.items()]
    digests = [h("li", f"{title} ", h("code", f"{name} {digest}")) for title, name, digest in files]
    return page(
        "plait verify",
        h("h1", headline(verification)),
        search("Search targets, paths, values"),
        *(_part(verdict, reveal) for verdict in verification.verdicts),
        h("section", h("h2", f"plait {data['plait']}"), h("p", h("code", options_text(data))), h("ul", *digests),
          class_="panel"),
    )  # fmt: skip


def _part(verdict: Proof, reveal: bool) -> Html:
    notes = [h("p", line) for line in (*normalised(verdict), *verdict.errors, *map(str, verdict.unknown))]
    heads = ("value", "theirs", "ours", "ours comes from", "class")
    rows = table(heads, [_html_row(row, reveal) for row in verdict.rows])
    return part(verdict.name, verdict.status, *notes, rows, unfolded=bool(verdict.rows))


def _html_row(row: VerifyRow, reveal: bool) -> Html:
    theirs, ours = sides(row, reveal)
    account = [[h("br"), line] if at else line for at, line in enumerate(row.account)]
    cells = [h("td", h("code", value)) for value in (row.path or "(everything)", theirs, ours)]
    return h("tr", *cells, h("td", h("code", *account)), h("td", kind_of(row)))
