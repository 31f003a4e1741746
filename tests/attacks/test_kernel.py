"""What the kernel enforces: from inside a command whose Python checks are gone, nothing outside is read, written,
connected or executed.

Where this kernel cannot, the tests say so and check that everything else still works.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from plait.access import kernel
from plait.access.kernel import CALLS, FILES, abilities
from plait.access.reach import Confinement
from plait.core.native import in_use
from tests.cases import PLAIT, environment
from tests.outside.project import git

ABLE = abilities()
needs_files = pytest.mark.skipif(bool(ABLE[FILES]), reason=f"files are not enforced here: {ABLE[FILES]}")
needs_calls = pytest.mark.skipif(bool(ABLE[CALLS]), reason=f"calls are not enforced here: {ABLE[CALLS]}")

GONE = """
import os, sys
from plait.access.door import Door
from plait.access.guard import Guard
Door.allows = lambda self, name: True
Door.inside = lambda self, real: True
Door._opened = lambda self, name: os.open(name, os.O_RDONLY)
Guard.check = lambda self, *words: None
Guard.permits = lambda self, *words: True
"""
"""The checks of Python, patched out."""
ATTEMPT = """
import plait.evaluate.engine as engine
before = engine.Evaluator._evaluate
def evaluate(self, *words, **named):
    try:
        {attempt}
        sys.stderr.write("SUCCEEDED\\n")
    except OSError as refused:
        sys.stderr.write(f"REFUSED {{refused.errno}}\\n")
    engine.Evaluator._evaluate = before
    return before(self, *words, **named)
engine.Evaluator._evaluate = evaluate
"""
RUN = "\nfrom plait.__main__ import run\nrun()\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q")
    (root / "a.yaml").write_text("a: !ref b\nb: 1\n")
    (tmp_path / "outside.txt").write_text("TOPSECRET\n")
    return root


def attempted(project: Path, attempt: str, *more: str) -> str:
    """What became of something that a command tries while it evaluates a value."""
    code = GONE + ATTEMPT.format(attempt=attempt) + RUN
    words = ("merge", "a.yaml", "--no-cache", *more)
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=project, env=environment(project), capture_output=True, text=True
    )
    assert done.stdout == "a: 1\nb: 1\n", done.stderr
    return done.stderr


READ = "open({!r}).read()"


@needs_files
def test_nothing_outside_is_read(project: Path) -> None:
    outside = str(project.parent / "outside.txt")
    for name in (outside, os.path.expanduser("~/.bash_history_of_nobody"), "/etc/hostname", "/proc/1/environ"):
        if os.path.exists(name):
            assert "REFUSED 13" in attempted(project, READ.format(name)), name
    assert "REFUSED 13" in attempted(project, f"os.listdir({str(project.parent)!r})")
    assert "SUCCEEDED" in attempted(project, READ.format(str(project / "a.yaml"))), "the test shows nothing"
    assert "SUCCEEDED" in attempted(project, READ.format(outside), "--allow", "files")


@needs_files
def test_what_the_user_names_is_read_and_no_more(project: Path) -> None:
    layer = project.parent / "layer.yaml"
    layer.write_text("b: 1\n")
    assert "SUCCEEDED" in attempted(project, READ.format(str(layer)), str(layer))
    assert "REFUSED" in attempted(project, READ.format(str(project.parent / "outside.txt")), str(layer))


@needs_files
@needs_calls
def test_stacks_are_beside_their_configuration_wherever_one_stands(tmp_path: Path) -> None:
    """Without a repository the folder of atmos.yaml is the project, also for who stands in a component's folder; what
    is beside that folder stays out of reach."""
    root = tmp_path / "repo"
    here = root / "components/terraform/vpc"
    here.mkdir(parents=True)
    (root / "stacks").mkdir()
    (root / "atmos.yaml").write_text('base_path: .\nstacks: {base_path: stacks, name_pattern: "{stage}"}\n')
    (root / "stacks/dev.yaml").write_text("vars: {stage: dev}\ncomponents: {terraform: {vpc: {}}}\n")
    (tmp_path / "out.yaml").write_text("a: 1\n")
    words = [*PLAIT, "describe", "component", ".", "-s", "dev", "-q", ".vars.stage"]
    done = subprocess.run(words, cwd=here, env=environment(tmp_path), capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "dev"), done.stderr
    reach = Confinement(str(here))
    assert reach.meets(str(root / "stacks"))
    assert not reach.meets(str(tmp_path / "out.yaml"))


def test_trust_in_another_folder_changes_nothing(project: Path) -> None:
    """Only where a file of the trusted folder can be read, its files may do more."""
    other = project.parent / "trusted"
    other.mkdir()
    (other / "c.yaml").write_text("c: !exec echo 1\n")
    subprocess.run([*PLAIT, "trust"], cwd=other, env=environment(project), check=True)
    outside = READ.format(str(project.parent / "outside.txt"))
    assert "REFUSED 13" in attempted(project, outside)
    assert "REFUSED" in attempted(project, "os.execv('/bin/true', ['true'])")
    subprocess.run([*PLAIT, "trust"], cwd=project, env=environment(project), check=True)
    assert "SUCCEEDED" in attempted(project, outside), "the test shows nothing"


@needs_files
def test_nothing_is_written(project: Path) -> None:
    for place in (project.parent / "new.txt", project / "new.txt", project / "a.yaml", Path("/tmp/plait-attack")):
        assert "REFUSED 13" in attempted(project, f"open({str(place)!r}, 'a')"), place
        assert "REFUSED" in attempted(project, f"os.symlink('x', {str(place) + '.link'!r})")
    assert "REFUSED 13" in attempted(project, f"os.unlink({str(project / 'a.yaml')!r})")
    out = str(project / "out.yaml")
    done = subprocess.run([*PLAIT, "merge", "a.yaml", "-o", out], cwd=project, env=environment(project))
    assert (done.returncode, Path(out).read_text()) == (0, "a: 1\nb: 1\n")


@needs_calls
def test_nothing_is_connected(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert "REFUSED 13" in attempted(project, f"import socket; socket.create_connection(('127.0.0.1', {port}))")
    assert "REFUSED 13" in attempted(project, "import socket; socket.socket(socket.AF_UNIX)")
    assert "REFUSED 13" in attempted(project, "import socket; socket.socket(type=socket.SOCK_DGRAM)")


@needs_calls
def test_nothing_is_executed(project: Path) -> None:
    assert "REFUSED 13" in attempted(project, "import subprocess; subprocess.run(['true'])")
    assert "REFUSED 13" in attempted(project, "os.execv('/bin/true', ['true'])")
    assert "SUCCEEDED" in attempted(project, "import subprocess; subprocess.run(['true'])", "--allow", "exec")


@needs_calls
def test_workers_are_limited_too(project: Path) -> None:
    code = "process = os.fork()\nif not process:\n    try:\n        os.execv('/usr/bin/touch', ['touch', 'ran'])\n"
    code += "    finally:\n        os._exit(3)\nif os.waitpid(process, 0)[1] == 768: raise OSError(13, '')"
    assert "REFUSED 13" in attempted(project, f"exec({code!r})")
    assert not (project / "ran").exists()


ASKING = """
import plait.access.git as g
before = g._overruled
def overruled(*words):
    answer = g._run(("hash-object", "--no-filters", {outside!r}), ".", dict())
    sys.stderr.write(f"GIT {{answer.status}} {{answer.why}}")
    return before(*words)
