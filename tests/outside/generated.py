"""Repositories of stacks that nobody would write, and changes to them: for laws that must hold for all repositories.

A repository is a dictionary of texts by name; a change makes another one of it. Most of them mean something:
references mostly name what is there. Some do not, and a component that fails must fail the same way for everybody.
"""

from __future__ import annotations

import json

from hypothesis import strategies as st

Files = dict[str, str]
COMPONENTS = ("vpc", "app", "job", "base")
STACKS = ("dev", "prod")
KEYS = ("a", "b", "c", "d")

ATMOS = """\
base_path: .
stacks:
  base_path: stacks
  included_paths: ["deploy/**/*"]
  {naming}
components: {{terraform: {{base_path: components/terraform}}}}
settings: {{list_merge_strategy: {strategy}}}
stores:
  local: {{type: file, options: {{path: values.yaml}}}}
templates: {{settings: {{gomplate: {{datasources: {{shared: {{url: ./shared/one.yaml}}}}}}}}}}
"""
NAMINGS = ('name_pattern: "{stage}"', "name_template: '{{ .vars.stage }}'", 'name_pattern: "{tenant}-{stage}"')

VALUES = (
    "1",
    "2",
    "x",
    "[1, 2]",
    "[]",
    "{k: 1}",
    "{k: {l: 2}, m: 3}",
    "null",
    "true",
    "!append [3]",
    "!unset",
    '"{{ .vars.a }}"',
    '"{{ .vars.b }}-{{ .settings.a }}"',
    '"{{ .settings.b }}"',
    "'{{ toJson .vars.d }}'",
    "'{{ .atmos_component }}/{{ .stack }}'",
    "'{{ .workspace }}'",
    "!template '{{ toJson .settings }}'",
    "!template '[1, {{ .vars.a | default 0 | toJson }}]'",
    "!env PLAIT_TEST_VALUE none",
    "!env a other",
    "!include shared/one.yaml .a",
    "!include shared/one.yaml",
    "!include ../../shared/two.yaml",
    "!include.raw shared/three.txt",
    "!include shared/four.tfvars .size",
    "!include ./shared.yaml",
    '!terraform.state vpc .id // "none"',
    "!terraform.state vpc prod .list[0] // 0",
    "!terraform.state app id",
    "!store.get local k | default none",
    "!store local vpc id | default none",
    "!store.get local '{{ .vars.a }}' | default none",
    '\'{{ (atmos.Component "vpc" "dev").vars.a }}\'',
    "'{{ (atmos.Component \"app\" .stack).vars.b }}'",
    '\'{{ (atmos.Component "job" "prod").settings | toJson }}\'',
    "'{{ (datasource \"shared\").b }}'",
    "'{{ atmos.Resolve \"!include shared/one.yaml .b\" }}'",
    "!labels",
    "!tags",
)
LOCAL_VALUES = ('"{{ .locals.one }}"', '"{{ .locals.two }}!"', "!template '{{ toJson .locals.one }}'")
"""What only a file with locals can say."""
IMPORTS = (
    "mixins/one",
    "mixins/two",
    "mixins/*",
    "catalog/one",
    "catalog/two",
    "catalog/*",
    "catalog/**/*",
    "{path: catalog/context, context: {flavor: 1}}",
    "{path: catalog/context, context: {flavor: 2}}",
    "{path: catalog/none, skip_if_missing: true}",
    "{path: 'mixins/{{ .which }}', context: {which: two}, ignore_missing_template_values: true}",
    "{path: 'mixins/{{ .settings.which }}', ignore_missing_template_values: true, skip_if_missing: true}",
)


@st.composite
def sections(draw: st.DrawFn, indent: str, values: tuple[str, ...]) -> str:
    """Some sections with some keys each."""
    made = ""
    for name in draw(
        st.lists(st.sampled_from(("vars", "vars", "settings", "env")), min_size=1, max_size=2, unique=True)
    ):
        made += f"{indent}{name}:\n"
        for key in draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True)):
            made += f"{indent}  {key}: {draw(st.sampled_from(values))}\n"
    return made


@st.composite
def components(draw: st.DrawFn, values: tuple[str, ...] = VALUES, least: int = 0, most: int = 3) -> str:
    """A `components` section."""
    made = ""
    for name in draw(st.lists(st.sampled_from(COMPONENTS), min_size=least, max_size=most, unique=True)):
        made += f"    {name}:\n"
        metadata = draw(
            st.sampled_from(
                [
                    "",
                    "",
                    "inherits: [base]",
                    "inherits: [vpc]",
                    "type: abstract",
                    "component: vpc",
                    "labels: {l: 1}, tags: [t]",
                ]
            )
        )
        if metadata and name not in metadata:
            made += f"      metadata: {{{metadata}}}\n"
        own = draw(sections("      ", values))
        made += own
        if "settings" not in own and draw(st.integers(0, 5)) == 0:
            made += "      settings: {depends_on: {1: {file: shared/three.txt}}}\n"
        made = made if not made.endswith(f"    {name}:\n") else made[:-1] + " {}\n"
    return f"components:\n  terraform:\n{made}" if made else ""


