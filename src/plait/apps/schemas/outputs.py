"""The schemas of what commands print with `--format json`, by command.

A schema has a version. Within a version keys are only added; a change of meaning makes a new version.
"""

from __future__ import annotations

from plait.apps.schemas.shapes import (
    ANY,
    COUNT,
    FLAG,
    MAPPING,
    TEXT,
    TEXTS,
    WHOLE,
    Schema,
    about,
    either,
    many,
    mapping_of,
    one_of,
    record,
)

NULL: Schema = {"type": "null"}
PLACE = record({"file": TEXT, "line": WHOLE, "column": WHOLE})
ORIGIN = record({"file": TEXT, "line": WHOLE, "column": WHOLE, "kind": TEXT})
DIAGNOSTIC = record(
    {
        "code": {"type": "string", "pattern": "^PL[0-9]{4}$"},
        "severity": one_of("error", "warning"),
        "message": TEXT,
        "places": many(record({"file": TEXT, "line": WHOLE, "column": WHOLE, "text": TEXT})),
        "notes": TEXTS,
        "hint": TEXT,
    }
)
DIAGNOSTICS = record({"diagnostics": many(DIAGNOSTIC)})
UNKNOWN: dict[str, Schema] = {
    "unknown": about(
        many(
            record(
                {"path": TEXT, "file": TEXT, "line": WHOLE, "column": WHOLE, "expression": TEXT, "reason": TEXT},
                {"of": TEXT},
            )
        ),
        "values that are not known here, if there are any: where they are, what would give them, and why not",
    )
}
NOT_CHECKED: dict[str, Schema] = {
    "not_checked": about(TEXTS, "schemas and policies that could not be applied, if there are any, and why not")
}
LINTED = record({"diagnostics": many(DIAGNOSTIC)}, {**UNKNOWN, **NOT_CHECKED})
VALIDATED = record({"diagnostics": many(DIAGNOSTIC)}, NOT_CHECKED)

# Where values come from

READ: Schema = {"$ref": "#/$defs/read"}
CONTRIBUTION: dict[str, Schema] = {"role": TEXT, "origin": ORIGIN, "source": TEXT}
DETAILS: dict[str, Schema] = {"name": TEXT, "imports": TEXTS, "value": ANY, "expression": TEXT, "reads": many(READ)}
HOP: Schema = {"$ref": "#/$defs/hop"}
WAY = about(many(HOP), "what the value came through, from where it is seen to where it is written")
HOPS: Schema = {
    "hop": record(
        {"word": TEXT},
        {"kind": TEXT, "path": TEXT, "origin": ORIGIN, "text": TEXT, "value": ANY, "reads": many(HOP)},
    )
}
DEFINITIONS: Schema = {"read": record({"path": TEXT, **CONTRIBUTION}, DETAILS), **HOPS}
PART = record({"rank": WHOLE, **CONTRIBUTION}, DETAILS)
OVERRIDDEN = record({**CONTRIBUTION, "reason": TEXT}, DETAILS)
LOST = record({**CONTRIBUTION, "reason": TEXT}, {**DETAILS, "by": ORIGIN})
REMOVED_BEFORE = about(many(LOST), "what was gone before the value came, and by what")
LEAF = record(
    {"path": TEXT, "value": ANY, "winner": record(CONTRIBUTION, DETAILS), "overrides": many(OVERRIDDEN)},
    {"how": TEXT, "way": WAY, "removed": REMOVED_BEFORE},
)
PROOF = about(
    record(
        {
            "held": FLAG,
            "tried": about(WHOLE, "how many changes"),
            "named": about(many(ORIGIN), "places that are named: a change there changes the value"),
            "removed": many(record({"winner": ORIGIN, "then": either(ORIGIN, {"type": "null"})})),
            "idle": about(many(ORIGIN), "places that are read or choose a way: no change tried changes the value"),
            "others": about(WHOLE, "values that are not named: no change of them changes the value"),
            "structures": about(WHOLE, "keys, items and files that are not named: adding or removing changes nothing"),
            "broken": about(WHOLE, "values that are not named: the files have an error when one is changed"),
            "naming": about(WHOLE, "values that are not named: they decide the kind or name of the document"),
            "refuted": about(many(record({"origin": ORIGIN, "what": TEXT})), "claims that did not hold"),
            "untried": TEXTS,
        }
    ),
    "with --prove: what was tried, and whether it held",
)
GONE = record(
    {"path": TEXT, "gone": about({"const": True}, "the value is not in the result"), "was": many(LOST)},
    {"removed_by": record(CONTRIBUTION, DETAILS), "proof": PROOF},
)
EXPLAINED = record(
    {"path": TEXT, "decision": TEXT, "parts": many(PART), "leaves": many(LEAF)},
    {
        "value": ANY,
        "removed": about(many(GONE), "what a pattern matches and the result does not have"),
        "proof": PROOF,
        **UNKNOWN,
    },
)
GENERATED = record(
    {
        "resource": TEXT,
        "path": TEXT,
        "pattern": record({"name": TEXT, "version": TEXT}),
        "template": TEXT,
        "inputs": many(record({"name": TEXT, "value": ANY, "from": TEXT, "role": TEXT})),
        "winner": record({"role": TEXT, "name": TEXT, "place": TEXT}),
        "decision": TEXT,
        "owner": TEXT,
        "lastChange": TEXT,
        "row": WHOLE,
        "reason": TEXT,
    },
    {"existing": ANY, "generated": ANY, "base": ANY},
)
EXPLAIN: Schema = {**either(EXPLAINED, GONE, GENERATED), "$defs": DEFINITIONS}

