"""Every function's own example, and what every declaration must have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plait.gotemplate import ExecError, Function, Host, ParseError, Table, builtins, parse, sprig
from plait.notations.gotemplate.atmos import ATMOS
from plait.notations.gotemplate.builtins import BUILTINS
from plait.notations.gotemplate.gomplate.groups import GROUPS as OF_GOMPLATE
from plait.notations.gotemplate.gomplate.refused import REFUSED
from plait.notations.gotemplate.sprig.groups import GROUPS
from plait.notations.gotemplate.tables import GOMPLATE, SPACES, SPRIG, stacks

FUNCTIONS = [
    (group.name, item) for group in (BUILTINS, *GROUPS, ATMOS, *OF_GOMPLATE) for item in group.functions.values()
]
EXAMPLES = [(group, item) for group, item in FUNCTIONS if item.example]
WITHOUT = {
    "call",
    "fail",
    "test.Fail",
    "getHostByName",
    "net.LookupIP",
    "net.LookupIPs",
    "file.Read",
    "file.Exists",
    "jq",
    "coll.JQ",
    "buildCustomCert",
    "genCA",
    "genSelfSignedCert",
    "genSignedCert",
}
"""Functions whose example would be an error, go to the network, or take seconds."""


@pytest.mark.parametrize(("group", "item"), EXAMPLES, ids=[f"{group}-{item.name}" for group, item in EXAMPLES])
def test_the_example_is_true(group: str, item: Function) -> None:
    """Where another group has the same name, this one's function is meant."""
    table = stacks(with_sprig=not item.name.startswith("env.")).with_functions(item)
    assert parse(item.example, functions=table).render({}) == item.output


@pytest.mark.parametrize(("group", "item"), FUNCTIONS, ids=[f"{group}-{item.name}" for group, item in FUNCTIONS])
def test_every_function_says_what_it_does(group: str, item: Function) -> None:
    assert item.description.endswith((".", ".*"))
    assert item.signature.text.startswith("func(")
    assert item.group == group
    assert bool(item.example) is (item.name not in WITHOUT)
    assert not item.example or item.name in item.example


@pytest.mark.parametrize("name", [name for names in REFUSED for name in names.split()])
def test_what_is_refused_is_not_there(name: str) -> None:
    with pytest.raises((ParseError, ExecError), match=r"not defined .plait does not have this function of gomplate"):
        parse("{{ " + name + ' "a" }}', functions=stacks(with_sprig=False)).render({})


def test_what_reaches_outside_needs_a_capability() -> None:
    for name in ("net.LookupIP", "file.Read", "file.Exists"):
        with pytest.raises(ExecError, match=r"network|file"):
            parse("{{ " + name + ' "a" }}', functions=stacks()).render({})


def test_a_variable_may_be_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text(" hush \n", encoding="utf-8")
    monkeypatch.setenv("PLAIT_TRIED_FILE", str(tmp_path / "secret"))
    template = parse('<{{ getenv "PLAIT_TRIED" "none" }}>', functions=stacks())
    assert template.render({}, host=Host({"env", "files"})) == "<hush>"
    with pytest.raises(ExecError, match="needs the capability `files`"):
        template.render({}, host=Host({"env"}))
    monkeypatch.setenv("PLAIT_TRIED_FILE", str(tmp_path / "none"))
    assert template.render({}, host=Host({"env", "files"})) == "<none>"
    monkeypatch.setenv("PLAIT_TRIED", "given")
    assert template.render({}, host=Host({"env"})) == "<given>"


def test_names_have_addresses_of_ipv4_or_are_an_error() -> None:
    class Known(Host):
        def addresses_of(self, name: str) -> list[str]:
            return ["::1", "10.0.0.1", "10.0.0.2"] if name == "there" else []

    text = '{{ net.LookupIP "there" }} {{ net.LookupIPs "there" }} {{ getHostByName "there" }}'
    assert parse(text, functions=stacks()).render({}, host=Known()) == "10.0.0.1 [10.0.0.1 10.0.0.2] ::1"
    with pytest.raises(ExecError, match="lookup nowhere: no such host"):
        parse('{{ net.LookupIPs "nowhere" }}', functions=stacks()).render({}, host=Known())


def test_a_random_text_may_follow_a_pattern() -> None:
    text = '{{ regexp.Match "^[0-9a-fA-F]{16}$" (random.String 16 "[[:xdigit:]]") }}'
    assert parse(text, functions=stacks()).render({}) == "true"


def test_templates_that_render_each_other_have_a_limit() -> None:
    text = '{{ define "t" }}{{ tmpl.Exec "t" . }}{{ end }}{{ tmpl.Exec "t" 1 }}'
    with pytest.raises(ExecError, match="through `tmpl` more than 20 deep"):
        parse(text, functions=stacks()).render({})
    with pytest.raises(ExecError, match='template "u" not defined'):
        parse('{{ tmpl.Exec "u" }}', functions=stacks()).render({})
    with pytest.raises(ExecError, match=r"expected \[NAME\] TEXT \[CONTEXT\]"):
        parse("{{ tmpl.Inline 1 }}", functions=stacks()).render({})