@st.composite
def manifests(draw: st.DrawFn, imports: tuple[str, ...], stage: str = "") -> str:
    """A manifest; of a stack, where a stage is given."""
    has_locals = draw(st.booleans())
    values = VALUES + LOCAL_VALUES * 3 if has_locals else VALUES

    def value() -> str:
        return draw(st.sampled_from(values))

    made = ""
    chosen = draw(st.lists(st.sampled_from(imports), max_size=3)) if imports else []
    if stage:
        chosen.insert(0, "catalog/bases")
    if chosen:
        made += "import:\n" + "".join(f"  - {item}\n" for item in chosen)
    if stage or draw(st.booleans()):
        keys = draw(st.lists(st.sampled_from(KEYS), min_size=0 if stage else 1, max_size=2, unique=True))
        made += (
            "vars:\n"
            + (f"  stage: {stage}\n  tenant: acme\n" if stage else "")
            + "".join(f"  {key}: {value()}\n" for key in keys)
        )
    if draw(st.booleans()):
        made += f"settings:\n  which: {draw(st.sampled_from(['one', 'two']))}\n  a: {value()}\n"
    if has_locals:
        one = draw(
            st.sampled_from(("1", "z", "{k: 1}", "!include shared/one.yaml .c", "!store.get local k | default q"))
        )
        two = draw(st.sampled_from(('"{{ .locals.one }}"', "2", "!env PLAIT_TEST_VALUE none")))
        made += f"locals:\n  one: {one}\n  two: {two}\n"
    if draw(st.integers(0, 3)) == 0:
        made += f"terraform:\n  vars:\n    c: {value()}\n"
    if draw(st.integers(0, 5)) == 0:
        made += f"overrides:\n  vars:\n    d: {value()}\n"
    return made + draw(components(values, 1 if stage else 0))


BASES = "components:\n  terraform:\n    base: {metadata: {type: abstract}, vars: {a: 1}}\n    vpc: {vars: {b: 2}}\n"


@st.composite
def repositories(draw: st.DrawFn) -> Files:
    files = {
        "atmos.yaml": ATMOS.format(
            naming=draw(st.sampled_from(NAMINGS)), strategy=draw(st.sampled_from(["replace", "append", "merge"]))
        ),
        "values.yaml": f"k: {draw(st.integers(1, 2))}\ndev: {{vpc: {{id: s}}}}\n",
        "shared/one.yaml": "a: 1\nb: {x: 2}\nc: 3\n",
        "shared/two.yaml": "- 1\n- 2\n",
        "shared/three.txt": "hello\n",
        "shared/four.tfvars": "size = 4\n",
        "stacks/deploy/shared.yaml": "vars: {stage: shared, tenant: acme}\n",
        "stacks/catalog/bases.yaml": BASES,
        "stacks/mixins/one.yaml": draw(manifests(())),
        "stacks/mixins/two.yaml": draw(manifests(("./one", "mixins/one"))),
        "stacks/catalog/one.yaml": draw(manifests(IMPORTS[:2])),
        "stacks/catalog/two.yaml": draw(manifests(("./one", *IMPORTS[:3]))),
        "stacks/catalog/deep/three.yaml": draw(manifests(("../one",))),
        "stacks/catalog/context.yaml": "vars: {flavor: {{ .flavor }}}\n"
        + draw(components(most=1)).replace("{{", "{{ `{{").replace("}}", "}}` }}"),
    }
    for stack in STACKS:
        files[f"stacks/deploy/{stack}.yaml"] = draw(manifests(IMPORTS, stack))
    for component in ("vpc", "app"):
        files[f"components/terraform/{component}/main.tf"] = f"# {component}\n"
        for stack in draw(st.lists(st.sampled_from(STACKS), unique=True)):
            rows = {"id": {"value": f"{component}-{stack}"}, "list": {"value": [1, 2]}}
            name = f"components/terraform/{component}/terraform.tfstate.d/{stack}/terraform.tfstate"
            files[name] = (
                json.dumps({"version": 4, "serial": 1, "lineage": "x", "resources": [], "outputs": rows}, indent=1)
                + "\n"
            )
    return files


# Changes


@st.composite
def changes(draw: st.DrawFn, files: Files) -> Files:
    """The same repository after one to three changes."""
    made = dict(files)
    for _ in range(draw(st.integers(1, 3))):
        how = draw(st.sampled_from(("line", "line", "line", "line", "file")))
        made = draw(changed_line(made)) if how == "line" else draw(changed_file(made))
    return made


