"""Values of the environment: credentials are read only by name, and nothing of it is in what is published."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.access.environment import is_guarded
from plait.access.sinks import (
    CACHE,
    COMMAND,
    ENVIRONMENT,
    FORGOTTEN,
    GIVEN,
    KEPT,
    MASKED,
    OUTSIDE,
    REPORT,
    RULES,
    SECRET,
    SHOWN,
    TERMINAL,
    UNCOMMITTED,
    UNPINNED,
    WRITTEN,
)  # fmt: skip
from plait.access.trace import AccessTrace
from plait.apps.cli.console import Console
from plait.core.source import Source
from plait.yaml.cache import ParseCache
from plait.yaml.scan import scan
from tests.outside.project import git
from tests.test_safety import CONFIG, STACK, Clone

CANARY = "Canary-0123456789"
NAME = "REGION_OF_TODAY"
"""A variable whose name says nothing."""

LAYERS = {"plait.yaml": "targets: [{name: prod, layers: [base.yaml, prod.yaml]}]\n", "base.yaml": "a: 1\n"}
STACKS = {"atmos.yaml": CONFIG + "templates: {settings: {enabled: true}}\n"}


def stack(vars: str, head: str = "") -> str:
    return head + STACK.replace("vpc: {}", f"vpc: {{vars: {{{vars}}}}}")


READERS: dict[str, dict[str, str]] = {
    "a tag": {**LAYERS, "prod.yaml": f"b: !env {NAME}\nc: !ref b\n"},
    "a template": {
        **LAYERS,
        "plait.yaml": "notations: [gotemplate]\n" + LAYERS["plait.yaml"],
        "prod.yaml": f"b: '{{{{ env \"{NAME}\" }}}}'\n",
    },
    "a function of stacks": {**STACKS, "stacks/deploy/dev.yaml": stack(f"x: !env {NAME}")},
    "a template of stacks": {**STACKS, "stacks/deploy/dev.yaml": stack(f"x: 'a {{{{ env \"{NAME}\" }}}} b'")},
    "a data source": {
        "atmos.yaml": CONFIG + "templates: {settings: {enabled: true, gomplate: {enabled: true}}}\n",
        "stacks/deploy/dev.yaml": stack(f"x: '{{{{ getenv \"{NAME}\" }}}}'"),
    },
    "a file that is a template": {
        **STACKS,
        "stacks/extra.yaml.tmpl": f'vars: {{x: \'{{{{ env "{NAME}" }}}}\', y: [p-{{{{ env "{NAME}" }}}}]}}\n',
        "stacks/deploy/dev.yaml": f"import: [extra.yaml.tmpl]\n{STACK}",
    },
}
PUBLISHED = [
    *(("review", "HEAD", "--format", form) for form in ("text", "markdown", "json", "sarif", "github", "html")),
    ("review", "HEAD", "--full"),
    ("serve", "--export", "../site"),
]


def prepared(clone: Clone, files: dict[str, str]) -> None:
    for name in ("atmos.yaml", "stacks/deploy/dev.yaml"):
        (clone.root / name).unlink()
    for name, text in files.items():
        clone.write(name, text if name != "prod.yaml" else "z: 1\n")
    if "stacks/deploy/dev.yaml" in files:
        clone.write("stacks/deploy/dev.yaml", STACK)
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    for name, text in files.items():
        clone.write(name, text)


def exported(folder: Path) -> str:
    return "".join(page.read_text(errors="replace") for page in folder.rglob("*") if page.is_file())


@pytest.mark.parametrize("files", READERS.values(), ids=READERS)
def test_nothing_published_shows_the_environment(
    clone: Clone, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, CANARY)
    prepared(clone, files)
    for words in PUBLISHED:
        status, out, err = clone.plait(*words)
        assert status in (0, 1), err
        assert CANARY not in out + err, words
        if words[0] == "review":
            assert "sensitive" in out, words
            assert CANARY in clone.plait(*words, "--reveal", "--allow", "env")[1]
    assert Path("../site/index.html").exists()
    assert CANARY not in exported(Path("../site"))
    clone.plait("serve", "--export", "../shown", "--reveal", "--allow", "env")
    assert CANARY in exported(Path("../shown"))


def test_a_proof_shows_no_environment(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, CANARY)
    prepared(clone, READERS["a tag"])
    (clone.out / "prod.yaml").write_text("a: 1\nb: other\nc: other\n")
    for form in ("text", "markdown", "json"):
        status, out, err = clone.plait("verify", "--against", "../out", "--format", form)
        assert status == 1, err
        assert CANARY not in out + err
        words = ("verify", "--against", "../out", "--format", form, "--reveal", "--allow", "env")
        assert CANARY in clone.plait(*words)[1]


def test_a_finding_shows_no_environment(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, CANARY)
    clone.write("a.yaml", f"a: !env {NAME}\nb: !ref a.x\n")
    for form in ("sarif", "github"):
        out, err = clone.plait("lint", "a.yaml", "--format", form)[1:]
        assert CANARY not in out + err


def test_on_the_users_own_command_line_the_environment_is_read(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, CANARY)
    clone.write("a.yaml", f"a: !env {NAME}\n")
    assert clone.plait("merge", "a.yaml")[1] == f"a: {CANARY}\n"


# Credentials

CREDENTIALS = [
    "PLAIT_TOKEN", "PLAIT_ANYTHING", "GITHUB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "CI_JOB_TOKEN", "CI_JOB_JWT",
    "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD", "PGPASSWORD", "MYSQL_PWD", "OPENAI_API_KEY", "DATABASE_URL", "GH_PAT",
    "SSH_AUTH_SOCK", "GOOGLE_APPLICATION_CREDENTIALS", "http_authorization", "SENTRY_DSN",
]  # fmt: skip
OTHERS = ["HOME", "PATH", "PWD", "OLDPWD", "USER", "GIT_AUTHOR_NAME", "KEYBOARD_LAYOUT", "STAGE", "AWS_REGION"]


def test_what_looks_like_a_credential() -> None:
    assert [name for name in CREDENTIALS if not is_guarded(name)] == []
    assert [name for name in OTHERS if is_guarded(name)] == []


ASKERS = {
    "a tag": ("a: !env MY_TOKEN\n", ("merge", "a.yaml")),
    "a default": ("a: !env MY_TOKEN none\n", ("merge", "a.yaml")),
    "a template": ("a: '{{ env \"MY_TOKEN\" }}'\n", ("merge", "a.yaml", "--notation", "gotemplate")),
    "a query": ("a: {eval: {get_env: MY_TOKEN}}\n", ("query", "::a", "a.yaml")),
    "all variables in a query": ("a: {eval: {get_env: }}\n", ("query", "::a", "a.yaml")),
    "jinja": ("a: {eval: {template: \"{{ lookup('env', 'MY_TOKEN') }}\"}}\n", ("query", "::a", "a.yaml")),
}


@pytest.mark.parametrize(("text", "words"), ASKERS.values(), ids=ASKERS)
def test_a_credential_is_not_read(
    clone: Clone, text: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", CANARY)
    clone.write("a.yaml", text)
    for more in ((), ("--allow", "random"), ("--reveal",)):
        status, out, err = clone.plait(*words, *more)
        assert CANARY not in out + err
        assert (status == 1 and "--allow env:MY_TOKEN" in err) or "MY_TOKEN" not in text
    for given in ("env:MY_TOKEN", "env"):
        assert CANARY in clone.plait(*words, "--allow", given)[1]
        monkeypatch.setenv("PLAIT_ALLOW", given)
        assert CANARY in clone.plait(*words)[1]
        monkeypatch.delenv("PLAIT_ALLOW")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(clone.out / "config"))
    settings = clone.out / "config/plait/config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("allow: [env]\n")
    assert CANARY in clone.plait(*words)[1]
    settings.unlink()
    assert CANARY not in clone.plait(*words, "--allow", "env:MY_TOKEN", "--deny", "env")[1]
    assert CANARY not in clone.plait(*words, "--allow", "env:MY_TOKEN", "--hermetic")[1]


@pytest.mark.parametrize("read", ["!env MY_TOKEN", "'{{ env \"MY_TOKEN\" }}'", '\'{{ getenv "MY_TOKEN" "x" }}\''])
def test_a_stack_reads_no_credential(clone: Clone, read: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", CANARY)
    clone.write("atmos.yaml", STACKS["atmos.yaml"])
    clone.write("stacks/deploy/dev.yaml", stack(f"x: {read}"))
    words = ("describe", "component", "vpc", "-s", "dev")
    for more, expected in (((), 0), (("--error-mode", "strict"), 1), (("--reveal",), 0)):
        status, out, err = clone.plait(*words, *more)
        assert CANARY not in out + err
        assert (status, "x: (computed)" in out) == (expected, expected == 0)
        assert "--allow env:MY_TOKEN" in err
    assert CANARY in clone.plait(*words, "--allow", "env:MY_TOKEN")[1]


def test_a_report_masks_variables_unless_both_are_asked_for(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_OF_MINE", CANARY)
    clone.write("a.yaml", "a: 1\n")
    clone.write("plait.yaml", "notations: [gotemplate]\ntargets: [{name: t, layers: [a.yaml]}]\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    clone.write("a.yaml", "a: !env SOME_OF_MINE\nb: '{{ .a | upper }}'\n")
    for more in ((), ("--allow", "env"), ("--reveal",)):
        for form in ("text", "json", "markdown"):
            out = clone.plait("review", "HEAD", "--no-cache", "--format", form, *more)[1]
            assert CANARY not in out, more
            assert CANARY.upper() not in out, more
    assert CANARY in clone.plait("review", "HEAD", "--no-cache", "--reveal", "--allow", "env")[1]


def test_a_trusted_folder_may_read_a_credential_by_its_name(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", CANARY)
    clone.write("a.yaml", "a: !env MY_TOKEN\n")
    clone.plait("trust", "--allow", "env:MY_TOKEN")
    assert clone.plait("merge", "a.yaml")[1] == f"a: {CANARY}\n"
    clone.plait("trust", "--remove")
    clone.refused("merge", "a.yaml")


def test_a_hermetic_run_gives_no_default(clone: Clone) -> None:
    """The default is not the value: what is not known must not look like something that is."""
    clone.write("a.yaml", "a: !env NOWHERE fallback\n")
    clone.write("stacks/deploy/dev.yaml", stack("x: !env NOWHERE fallback"))
    for words in (("merge", "a.yaml"), ("describe", "component", "vpc", "-s", "dev")):
        assert "fallback" in clone.plait(*words)[1]
        out = clone.plait(*words, "--hermetic")[1]
        assert "fallback" not in out


# The table


def test_the_table_is_complete_and_the_page_shows_it() -> None:
    origins = {frozenset(row) for row in RULES.values()}
    assert len(origins) == 1
    assert RULES[REPORT][ENVIRONMENT] == MASKED
    page = (Path(__file__).parents[2] / "docs/safety.md").read_text()
    for sink, row in RULES.items():
        assert f"| {sink} | {' | '.join(row.values())} |" in page


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(clone: Clone) -> bool:
    out = Terminal()
    Console(out, out, "never").print("a\x1b[2J")
    return "\x1b[2J" in out.getvalue()


def ran(clone: Clone) -> bool:
    clone.write("a.yaml", "a: !exec echo 1\n")
    clone.plait("trust")
    clone.write("a.yaml", "a: !exec echo 2\n")
    return clone.plait("merge", "a.yaml", "--no-cache")[1] == "a: '2'\n"


def parsed(clone: Clone) -> bool:
    cache, source = ParseCache(str(clone.root)), Source("a.yaml", "a: !sensitive x\n")
    cache.put(source, scan(source, 100))
    return bool(cache._fresh)


def answered(clone: Clone) -> bool:
    trace = AccessTrace()
    trace.called("network", ("store", "x"))
    return not trace.unfollowed


def remembered(clone: Clone) -> bool:
    trace = AccessTrace()
    trace.called("env", ("env", "HARMLESS"))
    return not trace.unfollowed


def credential(clone: Clone) -> bool:
    trace = AccessTrace()
    trace.variable("A_TOKEN")
    return not trace.unfollowed


def report(clone: Clone) -> bool:
    clone.write("a.yaml", "a: !env SHELL_OF_MINE\n")
    clone.write("plait.yaml", "targets: [{name: t, layers: [a.yaml]}]\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x", "--allow-empty")
    clone.write("a.yaml", "a: !env SHELL_OF_MINE\nb: !env SHELL_OF_MINE\n")
    return "harmless-value" in clone.plait("review", "HEAD", "--no-cache")[1]


TABLE_READERS = [
    (TERMINAL, (WRITTEN, UNPINNED, UNCOMMITTED, ENVIRONMENT, OUTSIDE), SHOWN, printed, True),
    (REPORT, (ENVIRONMENT,), SHOWN, report, True),
    (CACHE, (SECRET,), KEPT, parsed, True),
    (CACHE, (SECRET,), KEPT, credential, True),
    (CACHE, (OUTSIDE,), KEPT, answered, True),
    (CACHE, (ENVIRONMENT,), FORGOTTEN, remembered, False),
    (COMMAND, (UNPINNED,), GIVEN, ran, True),
]


@pytest.mark.parametrize(
    ("sink", "origins", "rule", "act", "then"),
    TABLE_READERS,
    ids=[f"{row[0]}, {row[3].__name__}" for row in TABLE_READERS],
)
def test_every_sink_reads_the_table(
    clone: Clone,
    sink: str,
    origins: tuple[str, ...],
    rule: str,
    act: Callable[[Clone], bool],
    then: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another rule changes what happens there."""
    monkeypatch.setenv("SHELL_OF_MINE", "harmless-value")
    assert act(clone) != then
    for origin in origins:
        monkeypatch.setitem(RULES[sink], origin, rule)
    assert act(clone) == then