def test_what_a_key_is_derived_of_is_limited() -> None:
    for call in ('crypto.PBKDF2 "p" "s" 99999999 20', 'crypto.PBKDF2 "p" "s" 2 20 "MD5"', 'crypto.Bcrypt 31 "p"'):
        with pytest.raises(ExecError, match=r"at most|no such hash|a cost of 4 to 14"):
            parse("{{ " + call + " }}", functions=stacks()).render({})


def test_sprig_is_whole() -> None:
    assert len(sprig().functions) == 229


def test_sprig_wins_over_gomplate_and_go() -> None:
    assert stacks().get("env") is sprig().get("env")
    assert sprig().get("slice") is not builtins().get("slice")


def test_a_function_with_a_dot_joins_its_namespace() -> None:
    extra = Function("strings.Shout", "func(string) string", "Loud.", "", "", lambda text: text.upper() + "!")
    table = stacks().with_functions(extra)
    assert parse('{{ strings.Shout "a" }}{{ strings.ToLower "B" }}', functions=table).render() == "A!b"
    with pytest.raises(ExecError, match=r'function "strings\.Shout" not defined'):
        parse('{{ strings.Shout "a" }}', functions=stacks()).render()


def test_a_table_of_ones_own() -> None:
    with pytest.raises(ParseError, match='function "upper" not defined'):
        parse("{{ upper .a }}", functions=Table())


def test_a_function_is_the_same_however_many_groups_are_loaded() -> None:
    whole = stacks().functions
    for name, item in whole.items():
        alone = stacks().with_functions().get(name)
        assert alone is item or (alone is not None and alone.group == item.group == "namespace")


def test_no_two_groups_of_sprig_have_a_function_of_the_same_name() -> None:
    names = [name for group in GROUPS for name in group.functions]
    assert len(names) == len(set(names))
    assert {module.upper() for module in SPRIG} == {group.name.upper() for group in GROUPS}


def test_a_namespace_of_gomplate_is_the_same_however_it_is_loaded() -> None:
    whole, short = stacks().functions, stacks().with_functions()
    for name in SPACES:
        found = short.get(name)
        assert found is not None
        assert found.call().members == whole[name].call().members, name
    spaces = {name for name, item in whole.items() if item.group == "namespace"}
    assert spaces == set(SPACES)


def test_a_call_of_a_namespace_loads_no_other_group() -> None:
    code = "import sys\nfrom plait.gotemplate import parse\nfrom plait.notations.gotemplate.tables import stacks\n"
    code += "print(parse('{{ math.Add 1 2 }}', functions=stacks()).render())\n"
    code += "print(sorted(name for name in sys.modules if '.gomplate.' in name or name.endswith('sprig.dates')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = [f"plait.notations.gotemplate.gomplate.{name}" for name in ("casts", "numbers")]
    assert done.stdout == f"3\n{modules}\n"


def test_no_two_groups_of_gomplate_have_a_function_of_the_same_name() -> None:
    names = [name for group in OF_GOMPLATE for name in group.functions]
    assert len(names) == len(set(names))
    assert {f"gomplate {module}" for module in GOMPLATE} == {group.name for group in OF_GOMPLATE}


def test_a_call_loads_only_the_groups_it_needs() -> None:
    code = "from plait.gotemplate import parse; print(parse('{{ toJson .a }}').render({'a': 1}))\nimport sys\n"
    code += "print([name for name in sys.modules if name.endswith(('g.dates', 'gomplate.strings', 'g.encoding'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n['plait.notations.gotemplate.sprig.encoding']\n"


def test_what_a_certificate_may_be_used_for() -> None:
    """An authority signs others, and only an authority; servers and clients show theirs."""
    x509 = pytest.importorskip("cryptography.x509")
    template = """{{ $key := genPrivateKey "ed25519" }}{{ $ca := genCAWithKey "ca" 9 $key -}}
    {{ $own := genSignedCertWithKey "a" (list "10.0.0.1") (list "a.example") 3 $ca (genPrivateKey "ed25519") -}}
    {{ $self := genSelfSignedCertWithKey "s" nil nil 1 $key }}{{ $ca.Cert }}|{{ $own.Cert }}|{{ $self.Cert }}"""
    texts = parse(template, functions=sprig()).render({}).split("|")
    authority, own, alone = (x509.load_pem_x509_certificate(text.encode()) for text in texts)
    own.verify_directly_issued_by(authority)
    alone.verify_directly_issued_by(alone)
    assert [(each.not_valid_after_utc - each.not_valid_before_utc).days for each in (authority, own, alone)] == [
        9,
        3,
        1,
    ]
    for each, signs in ((authority, True), (own, False), (alone, False)):
        limits = each.extensions.get_extension_for_class(x509.BasicConstraints)
        uses = each.extensions.get_extension_for_class(x509.KeyUsage)
        purposes = each.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
        assert (limits.critical, limits.value.ca, limits.value.path_length) == (True, signs, None)
        assert (uses.critical, uses.value.key_cert_sign, uses.value.crl_sign) == (True, signs, False)
        assert (uses.value.digital_signature, uses.value.key_encipherment) == (True, True)
        assert (uses.value.content_commitment, uses.value.data_encipherment, uses.value.key_agreement) == (False,) * 3
        assert purposes.critical is False
        assert [purpose._name for purpose in purposes.value] == ["serverAuth", "clientAuth"]
    names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    assert names.critical is False
    assert [str(name.value) for name in names.value] == ["a.example", "10.0.0.1"]
