"""Every public call and every attribute of its result, as a program uses them. Nothing here may be `Any`: the type
checker reads this file with `disallow_any_expr` (pyproject.toml)."""

from __future__ import annotations

import plait


def merged(folder: str) -> list[object]:
    document = plait.merge(
        ["base.yaml", ("extra", "a: 1\n"), {"b": [1]}],
        lists=["jobs=key:name"],
        policy=None,
        sets=["a=1"],
        create=True,
        notations=["functions"],
        documents="",
        profile="",
        nulls="keep",
        yaml="1.2",
        allow=["env"],
        deny=["exec"],
        budgets={"steps": 5},
        folder=folder,
        cache=False,
    )
    data = document.to_dict()
    names = list(document)
    lines = [document[name] for name in names]
    return [data, lines, document.value("a"), document.text("json"), document.get_path("a"), document.counters]


def explained(document: plait.Document) -> list[object]:
    answer = document.explain("a")
    facts: list[object] = [answer.path, answer.value, answer.rows(), answer.ways(), repr(answer)]
    for part in answer.parts:
        facts += [part.node.origin, part.expression, part.role.kind, part.path, part.reads]
    for leaf in answer.leaves:
        facts += [leaf.path, leaf.value, leaf.how, leaf.winner.node.origin.line, leaf.winner.result]
        facts += [f"{lost.node.origin}: {why}" for lost, why in leaf.losers]
        for hop in leaf.hops:
            facts += [hop.word, hop.kind, hop.path, hop.origin, hop.text, hop.value, hop.hops]
    return facts


def asked(document: plait.Document) -> list[object]:
    differences = plait.diff(document, "b.yaml", lists=["**=append"])
    findings = plait.lint("a.yaml", select=["PL2301"], ignore=[], templates="", profile="helm", nulls="keep")
    blamed = plait.blame(["a.yaml"], policy="rules.yaml", lists=["a=append"], documents="", yaml="1.1")
    return [
        [(one.kind, one.path, one.before, one.after, one.before_at, one.after_at) for one in differences],
        [(one.code, one.message, one.hint, [str(label.origin) for label in one.labels]) for one in findings],
        [(one.path, one.value, one.file, one.line, one.column, one.overrides) for one in blamed],
        plait.edit("a.yaml", {"a": 1}, unset=["b"], create=True, dry_run=True),
    ]


def repository(folder: str) -> list[object]:
    here = plait.open(folder, allow=[], deny=["exec"])
    target = here.target("prod")
    changes = [*target.set("a", 1, at="narrowest", create=True), *target.unset("a"), *here.review("HEAD")]
    simpler = here.tidy("env", only=["redundant"], write=False)
    return [
        [(one.kind, one.file, one.line, one.path, one.reason, one.targets, one.obstacle) for one in simpler],
        here.targets(), target.name, target.kind, target.files, target.value("a"), target.text(), target.documents(),
        target.explain("a").leaves,
        [(one.target, one.document, one.path, one.kind, one.before, one.after, one.causes) for one in changes],
    ]  # fmt: skip


def of_stacks(folder: str) -> list[object]:
    stacks = plait.stacks(folder, templates=True, functions=True, skip=[], jobs=1)
    web = stacks.component("web", stack="dev")
    return [stacks.stacks(), web["vars"], "".join(stacks.describe()), stacks.locals("web", stack="dev"),
            stacks.imports("a.yaml"), stacks.problems(), stacks.counters]  # fmt: skip


def generated(text: str) -> list[object]:
    again = plait.regenerate(
        text,
        text,
        None,
        sets=[],
        set={"a": 1},
        take=["a"],
        keep=["a"],
        accept=["a"],
        strict=True,
        record="decided.yaml",
        yes=True,
        preserve=[],
        lists=[],
        owned=[],
        overwrite=True,
    )
    merge = plait.merge3(text, text, text)
    conflicts = [(one.path, one.base, one.ours, one.theirs) for one in merge.conflicts]
    made: plait.Created = plait.create("service", {"name": "web"}, "out", patterns=["patterns"], dry_run=True)
    lines: list[plait.ReportLine] = [*again.report, *made.report]
    return [lines, again.text, again.entries, again.lines, again.conflicts, merge.text, conflicts, made]