g._overruled = overruled
"""


@needs_files
def test_git_runs_in_a_helper_with_limits_of_its_own(project: Path) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-qm", "x")
    code = GONE + ASKING.format(outside=str(project.parent / "outside.txt")) + RUN
    words = [sys.executable, "-c", code, "merge", "HEAD:a.yaml", "--no-cache"]
    done = subprocess.run(words, cwd=project, env=environment(project), capture_output=True, text=True)
    assert done.stdout == "a: 1\nb: 1\n", done.stderr
    assert "GIT 0" not in done.stderr
    assert "Permission denied" in done.stderr


def test_the_version_says_what_is_enforced(project: Path) -> None:
    done = subprocess.run([*PLAIT, "version", "--verbose"], cwd=project, capture_output=True, text=True)
    for what, why in ABLE.items():
        assert f"enforced by the kernel: {what}: {why or 'yes'}\n" in done.stdout


def test_without_the_kernel_everything_else_holds(project: Path) -> None:
    """As on macOS, or on a kernel without Landlock: the same results, and the door refuses by itself."""
    code = (
        "import os\nos.environ['PLAIT_NATIVE'] = '0'\nimport plait.access.kernel as k\nk.ARCHITECTURES.clear()\n" + RUN
    )
    (project / "evil.yaml").write_text("a: !include ../outside.txt\n")
    words = [sys.executable, "-c", code, "merge"]
    for name, status in (("a.yaml", 0), ("evil.yaml", 1)):
        done = subprocess.run(
            [*words, name, "--no-cache"], cwd=project, env=environment(project), capture_output=True, text=True
        )
        assert done.returncode == status
        assert "TOPSECRET" not in done.stdout + done.stderr


def test_a_filter_refuses_what_it_should_on_every_machine() -> None:
    """The numbers of system calls, against those that the headers of this machine have, where they are there."""
    headers = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not headers.exists() or os.uname().machine != "x86_64":
        pytest.skip("no headers of the kernel here")
    numbers = {}
    for line in headers.read_text().splitlines():
        if line.startswith("#define __NR_"):
            _, name, number = line.split()
            numbers[name.removeprefix("__NR_")] = int(number)
    assert {numbers[name] for name in ("execve", "execveat")} == set(kernel.COMMANDS["x86_64"])
    assert {numbers[name] for name in ("socket", "connect")} == set(kernel.CONNECTIONS["x86_64"])
    assert {numbers[name] for name in ("ptrace", "process_vm_readv", "unshare", "mount", "open_by_handle_at")} <= set(
        kernel.POWERS["x86_64"]
    )
    assert {numbers[name] for name in ("io_uring_setup", "io_uring_enter", "pidfd_getfd")} <= set(
        kernel.POWERS_EVERYWHERE
    )


CALLING = """
import ctypes, os, sys
from plait.access import kernel, {way} as limits
name = os.uname().machine
numbers = [*kernel.POWERS[name], *kernel.POWERS_EVERYWHERE, *kernel.COMMANDS[name], *kernel.CONNECTIONS[name]]
numbers += [kernel.OTHER_NUMBERS + 39] if name == "x86_64" else []
{limit}
call = ctypes.CDLL(None, use_errno=True).syscall
def refused(number):
    ctypes.set_errno(0)
    return call(number, *[ctypes.c_long(-1)] * 6) == -1 and ctypes.get_errno() == 13