BLAMED = record(
    {
        "path": TEXT,
        "value": ANY,
        "origin": ORIGIN,
        "role": TEXT,
        "overrides": many(record({"origin": ORIGIN, "role": TEXT, "reason": TEXT})),
    },
    {
        "way": WAY,
        "removed": about(
            many(record({"origin": ORIGIN, "role": TEXT, "reason": TEXT, "by": ORIGIN})),
            "what was gone before the value came, and by what",
        ),
    },
)
DROPPED = record({"path": TEXT, "value": ANY, "origin": ORIGIN, "reason": TEXT}, {"by": ORIGIN})
BLAME_KEYS: dict[str, Schema] = {"document": TEXT, "gone": many(DROPPED), **UNKNOWN}
BLAME: Schema = {
    **either(record({"leaves": many(BLAMED)}, BLAME_KEYS), many(record({"leaves": many(BLAMED)}, BLAME_KEYS))),
    "$defs": HOPS,
}

LAYERS = many(
    record(
        {"layer": TEXT, "values": COUNT, "in_result": COUNT, "overridden": COUNT, "removes": COUNT},
        UNKNOWN,
        more=True,
    )
)
WHY_NOT = many(
    record({"path": TEXT, "at": TEXT, "in_result": either(FLAG, NULL), "reason": TEXT, "by": either(TEXT, NULL)})
)

# Differences

NOT_KNOWN = about(
    record({"expression": TEXT, "reason": TEXT}), "the value is not known here: it is compared by its expression"
)
VALUE_CAUSES = many(
    either(
        record({"word": TEXT, "text": TEXT, "origin": ORIGIN}),
        record({"word": TEXT, "path": TEXT, "value": ANY, "origin": ORIGIN}),
    )
)
CHANGE = record(
    {"path": TEXT, "kind": TEXT},
    {
        "name": TEXT,
        "document": either(TEXT, WHOLE),
        "before": ANY,
        "after": ANY,
        "before_at": PLACE,
        "after_at": PLACE,
        "before_unknown": NOT_KNOWN,
        "after_unknown": NOT_KNOWN,
        "before_causes": about(VALUE_CAUSES, "what made the value, besides its own line"),
        "after_causes": VALUE_CAUSES,
    },
)
SIDE = record({"value": ANY, "place": TEXT})
SPIFF_DIFF = many(record({"path": TEXT}, {"a": SIDE, "b": SIDE}))

