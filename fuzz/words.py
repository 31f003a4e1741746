"""The words that texts of each language are put together from."""

from __future__ import annotations

from plait.fronts.notations import function_listings as function_table


def named(notation: str) -> list[str]:
    """The functions of a notation, as `plait functions` lists them."""
    return [row["signature"].split()[0] for row in function_table()[notation]()]


def words(text: str) -> list[str]:
    return text.split()


VALUES = ["1", "-1", "0", "2.5", "1e400", "9" * 40, '"x"', '""', "true", "null", ".a", "a", "b", "k"]
FLOW = words("[ ] { } , :")
"""Signs of flow collections."""
BLOCK = [*FLOW, "- ", "\n", "\n  "]
"""The same, and lines."""

GO = [*words("if else end range with define template block break $ $x := = | ( ) }} {{ {{-"), *named("gotemplate")]
DYNAML = [
    *words("+ - * / % || // && ? : ( ) [ ] .. { } -> | lambda merge map[ sum[ sort join split match format min_ip"),
    *words("exec env read stub select[ << $ &template *t ! 1..3 uniq type substr replace hash base64 makemap catch"),
    *words("eval static_ips"),
    *named("dynaml"),
]
JINJA = [
    *words("{% %} {{ }} if for in endfor endif set | map join truncate center default batch sum ( ) [ ] ~ % ** //"),
    *words("SELF __class__ .format range dict loop to_json replace regex_replace *"),
]
YQ = [
    *words(". .. | , // + - * *+ / % == and or not [ ] { } ( ) : = |= += select( map( sub( test( to_entries with("),
    *words("sort_by( keys has( reduce $x splits( del( tag join( length to_number @base64 @json env( strenv( load("),
    *words("first [] [0:1] group_by( unique_by( flatten"),
    "as $x",
]
TAGS = [
    *words("!ref !unset !append !merge-by !if !env !exec !include !join !template !sensitive !default !git.sha"),
    *words("&x *x <<: a.b[0] a.* a.b[c=x] //"),
    *BLOCK,
]
QUERIES = words(":: ::a [ ] = != $ . .. .targets * ? eval / | a b 0 -1")
DIRECTIVES = [
    *words("eval +include +/a +* +% ref q concat to_label allowed pow mul if then foreach vars replaceAll strip"),
    *words("template validate_json file get_env sensitive"),
    *BLOCK,
    *named("query"),
]
STACKS = [
    *words("vars: import: components: terraform: metadata: inherits: settings: locals: c: overrides: command:"),
    *words("backend: depends_on: !terraform.output !terraform.state !store !env !include !template !exec !cwd *"),
    *("stage: dev", "{{ .vars.stage }}", "{{ .locals.x }}", "'{{", "}}'", "{{ atmos.Component", "\n    "),
    *BLOCK,
]
TEMPLATES = [
    *words("kind: metadata: name: data: spec: items: &x *x !ref inputs.n !unset !append --- | > quote default toYaml"),
    *("{{ .n }}", "{{ if .n }}", "{{ range .l }}", "{{ end }}", "{{- ", " -}}", "indent 4", "kind: ConfigMap"),
    *("metadata: {name: x}", "!ref resource.data"),
    *BLOCK,
]
PATTERNS = [
    *words("name: version: inputs: files: owned: lists: renamed-from: environment: instance: type: integer default:"),
    *words("required: enum: pattern: ^[a-z]+$ (a+)+$ minimum: maximum: n: l: data.x key:name append ../x /x"),
    *BLOCK,
]
