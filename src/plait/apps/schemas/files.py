"""The schemas of plait.yaml and pattern.yaml, for editors.

plait checks these files itself, with better messages; a test holds both to the same keys.
"""

from __future__ import annotations

from plait.apps.cli.command import LIMITS
from plait.apps.schemas.shapes import (
    ANY,
    COUNT,
    FLAG,
    TEXT,
    TEXTS,
    Schema,
    about,
    either,
    many,
    mapping_of,
    one_of,
    record,
)
from plait.core.policy import LIST_STRATEGIES, STRATEGIES, strategies_text

LIST_RULE: Schema = {
    "type": "string",
    "pattern": f"^({'|'.join(LIST_STRATEGIES[name].words.replace('NAME', '.+') for name in STRATEGIES)})$",
    "description": strategies_text(),
}
KEYED_RULE = record({"key": either(TEXT, TEXTS)})
LISTS = about(
    mapping_of(either(LIST_RULE, KEYED_RULE)), "how lists are merged, by path: `jobs: key:name`, `**.tags: append`"
)
FILES = either(TEXT, TEXTS)

PROFILES = ("helm", "kubernetes", "compose", "ansible", "ansible-merge", "hydra", "none")

TARGET_FIELDS: dict[str, Schema] = {
    "layers": about(FILES, "files or globs, lowest layer first"),
    "template": about(TEXT, "a spiff template"),
    "document": about(TEXT, "a document with directives"),
    "files": about(FILES, "files with Kubernetes resources, taken as they are"),
    "pattern": about(TEXT, "a pattern that generates the target"),
    "for": about(mapping_of(ANY), "variables, and the globs that their values come from"),
    "stubs": about(FILES, "the stubs of the template"),
    "evaluate": about(FLAG, "also evaluate the expressions of the document"),
    "inputs": about(mapping_of(ANY), "the inputs of the pattern"),
    "chart": about(TEXT, "the folder of a Helm chart"),
    "compose": about(either(TEXT, TEXTS), "the files of a Compose project, lowest first"),
    "profiles": about(either(TEXT, TEXTS), "the profiles of a Compose project that are on; * for all"),
    "interpolate": about(FLAG, "fill the variables of a Compose project"),
    "env-files": about(either(TEXT, TEXTS), "files of variables of a Compose project, instead of .env"),
    "kustomization": about(TEXT, "the folder of a kustomization"),
    "from": about(TEXT, "a manifest of another tool: everything that it declares, or the target `name` of it"),
    "profile": about(one_of(*PROFILES), "merge the layers by the rules of another tool"),
    "values": about(FILES, "the files of values of the chart, lowest first"),
    "release": about(TEXT, "the name of the release; default: the name of the chart"),
    "namespace": about(TEXT, "the namespace of the release; default: default"),
    "kube-version": about(TEXT, "the version of Kubernetes that templates see"),
    "api-versions": about(TEXTS, "more API versions that templates see"),
    "include-crds": about(FLAG, "also the definitions in the folder crds"),
    "skip-tests": about(FLAG, "without hooks that are tests"),
    "no-hooks": about(FLAG, "without hooks"),
    "is-upgrade": about(FLAG, "set .Release.IsUpgrade instead of .Release.IsInstall"),
}
KINDS_OF_TARGETS = ("layers", "template", "document", "files", "pattern", "chart", "kustomization", "compose")
TARGET: Schema = {
    **record({}, {"name": about(TEXT, "its name; may contain the variables of `for`"), **TARGET_FIELDS}),
    "oneOf": [*({"required": ["name", kind]} for kind in KINDS_OF_TARGETS), {"required": ["from"]}],
}

REVIEW = record(
    {},
    {
        "protect": about(
            TEXTS, "values whose changes are marked as protected in a review: `**.password`, `stack=*-prod: vars.cidr`"
        ),
        "widest": about(COUNT, "a cause that changes more values than this is reported first"),
    },
)

SETTINGS: dict[str, Schema] = {
    "notations": about(either(TEXT, TEXTS), "languages inside YAML besides tags: dynaml, gotemplate"),
    "lists": LISTS,
    "kinds": about(one_of("replace", "error"), "what to do when a value overrides one of another kind"),
    "budgets": about(
        record({}, {name: about({"type": "integer", "minimum": 1}, what) for name, what in LIMITS.items()}),
        "limits, below the defaults",
    ),
    "repositories": about(mapping_of(TEXT), "the folders of repositories that includes refer to"),
    "profile": about(
        one_of(*PROFILES),
        "merge by the rules of another tool; none for those of plait, whatever the names of files say",
    ),
    "nulls": about(one_of("keep", "delete", "error", "defaults", "ignore"), "what null in a higher layer does"),
    "yaml": about(
        one_of("1.1", "1.2", 1.1, 1.2, "go-yaml-2", "go-yaml-3", "compose-go", "pyyaml", "omegaconf", "ruamel"),
        "the YAML version of the files, or the program that reads them",
    ),
    "targets": about(many(TARGET), "what is deployed: named sets of layers, templates, documents"),
    "spiff": about(
        record({}, {"dialect": one_of("spiff", "spiff++"), "features": either(TEXT, TEXTS)}),
        "how templates of spiff are read: the dialect, and the features that are on",
    ),
    "review": about(REVIEW, "guards of plait review"),
    "keep": about(TEXTS, "values that plait tidy leaves as they are: `**.replicas`, `target=*-prod: image.tag`"),
}

INPUT_FIELDS: dict[str, Schema] = {
    "type": about(one_of("string", "integer", "number", "boolean", "list", "map"), "default: string"),
    "description": TEXT,
    "example": TEXT,
    "required": FLAG,
    "renamed-from": about(either(TEXT, TEXTS), "the name that the input had before"),
    "default": about(ANY, "the value, or a mapping from environments to values"),
    "enum": many(ANY, 1),
    "pattern": about(TEXT, "a regular expression that the value must match"),
    "minimum": {"type": "number"},
    "maximum": {"type": "number"},
}
PATTERN_NEEDS: dict[str, Schema] = {
    "name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9.-]*$", "description": "the name of its folder"},
    "version": about(either(TEXT, {"type": "number"}), "the version of the pattern"),
}
PATTERN_FIELDS: dict[str, Schema] = {
    "description": TEXT,
    "author": TEXT,
    "environment": about(TEXT, "the input that names the environment; default: env"),
    "instance": about(TEXT, "the input that distinguishes the instances in a folder; default: name"),
    "inputs": about(mapping_of(record({}, INPUT_FIELDS)), "the inputs, by name"),
    "files": about(mapping_of(TEXT), "output files, and the template of each"),
    "owned": about(TEXTS, "fields that only the pattern writes"),
    "lists": LISTS,
    "renamed-from": about(mapping_of(TEXT), "resources that had another name: new name to old"),
}

FILES_OF_PEOPLE: dict[str, tuple[str, Schema]] = {
    "plait": ("plait.yaml: the settings of a project", record({}, SETTINGS)),
    "pattern": ("pattern.yaml: a pattern of plait create", record(PATTERN_NEEDS, PATTERN_FIELDS)),
}