HUNK: dict[str, Schema] = {
    "file": TEXT,
    "line": WHOLE,
    "old_line": WHOLE,
    "removed": TEXTS,
    "added": TEXTS,
    "summary": TEXT,
    "whole_file": either(TEXT, FLAG, NULL),
}
EFFECT = record({"target": TEXT, "document": TEXT, "path": TEXT, "kind": TEXT}, {"before": ANY, "after": ANY})
CAUSE = record(
    {
        "hunks": many(record(HUNK)),
        "proof": TEXT,
        "protected": TEXTS,
        "targets": TEXTS,
        "values": many(EFFECT),
    }
)
BROKEN = record({"target": TEXT, "document": TEXT, "errors": ANY, "hunks": many(record(HUNK))})
SUMMARY = record(
    {
        "text": TEXT,
        "values": COUNT,
        "targets_changed": COUNT,
        "targets": COUNT,
        "target_kind": TEXT,
        "causes": COUNT,
        "new_errors": COUNT,
        "fixed_errors": COUNT,
        "guarded": FLAG,
        "unknown": many(record({"reason": TEXT, "values": COUNT})),
        "not_compared": COUNT,
    }
)
REVIEW = record(
    {
        "version": {"const": 1},
        "base": TEXT,
        "summary": SUMMARY,
        "causes": many(CAUSE),
        "new_errors": many(BROKEN),
        "fixed_errors": many(BROKEN),
        "no_effect": many(record({**HUNK, "reason": TEXT})),
        "effect_unknown": about(
            many(record({**HUNK, "reason": TEXT})),
            "changed lines that can reach something not known or not compared",
        ),
        "not_compared": many(record({"target": TEXT, "document": TEXT, "reason": TEXT, "error": TEXT})),
        "unknown": about(
            many(record({"target": TEXT, "document": TEXT, "path": TEXT, "expression": TEXT, "reason": TEXT})),
            "values that are not known here, so that they were compared by their expressions",
        ),
        "cancelled": about(many(record(HUNK)), "changed lines that change no value because others undo what they do"),
        "needed": about(
            many(record({**HUNK, "targets": COUNT})),
            "changed lines that change no value, but without which as many targets have errors",
        ),
    }
)
DIFFERENCE = record(
    {"path": TEXT, "theirs": ANY, "ours": ANY, "account": TEXTS, "class": TEXT, "why": TEXT, "see": TEXT}
)
VERDICT = record(
    {
        "name": TEXT,
        "status": TEXT,
        "digest": TEXT,
        "normalised": mapping_of(COUNT),
        "errors": TEXTS,
        "unknown": many(record({"path": TEXT, "expression": TEXT, "reason": TEXT})),
        "differences": many(DIFFERENCE),
    }
)
VERIFY = record(
    {
        "version": {"const": 1},
        "plait": TEXT,
        "options": MAPPING,
        "inputs": mapping_of(TEXT),
        "outputs": mapping_of(TEXT),
        "equal": FLAG,
        "targets": many(VERDICT),
    },
    more=True,
)
TARGETS = many(
    record(
        {"name": TEXT, "kind": TEXT, "files": TEXTS, "from": {"type": ["string", "null"]}},
        {"profile": TEXT, "inline": TEXTS, "ambiguous": TEXT},
    )
)
INIT = record(
    {
        "file": TEXT,
        "written": FLAG,
        "missing": many(record({"name": TEXT, "kind": TEXT, "files": TEXTS})),
        "text": about(TEXT, "what plait.yaml would be"),
    }
)

TIDY = record(
    {
        "targets": about(COUNT, "how many targets there are"),
        "written": about(TEXTS, "the files that were changed"),
        "failing": about(TEXTS, "targets that cannot be read"),
        "proposals": many(
            record(
                {
                    "kind": TEXT,
                    "file": TEXT,
                    "line": WHOLE,
                    "path": TEXT,
                    "value": TEXT,
                    "reason": TEXT,
                    "targets": TEXTS,
                    "proved": FLAG,
                },
                {
                    "why": about(TEXT, "why it is not written"),
                    "details": about(TEXTS, "every place of a change in several places"),
                    "round": about(WHOLE, "2 and up: found when the changes before it are made; its line is that then"),
                },
            )
        ),
    }
)

