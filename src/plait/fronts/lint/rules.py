"""The rules of `plait lint`, each with what it finds, why that matters, and an example that shows it."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from itertools import chain

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.node import Failure, Key, ListNode, MapNode, Mark, Node, Scalar, key_text
from plait.core.path import Path, format_path
from plait.core.policy import STRATEGIES
from plait.core.source import Computed, Source
from plait.core.struct import struct
from plait.core.walk import places_for_a_look
from plait.evaluate.lint import losses, missing_colon
from plait.fronts.checks import unknown_keys, unused_rule
from plait.fronts.layers import Bundle, MergedDocument
from plait.fronts.project import Project
from plait.fronts.template_reads import key_label, unread, values_read
from plait.fronts.values_schema import refused, schema_beside
from plait.report.catalog import (
    CHART_VALUES,
    CLEAR_SECRET,
    DUPLICATE_ITEM,
    LIST_LOST,
    LOST_ERROR,
    MAP_LOST,
    MISSING_COLON,
    MISSPELT,
    NEVER_USED,
    NO_CHANGE,
    NOT_EVALUATED,
    ODD_TEXT,
    OLD_INPUT,
    OLD_OUTPUT,
    OTHER_TYPE,
    RESOURCE_REFUSED,
    UNKNOWN_TO_TOOL,
    UNREAD,
    UNUSED_RULE,
    Code,
)
from plait.report.near import SlipIndex, distance
from plait.yaml.hints import missing_space
from plait.yaml.schema import CORE, SIXTIES
from plait.yaml.spelling import is_plain_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from plait.core.policy import PlaceRule
    from plait.core.steps import Steps
    from plait.fronts.resource_schemas import ResourceSchemas
    from plait.profiles import Profile


class Subject:
    """What is looked at: merged layers, the list rules that were declared, and the templates that read the result."""

    def __init__(
        self,
        project: Project,
        bundle: Bundle,
        patterns: tuple[PlaceRule, ...] = (),
        templates: str = "",
        profile: Profile | None = None,
        notations: tuple[str, ...] = (),
        schemas: ResourceSchemas | None = None,
    ) -> None:
        self.project = project
        self.bundle = bundle
        self.patterns = patterns
        self.templates = templates
        self.profile = profile
        self.notations = notations
        self.schemas = schemas
        self._losses: list[Diagnostic] = []
        self._shown: set[tuple[Source | Computed, int]] | None = None
        """Where the values of the result are written that both versions of YAML read, and read differently."""

    @property
    def members(self) -> list[MergedDocument]:
        return self.bundle.members

    @property
    def documents(self) -> list[Node]:
        return [document for member in self.members for document in member.group.documents]

    @property
    def sources(self) -> list[Source]:
        return list(dict.fromkeys(node.source for node in self.documents if isinstance(node.source, Source)))

    def prepare(self, codes: Container[str]) -> Steps[None]:
        """Work out, in steps, what the rules of some codes share: what the merge drops."""
        advice = self.profile.advice if self.profile is not None else ""
        for member in self.members if any(code.code in codes for code in LOSSES) else ():
            self._losses += yield from losses(member.tree, member.policy, advice)

    def lost(self, code: Code) -> Iterator[Diagnostic]:
        """What the merge drops, as far as a code reports it."""
        return (one for one in self._losses if one.code == code.code)

    def is_shown(self, node: Scalar) -> bool:
        """Whether a value that is written, and ambiguous, is in the result."""
        if self._shown is None:  # most layers have no such value
            walks = (places_for_a_look(member.tree.root) for member in self.members)
            found = (node for _, node in chain.from_iterable(walks) if isinstance(node, Scalar))
            self._shown = {(one.source, one.at) for one in found if _is_ambiguous(one.text)}
        return (node.source, node.at) in self._shown

    def values(self) -> Iterator[tuple[Path, Node]]:
        """Every value of every layer as it was written, with its path; what an alias shows again is left out."""
        return (place for document in self.documents for place in places_for_a_look(document))


LOSSES = (LIST_LOST, MAP_LOST, NO_CHANGE, NEVER_USED, LOST_ERROR, OTHER_TYPE)
"""What is found by looking at what a merge drops."""


def _nothing(subject: Subject) -> Iterator[Diagnostic]:
    return iter(())


@struct
class Rule:
    """One rule. `example` are layers, lowest first, in which it finds something."""

    code: Code
    why: str
    example: dict[str, str]
    check: Callable[[Subject], Iterator[Diagnostic]] = _nothing
    options: tuple[str, ...] = ()
    each: Callable[[Subject, Path, Node], Iterable[Diagnostic]] | None = None
    """What it says about one value of a layer; all rules that have it share one walk."""
    kinds: tuple[str, ...] = ("scalar",)
    """The kinds of values that `each` is asked about."""


def _lost(code: Code) -> Callable[[Subject], Iterator[Diagnostic]]:
    return lambda subject: subject.lost(code)


# A key that looks like a slip

FEW = 50
"""So many keys are compared one by one."""
SHORT = 4
"""Names with fewer letters are often one letter away from another that is meant."""


def _misspelt(subject: Subject) -> Iterator[Diagnostic]:
    for member in subject.members:
        lower: list[Node] = []
        for document in member.group.documents:
            yield from _slips(document, lower)
            lower.append(document)
    yield from _misspelt_names(subject.members)


def _misspelt_names(members: list[MergedDocument]) -> Iterator[Diagnostic]:
    """Resources that only one layer has and whose name is nearly that of another of their kind, which the layer does
    not have: two layers were meant to say something about the same one."""
    indexes: dict[tuple[str, str], SlipIndex] = {}
    for number, member in enumerate(members):
        mine = member.group.identity
        if mine is None:
            continue
        index = indexes.setdefault((mine.kind, mine.namespace), SlipIndex())
        if len(member.group.documents) == 1:
            yield from _misspelt_name(member, [members[near] for near in index.near(mine.name)])
        index.add(mine.name, number)


def _misspelt_name(member: MergedDocument, near: list[MergedDocument]) -> Iterator[Diagnostic]:
    document, mine = member.group.documents[0], member.group.identity
    for other in near:
        theirs = other.group.identity
        files = {one.origin.file for one in other.group.documents}
        if mine and theirs and document.origin.file not in files and _is_slip(mine.name, theirs.name):
            hint = f"did you mean `{theirs.label}` ({other.group.documents[0].origin})?"
            yield MISSPELT(Label(_name_of(document).origin), name=mine.label, hint=hint)
            return


def _name_of(resource: Node) -> Node:
    """Where the name of a resource is written."""
    metadata = resource.entries["metadata"] if isinstance(resource, MapNode) else resource
    return metadata.entries["name"] if isinstance(metadata, MapNode) else resource


def _is_slip(name: str, other: str) -> bool:
    """Whether two names differ in a letter or two. Of three letters many names differ in one (`cpu`, `gpu`): these are
    taken for each other where only their order differs."""
    low, others = name.lower(), other.lower()
    if len(name) < 3 or _numbered(name, other):
        return False
    allowed = 1 if len(name) < 8 else 2
    return sorted(low) == sorted(others) if len(name) < SHORT else distance(low, others, allowed) <= allowed


def _slips(document: Node, lower: list[Node]) -> Iterator[Diagnostic]:
    stack: list[tuple[Path, Node, list[Node]]] = [((), document, lower)]
    while stack:
        path, node, below = stack.pop()
        maps = [other for other in below if isinstance(other, MapNode)]
        if not isinstance(node, MapNode) or not maps:
            continue
        known = _KnownKeys(maps)
        for key, child in node.entries.items():
            if key in known.maps:
                stack.append(((*path, key), child, [m.entries[key] for m in maps if key in m.entries]))
            elif (near := known.near(key, node)) is not None:
                name, other = format_path((*path, key)), known.maps[near]
                origin = other.key_origin(near)
                hint = f"did you mean `{format_path((*path, near))}` ({origin})?"
                yield MISSPELT(Label(node.key_origin(key), length=len(key_text(key))), name=name, hint=hint)


class _KnownKeys:
    """The keys of some maps, each with the last map that has it."""

    def __init__(self, maps: list[MapNode]) -> None:
        self.maps: dict[Key, MapNode] = {key: other for other in maps for key in other.entries}
        self.names: list[str] = []
        self.index: SlipIndex | None = None

    def near(self, key: Key, node: MapNode) -> Key | None:
        """A key that differs in a letter or two, and that a map does not have itself."""
        if not isinstance(key, str):
            return None
        near = (other for other in self._candidates(key) if other not in node.entries and _is_slip(key, other))
        return next(near, None)

    def _candidates(self, key: str) -> Iterable[str]:
        """The keys to compare: all of them where they are few."""
        if self.index is None:
            self.names = [other for other in self.maps if isinstance(other, str)]
            self.index = SlipIndex()
            for number, name in enumerate(self.names if len(self.names) > FEW else ()):
                self.index.add(name, number)
        if len(self.names) <= FEW:
            return self.names
        return (self.names[number] for number in self.index.near(key))


def _numbered(a: str, b: str) -> bool:
    """`web1` and `web2` are different names, not a typo."""
    return re.sub(r"\d+", "0", a) == re.sub(r"\d+", "0", b)


# Lists


def _duplicates(subject: Subject, path: Path, node: Node) -> Iterable[Diagnostic]:
    return _repeated_items(path, node) if isinstance(node, ListNode) else ()


def _repeated_items(path: Path, node: ListNode) -> Iterator[Diagnostic]:
    seen: dict[Node, Node] = {}
    for item in node.items:
        if item.live or isinstance(item, Mark | Failure):
            continue
        first = seen.setdefault(item, item)
        if first is not item:
            hint = "remove one of them"
            yield DUPLICATE_ITEM(Label(first.origin), Label(item.origin), name=format_path(path), hint=hint)


def _unused(subject: Subject) -> Iterator[Diagnostic]:
    documents = subject.documents
    for pattern in subject.patterns:
        one = unused_rule(pattern, documents, UNUSED_RULE)
        if one is not None:
            yield one


# Secrets

_SECRET_KEY = re.compile(
    r"(?i)(?:^|[_\-.])(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|credentials?)$"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HARMLESS = re.compile(
    r"(?i)\A(?:|x+|\*+|<.*>|\$\{.*|\{\{.*|change[-_ ]?me|todo|none|null|example.*|ENC\[.*|\(encrypted\)|vault:.*"
    r"|ref\+.*|\(\(.*)\Z"
)
_NAMED_ELSEWHERE = re.compile(r"(?i)(?:^|_)existing_")
"""How keys are called whose value is the name of an object that holds the secret."""
_ADDRESS = re.compile(r"\A[a-z0-9][a-z0-9.-]*(?:/[a-z0-9][a-z0-9._-]*)+\Z")
"""A path in a store, or the name of an object and a key in it."""
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
LONG_NAME = 64


def _clear_secrets(subject: Subject, path: Path, node: Node) -> Iterable[Diagnostic]:
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or node.secret or node.tag is not None:
        return ()
    if not ((_is_named(path) and not _is_harmless(node.value[:200])) or _KEY_BLOCK.search(node.value[:200])):
        return ()
    if isinstance(node.source, Source):
        node.source.secrets.update(line.strip() for line in node.text.splitlines() if line.strip())
    hint = "keep it in a secret store, encrypt it, or at least mark it with `!sensitive`"
    return (CLEAR_SECRET(Label(node.origin), name=format_path(path), hint=hint),)


def _is_named(path: Path) -> bool:
    """Whether the name of a value says that it is a secret, rather than where one is kept."""
    name = path[-1] if path else ""
    if not isinstance(name, str) or len(name) > LONG_NAME:
        return False
    words = _CAMEL.sub("_", name)
    return _SECRET_KEY.search(words) is not None and _NAMED_ELSEWHERE.search(words) is None


def _is_harmless(value: str) -> bool:
    return _HARMLESS.match(value) is not None or _ADDRESS.match(value) is not None


# YAML 1.1


def _old_input(subject: Subject, path: Path, node: Node) -> Iterable[Diagnostic]:
    if isinstance(node, MapNode):
        return _old_keys(path, node)
    if isinstance(node, Scalar) and (meanings := _meanings(node)) and not subject.is_shown(node):
        return (_trap(OLD_INPUT, path, node, meanings),)
    return ()


def _old_keys(path: Path, node: MapNode) -> Iterator[Diagnostic]:
    """Keys such as `on` and `y`, which a reader of YAML 1.1 takes for true."""
    for mark, key in zip(node.marks, node.entries, strict=False):
        if not isinstance(key, str) or not _is_ambiguous(key):
            continue
        written = Scalar(key, key, node.source, mark)
        if meanings := _meanings(written):
            yield _trap(OLD_INPUT, (*path, key), written, meanings)


def _old_output(subject: Subject, path: Path, node: Node) -> Iterable[Diagnostic]:
    if isinstance(node, Scalar) and (meanings := _meanings(node)) and subject.is_shown(node):
        return (_trap(OLD_OUTPUT, path, node, meanings),)
    return ()


def _trap(code: Code, path: Path, node: Scalar, meanings: tuple[str, str]) -> Diagnostic:
    new, old = meanings
    hint = f'write `"{node.text}"` if it is a string; otherwise write `{_plain_form(node)}`'
    return code(
        Label(node.origin, length=len(node.text)), name=format_path(path), text=node.text, new=new, old=old, hint=hint
    )


def _plain_form(node: Scalar) -> str:
    """The number or truth value that one of the two readings has, written so that both read it."""
    old, new = SIXTIES.resolve(node.text), node.value
    value = new if isinstance(old, str) else old
    return str(value).lower() if isinstance(value, bool | int | float) else node.text


def _meanings(node: Scalar) -> tuple[str, str]:
    """What a plain scalar means in YAML 1.2 and in 1.1, where these differ; empty where they agree."""
    text, source = node.text, node.source
    if node.tag is not None or not _is_ambiguous(text):
        return ()  # type: ignore[return-value]
    new, old = CORE.resolve(text), SIXTIES.resolve(text)
    same = node.value.__class__ is not new.__class__  # it was read as the tool reads it
    if same or source.__class__ is not Source or not is_plain_at(source, node.at, text):
        return ()  # type: ignore[return-value]
    return _as_read(new), _as_read(old)


@lru_cache(4096)
def _is_ambiguous(text: str) -> bool:
    """Whether a plain scalar means one thing in YAML 1.2 and another in 1.1."""
    if not text or len(text) > LONG_NAME or text[:1] not in SIXTIES.starts:
        return False
    new, old = CORE.resolve(text), SIXTIES.resolve(text)
    return new.__class__ is not old.__class__ or (new != old and new == new)


def _as_read(value: object) -> str:
    """What a scalar was read as."""
    if isinstance(value, str):
        return f"the string `{value}`"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


# Texts


def _odd_texts(subject: Subject, path: Path, node: Node) -> Iterable[Diagnostic]:
    """`b:2` where a map was meant: plain texts that look like keys without the space."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or not isinstance(node.source, Source):
        return ()
    line = node.source.line(node.origin.line) if ":" in node.text and path else ""
    if not line or line.strip() != node.source.text[node.at : node.at + len(line.strip())]:
        return ()
    advice = missing_space(line, 0)
    if advice is None:
        return ()
    return (ODD_TEXT(Label(node.origin, length=len(line.strip())), name=format_path(path), hint=advice.hint),)


