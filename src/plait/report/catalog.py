"""Every diagnostic there is, declared once: its code, its message, and what it means.

The reference page is made from this table. Codes: PL1xxx reading and writing files, PL2xxx merging and evaluating,
PL3xxx one front or notation, PL4xxx what is not allowed, PL5xxx budgets, PL9xxx usage.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label, PlaitError
from plait.core.meter import MESSAGES

CATALOG: dict[str, Code] = {}


class Code:
    """A kind of finding. Calling it makes a `Diagnostic`; `error` makes the exception that carries one."""

    __slots__ = ("about", "code", "message", "severity", "usage")

    def __init__(self, code: str, message: str, about: str, severity: str = "error", usage: bool = False) -> None:
        self.code = code
        self.message = message
        self.about = about
        self.severity = severity
        self.usage = usage
        """Whether it is a matter of wrong usage where the words came from the command line."""
        CATALOG[code] = self

    def __call__(self, *labels: Label, notes: tuple[str, ...] = (), hint: str = "", **facts: object) -> Diagnostic:
        return Diagnostic(self.code, self.message.format(**facts), labels, notes, hint, self.severity)

    def error(self, *labels: Label, notes: tuple[str, ...] = (), hint: str = "", **facts: object) -> PlaitError:
        return PlaitError(self(*labels, notes=notes, hint=hint, **facts))


# Reading and writing files
NO_FILE = Code("PL1001", "there is no file `{name}`", "A file that was asked for does not exist.")
IS_FOLDER = Code("PL1002", "`{name}` is a folder", "A file was expected.")
UNREADABLE = Code("PL1003", "`{name}` cannot be read: {why}", "The system refuses to open or read the file.")
NOT_TEXT = Code(
    "PL1004", "`{name}` is not text: {why}", "The bytes are no UTF-8 or UTF-16, or hold control characters."
)
CHANGED = Code("PL1005", "`{name}` changed while it was read", "Its size or time differ before and after reading.")
YAML_SYNTAX = Code("PL1101", "this is no YAML: {why}", "The text does not follow YAML's grammar.")
DUPLICATE_KEY = Code("PL1102", "the key `{key}` stands here twice", "YAML allows a key once in a mapping.")
UNKNOWN_ALIAS = Code("PL1103", "no anchor is called `{name}`", "An alias must follow its anchor in the same document.")
CYCLIC_ALIAS = Code("PL1104", "the alias `{name}` lies inside its own anchor", "A document cannot contain itself.")
BAD_TAGGED = Code("PL1105", "`{text}` is no {what}", "A tag says a type that the text does not have.")
COMPUTED_KEY = Code(
    "PL1107", "a key cannot be computed", "A tag that computes, or a word to the merge, stands on a key."
)
UNWRITABLE = Code("PL1201", "`{name}` cannot be written: {why}", "The system refuses to write; nothing was changed.")
NO_TEXT = Code("PL1202", "{code} cannot be written", "A text holds half of a character, which no encoding can say.")
NO_JSON = Code("PL1203", "JSON cannot say `{text}`", "JSON has no word for infinity and for what is not a number.")
CHANGED_SINCE = Code("PL1204", "`{name}` changed since it was read", "Somebody else wrote to it; nothing was changed.")
LOCKED = Code("PL1205", "`{name}` is being written by another process", "Writers wait for each other, up to a limit.")
LINK_OUTSIDE = Code("PL1206", "`{name}` is a link that leads out of the project", "Links are followed only inside it.")
UNFINISHED = Code("PL1207", "an interrupted run left `{name}` half written", "It can be neither finished nor undone.")

# Editing
IN_ALIAS = Code(
    "PL1301", "`{path}` is written elsewhere: it comes from `&{name}`", "An alias or `<<` shows the value here."
)
EDITS_CLASH = Code("PL1302", "two edits want the same place", "Edits that are made together must not touch each other.")
CANNOT_EDIT = Code(
    "PL1303", "this cannot be edited in place", "The result would not read as the edit says; nothing was changed."
)
ALREADY_THERE = Code("PL1304", "`{path}` is already there", "A new key needs a name of its own.")
BAD_VALUE = Code("PL1305", "`{text}` is no value: {why}", "A value on the command line is YAML, or text with --string.")
NO_SUCH_DOCUMENT = Code("PL1306", "`{name}` has no document {number}", "Documents are counted from 1.")
NO_REVISION = Code("PL1307", "`{name}` cannot be had from git: {why}", "REVISION:FILE asks git for a file.")

# Merging
KINDS_DIFFER = Code("PL2001", "a {high} meets a {low}", "`kinds: error` forbids values of different kinds.")
KEY_MISSING = Code("PL2002", "this item has no `{key}`, by which its list is merged", "Every item needs its key.")
KEY_TWICE = Code("PL2003", "two items have `{key}`, by which their list is merged", "Each key may stand once.")
BAD_MARK = Code("PL2004", "`{tag}` {why}", "A merge tag stands on a value it does not fit.")

# Evaluating
NOT_FOUND = Code("PL2101", "nothing is called `{name}`", "A reference leads nowhere.")
THROUGH_SCALAR = Code("PL2102", "`{name}` goes through `{stop}`, which is a {kind}", "Only maps and lists have parts.")
CYCLE = Code("PL2104", "these values wait for each other", "A value cannot be made of itself.")
ENDLESS = Code("PL2105", "this value contains itself", "A reference to a container from inside it never ends.")
BAD_ARGUMENT = Code("PL2106", "`{tag}` {why}", "A function was given something it cannot use.")
UNKNOWN_TAG = Code("PL2107", "`{tag}` looks like a slip of `{near}`", "A tag close to one that plait knows.")
COMMAND_FAILED = Code("PL2108", "the command failed: {why}", "A command that was run ended badly.")
INCLUDES_ITSELF = Code("PL2110", "this file includes itself", "A chain of includes leads back to a file in it.")
NO_VARIABLE = Code("PL2109", "the environment has no `{name}`", "`!env` found no variable and has no default.")

# What is lost without a word
LIST_LOST = Code("PL2301", "a list of {low} is replaced by a list of {high}", "Items disappear.", "warning")
MAP_LOST = Code("PL2302", "a mapping of {low} is replaced by a {high}", "Everything below it disappears.", "warning")
NO_CHANGE = Code("PL2303", "this override changes nothing", "The value below is the same already.", "warning")
NEVER_USED = Code("PL2304", "this is never used", "A higher layer decides without it.", "warning")
LOST_ERROR = Code("PL2305", "a value that nobody uses fails: {why}", "A higher layer hides an error.", "warning")

# Stacks
UNDEFINED_LOCAL = Code(
    "PL3201", 'undefined local "{name}" referenced in {file}', "Locals are known in their own file only."
)
LOCAL_CYCLE = Code("PL3202", "circular dependency in locals at {file}", "A local cannot be made of itself.")
BAD_LOCALS = Code("PL3203", "{why}", "`locals` is a map, and its names are identifiers.")
LOCAL_FAILED = Code(
    "PL3204", 'failed to resolve local "{name}" in {file}: {why}', "A local's template or function fails."
)
LOCAL_IN_IMPORT = Code("PL3205", "locals cannot be used in an import path", "Imports are resolved before locals.")
NO_CONFIG = Code("PL3206", "there is no atmos.yaml", "Stacks need the configuration file of Atmos.")
BAD_CONFIG = Code(
    "PL3207", "{why}", "A key of atmos.yaml, or a flag or variable that stands for it, has a wrong value."
)
BAD_MANIFEST = Code("PL3208", "invalid stack manifest: {why}", "A manifest is a map of sections.")
BAD_IMPORT = Code("PL3209", "{why}", "An import is a path, or a map with a `path`.")
NO_IMPORT = Code("PL3210", "stack import not found: import '{path}' in file '{file}'", "No file matches the import.")
IMPORTS_ITSELF = Code(
    "PL3211", "stack manifest imports itself: {file}", "A manifest cannot import itself, nor through others."
)
UNSUPPORTED_TAG = Code(
    "PL3212", "unsupported YAML tag: '{tag}' found in file '{file}'", "Manifests know a fixed set of tags."
)
BAD_STRATEGY = Code(
    "PL3213",
    "invalid list merge strategy: '{name}'. Supported list merge strategies are: replace, append, merge",
    "See the docs.",
)
NO_BASE = Code(
    "PL3215",
    "the component '{component}' in the stack manifest '{manifest}' inherits from '{base}' (using 'metadata.inherits'), but "
    "'{base}' is not defined in any of the config files for the stack '{manifest}'",
    "A base component must be defined in the manifest or in what it imports.",
)
INHERITANCE_CYCLE = Code("PL3216", "circular component inheritance: {chain}", "A component cannot inherit from itself.")
BAD_METADATA = Code("PL3217", "metadata field is not allowed at global (stack-wide) scope: {name}", "See the docs.")
BAD_BACKEND = Code("PL3218", "{why}", "`backend_type` names one of the keys under `backend`.")
NO_STACK = Code("PL3219", "stack not found: {name}", "No manifest makes a stack of this name.")
INVALID_STACK = Code(
    "PL3220", "invalid stack: stack `{name}` not found", "The name of a file is no name of a stack where it has one."
)
NO_COMPONENT = Code(
    "PL3221",
    "Could not find the component `{component}` in the stack `{stack}`. Check that all the context variables are correctly "
    "defined in the stack manifests. Are the component and stack names correct? Did you forget an import?",
    "The stack has no component of this name.",
)
TWICE = Code(
    "PL3222",
    "duplicate component configuration: Found duplicate config for the component '{component}' in the stack '{stack}'",
    "Manifests that make one stack may repeat a component only if it is the same.",
)
BAD_FUNCTION = Code(
    "PL3223", "invalid Atmos YAML function: {text}: {why}", "A function has arguments that it cannot use."
)
FUNCTION_FAILED = Code(
    "PL3224", "failed to process YAML function at {path}: {why}", "A function that was evaluated failed."
)
NO_INCLUDE = Code("PL3228", "could not find local file `{path}`", "`!include` names a file that is not there.")
STACK_QUERY = Code("PL3229", "`{text}` is no query: {why}", "An expression of yq that cannot be read, or does not fit.")
STACK_REQUIRED = Code("PL3230", "{why}", "A question about a component needs the name of a stack.")
NO_LOCALS = Code("PL3231", "stack has no locals defined: {name}", "There is nothing to show.")
SCHEMA = Code("PL3232", "{path}: {why}", "A manifest does not follow its schema.")
DEPRECATED = Code("PL3233", "{path}: {why}", "Something that still works and has a successor.", "warning")
STACK_TEMPLATE = Code("PL3234", "{why}", "A template cannot be read or fails.")
NO_NAME = Code("PL3235", "{why}", "A stack's name cannot be made from its variables.")
COMPUTED_LATER = Code(
    "PL3236", "values that could not be looked up are shown as (computed): {count}", "See `--error-mode`.", "warning"
)
KEYS_COLLIDE = Code(
    "PL3237", "distinct map keys collide after normalization: `{key}`", "Two keys that are not alike become one text."
)
UNKNOWN_COMPONENT = Code(
    "PL3240", "component not defined in any config files: {name}", "No stack has a component of this name."
)
HCL_SYNTAX = Code("PL3238", "this is no HCL that plait reads: {why}", "Attributes with literal values are read.")
# Directives
BAD_DIRECTIVE = Code("PL3301", "`{key}` is no directive: {why}", "A key that begins with `+` and cannot be read.")
LEADS_NOWHERE = Code("PL3302", "`{key}` leads nowhere", "A directive refers to something that is not there.")
NO_MAP = Code(
    "PL3303", "`{key}` is a {kind}, which cannot be merged with a map", "Beside other keys a directive must give a map."
)
BAD_INCLUDE = Code("PL3304", "this is nothing to include: {why}", "`+include` takes a file, or {file: NAME, ...}.")
INCLUDE_FAILED = Code(
    "PL3305", "`{name}` cannot be included: {why}", "The file is missing, unreadable, no YAML, or lacks the part."
)
ENDLESS_DIRECTIVE = Code(
    "PL3306", "these directives bring in each other without end", "What is included would contain itself."
)
MERGE_FORBIDDEN = Code("PL3307", "this must not be merged", "`+%: error` forbids it.")
NOT_A_MAP = Code("PL3308", "`{name}` is {what}", "A document with directives is one map.")
READS_AS_DIRECTIVE = Code(
    "PL3309", "the new key `{key}` would be read as a directive", "An edit cannot write it as data."
)
NOT_RESTORED = Code("PL3310", "this edit cannot be written into `{name}`: {why}", "No text gives the edited document.")

# Queries
BAD_QUERY = Code("PL3401", "`{text}` is no expression: {why}", "See the grammar of path expressions.")
UNKNOWN_SPECIAL = Code("PL3402", "there is no special key `{key}`", "Keys that begin with a dot have fixed names.")
UNKNOWN_FUNCTION = Code("PL3403", "no function is called {name}", "A map in the place of an expression is a call.")
BAD_CALL = Code("PL3404", "`{name}` {why}", "A function was given something it cannot use.")
NO_RESULT = Code("PL3405", "`{text}` finds nothing", "An expression marked `strict` must have a result.")
BAD_TEMPLATE = Code("PL3406", "this template fails: {why}", "Jinja2 refuses the template, or a value it uses.")
MISPLACED = Code("PL3407", "`{word}` does not belong inside the function", "It goes beside `eval`.")
UNSAFE = Code("PL3408", "`{name}` is not allowed in safe mode", "Safe mode keeps to the document.")
NO_INPUT = Code("PL3409", "there is no input `{name}`", "`get_input` reads the map `inputs` at the root.")
QUERY_EXTRA = Code("PL3410", "{what} needs {package}", "A package that is not installed with plait itself.")
NO_PROVIDER = Code("PL3411", "nobody provides `{name}`", "`secret`, `local` and `external` need a provider.")
QUERY_TOO_DEEP = Code("PL3412", "expressions stand in expressions deeper than {limit} levels", "A bound on nesting.")
BAD_VAULT = Code("PL3413", "this cannot be decrypted: {why}", "A value that Ansible's vault encrypted.")

# dynaml and spiff; the messages are the ones that spiff's users know
UNPARSEABLE = Code("PL3101", "unparseable expression", "The text between `((` and `))` is no dynaml.")
NO_REFERENCE = Code("PL3102", "'{path}' not found", "A reference leads nowhere.")
NOT_IN_STUBS = Code("PL3103", "'{path}' not found in any stub", "`merge` found nothing at its path.")
WRONG_OPERAND = Code("PL3104", "{issue}", "An operator was given values it cannot work with.")
DIVIDED_BY_ZERO = Code("PL3105", "division by zero", "`/` or `%` with 0 on its right.")
OVERFLOW = Code(
    "PL3106", "{issue}", "A number of more than 64 bits, or an address beyond the last or before the first one."
)
WRONG_ARGUMENT = Code("PL3107", "{issue}", "A function was given something it cannot use.")
NO_FUNCTION = Code("PL3108", "unknown function '{name}'", "No function and no lambda has that name.")
EXECUTION = Code("PL3109", "execution '{command}' failed", "A command could not be started, failed, or took too long.")
NO_AUTO = Code("PL3110", "{issue}", "`auto` knows only the size of resource pools.")
NO_STATIC = Code("PL3111", "{issue}", "`static_ips` cannot find or use the static ranges of its network.")
NO_STUBS = Code(
    "PL3112",
    "there are no stubs to merge with here",
    "`merge` belongs to `plait spiff merge`; layers merge by themselves.",
)
NESTED_CALLS = Code("PL3113", "expressions nest deeper than {limit} calls", "Lambdas that call themselves too often.")
TEXT_LOOP = Code(
    "PL3114", "this text makes expressions for ever", "An expression whose result is an expression, again and again."
)
EXPRESSION_TOO_LARGE = Code(
    "PL3115", "this expression gives more than {limit}", "A text or list beyond what one value may hold."
)
EXPRESSION_TOO_SLOW = Code(
    "PL3116", "this expression takes too long", "The budget `seconds` is used up inside an expression."
)
TEXT_KEYS = Code(
    "PL3121", "map key must be a string", "Templates and stubs have text for keys; put a number in quotes."
)
NO_DOCUMENT = Code("PL3122", "`{name}` is empty", "A template or stub needs a document.")
MORE_DOCUMENTS = Code(
    "PL3123", "only the first of {count} documents is used", "spiff reads one document of a file.", "warning"
)

# Go templates
TEMPLATE_SYNTAX = Code(
    "PL3501", "{why}", "The text is no Go template: it does not follow the grammar, or names an unknown function."
)
TEMPLATE_FAILED = Code("PL3502", "{why}", "A Go template is well formed, but fails for these data.")
TEMPLATE_BUDGET = Code("PL3503", "{why}", "A Go template asks for more steps, depth or output than it may have.")
TEMPLATE_DENIED = Code("PL3504", "{why}", "A Go template asks for something outside that was not granted.")

# Patterns: generating again
NO_PATTERN = Code("PL3601", "there is no pattern `{name}`", "No folder that is searched has a pattern of this name.")
BAD_PATTERN = Code("PL3602", "{why}", "A pattern.yaml that cannot be used.")
NOT_GENERATED = Code("PL3603", "{why}", "A pattern's templates do not give resources.")
INPUT_MISSING = Code("PL3611", "the input `{name}` is missing", "A required input was not given.")
INPUT_INVALID = Code("PL3612", 'Invalid {name} "{value}"', "An input's value does not fit its declaration.")
INPUT_UNKNOWN = Code(
    "PL3613", "the pattern has no input `{name}`", "A flag or a spec file names an input that is not declared."
)
SET_NOWHERE = Code("PL3614", "no resource has `{path}`", "A `--set` must name an input, or a field that is there.")
SET_PINNED = Code("PL3615", "`{path}` is both set and preserved", "`--set` and `--preserve` contradict each other.")
NO_RESOURCE = Code("PL3616", "there is no resource `{name}`", "The part before the colon names one generated resource.")
NOT_CONFIRMED = Code(
    "PL3617", "--overwrite would discard {count}", "Without a terminal to ask on, `--yes` must say so."
)
BAD_TRACKER = Code("PL3618", "{why}", "The record of the last run that was asked for cannot be used.")
CONFLICT_MARKER = Code(
    "PL3621", "`{name}` holds an unresolved merge conflict", "A version control system left its markers."
)
RESOURCE_TWICE = Code("PL3622", "the resource `{name}` is there twice", "It is not clear which of them to update.")
RECORD_DAMAGED = Code("PL3623", "the record `{name}` is damaged: {why}", "`.plait-meta.yaml` cannot be used as it is.")
RECORD_NEWER = Code("PL3624", "the record `{name}` was written by a newer plait", "Its format is not known here.")

# The outside world
NO_CLIENT = Code(
    "PL3701", "{what} needs the package `{package}`", "A client library is an extra, installed when it is needed."
)
UNREACHABLE = Code("PL3702", "{what} cannot be reached: {why}", "A server is down, too busy, or not who it says it is.")
REFUSED = Code("PL3703", "{what} refuses: {why}", "Credentials are missing, wrong, or not enough.")
NOT_STORED = Code("PL3704", "{what} has no `{key}`", "Nothing is stored under this name, or not yet.")
NO_STORE = Code("PL3705", "there is no store `{name}`", "A store is declared under `stores` in atmos.yaml.")
BAD_STORE = Code("PL3706", "the store `{name}` {why}", "A store has a type and options that it knows.")
BAD_STATE = Code("PL3707", "{what} is no state of terraform: {why}", "The file is damaged, or something else.")
NEW_STATE = Code(
    "PL3708", "{what} has version {version}, and plait knows version {known}", "A state of another terraform."
)
BINARY = Code("PL3709", "`{key}` of {what} is not text", "A value must be UTF-8 to stand in YAML.")
TOO_BIG = Code("PL3710", "{what} is larger than {limit}", "The budget `size` also bounds what others send.")
NO_ANSWER = Code("PL3711", "{what} did not answer within {limit} seconds", "A call has a time limit of its own.")
OTHER_HOST = Code("PL3712", "{what} sends us on to {host}", "Redirects are followed on the same host only.")
BAD_ADDRESS = Code("PL3713", "`{address}` is no source that plait can fetch: {why}", "See the forms of remote sources.")
NO_REF = Code(
    "PL3714", "{what} has no revision `{ref}`", "A branch, a tag or a commit that the repository does not have."
)
LEAVES = Code("PL3715", "`{path}` leads out of {what}", "A remote source may not reach files of this machine.")
CHECKSUM = Code("PL3716", "{what} has the checksum {found}", "The content is not the one that was pinned.")
FROM_CACHE = Code(
    "PL3717",
    "{what} cannot be reached; a copy of {age} ago is used",
    "The cache has what was fetched before.",
    "warning",
)
NO_OUTPUTS = Code("PL3718", "{what} gives no outputs: {why}", "The terraform command failed.")
BAD_BACKEND_OPTION = Code("PL3719", "the backend of {what} {why}", "State is read as the backend section says.")
NOT_PROVISIONED_YET = Code("PL3720", "{what} is not provisioned yet", "There is no state, or no such output in it.")
NO_SECRET = Code(
    "PL3721", "the secret `{name}` is not declared", "Secrets are declared under `secrets` of a component."
)
BAD_ARCHIVE = Code(
    "PL3724",
    "{what} is no archive that plait unpacks: {why}",
    "It is damaged, protected, or holds what is neither file nor folder.",
)
SECRET_NAME = Code(
    "PL3723", "a secret would show in {what}", "Keys, names of stacks and import paths are no place for secrets."
)
BAD_SOURCE = Code("PL3722", "the data source `{name}` {why}", "A data source has a URL that plait can read.")

# What is not allowed
DENIED = Code("PL4001", "this file wants to {what}", "A capability that was not granted.")
OUTSIDE = Code("PL4002", "`{name}` lies outside the project", "Files outside the project need the capability `files`.")

# Budgets
TOO_DEEP = Code(*MESSAGES["depth"], "The budget `depth`.")
TOO_MANY = Code(*MESSAGES["nodes"], "The budget `nodes`.")
TOO_LARGE = Code("PL5003", "`{name}` is larger than {limit}", "The budget `size`.")
TOO_LONG = Code(*MESSAGES["steps"], "The budget `steps`.")
TOO_SLOW = Code(*MESSAGES["seconds"], "The budget `seconds`.")
TOO_MUCH = Code(*MESSAGES["memory"], "The budget `memory`: what all functions together may make.")
TOO_WORDY = Code(*MESSAGES["output"], "The budget `output`.")
TOO_BULKY = Code(*MESSAGES["size"], "The budget `size`: it holds for each text that is computed, too.")
TOO_MANY_DIGITS = Code(*MESSAGES["digits"], "Arithmetic takes and makes whole numbers of up to 10,000 digits.")

# Usage
BAD_PATH = Code("PL9001", "`{path}` is no path: {why}", "See the grammar of paths.", usage=True)
UNKNOWN_PATH = Code("PL9002", "nothing is at `{path}`", "The path names no value.", usage=True)
BAD_SETTING = Code("PL9003", "{why}", "A key or value of plait.yaml that plait does not know.")
BAD_OPTION = Code("PL9004", "{why}", "An option or argument that cannot be used.", usage=True)
BAD_RULE = Code("PL9005", "{why}", "A list policy that cannot be read.", usage=True)