# Patterns

FIELD = record(
    {"resource": TEXT, "path": TEXT, "kind": TEXT},
    {"existing": ANY, "generated": ANY, "base": ANY, "author": TEXT},
    more=True,
)
PLAN = record(
    {
        "status": TEXT,
        "files": many(record({"path": TEXT, "resources": COUNT}, more=True)),
        "totalResources": COUNT,
        "created": COUNT,
        "updated": COUNT,
        "unchanged": COUNT,
        "deleted": COUNT,
        "removed": COUNT,
        "noLongerGenerated": COUNT,
        "conflicts": COUNT,
        "kept": COUNT,
        "replaced": COUNT,
        "report": many(FIELD),
    },
    {"notes": TEXTS},
)
INSTANCE = record(
    {
        "instance": TEXT,
        "pattern": TEXT,
        "version": TEXT,
        "resources": COUNT,
        "inputs": many(record({"name": TEXT, "value": ANY}, more=True)),
        "set": mapping_of(TEXTS),
        "accepted": mapping_of(TEXTS),
        "preserved": many(FIELD),
    }
)
DRIFT = record({"instance": TEXT, "changes": many(FIELD)})
CREATE = either(PLAN, many(INSTANCE), many(DRIFT), DIAGNOSTICS)
PATTERNS = many(record({"name": TEXT, "version": TEXT, "description": TEXT, "from": TEXT}))
PATTERN = record(
    {
        "name": TEXT,
        "version": TEXT,
        "description": TEXT,
        "author": TEXT,
        "inputs": many(record({"name": TEXT, "type": TEXT, "required": FLAG}, more=True)),
        "files": TEXTS,
        "owned": TEXTS,
        "example": TEXT,
    },
    more=True,
)
TRIED = many(record({"inputs": TEXT, "resources": COUNT, "files": COUNT}, more=True))

# Stacks. What Atmos prints as well has its shape, and may have more.

SCOPE = record({"source_file": TEXT, "values": mapping_of(record({"value": ANY, "line": WHOLE}, more=True))}, more=True)
LOCALS = record(
    {"component": TEXT, "stack": TEXT, "component_type": TEXT, "locals": mapping_of(SCOPE), "merged": MAPPING},
    more=True,
)
ROWS = many(MAPPING)
AFFECTED = either(
    many(record({"component": TEXT, "stack": TEXT, "affected": TEXT, "affected_all": TEXTS}, more=True)), MAPPING
)
SITE = record(
    {
        "file": TEXT,
        "line": either(WHOLE, NULL),
        "layer": TEXT,
        "about": TEXT,
        "path": TEXT,
        "written": FLAG,
        "defines": FLAG,
        "works": FLAG,
        "changes": many(
            record(
                {"stack": TEXT, "component": TEXT, "path": TEXT, "kind": TEXT},
                {"before": ANY, "after": ANY},
            )
        ),
    },
    {"why": TEXT},
)
FUNCTIONS = mapping_of(many(record({"signature": TEXT, "about": TEXT, "example": TEXT}, more=True)))

CACHE = record(
    {"folder": TEXT, "limit": COUNT, "contents": mapping_of(record({"files": COUNT, "bytes": COUNT}))}, more=True
)

CHECK = record(
    {
        "targets": TEXTS,
        "of": COUNT,
        "compared": COUNT,
        "differ": many(record({"way": TEXT, "question": TEXT, "at": TEXT})),
        "unsteady": TEXTS,
    }
)
DOCTOR = either(CHECK, mapping_of(either(TEXT, TEXTS)))

