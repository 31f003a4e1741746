"""Inputs whose cost must grow with their size, and inputs that must be refused at once.

An input is the files of a project, by name, and the words of a command. `GROWS` makes one of any size; `REFUSED` holds
those that ask for far more than they say.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

Input = tuple[dict[str, str], list[str]]
MERGE = ["merge", "a.yaml", "--no-cache"]
GO = [*MERGE, "--notation", "gotemplate"]
DYNAML = [*MERGE, "--notation", "dynaml"]


def one(text: str, words: list[str] = MERGE) -> Input:
    return {"a.yaml": text}, words


def lines(count: int, line: Callable[[int], str]) -> str:
    return "".join(line(number) + "\n" for number in range(count))


ONE = "components: {terraform: {c: {}}}\n"
"""A component: without any there is no stack."""


def stack(extra: str, words: list[str] | None = None, **files: str) -> Input:
    """A repository of stacks with one manifest."""
    made = {
        "atmos.yaml": "stacks: {base_path: stacks, included_paths: ['**/*'], name_pattern: '{stage}'}\n"
        "components: {terraform: {base_path: components/terraform}}\ntemplates: {settings: {enabled: true}}\n",
        "stacks/dev.yaml": "vars: {stage: dev}\n" + extra,
    }
    made.update({f"stacks/{name}.yaml": text for name, text in files.items()})
    return made, words or ["describe", "stacks", "--no-cache"]


def template(text: str, more: str = "") -> Input:
    return one(f"{more}t: |\n  " + text.replace("\n", "\n  ") + "\n", GO)


def diamonds(levels: int) -> Input:
    """Components that each inherit two others, which inherit the same two."""
    bases = lines(
        levels,
        lambda i: (
            f"    a{i}: {{metadata: {{type: abstract, inherits: [a{i + 1}, b{i + 1}]}}}}\n    b{i}: "
            f"{{metadata: {{type: abstract, inherits: [a{i + 1}, b{i + 1}]}}}}"
        ),
    )
    last = f"    a{levels}: {{metadata: {{type: abstract}}}}\n    b{levels}: {{metadata: {{type: abstract}}}}\n"
    return stack(f"components:\n  terraform:\n    c: {{metadata: {{inherits: [a0, b0]}}}}\n{bases}{last}")


def import_diamonds(levels: int) -> dict[str, str]:
    """Manifests that each import two others, which import the same two."""
    made = {f"i{i}{side}": f"import: [i{i + 1}a, i{i + 1}b]\n" for i in range(levels) for side in "ab"}
    return {**made, f"i{levels}a": "vars: {x: 1}\n", f"i{levels}b": "vars: {y: 1}\n"}


def keys(count: int, value: str = "1") -> str:
    return lines(count, lambda i: f"k{i}: {value}")


def over(below: str, above: str, *words: str) -> Input:
    """Two layers, and a command about both."""
    return {"a.yaml": below, "b.yaml": above}, [*words, "a.yaml", "b.yaml", "--no-cache"]


def resources(count: int, seed: int) -> str:
    """Documents with random names."""
    chance = Random(seed)
    names = ("".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=12)) for _ in range(count))
    kind = "apiVersion: apps/v1\nkind: Deployment\n"
    return "---\n".join(f"{kind}metadata: {{name: a{name}, labels: {{app: {name}}}}}\n" for name in names)


GROWS: dict[str, tuple[int, Callable[[int], Input]]] = {
    # where people wait: benchmarks/many.py and benchmarks/waits.py have the same in their real sizes
    "lint of names that one layer has": (60, lambda n: over(resources(n, 1), resources(n, 2), "lint")),
    "documents merged by name": (
        60,
        lambda n: over(resources(n, 1), resources(n, 1), "merge", "--profile", "kubernetes"),
    ),
    "layers that append": (
        30,
        lambda n: (
            {f"{i}.yaml": f"l: !append [a{i}, b{i}, c{i}, d{i}, e{i}]\n" for i in range(n)},
            ["merge", *(f"{i}.yaml" for i in range(n)), "--no-cache"],
        ),
    ),
    "one value that is set": (800, lambda n: one(keys(n), ["set", "a.yaml", "k1", "2", "--dry-run", "--no-cache"])),
    "blame of keys that are overridden": (800, lambda n: over(keys(n), keys(n, "2"), "blame")),
    "origins of keys that are overridden": (800, lambda n: over(keys(n), keys(n, "2"), "merge", "--origins")),
    "references that lead nowhere": (
        80,
        lambda n: one(
            "m: {d: 1}\njobs:\n" + lines(n, lambda i: f"- {{name: j{i}, in: {{c: (( m.x{i} )), d: (( m.d ))}}}}"),
            ["spiff", "merge", "a.yaml", "--no-cache"],
        ),
    ),
    "references to as many values": (200, lambda n: one(lines(n, lambda i: f"k{i}: !ref z{i}\nz{i}: 1"))),
    "blame of a wide list": (
        5_000,
        lambda n: one("[" * 90 + "1," * n + "1" + "]" * 90, ["blame", "a.yaml", "--no-cache"]),
    ),
    # references
    "misspelt references": (60, lambda n: one(keys(n) + lines(n, lambda i: f"r{i}: !ref kk{i}"))),
    "one misspelt reference": (2000, lambda n: one(keys(n) + "r: !ref kq7\n")),
    "a chain of references": (300, lambda n: one("k0: 1\n" + lines(n, lambda i: f"k{i + 1}: !ref k{i}"))),
    "a chain the other way": (300, lambda n: one(lines(n, lambda i: f"k{i}: !ref k{i + 1}") + f"k{n}: 1\n")),
    "rings of references": (200, lambda n: one(lines(n, lambda i: f"k{i}: !ref z{i}\nz{i}: !ref k{i}"))),
    "one large ring": (200, lambda n: one(lines(n, lambda i: f"k{i}: !ref k{(i + 1) % n}"))),
    "references into a list by field": (
        150,
        lambda n: one(
            "items:\n"
            + lines(n, lambda i: f"- {{name: n{i}}}")
            + lines(n, lambda i: f"r{i}: !ref 'items[name=n{i}].name'")
        ),
    ),
    "references into a computed list by field": (
        150,
        lambda n: one(
            "z: 1\nitems:\n"
            + lines(n, lambda i: f"- {{name: n{i}, v: !ref z}}")
            + lines(n, lambda i: f"r{i}: !ref 'items[name=n{i}].v'")
        ),
    ),
    "references to one large value": (
        100,
        lambda n: one("big:\n" + lines(50, lambda i: f"  k{i}: 1") + lines(n, lambda i: f"r{i}: !ref big")),
    ),
    # Go templates
    "a template that reads computed values": (
        150,
        lambda n: one("t: '" + "".join(f"{{{{ .k{i} }}}}" for i in range(n)) + "'\n" + keys(n, "'{{ print 1 }}'"), GO),
    ),
    "a template of many lines": (400, lambda n: template("x {{ .a }}\n" * n, "a: 1\n")),
    "templates that miss a key": (60, lambda n: one(keys(n) + lines(n, lambda i: f"t{i}: '{{{{ .kk{i} }}}}'"), GO)),
    "a loop": (20_000, lambda n: template(f"{{{{ range until {n} }}}}{{{{ . }}}}{{{{ end }}}}")),
    "a pattern on a long text": (
        20_000,
        lambda n: template(f'{{{{ regexMatch "[a-z]*1" (repeat {n} "a") }}}}'),
    ),
    "matches of a pattern": (3000, lambda n: template(f'{{{{ regexFindAll "a+b" (repeat {n} "aab") -1 | len }}}}')),
    "replacing by a pattern": (
        1000,
        lambda n: template(f'{{{{ regexReplaceAll "(a+)b" (repeat {n} "aab") "$1" | len }}}}'),
    ),
    "a shuffled text": (10_000, lambda n: template(f'{{{{ shuffle (repeat {n} "a") | len }}}}')),
    "variables of a template": (
        200,
        lambda n: template("".join(f"{{{{ $v{i} := {i} }}}}" for i in range(n)) + "{{ $v0 }}"),
    ),
    "branches of a template": (
        100,
        lambda n: template("{{ if .a }}" + "".join("{{ else if .a }}x" for _ in range(n)) + "{{ end }}", "a: false\n"),
    ),
    "an argument of many words": (500, lambda n: template("{{ list " + "1 " * n + "| len }}")),
    # yq
    "a chain of alternatives": (
        300,
        lambda n: stack(ONE, ["describe", "stacks", "--no-cache", "-q", ".a" + " // .a" * n]),
    ),
    "a chain of pipes": (300, lambda n: stack(ONE, ["describe", "stacks", "--no-cache", "-q", "." + " | ." * n])),
    # stacks
    "misspelt bases": (
        60,
        lambda n: stack(
            "components:\n  terraform:\n"
            + lines(n, lambda i: f"    c{i}: {{metadata: {{component: x, inherits: [b{i}]}}}}")
        ),
    ),
    "components": (
        60,
        lambda n: stack("components:\n  terraform:\n" + lines(n, lambda i: f"    c{i}: {{vars: {{a: 1}}}}")),
    ),
    "templates of one component": (
        250,
        lambda n: stack(
            "components:\n  terraform:\n    c:\n      vars:\n"
            + lines(n, lambda i: f"        k{i}: '{{{{ .vars.stage }}}}'")
        ),
    ),
    "templates of one component in a chain": (
        150,
        lambda n: stack(
            "components:\n  terraform:\n    c:\n      vars:\n        k0: 1\n"
            + lines(n, lambda i: f"        k{i + 1}: '{{{{ .vars.k{i} }}}}'")
        ),
    ),
    "diamonds of inheritance": (5, lambda n: diamonds(n)),
    "diamonds of imports": (
        5,
        lambda n: stack("import: [i0a, i0b]\ncomponents: {terraform: {c: {}}}\n", None, **import_diamonds(n)),
    ),
    # directives
    "a list of directives": (
        40,
        lambda n: one(
            "l:\n" + lines(n, lambda i: f"- {{eval: {{concat: [a, b{i}]}}}}"), ["query", "l", "a.yaml", "--no-cache"]
        ),
    ),
    "a concatenation of queries": (
        60,
        lambda n: one(
            keys(n, "x") + "t: {eval: {concat: [" + ", ".join(f"{{eval: '::k{i}'}}" for i in range(n)) + "]}}\n",
            ["query", "t", "a.yaml", "--no-cache"],
        ),
    ),
    "queries for items by name": (
        60,
        lambda n: one(
            "l:\n" + lines(n, lambda i: f"- {{name: n{i}, x: {{eval: '::l::[name=n{i * 7 % n}]::name'}}}}"),
            ["query", "::l::x", "a.yaml", "--mode", "list", "--no-cache"],
        ),
    ),
    # spiff
    "stubs": (
        15,
        lambda n: (
            {"a.yaml": keys(10, "(( merge ))"), **{f"s{i}.yaml": keys(10) for i in range(n)}},
            ["spiff", "merge", "a.yaml", *(f"s{i}.yaml" for i in range(n)), "--no-cache"],
        ),
    ),
    "jobs with a stub": (
        30,
        lambda n: (
            {
                "a.yaml": "m: {c: 1}\njobs:\n"
                + lines(n, lambda i: f"- name: j{i}\n  c: (( merge || m.c ))\n  d: (( c * 2 ))\n  e: (( jobs.j0.d ))"),
                "s.yaml": "jobs:\n" + lines(n, lambda i: f"- {{name: j{i}, {'cx'[i % 2]}: 2}}"),
            },
            ["spiff", "merge", "a.yaml", "s.yaml", "--no-cache"],
        ),
    ),
    "dynaml references": (100, lambda n: one(lines(n, lambda i: f"k{i}: (( z{i} ))\nz{i}: 1"), DYNAML)),
    "a long concatenation": (
        150,
        lambda n: one(
            "t: (( " + " ".join(f"k{i}" for i in range(n)) + " ))\n" + lines(n, lambda i: f"k{i}: (( z ))") + "z: a\n",
            DYNAML,
        ),
    ),
    # reading and writing
    "a long list": (1500, lambda n: one("l:\n" + lines(n, lambda i: f"- {i}"))),
    "documents of one file": (3000, lambda n: one("---\na: 1\n" * n)),
    "duplicate keys": (1000, lambda n: one(keys(n) + keys(n))),
    "aliases": (300, lambda n: one("a: &a {x: 1}\n" + lines(n, lambda i: f"k{i}: *a"))),
    "a list of lists cut off": (200, lambda n: one("[" * n)),
}


def laughs(levels: int) -> str:
    """Twice as many values with each line."""
    return "a0: {x: 1}\n" + lines(levels, lambda i: f"a{i + 1}: {{p: !ref a{i}, q: !ref a{i}}}")


def every_component_in_every_stack(count: int, *words: str) -> Input:
    """As many stacks as components, each of which imports all of them."""
    made, _ = stack("")
    del made["stacks/dev.yaml"]
    made["atmos.yaml"] = made["atmos.yaml"].replace("**/*", "s/*")
    for i in range(count):
        made[f"stacks/s/s{i}.yaml"] = f"vars: {{stage: s{i}}}\nimport: [catalog]\n"
    components = lines(count, lambda i: f"    c{i}: {{vars: {{a: 1}}}}")
    made["stacks/catalog.yaml"] = f"components:\n  terraform:\n{components}"
    return made, [*words, "--no-cache"]


def schema_that_doubles(levels: int) -> str:
    rules = {f"a{i}": {"allOf": [{"$ref": f"#/definitions/a{i + 1}"}] * 2} for i in range(levels)}
    return json.dumps(
        {
            "definitions": {**rules, f"a{levels}": {"type": "string"}},
            "properties": {"vars": {"$ref": "#/definitions/a0"}},
        }
    )


REFUSED: dict[str, Input] = {
    "references that double": one(laughs(22)),
    "references that double in two layers": (
        {"a.yaml": laughs(22), "b.yaml": laughs(22).replace("x: 1", "x: 2")},
        [*MERGE, "b.yaml"],
    ),
    "files that double": (
        {f"i{i + 1}.yaml": f"p: !include i{i}.yaml\nq: !include i{i}.yaml\n" for i in range(22)}
        | {"i0.yaml": "x: 1\n"},
        ["merge", "i22.yaml", "--no-cache"],
    ),
    "every component in every stack": every_component_in_every_stack(150, "describe", "stacks"),
    "pages of every component in every stack": every_component_in_every_stack(120, "serve", "--export", "pages"),
    "aliases that double": one("a0: &a0 {x: 1}\n" + lines(22, lambda i: f"a{i + 1}: &a{i + 1} {{p: *a{i}, q: *a{i}}}")),
    "a large text in many places": template('{{ repeat 1000000 "x" }}', lines(400, lambda i: f"r{i}: !ref t")),
    "random letters": template("{{ range until 100000 }}{{ randAlpha 60000 | len }}{{ end }}"),
    "repeat": template('{{ repeat 2000000000 "x" }}'),
    "repeat of repeat": template('{{ repeat 60000 (repeat 60000 "x") }}'),
    "texts that double": template('{{ $x := "ab" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ len $x }}'),
    "lists that double": template("{{ $x := list 1 }}{{ range until 60 }}{{ $x = concat $x $x }}{{ end }}{{ len $x }}"),
    "maps that double": template(
        '{{ $x := dict "a" 1 }}{{ range until 40 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ mustToJson $x | len }}'
    ),
    "until": template("{{ until 1000000000 | len }}"),
    "seq": template("{{ seq 1 1000000000 | len }}"),
    "printf": template('{{ range until 100000 }}{{ printf "%1000000d" . | len }}{{ end }}'),
    "indent": template('{{ indent 100000 (repeat 100000 "\\n") | len }}'),
    "replace": template('{{ replace "" (repeat 60000 "y") (repeat 60000 "x") | len }}'),
    "join": template('{{ join (repeat 60000 "y") (until 60000) | len }}'),
    "wrapWith": template('{{ wrapWith 1 (repeat 60000 "y") (repeat 60000 "x") | len }}'),
    "templates that call themselves": template(
        '{{ define "a" }}{{ template "a" }}{{ template "a" }}{{ end }}{{ template "a" }}'
    ),
    "loops in loops": template("{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}"),
    "searching a large text": template(
        '{{ $x := repeat 1000000 "x" }}{{ range until 1000000 }}{{ contains "y" $x }}{{ end }}'
    ),
    "an ambiguous pattern": template('{{ regexFindAll "(x+x+)+y|x" (repeat 100000 "x") -1 | len }}'),
    "yq that doubles": stack(ONE, ["describe", "stacks", "--no-cache", "-q", "." + " | (., .)" * 40]),
    "yq texts that double": stack(ONE, ["describe", "stacks", "--no-cache", "-q", '"xx"' + " | . + ." * 60]),
    "yq products": stack(
        ONE,
        [
            "describe",
            "stacks",
            "--no-cache",
            "-q",
            "[1, 2, 3, 4, 5, 6, 7, 8, 9] | {" + ", ".join(f"{key}: .[]" for key in "abcdefgh") + "}",
        ],
    ),
    "a template that writes itself": stack(
        "settings: {templates: {settings: {evaluations: 1000000000}}}\ncomponents:\n  terraform:\n    c:\n      vars:\n"
        "        x: '{{ $s := \"x{{ $s := %q }}{{ printf $s $s }}\" }}{{ printf $s $s }}'\n"
    ),
    "a wide list far inside": one("[" * 900 + "1," * 60_000 + "1" + "]" * 900),
    "a wide list far inside, as JSON": one("[" * 900 + "1," * 60_000 + "1" + "]" * 900, [*MERGE, "--format", "json"]),
    "the lines of a text far inside": one(
        "[" * 900 + json.dumps("x\n" * 10_000) + "," + json.dumps("x\n" * 90_000) + "]" * 900
    ),
    "a reference to a wide list far inside": one(
        "l: ["
        + "1," * 14_000
        + "1]\na: "
        + "{a: " * 900
        + "{"
        + ", ".join(f"k{i}: !ref l" for i in range(20))
        + "}"
        + "}" * 900
    ),
    "origins of references that double": one(laughs(22), ["lint", "a.yaml", "--no-cache"]),
    "layers of a wide list": one("[" * 90 + "1," * 60_000 + "1" + "]" * 90, ["layers", "a.yaml", "--no-cache"]),
    "a schema that asks the same question again and again": (
        {
            **stack("")[0],
            "atmos.yaml": stack("")[0]["atmos.yaml"] + "schemas: {atmos: {manifest: s.json}}\n",
            "s.json": schema_that_doubles(25),
        },
        ["validate", "stacks"],
    ),
    "yq numbers": stack(ONE, ["describe", "stacks", "--no-cache", "-q", "9" * 3000 + " | . * ." * 40]),
}
EVERY, DONE = "{% for i in range(9000) %}{% for j in range(9000) %}", "{% endfor %}{% endfor %}"
PRICED: dict[str, Input] = {
    "a list of many different maps": template(
        '{{ $l := list }}{{ range until 20000 }}{{ $l = append $l (dict "a" .) }}{{ end }}{{ uniq $l | len }}'
    ),
    "chunks of a list": template("{{ $l := until 50000 }}{{ range until 100000 }}{{ $_ := chunk 7 $l }}{{ end }}"),
    "fields far inside": template(
        "{{ range until 100000 }}{{ $_ := $.a" + ".a" * 200 + " }}{{ end }}",
        "a: " + "{a: " * 201 + "1" + "}" * 201 + "\n",
    ),
    "a map that is sorted again and again": template(
        "{{ range until 100000 }}{{ range $.a }}{{ break }}{{ end }}{{ end }}",
        "a: {" + ",".join(f"k{i}: 1" for i in range(10_000)) + "}\n",
    ),
    "dates": template('{{ range until 100000 }}{{ $_ := date "2006-01-02" now }}{{ end }}'),
    "matches in short texts": template(
        '{{ $s := repeat 100 "a" }}{{ range until 100000 }}{{ $_ := regexFindAll "a" $s -1 }}{{ end }}'
    ),
    "passwords": template('{{ range until 100000 }}{{ $_ := bcrypt "a" }}{{ end }}'),
    "copies of a deep value": template(
        '{{ $d := dict "a" (until 50000) }}{{ range until 100000 }}{{ $_ := deepCopy $d }}{{ end }}'
    ),
    "numbers": template("{{ range until 100000 }}{{ $_ := add 922337203685477 77777777777 }}{{ end }}"),
    "many pipes": template("{{ range until 100000 }}{{ $_ := 1 " + "| add 1 " * 2000 + " }}{{ end }}"),
    "a large map that is printed": template(
        "{{ range until 100000 }}{{ $.a }}{{ end }}", "a: {" + ",".join(f"k{i}: 1" for i in range(10_000)) + "}\n"
    ),
    "words of a text": template('{{ $s := repeat 500 "ab " }}{{ range until 100000 }}{{ $_ := title $s }}{{ end }}'),
    "formats": template('{{ range until 100000 }}{{ $_ := printf "%s %d %v %q %x %f" "a" 1 2 "b" 3 4.0 }}{{ end }}'),
    "versions": template('{{ range until 100000 }}{{ $_ := semverCompare ">=1.2.3 <2.0.0" "1.2.3" }}{{ end }}'),
    "loops over loops": one(
        "l: [" + "1," * 300 + "1]\nx: {eval: '::l', foreach: {eval: '::l', foreach: 1}}\n",
        ["query", "x", "a.yaml", "--no-cache"],
    ),
    "maps of maps": one(
        "l: [" + ",".join(map(str, range(60))) + "]\nx: (( map[l|a|->map[l|b|->map[l|c|->1]]] ))\n",
        ["spiff", "merge", "a.yaml", "--no-cache"],
    ),
    "lists that are joined": one(
        "l: [" + ",".join(map(str, range(400))) + ']\nx: (( map[l|a|->map[l|b|->join(",", l)]] ))\n',
        ["spiff", "merge", "a.yaml", "--no-cache"],
    ),
    "templates in loops": one(
        "l: [" + "1," * 300 + "1]\nx: {eval: '::l', foreach: {eval: '::l', foreach: {template: '{{ 1 + 1 }}'}}}\n",
        ["query", "x", "a.yaml", "--no-cache"],
    ),
    **{
        f"Jinja: {name}": one("a: 1\n", ["query", f"{{template: '{EVERY}{text}{DONE}'}}", "a.yaml", "--no-cache"])
        for name, text in {
            "sums": "{% set y = range(900)|sum %}",
            "formats": '{% set y = "%s %s" % (i, j) %}',
            "JSON": "{% set y = range(50)|list|to_json %}",
            "numbers": "{% set y = i + j * 2 %}",
            "comparisons": "{% if i == j or i > 5 %}{% endif %}",
        }.items()
    },
}
"""Loops over what takes long: each must be charged what it costs, or the limit of steps is reached too late."""