def _missing_colons(subject: Subject, path: Path, node: Node) -> Iterable[Diagnostic]:
    """`region us` on a line of its own below `vars:`."""
    parts = missing_colon(node) if path and isinstance(path[-1], str) else None
    if parts is None or not isinstance(node, Scalar):
        return ()
    label = Label(node.origin, length=len(node.text))
    hint = f"write `{parts[0]}: {parts[1]}`; if it is a string, put it in quotes"
    return (MISSING_COLON(label, name=format_path(path), text=node.text, hint=hint),)


def _not_evaluated(subject: Subject, path: Path, node: Node) -> Iterable[Diagnostic]:
    """`(( ... ))` in layers that are merged without dynaml."""
    if not isinstance(node, Scalar) or "dynaml" in subject.notations or node.secret:
        return ()
    if not node.text.startswith("((") or not node.text.endswith("))"):
        return ()
    tool = subject.profile.name if subject.profile is not None else ""
    hint = "`--notation dynaml` evaluates it, and so does `plait spiff merge`"
    hint = f"to {tool} it is a string as well: write the value itself" if tool else hint
    label = Label(node.origin, length=len(node.text))
    return (NOT_EVALUATED(label, name=format_path(path), text=node.text, hint=hint),)


# What another tool will not do

LIST_TAGS = ("!merge-by", *(f"!{name}" for name in STRATEGIES))