DOCUMENT = about(ANY, "the document itself: any value")
OUTPUTS: dict[str, tuple[str, int, Schema]] = {
    "diagnostics": ("errors and warnings of any command, on standard error", 1, DIAGNOSTICS),
    "merge": ("the merged document", 1, DOCUMENT),
    "explain": ("where a value comes from", 1, EXPLAIN),
    "blame": ("every value with its origin", 1, BLAME),
    "lint": ("what lint finds", 1, LINTED),
    "layers": ("what each layer contributes", 1, LAYERS),
    "why-not": ("why values of a layer are not in the result", 1, WHY_NOT),
    "get": ("the value", 1, DOCUMENT),
    "diff": ("the differences of two files", 1, many(CHANGE)),
    "review": ("what a change does, with its causes", 1, REVIEW),
    "verify": ("the proof of a migration", 1, VERIFY),
    "targets": ("the targets", 1, TARGETS),
    "init": ("the targets that plait.yaml does not have", 1, INIT),
    "tidy": ("changes of files that leave every result as it is", 1, TIDY),
    "doctor": ("what is installed, enforced and recognised; with --check, what was compared", 1, DOCTOR),
    "render": ("the document or the documents of a target; without one, lists of documents by target", 1, DOCUMENT),
    "spiff merge": ("the merged document", 1, DOCUMENT),
    "spiff diff": ("the differences of two manifests", 1, SPIFF_DIFF),
    "expand": ("the expanded document", 1, DOCUMENT),
    "query": ("the answer", 1, DOCUMENT),
    "create": ("what was generated, kept and changed; with --show and --drift, the instances", 1, CREATE),
    "regenerate": ("what was generated, kept and changed", 1, CREATE),
    "patterns list": ("the patterns", 1, PATTERNS),
    "patterns describe": ("a pattern with its inputs", 1, PATTERN),
    "patterns check": ("what sample inputs give", 1, TRIED),
    "explain component": ("where a value of a component comes from", 1, EXPLAIN),
    "blame component": ("every value of a component with its origin", 1, BLAME),
    "describe component": ("the sections of a component", 1, DOCUMENT),
    "describe stacks": ("stacks with their components", 1, DOCUMENT),
    "describe locals": ("the locals of a component, by scope", 1, LOCALS),
    "describe affected": ("the components that a change touches", 1, AFFECTED),
    "describe dependents": ("the components that depend on one", 1, ROWS),
    "describe config": ("the effective atmos.yaml", 1, DOCUMENT),
    "describe workflows": ("the workflows", 1, DOCUMENT),
    "config get": ("a value of the effective atmos.yaml", 1, DOCUMENT),
    "list workflows": ("a row for each workflow", 1, ROWS),
    "list stacks": ("a row for each stack", 1, ROWS),
    "list components": ("a row for each component", 1, ROWS),
    "list instances": ("a row for each component of each stack", 1, ROWS),
    "list vars": ("values by stack", 1, MAPPING),
    "list values": ("values by stack", 1, MAPPING),
    "list settings": ("values by stack", 1, MAPPING),
    "list metadata": ("values by stack, or rows", 1, DOCUMENT),
    "list dependencies": ("a row for each dependency", 1, ROWS),
    "list sources": ("a row for each component with a source", 1, ROWS),
    "list affected": ("a row for each affected component", 1, ROWS),
    "validate stacks": ("what is wrong with manifests", 1, VALIDATED),
    "validate component": ("what is wrong with a component", 1, VALIDATED),
    "validate config": ("what is wrong with atmos.yaml", 1, VALIDATED),
    "validate schema": ("what is wrong with files that have schemas", 1, VALIDATED),
    "stack get": ("the value", 1, DOCUMENT),
    "stack set": ("the places where the value can be written", 1, many(SITE)),
    "stack unset": ("the places where the value can be removed", 1, many(SITE)),
    "explain config": ("where a key of the configuration comes from", 1, EXPLAIN),
    "cache info": ("what is kept between runs", 1, CACHE),
    "functions": ("the functions, by notation", 1, FUNCTIONS),
    "trust": ("trusted folders and what they may do", 1, mapping_of(TEXTS)),
}
