"""All diagnostics, each declared once: code, message and meaning.

The reference page is generated from this table. Codes: PL1xxx reading and writing files, PL2xxx merging and evaluating,
PL3xxx one front or notation, PL4xxx capabilities, PL5xxx limits, PL9xxx usage.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label, OwnWords
from plait.core.meter import MESSAGES
from plait.core.source import NOT_IN_COMMIT
from plait.report.foreign import path_hint

CATALOG: dict[str, Code] = {}


class Code:
    """A kind of diagnostic. Calling it makes a `Diagnostic`; `error` makes the exception that carries one."""

    __slots__ = ("about", "code", "message", "severity", "usage")

    def __init__(self, code: str, message: str, about: str, severity: str = "error", usage: bool = False) -> None:
        self.code = code
        self.message = message
        self.about = about
        self.severity = severity
        self.usage = usage
        """Whether it counts as wrong usage (exit status 2) when the text came from the command line."""
        CATALOG[code] = self

    def __call__(self, *labels: Label, notes: tuple[str, ...] = (), hint: str = "", **facts: object) -> Diagnostic:
        message = self.message.format(**{name: _fact(value) for name, value in facts.items()})
        template = self.message
        for name, value in facts.items():
            if isinstance(value, OwnWords):
                template = template.replace(f"{{{name}}}", value.replace("{", "{{").replace("}", "}}"))
        made = Diagnostic(self.code, message, labels, notes, hint, self.severity, template)
        if any(label.origin.source.is_withheld for label in labels):
            return made.concealed(NOT_IN_COMMIT)
        secrets = _secrets_of(labels) if labels else None
        return made.masked(secrets) if secrets else made

    def error(self, *labels: Label, notes: tuple[str, ...] = (), hint: str = "", **facts: object) -> Fault:
        return Fault(self(*labels, notes=notes, hint=hint, **facts))


class PathCode(Code):
    """A path that leads nowhere. One in the notation of another tool (`$.a`, `/a/b`) is answered with plait's own, and
    with nothing else: other hints take the text for the name of a key. `asked` is the whole path where the message
    names the part that is missing; it is empty for what is no path of plait."""

    def __call__(self, *labels: Label, notes: tuple[str, ...] = (), hint: str = "", **facts: object) -> Diagnostic:
        asked = path_hint(str(facts.get("asked", facts["path"])))
        return super().__call__(*labels, notes=() if asked else notes, hint=asked or hint, **facts)


def _secrets_of(labels: tuple[Label, ...]) -> set[str]:
    """The secrets of the files that a finding is about: whatever it quotes, it shows none of them. One of three letters
    may be a part of any word."""
    sources = [label.origin.source for label in labels]
    sources += [source.written for source in sources if source.written is not None]
    return {secret for source in sources for secret in source.secrets if len(secret) > 3}


def _fact(value: object) -> object:
    """A name or reason from a file, on one line: it cannot forge another line of the report."""
    return value.replace("\n", "\\n") if isinstance(value, str) and "\n" in value else value


# Reading and writing files
NO_FILE = Code(
    "PL1001",
    "file not found: `{name}`",
    "A file named on the command line, in a setting or in another file does not exist.",
)
IS_FOLDER = Code("PL1002", "`{name}` is a folder", "A file was expected.")
UNREADABLE = Code("PL1003", "cannot read `{name}`: {why}", "The operating system refused to open or read the file.")
NOT_TEXT = Code(
    "PL1004",
    "`{name}` is not a text file: {why}",
    "The bytes are not valid UTF-8 or UTF-16, or contain control characters.",
)
CHANGED = Code(
    "PL1005",
    "`{name}` changed while it was being read",
    "Its size or modification time differs before and after reading.",
)
YAML_SYNTAX = Code("PL1101", "invalid YAML: {why}", "The text does not follow the YAML grammar.")
DUPLICATE_KEY = Code("PL1102", "duplicate key `{key}`", "A mapping may contain each key only once.")
UNKNOWN_ALIAS = Code("PL1103", "unknown anchor `{name}`", "An alias must come after its anchor in the same document.")
CYCLIC_ALIAS = Code("PL1104", "alias `{name}` is inside its own anchor", "A document cannot contain itself.")
BAD_TAGGED = Code("PL1105", "`{text}` is not a valid {what}", "The tag declares a type that does not match the text.")
BAD_KEY = Code(
    "PL1106", "{what} cannot be a key here", "Helm takes texts, numbers and booleans, kustomize and Compose only texts."
)
COMPUTED_KEY = Code(
    "PL1107", "a mapping key cannot be computed", "Function tags and merge tags are not allowed on keys."
)
UNWRITABLE = Code(
    "PL1201", "cannot write `{name}`: {why}", "The operating system refused the write; nothing was changed."
)
NO_TEXT = Code(
    "PL1202", "{code} cannot be encoded", "The text contains an unpaired surrogate, which no encoding can represent."
)
NO_JSON = Code("PL1203", "`{text}` cannot be written as JSON", "JSON has no infinity and no NaN.")
CHANGED_SINCE = Code(
    "PL1204", "`{name}` changed since it was read", "Another process wrote to the file; plait changed nothing."
)
LOCKED = Code(
    "PL1205",
    "`{name}` is locked by another process",
    "Another plait process is writing; this one waited for it up to a time limit.",
)
LINK_OUTSIDE = Code(
    "PL1206", "`{name}` is a symbolic link to a file outside the project", "Links are followed only inside the project."
)
UNFINISHED = Code(
    "PL1207", "an interrupted run left `{name}` half written", "The write can be neither completed nor undone."
)
HARD_LINKS = Code(
    "PL1208",
    "`{name}` has {count} hard links",
    "Replacing it would separate it from its other names; nothing was changed.",
)
OVERWRITTEN = Code(
    "PL1209",
    "`{name}` is overwritten in place: it keeps its links, but an interrupted write can leave it damaged",
    "`--in-place` gives up the atomic replacement of a file with several hard links.",
    "warning",
)
NO_JOURNAL = Code(
    "PL1210",
    "{count} files cannot be written together: {why}",
    "Several files need a journal in the user's own state folder; nothing was changed.",
)
RECOVERED = Code(
    "PL1211",
    "an interrupted write of {count} was finished",
    "A command was interrupted while it wrote. The next command that writes finishes its work.",
    "warning",
)
UNDONE = Code(
    "PL1212",
    "an interrupted write of {count} was undone",
    "A command was interrupted while it wrote, and one of its files was changed since. The others were restored.",
    "warning",
)
JOURNAL_DAMAGED = Code(
    "PL1213",
    "the journal `{name}` is damaged and was discarded",
    "The record of an unfinished write cannot be read. A write may have been interrupted half way.",
    "warning",
)
UNCONFIRMED = Code(
    "PL1214",
    "`{name}` is written, but the system did not confirm that it is on the disk: {why}",
    "The new file is in its place; a crash of the machine may still lose it.",
)

# Editing
IN_ALIAS = Code(
    "PL1301",
    "`{path}` is defined elsewhere: it comes from `&{name}`",
    "The value is written at an anchor, and used here through an alias or `<<`.",
)
EDITS_CLASH = Code("PL1302", "two edits change the same place", "Edits that are made together must not overlap.")
CANNOT_EDIT = Code(
    "PL1303", "this cannot be edited in place", "The edited text would not read back as intended; nothing was changed."
)
ALREADY_THERE = Code("PL1304", "`{path}` already exists", "A new key needs a name that is not in use.")
BAD_VALUE = Code(
    "PL1305", "invalid value `{text}`: {why}", "A value on the command line is YAML, or plain text with --string."
)
NO_SUCH_DOCUMENT = Code("PL1306", "`{name}` has no document {number}", "Documents are numbered from 1.")
NO_REVISION = Code("PL1307", "cannot read `{name}` from git: {why}", "REVISION:FILE names a file of a git revision.")
MOVED_MASK = Code(
    "PL1308",
    "a mask is not a value here",
    "`<sensitive>` stands for a secret only in the place where plait printed it.",
)

# Merging
KINDS_DIFFER = Code(
    "PL2001",
    "type conflict{at}: {high} over {low}",
    "`kinds: error` forbids overriding a value with one of another kind.",
)
KEY_MISSING = Code(
    "PL2002",
    "list item{at} has no `{key}`, the key this list is merged by",
    "Every item of a list that is merged by key needs the key.",
)
KEY_TWICE = Code(
    "PL2003",
    "two list items{at} have the same key `{key}`",
    "In a list that is merged by key, each key may appear only once.",
)
BAD_MARK = Code("PL2004", "`{tag}` {why}", "A merge tag is on a value it cannot apply to.")
SEVERAL_DOCUMENTS = Code(
    "PL2005",
    "`{name}` contains {count} documents",
    "Kubernetes resources are paired by name; for other documents, `--documents` chooses how they are paired.",
)
NULL_OVER = Code("PL2006", "null over a {kind}{at}", "`nulls: error` forbids null in a layer that overrides another.")
BAD_LAYER = Code("PL2007", "{why}", "Layers must be mappings or lists, all of the same kind.")
SOPS_FAILED = Code("PL2008", "sops cannot decrypt `{name}`: {why}", "The `sops` command ended with an error.")
SOPS_TWICE = Code(
    "PL2009",
    "values encrypted in two different SOPS files cannot be written to one file",
    "The keys of one encrypted file do not open the values of another.",
)
NOT_FOLLOWED = Code(
    "PL2010",
    "the profile `{profile}` does not follow `{key}`",
    "The tool acts on this key when it loads a file; plait leaves it in the result as it is written.",
    "warning",
)

PATCH_DIRECTIVE = Code(
    "PL2011",
    "{why}",
    "A directive of a strategic merge patch (`$patch`, `$retainKeys`, `$setElementOrder`, `$deleteFromPrimitiveList`) "
    "is not one that Kubernetes can follow.",
)

# Evaluating
NOT_FOUND = Code("PL2101", "`{name}` is not defined", "A reference names a value that does not exist.")
THROUGH_SCALAR = Code(
    "PL2102", "cannot look up `{name}`: `{stop}` is a {kind}", "Only mappings and lists have children."
)
CYCLE = Code(
    "PL2104",
    "circular reference",
    "A value depends on itself or contains itself, over references, templates, includes, "
    "directives, names of stacks or bases of components.",
)
BAD_ARGUMENT = Code("PL2106", "`{tag}` {why}", "A function has an invalid argument.")
UNKNOWN_TAG = Code("PL2107", "unknown tag `{tag}`; did you mean `{near}`?", "The tag is close to one that plait knows.")
COMMAND_FAILED = Code("PL2108", "the command failed: {why}", "A command could not be run or ended with an error.")
NO_VARIABLE = Code(
    "PL2109",
    "environment variable `{name}` is not set",
    "`!env` names a variable that is not set, and there is no default.",
)
ODD_NAME = Code(
    "PL2113",
    "the name `{name}` cannot be part of a command",
    "Names of targets and files come from the repository and must not be read as options or shell words.",
)

# What a merge drops silently
LIST_LOST = Code(
    "PL2301", "a list of {low} is replaced by a list of {high}", "Items of the lower layer are dropped.", "warning"
)
MAP_LOST = Code("PL2302", "a {kind} of {low} is replaced by a {high}", "Everything below it is dropped.", "warning")
NO_CHANGE = Code("PL2303", "this override changes nothing", "The lower layer already has the same value.", "warning")
NEVER_USED = Code("PL2304", "this value is never used", "A higher layer always overrides it.", "warning")
LOST_ERROR = Code(
    "PL2305",
    "an overridden value has an error: {why}",
    "A lower layer has an error that does not show, because a higher layer overrides the value.",
    "warning",
)
MISSPELT = Code("PL2306", "`{name}` overrides nothing", "It looks like a typo of a key in a lower layer.", "warning")
UNUSED_RULE = Code(
    "PL2307",
    "no layer has a list at `{name}`",
    "A list rule of plait.yaml or of a policy file matches no list.",
    "warning",
)
UNREAD = Code(
    "PL2308", "no template uses `{name}`", "None of the templates reads this value, so it has no effect.", "warning"
)
DUPLICATE_ITEM = Code(
    "PL2309", "duplicate item in the list `{name}`", "The list contains the same item twice.", "warning"
)
CLEAR_SECRET = Code(
    "PL2310",
    "`{name}` looks like a secret in clear text",
    "The name or the form of the value suggests a secret that is not encrypted.",
    "warning",
)
OLD_INPUT = Code(
    "PL2311",
    "`{text}` is {new} in YAML 1.2 and {old} in YAML 1.1",
    "YAML 1.1 and YAML 1.2 read this scalar differently, and other tools may use YAML 1.1.",
    "warning",
)
OLD_OUTPUT = Code(
    "PL2312",
    "the result has `{text}` at `{name}`: {new} in YAML 1.2, {old} in YAML 1.1",
    "A reader of YAML 1.1 reads the result differently.",
    "warning",
)
ODD_TEXT = Code(
    "PL2313", "`{name}` is a string; is a space missing after `:`?", "YAML needs a space after the colon.", "warning"
)
UNUSED_IGNORE = Code(
    "PL2314", "this comment silences nothing", "`# plait: ignore` is on a line without a finding.", "warning"
)
OTHER_TYPE = Code(
    "PL2315",
    "{low} is replaced by {high}",
    "A program that reads the result may expect the type that the lower layer has.",
    "warning",
)
MISSING_COLON = Code(
    "PL2316",
    "`{name}` is the string `{text}`; is a colon missing?",
    "YAML needs `: ` between a key and its value.",
    "warning",
)
UNKNOWN_TO_TOOL = Code(
    "PL2317",
    "{tool} does not know {what}",
    "The tool of the profile reads the same files, and does not do what plait does here.",
    "warning",
)
NOT_EVALUATED = Code(
    "PL2318",
    "`{name}` is the string `{text}`: nothing evaluates it",
    "Layers have no dynaml unless asked for.",
    "warning",
)
RESOURCE_REFUSED = Code("PL2319", "{why}", "The JSON Schema of a resource's kind, from `--schemas FOLDER`, refuses it.")
NO_RESOURCE_SCHEMA = Code(
    "PL2320",
    "`{kind}` of `{api}` was not checked: `{folder}` has no schema for it",
    "`--schemas FOLDER` checks the kinds for which the folder has a file. The exit status is 5: not all was checked.",
    "warning",
)

# Stacks
UNDEFINED_LOCAL = Code(
    "PL3201", 'undefined local "{name}" referenced in {file}', "Locals are visible only in their own file."
)
LOCAL_CYCLE = Code("PL3202", "circular dependency in locals at {file}", "A local depends on itself.")
BAD_LOCALS = Code("PL3203", "{why}", "`locals` must be a mapping whose keys are identifiers.")
LOCAL_FAILED = Code(
    "PL3204", 'failed to resolve local "{name}" in {file}: {why}', "The template or function of a local failed."
)
LOCAL_IN_IMPORT = Code("PL3205", "locals cannot be used in an import path", "Imports are resolved before locals.")
NO_CONFIG = Code("PL3206", "atmos.yaml not found", "Commands for stacks need the Atmos configuration file.")
BAD_CONFIG = Code(
    "PL3207", "{why}", "A key of atmos.yaml, or the flag or variable that overrides it, has an invalid value."
)
BAD_MANIFEST = Code("PL3208", "invalid stack manifest: {why}", "A manifest must be a mapping of sections.")
BAD_IMPORT = Code("PL3209", "{why}", "An import is a path, or a mapping with a `path`.")
NO_IMPORT = Code("PL3210", "stack import not found: import '{path}' in file '{file}'", "No file matches the import.")
IMPORTS_ITSELF = Code(
    "PL3211",
    "stack manifest imports itself: {file}",
    "A manifest cannot import itself, directly or through other files.",
)
UNSUPPORTED_TAG = Code(
    "PL3212", "unsupported YAML tag: '{tag}' found in file '{file}'", "Manifests accept a fixed set of tags."
)
BAD_STRATEGY = Code(
    "PL3213",
    "invalid list merge strategy: '{name}'. Supported list merge strategies are: replace, append, merge",
    "`list_merge_strategy` takes one of three values.",
)
NO_BASE = Code(
    "PL3215",
    "the component '{component}' in the stack manifest '{manifest}' inherits from '{base}' (using "
    "'metadata.inherits'), but "
    "'{base}' is not defined in any of the config files for the stack '{manifest}'",
    "A base component must be defined in the manifest or in what it imports.",
)
BAD_METADATA = Code(
    "PL3217",
    "metadata field is not allowed at global (stack-wide) scope: {name}",
    "Most fields of `metadata` belong to a component.",
)
BAD_BACKEND = Code("PL3218", "{why}", "`backend_type` names one of the keys under `backend`.")
NO_STACK = Code("PL3219", "stack not found: {name}", "No manifest makes a stack of this name.")
INVALID_STACK = Code(
    "PL3220",
    "invalid stack: stack `{name}` not found",
    "A stack with an explicit name cannot be looked up by its file name.",
)
NO_COMPONENT = Code(
    "PL3221",
    "{why}. Could not find the component `{component}` in the stack `{stack}`. Check that all the context "
    "variables are correctly "
    "defined in the stack manifests. Are the component and stack names correct? Did you forget an import?",
    "The stack has no component of this name.",
)
TWICE = Code(
    "PL3222",
    "duplicate component configuration: Found duplicate config for the component '{component}' in the stack '{stack}'",
    "Manifests of the same stack may repeat a component only if both definitions are equal.",
)
BAD_FUNCTION = Code("PL3223", "invalid Atmos YAML function: {text}: {why}", "A function has invalid arguments.")
NO_INCLUDE = Code("PL3228", "could not find local file `{path}`", "`!include` names a file that does not exist.")
STACK_QUERY = Code(
    "PL3229", "invalid query `{text}`: {why}", "A yq expression cannot be parsed or does not fit the data."
)
STACK_REQUIRED = Code("PL3230", "{why}", "A question about a component needs the name of a stack.")
NO_LOCALS = Code("PL3231", "stack has no locals defined: {name}", "The manifest has no `locals`.")
SCHEMA = Code("PL3232", "{path}: {why}", "A manifest does not follow its schema.")
OTHER_SECTION = Code(
    "PL3244",
    "{path}: not a section of the manifest schema of {date}",
    "A component, or the section of a type, has a key that the published schema of Atmos does not have. It is merged, "
    "inherited and printed like any other section. For types that the schema does not leave open, it is an error "
    "of `validate stacks`.",
    "warning",
)
OTHER_COMPONENT_TYPE = Code(
    "PL3245",
    "{path}: not a type of components that Atmos documents",
    "The components of this type are read like all others. A type of your own is not reported if `components` in "
    "atmos.yaml names it.",
    "warning",
)
UNREAD_KEY = Code(
    "PL3246",
    "`{key}` at the root of a manifest: nothing reads it",
    "The root of a manifest has a key that is neither a section nor a type of components.",
    "warning",
)
DEPRECATED = Code(
    "PL3233", "{path}: {why}", "A deprecated key: it still works, but a newer one replaces it.", "warning"
)
WITHOUT_VALUE = Code(
    "PL3282",
    "{path}: has no value",
    "A section without a value counts as absent here. Atmos drops what imports before it say, and ends with an error "
    "where no higher file has the section.",
    "warning",
)
STACK_TEMPLATE = Code("PL3234", "{why}", "A template cannot be parsed or fails.")
VALUES_UNKNOWN = Code(
    "PL3236",
    "{count} not known: {why}",
    "The values may not or cannot be computed here, or do not exist yet. They are shown as `(computed)`. "
    "`--error-mode strict` makes them errors.",
    "warning",
)
KEYS_COLLIDE = Code(
    "PL3237", "distinct map keys collide after normalization: `{key}`", "Two different keys become the same text."
)
UNKNOWN_COMPONENT = Code(
    "PL3240", "component not defined in any config files: {name}", "No stack has a component of this name."
)
NO_STACKS = Code(
    "PL3242", "no stacks found in `{folder}`", "No manifest that the configuration includes has components."
)
NO_SCHEMA_CHECK = Code(
    "PL3241",
    "the schema was not checked: {how}",
    "The package that checks schemas is not installed; everything else was checked, and the exit status is 5.",
    "warning",
)
COMPUTED_VALUE = Code(
    "PL3250", "`{path}` is computed by `{expression}`", "A value computed by a template or a function cannot be set."
)
NOT_WRITTEN = Code("PL3251", "`{section}` is not written in a manifest", "plait computes it from other values.")
NO_PLACE = Code(
    "PL3252",
    "`{at}` is not a place where `{path}` can be set",
    "`--at` must name a place where the value can be written.",
)
NO_PLACE_WORKS = Code(
    "PL3281",
    "`{path}` cannot be changed at any of its places",
    "A value is to be changed, and at none of the places where it is written would that change the result so.",
)
AMBIGUOUS_PLACE = Code("PL3253", "`{at}` matches {count} places", "`--at` must name one place.")
NO_EFFECT = Code(
    "PL3254",
    "writing at {where} would not set `{path}`: {why}",
    "Another layer overrides the value or merges with it, so the result would be different.",
)
EDIT_BREAKS = Code(
    "PL3255", "writing at {where} would break {count}", "The edit would cause errors in components that have none now."
)
OTHER_CHANGES = Code(
    "PL3256",
    "writing `{name}` would change other values than announced",
    "plait computes the result again before it writes. It differs from what was shown; nothing was written.",
)
REACHES_OTHERS = Code(
    "PL3259",
    "writing at {where} would also change {count}",
    "`--only-here` allows a write only where no other target changes.",
)
SEVERAL_VALUES = Code(
    "PL3263",
    "`{path}` is made of several values: {values}",
    "Each of these values would change the field, and plait does not guess which one is meant.",
)
FOREIGN_FUNCTION = Code(
    "PL3257",
    "`{text}` needs another tool",
    "Only Atmos knows a running emulator (`!emulator`), and evaluates `!cel`. The values are shown as `(computed)`.",
)
NOT_READ_KEY = Code(
    "PL3276",
    "{path}: nothing reads it here",
    "A component has a key whose value plait computes, or one that is read at another place of a manifest.",
    "warning",
)
UNUSED_LOCAL = Code(
    "PL3280",
    "nothing in this file reads the local `{name}`",
    "Locals are for the file that defines them; where nothing there reads one, its value is lost.",
    "warning",
)
LEFT_AS_TEXT = Code(
    "PL3275",
    "`{text}` stays as text: the function works in atmos.yaml only",
    "Atmos evaluates `!random` and `!cwd` only in its configuration. In a manifest their text is the value.",
    "warning",
)
NOT_LOCKED = Code(
    "PL3274",
    "the version of `{name}` is not locked in the track of this stack",
    "`!version NAME` reads the lock file (`versions.lock.yaml`). The value is `(computed)` until the name is in it.",
)
MASKED_SECRETS = Code(
    "PL3258",
    "secrets that were not looked up are shown as <MASKED>: {count}",
    "Secrets are looked up only if the network is allowed.",
    "warning",
)
OTHER_SCHEMA = Code(
    "PL3260",
    "manifests were not checked against `{name}`: {why}; the schema that comes with plait was used",
    "A schema for manifests must be a file of the repository. The exit status is 5: not all was checked.",
    "warning",
)
NO_SCHEMA_FILE = Code("PL3261", "schema not found: `{name}`", "A schema must be a file of the repository.")
NOT_CHECKED = Code(
    "PL3262",
    "`{name}` is not checked: {what}",
    "`opa` evaluates policies in Rego, if commands are allowed. CUE is not supported. The exit status is 5.",
    "warning",
)
UNUSED_BACKEND = Code(
    "PL3279",
    "no component uses `{path}`: {why}",
    "A component has one backend, and its type chooses which. The others are in no result.",
    "warning",
)
POLICY = Code("PL3277", "{message}", "A policy in Rego has an error for a component.")
BAD_POLICY = Code(
    "PL3278",
    "the policy cannot be evaluated: {why}",
    "The program `opa` found a mistake in a policy, or took too long.",
)
NO_COMPONENT_PATH = Code(
    "PL3243",
    "{why}",
    "A path stands for the component whose code is in that folder; this one does not lead to exactly one.",
)
UNDECLARED_VARIABLE = Code(
    "PL3270",
    "`vars.{name}` of `{component}` in `{stack}`: its code declares no such variable",
    "A component sets a variable that its Terraform code does not have: Terraform ignores the value. Variables that "
    "are set for all components are not reported.",
    "warning",
)
UNSET_VARIABLE = Code(
    "PL3271",
    "the variable `{name}` of `{component}` in `{stack}` has no default and is set nowhere",
    "Terraform asks for the value, or fails.",
    "warning",
)
VARIABLE_TYPE = Code(
    "PL3272",
    "`vars.{name}` of `{component}` in `{stack}`: {why}",
    "A value cannot be converted to the type of the variable in the Terraform code.",
    "warning",
)
NO_OUTPUT = Code(
    "PL3273",
    "the code of `{component}` has no output `{name}`",
    "`!terraform.state` or `!terraform.output` reads an output that the Terraform code of the component does not have.",
    "warning",
)
HCL_SYNTAX = Code("PL3238", "unsupported HCL: {why}", "Only attributes with literal values are supported.")
# Directives
BAD_DIRECTIVE = Code("PL3301", "invalid directive `{key}`: {why}", "A key that begins with `+` cannot be parsed.")
LEADS_NOWHERE = Code("PL3302", "`{key}` refers to nothing", "A directive refers to something that does not exist.")
NO_MAP = Code(
    "PL3303",
    "`{key}` gives a {kind}, which cannot be merged with a mapping",
    "A directive that has other keys beside it must give a mapping.",
)
BAD_INCLUDE = Code("PL3304", "invalid include: {why}", "`+include` takes a file, or {file: NAME, ...}.")
INCLUDE_FAILED = Code(
    "PL3305",
    "cannot include `{name}`: {why}",
    "The file is missing, unreadable, not YAML, or does not have the part that was named.",
)
MERGE_FORBIDDEN = Code(
    "PL3307", "merging is forbidden{at}", "The mapping has `+%: error`, which forbids merging with it."
)
NOT_A_MAP = Code("PL3308", "`{name}` is {what}", "A document with directives must be a mapping.")
READS_AS_DIRECTIVE = Code(
    "PL3309", "the new key `{key}` would be read as a directive", "An edit cannot write this key as data."
)
NOT_RESTORED = Code(
    "PL3310", "cannot write this edit into `{name}`: {why}", "There is no text that expands to the edited document."
)
READ_DIFFERENTLY = Code(
    "PL3311",
    "Unfurl reads `{path}` differently in the saved document",
    "Unfurl appends to lists that come from a directive; plait replaces them.",
    "warning",
)
NOT_COMPATIBLE = Code(
    "PL3312",
    "this edit has no form that Unfurl reads the same way: `{path}`",
    "`--compatible unfurl` writes only what both read alike.",
)

# Queries
BAD_QUERY = Code("PL3401", "invalid expression `{text}`: {why}", "A path expression cannot be parsed.")
UNKNOWN_SPECIAL = Code("PL3402", "unknown special key `{key}`", "Keys that begin with a dot have fixed names.")
UNKNOWN_FUNCTION = Code("PL3403", "unknown function {name}", "A mapping in place of an expression is a function call.")
BAD_CALL = Code("PL3404", "`{name}` {why}", "A function has an invalid argument.")
NO_RESULT = Code("PL3405", "`{text}` has no result", "An expression marked `strict` must have a result.")
BAD_TEMPLATE = Code("PL3406", "template error: {why}", "Jinja2 rejected the template, or a value that it uses.")
MISPLACED = Code(
    "PL3407",
    "`{word}` does not belong inside the function",
    "A key that belongs next to `eval` is inside the function call.",
)
UNSAFE = Code("PL3408", "`{name}` is not allowed in safe mode", "Safe mode allows only what is in the document.")
NO_INPUT = Code("PL3409", "input `{name}` is not defined", "`get_input` reads the mapping `inputs` at the root.")
QUERY_EXTRA = Code("PL3410", "{what} needs {package}", "An optional package is not installed.")
NO_PROVIDER = Code("PL3411", "no provider for `{name}`", "`secret`, `local` and `external` need a provider.")
QUERY_TOO_DEEP = Code(
    "PL3412",
    "expressions are nested deeper than {limit} levels",
    "Expressions contain or call each other more deeply than the limit allows.",
)
BAD_VAULT = Code(
    "PL3413", "cannot decrypt this value: {why}", "A value that Ansible Vault encrypted cannot be decrypted."
)

# dynaml and spiff; the messages are the ones that spiff's users know
UNPARSEABLE = Code(
    "PL3101", "unparseable expression", "The text between `((` and `))` is not a valid dynaml expression."
)
NO_REFERENCE = Code("PL3102", "'{path}' not found", "A reference names a value that does not exist.")
NOT_IN_STUBS = Code("PL3103", "'{path}' not found in any stub", "`merge` found nothing at its path.")
WRONG_OPERAND = Code("PL3104", "{issue}", "An operator has operands that it does not support.")
DIVIDED_BY_ZERO = Code("PL3105", "division by zero", "`/` or `%` with 0 on its right.")
OVERFLOW = Code("PL3106", "{issue}", "A number does not fit in 64 bits, or an address is out of range.")
WRONG_ARGUMENT = Code("PL3107", "{issue}", "A function has an invalid argument.")
NO_FUNCTION = Code("PL3108", "unknown function '{name}'", "There is no function or lambda of that name.")
EXECUTION = Code("PL3109", "execution '{command}' failed", "A command could not be started, failed, or took too long.")
NO_AUTO = Code("PL3110", "{issue}", "`auto` supports only the size of resource pools.")
NO_STATIC = Code("PL3111", "{issue}", "`static_ips` cannot find or use the static ranges of its network.")
NO_STUBS = Code(
    "PL3112",
    "there are no stubs to merge with here",
    "`merge` belongs to `plait spiff merge`; layers merge by themselves.",
)
NESTED_CALLS = Code(
    "PL3113",
    "expressions nest deeper than {limit} calls",
    "Lambdas call themselves or each other more deeply than the limit allows.",
)
TEXT_LOOP = Code(
    "PL3114",
    "this expression never stops producing expressions",
    "The result of an expression is another expression, without end.",
)
UNDEFINED_VALUE = Code("PL3115", "'{piece}' is undefined", "A value that is `~~` is used where a value is required.")
NOT_HERE = Code(
    "PL3116", "plait does not have the function '{name}'", "The function exists in spiff++, but not in plait."
)
BAD_TAG = Code("PL3117", "{issue}", "A tag is not defined, is defined twice, or stands for several values.")
BAD_CONTROL = Code("PL3118", "{issue}", "A control key (`<<if`, `<<for`, ...) is used in the wrong way.")
RAISED = Code("PL3119", "{issue}", "The template itself reports an error: by `error`, `require` or `validate`.")
BAD_INSERT = Code("PL3120", "{issue}", "`<<` or a mark cannot be used like this.")
TEXT_KEYS = Code(
    "PL3121", "map key must be a string", "Keys of templates and stubs must be strings; put numbers in quotes."
)
NO_DOCUMENT = Code("PL3122", "`{name}` is empty", "A template or stub must contain a document.")
MORE_DOCUMENTS = Code(
    "PL3123", "only the first of {count} documents is used", "spiff reads only the first document of a stub.", "warning"
)
REPEATED_KEY = Code(
    "PL3124",
    "duplicate key `{key}`; the last value is used",
    "Released spiff accepts duplicate keys in templates and stubs; `--strict` makes them errors.",
    "warning",
)
UNUSED_CONTROL = Code(
    "PL3125",
    "`{key}` is an ordinary key here, and stays in the result",
    "The template has a control key of spiff++, and the feature `control` is not switched on.",
    "warning",
)
NOT_COMPUTED = Code(
    "PL3126",
    "the expression in this text is not computed",
    "spiff computes a value that is one expression as a whole; one inside of a text, or before a line break, stays.",
    "warning",
)
UNUSED_STUB = Code(
    "PL3127",
    "no node takes `{path}` from this stub",
    "A value of a stub is in no result: the template has no such node, and no expression asks for it.",
    "warning",
)

# Go templates
TEMPLATE_SYNTAX = Code("PL3501", "{why}", "The text is not a valid Go template, or names an unknown function.")
TEMPLATE_FAILED = Code("PL3502", "{why}", "A Go template is valid, but fails for this data.")
TEMPLATE_BUDGET = Code("PL3503", "{why}", "A Go template exceeds the limit on steps, depth or output.")
TEMPLATE_CYCLE = Code("PL3505", "{why}", "A Go template prints or copies a map or list that contains itself.")
TEMPLATE_DENIED = Code("PL3504", "{why}", "A Go template uses a capability that is not allowed.")

# Charts and kustomizations
BAD_CHART = Code(
    "PL3751",
    "`{name}` is not a chart: {why}",
    "A folder that is used as a Helm chart lacks what every chart has, or is a library for other charts.",
)
NO_SUBCHART = Code(
    "PL3752",
    "chart `{name}` {version} is not in `{folder}`",
    "Chart.yaml names a dependency that is not in the folder `charts`. plait downloads nothing.",
)
CHART_VALUES = Code("PL3753", "{why}", "The values of a chart do not fit: its schema, or a subchart, refuses them.")
CHART_UNSET = Code(
    "PL3755",
    "this renders as nothing: no values file sets what it reads",
    "A template prints a value that is not set anywhere, and helm writes an empty text for it.",
    "warning",
)
CHART_MANIFEST = Code(
    "PL3754",
    "`{name}` renders to invalid YAML: {why}",
    "A template of a chart was rendered, and the text that it wrote is not YAML.",
)
NOT_FILLED = Code(
    "PL3756",
    "what this template gives is not known",
    "A helmfile or an ApplicationSet fills a value from something that is not in the repository: an environment, "
    "a cluster, another template.",
)
KUSTOMIZE_FILE = Code(
    "PL3801", "`{name}` is not a kustomization: {why}", "A folder or a file is used as kustomize would not use it."
)
KUSTOMIZE_FIELD = Code("PL3802", "{why}", "A field of a kustomization is unknown, incomplete, or has the wrong form.")
KUSTOMIZE_PATCH = Code("PL3803", "{why}", "A patch cannot be applied.")
KUSTOMIZE_NO_MATCH = Code(
    "PL3804", "{why}", "A kustomization names a resource or a field that is not there, and kustomize refuses to build."
)
KUSTOMIZE_CONFLICT = Code("PL3805", "{why}", "Two resources of a kustomization have the same name, or may be meant.")
KUSTOMIZE_REMOTE = Code(
    "PL3806",
    "what `{name}` gives is not known here: {why}",
    "plait downloads no bases and runs no plugins: what they would give is not known.",
)
KUSTOMIZE_NOTHING = Code(
    "PL3807",
    "{what} matches nothing",
    "Something in a kustomization has no effect: no resource is meant by it.",
    "warning",
)
KUSTOMIZE_OUTSIDE = Code(
    "PL3808",
    "`{name}` is outside the folder of its kustomization",
    "Such a file is refused by kustomize unless it is run with `--load-restrictor LoadRestrictionsNone`.",
    "warning",
)
KUSTOMIZE_OLD = Code(
    "PL3809", "`{name}` is deprecated", "Newer versions of kustomize have another field for it.", "warning"
)
KUSTOMIZE_UNPINNED = Code(
    "PL3810",
    "`{name}` has no version",
    "A remote base without a version changes what is deployed without a change in this repository.",
    "warning",
)
KUSTOMIZE_ADDED = Code(
    "PL3811",
    "`{name}` is not there, so this adds it",
    "Where a field that a JSON patch replaces is not there, kustomize adds it; other tools refuse such a patch.",
    "warning",
)
KUSTOMIZE_IGNORED = Code(
    "PL3812",
    "this patch has no effect: kustomize ignores `$patch: replace` of a whole resource",
    "A patch replaces parts of a resource, never all of it: kustomize leaves the resource as it is.",
    "warning",
)
KUSTOMIZE_MORE = Code(
    "PL3813",
    "{why}",
    "A line changes more than it says, or something else. plait does here what kustomize does.",
    "warning",
)
NOT_APPLIED = Code(
    "PL3814",
    "`{name}` is not applied",
    "A field of an object of Flux or Argo CD changes what its folder gives, and plait does not apply it.",
    "warning",
)
COMPOSE = Code("PL3901", "{why}", "A Compose project cannot be put together from its files.")
COMMAND_CUT = Code(
    "PL3902",
    "the command ends before `{rest}`: Compose starts no shell",
    "Outside of quotes, `;`, `&`, `|`, `<` and `>` end a command that is one text; Compose drops the rest.",
    "warning",
)

# Patterns: generating again
NO_PATTERN = Code("PL3601", "pattern not found: `{name}`", "No searched folder has a pattern of this name.")
BAD_PATTERN = Code("PL3602", "{why}", "A pattern.yaml is invalid.")
NOT_GENERATED = Code("PL3603", "{why}", "The templates of a pattern do not produce resources.")
INPUT_MISSING = Code("PL3611", "input `{name}` is missing", "A required input was not given.")
INPUT_INVALID = Code("PL3612", 'Invalid {name} "{value}"', "The value of an input does not match its declaration.")
INPUT_UNKNOWN = Code(
    "PL3613",
    "the pattern has no input `{name}`",
    "A flag, a spec file or a template names an input that is not declared.",
)
SET_NOWHERE = Code(
    "PL3614", "no resource has `{path}`", "A path in a flag must name a field, or for `--set` an input, that exists."
)
SET_PINNED = Code("PL3615", "`{path}` is both set and preserved", "`--set` and `--preserve` contradict each other.")
NO_RESOURCE = Code("PL3616", "resource not found: `{name}`", "The part before the colon names one generated resource.")
NOT_CONFIRMED = Code("PL3617", "--overwrite would discard {count}", "Without a terminal to ask on, `--yes` is needed.")
BAD_TRACKER = Code("PL3618", "{why}", "The record of the last run cannot be used.")
NOT_REFUSED = Code(
    "PL3619",
    "`{path}` is not in conflict",
    "`--take`, `--keep` and `--accept` decide a line of the report: a conflict, an edit, a deletion or an orphan.",
)
CONFLICT_MARKER = Code(
    "PL3621",
    "`{name}` contains an unresolved merge conflict",
    "The file contains conflict markers of a version control system.",
)
RESOURCE_TWICE = Code(
    "PL3622",
    "duplicate resource `{name}`",
    "Two resources have the same kind and name, so it is not clear which one to update.",
)
RECORD_DAMAGED = Code(
    "PL3623",
    "the record `{name}` is damaged: {why}",
    "`.plait-meta.yaml` cannot be read, or does not have the expected form.",
)
RECORD_NEWER = Code(
    "PL3624",
    "the record `{name}` was written by a newer plait",
    "This version of plait does not know the format of the record.",
)
WHICH_INSTANCE = Code(
    "PL3631", "there are {count} instances of `{pattern}` here", "The input that names an instance chooses one of them."
)
INPUT_NOT_REMEMBERED = Code(
    "PL3632",
    "no value of the input `{name}` is remembered",
    "`--forget` names an input for which no value of an earlier run is recorded.",
)
CONFLICTS = Code("PL3635", "{count}; nothing was written", "A program asked to stop where both sides changed a field.")
NOT_PINNED = Code("PL3636", "`{path}` is not pinned", "`--unpin` names a path as `--pin` was given it.")
IMPLAUSIBLE = Code(
    "PL3637",
    "{why}",
    "What is generated now lacks so much of what was generated last that something is probably wrong.",
)
RECORD_LOST = Code(
    "PL3639",
    "the record `{name}` is lost: commit {commit} has it",
    "A record of earlier runs is in git, and not in the folder any more.",
)
OLDER_VERSION = Code(
    "PL3638",
    "the pattern `{name}` is older than the one that generated these files: {before} -> {now}",
    "The record has a later version of the pattern than the one that was found.",
)
INPUT_DISPUTED = Code(
    "PL3633",
    "two versions of `{record}` disagree on the input `{name}`",
    "Two branches gave an input different values, and git could not merge the record.",
)
NO_INSTANCE = Code(
    "PL3634", "no record of `{name}` is in `{folder}`", "`--show` and `--drift` read the record of an earlier run."
)

# External data
NO_CLIENT = Code(
    "PL3701", "{what} needs the package `{package}`", "A client library is an optional package, installed separately."
)
UNREACHABLE = Code(
    "PL3702",
    "{what} cannot be reached: {why}",
    "The server is down or overloaded, its name is unknown, or its certificate is not trusted.",
)
REFUSED = Code("PL3703", "{what} refused the request: {why}", "Credentials are missing, wrong, or not enough.")
NOT_STORED = Code("PL3704", "{what} has no `{key}`", "Nothing is stored under this name.")
NO_STORE = Code("PL3705", "store not found: `{name}`", "A store is declared under `stores` in atmos.yaml.")
BAD_STORE = Code("PL3706", "the store `{name}` {why}", "A store needs a known type and valid options.")
BAD_STATE = Code("PL3707", "{what} is not a Terraform state: {why}", "The file is damaged, or is not a state file.")
NEW_STATE = Code(
    "PL3708",
    "{what} has version {version}; plait supports version {known}",
    "The state was written by another version of Terraform.",
)
BINARY = Code("PL3709", "`{key}` of {what} is not text", "A value must be UTF-8 to be used in YAML.")
TOO_BIG = Code("PL3710", "{what} is larger than {limit}", "The size limit also applies to responses.")
NO_ANSWER = Code(
    "PL3711", "{what} did not answer within {limit}", "Each call to a server or a command has a time limit."
)
OTHER_HOST = Code("PL3712", "{what} redirects to {host}", "Redirects are followed on the same host only.")
BAD_ADDRESS = Code(
    "PL3713",
    "cannot fetch `{address}`: {why}",
    "The address of a remote source has a form that plait does not support.",
)
NO_REF = Code("PL3714", "{what} has no revision `{ref}`", "The repository does not have this branch, tag or commit.")
LEAVES = Code("PL3715", "`{path}` is outside {what}", "A remote source may not refer to files of this machine.")
CHECKSUM = Code("PL3716", "{what} has the checksum {found}", "The content does not match the pinned checksum.")
FROM_CACHE = Code(
    "PL3717",
    "{what} cannot be reached; using a copy fetched {age} ago",
    "The source cannot be reached, so a copy from the cache is used.",
    "warning",
)
NO_OUTPUTS = Code("PL3718", "cannot read the outputs of {what}: {why}", "The terraform command failed.")
BAD_BACKEND_OPTION = Code(
    "PL3719", "the backend of {what} {why}", "The backend section says where the state is read from."
)
NOT_PROVISIONED_YET = Code("PL3720", "{what} is not provisioned yet", "There is no state, or no such output in it.")
NO_SECRET = Code(
    "PL3721", "the secret `{name}` is not declared", "Secrets are declared under `secrets` of a component."
)
BAD_ARCHIVE = Code(
    "PL3724",
    "cannot unpack {what}: {why}",
    "The archive is damaged, encrypted, or contains something other than files and folders.",
)
SECRET_NAME = Code(
    "PL3723",
    "a secret would be visible in {what}",
    "Keys, stack names and import paths must not contain secrets. In a report that is published, values of the "
    "environment are secrets too; `--reveal` shows them.",
)
BAD_SOURCE = Code("PL3722", "the data source `{name}` {why}", "A data source needs a URL that plait can read.")
NO_ENGINE = Code("PL3725", "cannot use {address}: {why}", "The engine that `--executor` names is not available.")
NOT_DISTRIBUTED = Code(
    "PL3726",
    "computed here instead of by the engine: {targets}: {why}",
    "A worker could not do its part; the result is the same.",
    "warning",
)

# What is not allowed
DENIED = Code("PL4001", "this file wants to {what}", "The file needs a capability that is not allowed.")
OUTSIDE = Code(
    "PL4002", "`{name}` is outside the project", "Reading files outside the project needs the capability `files`."
)
OF_GIT = Code(
    "PL4004", "`{name}` belongs to git", "Nothing in a git folder is data of a project: it may hold credentials."
)
SYSTEM = Code("PL1008", "`{name}`: {why}", "The operating system reported an error that plait does not expect.")
FOREIGN = Code(
    "PL4003",
    "`{name}` belongs to another user ({owner})",
    "Files of other users are not trusted: they could run commands as you.",
)

# Limits
TOO_DEEP = Code(*MESSAGES["depth"], "A document or result is nested more deeply than the limit `depth` allows.")
TOO_MANY = Code(*MESSAGES["nodes"], "A document or result has more values than the limit `nodes` allows.")
NO_MEMORY = Code(
    "PL5010",
    "not enough memory",
    "The operating system has no more memory. The other limits normally end a command before this happens.",
)
TOO_LARGE = Code("PL5003", "`{name}` is larger than {limit}", "A file is larger than the limit `size`.")
TOO_LONG = Code(*MESSAGES["steps"], "Evaluation takes more steps than the limit `steps` allows.")
TOO_SLOW = Code(*MESSAGES["seconds"], "The command takes longer than the limit `seconds`.")
TOO_MUCH = Code(*MESSAGES["memory"], "All functions together allocate more than the limit `memory`.")
TOO_WORDY = Code(*MESSAGES["output"], "The command prints more than the limit `output`.")
TOO_BULKY = Code(*MESSAGES["size"], "A computed text is larger than the limit `size`.")
TOO_MANY_DIGITS = Code(*MESSAGES["digits"], "Arithmetic supports whole numbers of up to 10,000 digits.")

# Usage
BAD_PATH = Code("PL9001", "invalid path `{path}`: {why}", "A path cannot be parsed.", usage=True)
UNKNOWN_PATH = PathCode("PL9002", "no value at `{path}`", "The path names a value that does not exist.")
BAD_SETTING = Code("PL9003", "{why}", "plait.yaml contains an unknown key or an invalid value.")
BAD_OPTION = Code("PL9004", "{why}", "An option or argument is invalid.", usage=True)
BAD_RULE = Code("PL9005", "{why}", "A list policy is invalid.", usage=True)
WHICH_DOCUMENT = Code("PL9006", "{why}", "A path into several documents must name the document.", usage=True)

# Targets, review and verify
NO_TARGET = Code(
    "PL9101", "target not found: `{name}`", "`targets` in plait.yaml declares no target of this name.", usage=True
)
SEVERAL_TARGETS = Code("PL9106", "several targets are named `{name}`", "The command works on one target.", usage=True)
NOT_DONE = Code(
    "PL9107",
    "{flag}: {why}",
    "The flag is accepted so that pipelines written for Atmos work unchanged, but plait does not do what it asks for.",
    "warning",
)
TARGET_EMPTY = Code("PL9102", "no file matches `{pattern}`", "A glob of a target matches no file.")
NO_BASE_REVISION = Code(
    "PL9103", "cannot compare with `{name}`: {why}", "The revision to compare with is not available."
)
BAD_FIT = Code(
    "PL9007", "`{path}` does not fit {type}: {why}", "A document was requested as a Python type that it does not match."
)
NOT_AN_OUTPUT = Code("PL9104", "cannot compare with `{name}`: {why}", "A saved output does not fit the targets.")
NOT_A_PLAN = Code(
    "PL9108", "`{name}` is not a plan of plait tidy: {why}", "`--apply` takes a file that `--plan` wrote."
)
STALE_PLAN = Code(
    "PL9109",
    "the plan `{name}` was made for other files",
    "What a plan proves is true for the files that it was made for. One of them changed since; nothing was written.",
)
NOT_PROPOSED = Code(
    "PL9110",
    "the plan `{name}` names changes that plait tidy does not propose",
    "The files are those that the plan was made for, but somebody wrote into it. Nothing was written.",
)
BROKEN_BASE = Code(
    "PL9105", "cannot compare with `{name}`: its settings are broken", "Nothing can be evaluated in the old revision."
)

# Editors
CANNOT_RENAME = Code(
    "PL9201", "cannot rename this: {why}", "There is no name at this place, or not every use of it is known."
)
CANNOT_MOVE = Code(
    "PL9202", "cannot move `{path}`: {why}", "It is not clear which value is meant, or the file has it already."
)

UNCHECKED_CODES = frozenset(one.code for one in (NO_RESOURCE_SCHEMA, NO_SCHEMA_CHECK, OTHER_SCHEMA, NOT_CHECKED))
"""The codes which say that a schema or policy that was asked for could not be applied: exit status 5."""