def _unknown_to_tool(subject: Subject) -> Iterator[Diagnostic]:
    """Tags of plait in files that the tool of the profile reads as well."""
    profile = subject.profile
    if profile is None:
        return
    for tag, node in subject.bundle.foreign:
        hint = profile.advice if tag.partition(":")[0] in LIST_TAGS else "write the value itself"
        yield UNKNOWN_TO_TOOL(Label(node.origin), tool=profile.name, what=f"the tag `{tag}`", hint=hint)
    for member in subject.bundle.members:
        for document in member.group.documents:
            yield from unknown_keys(document, profile)
    for pattern in subject.patterns:
        rule = f"{format_path(pattern.path)}: {pattern.rule}"
        label = Label.at(Source("lists", rule, given=True), 0, length=len(rule))
        yield UNKNOWN_TO_TOOL(label, tool=profile.name, what="list rules of plait", hint=profile.advice)


def _refused_by_schema(subject: Subject) -> Iterator[Diagnostic]:
    """Values of a chart that its values.schema.json refuses, and helm with it."""
    if subject.profile is None or subject.profile.name != "helm" or len(subject.members) != 1:
        return
    (member,) = subject.members
    lowest = member.group.documents[0].source
    schema = schema_beside(subject.project, lowest.name) if isinstance(lowest, Source) else None
    if schema is None:
        return
    with suppress(Fault):  # what cannot be computed is reported by whoever asks for it
        yield from refused(schema, member.tree.value(), subject.project.meter)