print(sum(map(refused, numbers)), len(numbers), os.getpid() > 0)
"""


def test_the_native_functions_are_used_where_they_are_wanted() -> None:
    code = "from plait.access import kernel, limits; print(limits.limit_calls is kernel.limit_calls)"
    for native, own in (("0", "True"), ("1", str(in_use() != "native"))):
        env = {**os.environ, "PLAIT_NATIVE": native}
        assert subprocess.run([sys.executable, "-c", code], env=env, capture_output=True).stdout.decode() == f"{own}\n"


@needs_calls
@pytest.mark.parametrize("way", ["kernel", "limits"])
def test_every_call_of_the_table_is_refused_in_both_ways(way: str) -> None:
    """Through ctypes, and by the native function where it is there, which has the numbers from the headers of C."""

    def counted(limit: str) -> list[str]:
        code = CALLING.format(limit=limit, way=way)
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()

    refused, all_of_them, alive = counted("assert limits.limit_calls(False, False) is None")
    assert (refused, alive) == (all_of_them, "True")
    assert counted("")[0] == "0", "the test shows nothing"
    with_commands = counted("assert limits.limit_calls(True, True) is None")
    assert int(with_commands[0]) == int(all_of_them) - 4


REACHING = """
import os, sys
from plait.access import WAY as limits
project, shared, tool = sys.argv[1:]
runs = [tool, "/usr/lib", "/lib", "/lib64"]
assert limits.limit_files([project, "no" + chr(0), "/no/such/folder"], [shared], runs) is None
def tried(act):
    try:
        act()
        return "yes"
    except PermissionError:
        return "no"
print(*[tried(act) for act in (
    lambda: open(f"{project}/a").read(), lambda: open(f"{project}/a", "w"), lambda: os.listdir(project),
    lambda: open(f"{shared}/a", "w"), lambda: os.mkdir(f"{shared}/folder"), lambda: os.truncate(f"{shared}/a", 0),
    lambda: open("/etc/hostname").read(), lambda: os.listdir("/"),
    lambda: os.posix_spawn(f"{project}/a", ["a"], {}), lambda: os.posix_spawn(tool, [tool], {}),
)])
"""


@needs_files
@pytest.mark.parametrize("way", ["kernel", "limits"])
def test_both_ways_allow_the_same_files(tmp_path: Path, way: str) -> None:
    for name in ("project", "shared"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("#!/bin/true\n")
        (tmp_path / name / "a").chmod(0o755)
    code = REACHING.replace("WAY", way)
    words = [sys.executable, "-c", code, str(tmp_path / "project"), str(tmp_path / "shared"), "/usr/bin/true"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.stdout == "yes no yes yes yes yes no no no yes\n", done.stderr


EDITING = """
import plait.apps.lsp.server as server
def opened(session, found, params):
    for name in {names!r}:
        try:
            open(name).read()
            sys.stderr.write("READ ")
        except OSError as refused:
            sys.stderr.write(f"REFUSED {{refused.errno}} ")
    sys.stderr.write(f"ROOTS {{len(session.roots)}}\\n")
server._opened = opened
"""


def message(**facts: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **facts}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@needs_files
def test_the_language_server_reads_only_what_the_editor_opened_first(project: Path) -> None:
    other = project.parent / "other"
    other.mkdir()
    (other / "a.yaml").write_text("a: 1\n")
    root, elsewhere = project.as_uri(), other.as_uri()
    document = {"uri": f"{root}/a.yaml", "languageId": "yaml", "version": 1, "text": "a: 1\n"}
    folders = {"event": {"added": [{"uri": elsewhere, "name": "other"}], "removed": []}}
    asked = [
        message(id=1, method="initialize", params={"processId": None, "rootUri": root, "capabilities": {}}),
        message(method="initialized", params={}),
        message(method="workspace/didChangeWorkspaceFolders", params=folders),
        message(method="textDocument/didOpen", params={"textDocument": document}),
        message(id=2, method="shutdown"),
        message(method="exit"),
    ]
    names = [str(project / "a.yaml"), str(other / "a.yaml"), str(project.parent / "outside.txt")]
    code = GONE + EDITING.format(names=names) + RUN
    words = [sys.executable, "-c", code, "lsp", "--no-cache"]
    home = environment(project)
    done = subprocess.run(words, cwd="/", env=home, input=b"".join(asked), capture_output=True, timeout=120)
    assert b"READ REFUSED 13 REFUSED 13 ROOTS 1\n" in done.stderr
    assert b"restart its language server to open" in done.stdout