@st.composite
def changed_line(draw: st.DrawFn, files: Files) -> Files:
    manifests = [name for name in files if name.startswith("stacks/")]
    name = draw(st.sampled_from(sorted(files) + manifests * 2))
    lines = files[name].splitlines(keepends=True)
    if not lines:
        return {**files, name: "vars: {late: 1}\n"}
    number = draw(st.integers(0, len(lines) - 1))
    line = lines[number]
    how = draw(st.sampled_from(("number", "value", "value", "value", "delete", "comment", "swap", "again")))
    if how == "number":
        lines[number] = "".join(str((int(letter) + 1) % 10) if letter.isdigit() else letter for letter in line)
    elif how == "value" and ": " in line:
        lines[number] = f"{line.partition(': ')[0]}: {draw(st.sampled_from(VALUES))}\n"
    elif how == "delete":
        del lines[number]
    elif how == "comment":
        lines[number] = line.rstrip("\n") + " # changed\n"
    elif how == "swap" and number:
        lines[number - 1 : number + 1] = [line, lines[number - 1]]
    elif how == "again":
        indent = line[: len(line) - len(line.lstrip())]
        lines.insert(number, f"{indent}extra: {draw(st.sampled_from(VALUES))}\n")
    return {**files, name: "".join(lines)}


@st.composite
def changed_file(draw: st.DrawFn, files: Files) -> Files:
    name = draw(st.sampled_from(sorted(set(files) - {"atmos.yaml"})))
    how = draw(st.sampled_from(("delete", "rename", "copy", "empty")))
    folder, _, base = name.rpartition("/")
    other = f"{folder}/new-{base}" if folder else f"new-{base}"
    made = dict(files)
    if how == "empty":
        made[name] = ""
    elif how == "copy":
        made[other] = made[name]
    else:
        text = made.pop(name)
        if how == "rename":
            made[other] = text
    return made


# Stacks that read nothing but what they import: there a change of an entry reaches only those that inherit from it.

HEIRS = ("base", "mixin", "vpc", "app")
KINSHIPS = (
    "",
    "",
    "metadata: {inherits: [base]}, ",
    "metadata: {inherits: [mixin, base]}, ",
    "metadata: {inherits: [vpc]}, ",
    "metadata: {inherits: [mixin], type: abstract}, ",
    "metadata: {type: abstract}, ",
    "metadata: {type: real}, ",
    "metadata: {inherits: ['{{ .vars.parent }}']}, ",
    "metadata: {type: '{{ .vars.kind }}'}, ",
    "component: base, ",
    "component: mixin, metadata: {inherits: [vpc]}, ",
)
Entries = dict[str, dict[str, str]]
"""The entries of each file, by the names of components."""


def entries(name: str) -> st.SearchStrategy[str]:
    """Entries of a component, which inherits only from those before it: there is no ring."""
    later = HEIRS[HEIRS.index(name) :] if name != "base" else (*HEIRS, "parent")
    kinships = [one for one in KINSHIPS if not any(other in one for other in later)]
    keys = st.lists(st.sampled_from(["a: 1", "b: 2", "c: '{{ .vars.stage }}'"]), unique=True)
    return st.tuples(st.sampled_from(kinships), keys).map(
        lambda drawn: f"{{{drawn[0]}vars: {{{', '.join(drawn[1])}}}}}"
    )


@st.composite
def families(draw: st.DrawFn) -> tuple[Files, Files]:
    """Stacks of components that inherit from each other, before and after a change of one or two entries."""
    names = ("catalog/one", "catalog/two", "deploy/dev", "deploy/prod")
    before: Entries = {"catalog/bases": {name: draw(entries(name)) for name in HEIRS[:3]}}
    for file in names:
        chosen = draw(st.lists(st.sampled_from(HEIRS), min_size=1, unique=True))
        before[file] = {name: draw(entries(name)) for name in chosen}
    after = {name: dict(found) for name, found in before.items()}
    for _ in range(draw(st.integers(1, 2))):
        file, name = draw(st.sampled_from(sorted(before))), draw(st.sampled_from(HEIRS))
        if draw(st.integers(0, 4)) == 0 and len(after[file]) > 1:
            after[file].pop(name, None)
        else:
            after[file][name] = draw(entries(name))
    return _family_files(before), _family_files(after)


def _family_files(entries: Entries) -> Files:
    files = {"atmos.yaml": ATMOS.format(naming=NAMINGS[0], strategy="replace")}
    for file, found in entries.items():
        folder, stage = file.split("/")
        own = "".join(f"    {name}: {text}\n" for name, text in found.items())
        head = "import: [catalog/bases, catalog/one, catalog/two]\n" if folder == "deploy" else ""
        head += f"vars: {{stage: {stage}, parent: base, kind: abstract}}\n" if folder == "deploy" else ""
        files[f"stacks/{file}.yaml"] = f"{head}components:\n  terraform:\n{own}"
    return files