def _refused_resources(subject: Subject) -> Iterator[Diagnostic]:
    """Resources that the schema of their kind refuses, where the user names a folder of schemas."""
    if subject.schemas is not None:
        yield from subject.schemas.refused(_computed(subject))


def _computed(subject: Subject) -> Iterator[Node]:
    """The results of all documents; what cannot be computed is reported by whoever asks for it."""
    for member in subject.members:
        with suppress(Fault):
            yield member.tree.value()


# Templates


def _unread(subject: Subject) -> Iterator[Diagnostic]:
    if not subject.templates:
        return
    reads = values_read(_texts(subject.project, subject.templates))
    for member in subject.members:
        for path in unread(member.tree.root, reads):
            hint = f"no template in `{subject.templates}` reads it"
            yield UNREAD(key_label(member.tree.root, path), name=format_path(path), hint=hint)


def _texts(project: Project, folder: str) -> Iterator[str]:
    """The texts of the files below a folder."""
    for name in project.door.below(project.admit(folder), hidden=False):
        yield project.bytes(f"{folder}/{name}").decode("utf-8", "replace")


RULES: tuple[Rule, ...] = (
    Rule(LIST_LOST, "By default a list replaces the one of a lower layer, and its items disappear.",
         {"base.yaml": "jobs: [api, web]\n", "prod.yaml": "jobs: [web]\n"}, _lost(LIST_LOST)),
    Rule(MAP_LOST, "A value of another kind replaces everything that a lower layer has there.",
         {"base.yaml": "db: {host: a, port: 1}\n", "prod.yaml": "db: off\n"}, _lost(MAP_LOST)),
    Rule(NO_CHANGE, "An override that equals what it overrides hides a later change of the lower layer.",
         {"base.yaml": "size: 5\n", "prod.yaml": "size: 5\n"}, _lost(NO_CHANGE)),
    Rule(NEVER_USED, "A change of the expression has no effect, which is easy to miss.",
         {"base.yaml": "a: 1\nb: !ref a\n", "prod.yaml": "b: 2\n"}, _lost(NEVER_USED)),
    Rule(LOST_ERROR, "The error appears as soon as the higher layer no longer sets the value.",
         {"base.yaml": "b: !ref nowhere\n", "prod.yaml": "b: 2\n"}, _lost(LOST_ERROR)),
    Rule(MISSPELT, "A misspelt key overrides nothing, and no tool complains.",
         {"base.yaml": "replicaCount: 1\n", "prod.yaml": "replicaCuont: 3\n"}, _misspelt),
    Rule(UNUSED_RULE, "A list rule of plait.yaml or of a policy file that matches no list does nothing.",
         {"base.yaml": "jobs: [a]\n", "plait.yaml": "lists: {jbos: append}\n"}, _unused),
    Rule(UNREAD, "A value that no template reads has no effect. Needs `--templates FOLDER`.",
         {"values.yaml": "image: nginx\nimgae: redis\n", "templates/pod.yaml": "image: {{ .Values.image }}\n"},
         _unread, ("--templates", "templates")),
    Rule(DUPLICATE_ITEM, "The same item twice in a list is usually a leftover of a copy.",
         {"base.yaml": "hosts: [a, b, a]\n"}, each=_duplicates, kinds=("sequence",)),
    Rule(CLEAR_SECRET, "A secret in a file stays in the history of the repository.",
         {"base.yaml": "db: {password: hunter2}\n"}, each=_clear_secrets),
    Rule(OLD_INPUT, "Another tool may read YAML 1.1, in which the scalar means something else.",
         {"base.yaml": "enabled: no\n", "prod.yaml": "enabled: true\n"}, each=_old_input,
         kinds=("scalar", "mapping")),
    Rule(OLD_OUTPUT, "The result contains a scalar that YAML 1.1 reads differently.",
         {"base.yaml": "mode: 0644\n"}, each=_old_output),
    Rule(ODD_TEXT, "Without a space after the colon, YAML reads a string instead of a key and its value.",
         {"base.yaml": "limits:\n  cpu:two\n"}, each=_odd_texts),
    Rule(OTHER_TYPE, "A version `1.10` without quotes is the number 1.1, and `\"2\"` is not a number of replicas.",
         {"base.yaml": 'tag: "1.9"\n', "prod.yaml": "tag: 1.10\n"}, _lost(OTHER_TYPE)),
    Rule(MISSING_COLON, "Without a colon, YAML reads a string instead of a key and its value.",
         {"base.yaml": "vars:\n  region us\n"}, each=_missing_colons),
    Rule(UNKNOWN_TO_TOOL, "What is deployed is what the tool makes of the files, without plait's tags and list rules.",
         {"values.yaml": "hosts: [a]\n", "prod.yaml": "hosts: !append [b]\n", "plait.yaml": "profile: helm\n"},
         _unknown_to_tool),
    Rule(NOT_EVALUATED, "An expression of dynaml in layers is a string unless the notation is asked for.",
         {"base.yaml": "size: (( 1 + 2 ))\n"}, each=_not_evaluated),
    Rule(RESOURCE_REFUSED, "The cluster refuses a resource that its kind does not allow. Needs `--schemas FOLDER`.",
         {"web.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {port: 80}\n",
          "schemas/configmap-v1.json": '{"properties": {"data": {"additionalProperties": {"type": "string"}}}}\n'},
         _refused_resources, ("--schemas", "schemas")),
    Rule(CHART_VALUES, "helm checks values with the values.schema.json beside values.yaml, and refuses to install.",
         {"values.yaml": "replicas: 2\n", "prod.yaml": "replicas: many\n", "plait.yaml": "profile: helm\n",
          "values.schema.json": '{"properties": {"replicas": {"type": "integer"}}}\n'}, _refused_by_schema),
)  # fmt: skip
"""Every rule, in the order of the codes."""
