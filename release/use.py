"""What is asked of an installed plait: every command starts, and those that need packages do their work."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

from release.addresses import addresses

PASSED = ("PIP_", "UV_", "SSL_", "REQUESTS_", "NPM_", "NODE_")
"""What a machine says about where packages come from."""
FILES = {
    "base.yaml": "a: 1\nb: {c: !ref a}\n",
    "stacks/atmos.yaml": """\
base_path: .
stacks: {base_path: deploy, included_paths: ["*"], name_template: "{{ .vars.stage }}"}
components: {terraform: {base_path: code}}
""",
    "stacks/deploy/dev.yaml": "vars: {stage: dev}\ncomponents: {terraform: {net: {vars: {size: 1}}}}\n",
}
STEPS: tuple[tuple[list[str], str], ...] = (
    (["version"], "plait "),
    (["version", "--verbose"], "reader: "),
    (["help"], "plait merge base.yaml prod.yaml"),
    (["help", "merge"], "Merge YAML layers"),
    (["help", "stacks"], "# Stacks"),
    (["help", "reference/limits"], "# Capabilities and budgets"),
    (["help", "PL2101"], "## Example"),
    (["schema", "plait"], '"$schema"'),
    (["merge", "base.yaml"], "  c: 1\n"),
    (["explain", "b.c", "base.yaml"], "base.yaml:2:8"),
    (["blame", "base.yaml", "--format", "json"], '"origin"'),
    (["set", "base.yaml", "a", "2"], ""),
    (["get", "base.yaml", "a"], "2\n"),
    (["completion", "bash"], "complete "),
)
"""What is asked of plait itself, and what its answer contains."""
WITH_PACKAGES: tuple[tuple[list[str], str], ...] = (
    (["query", "{{ 1 + 1 }}", "base.yaml"], "2\n"),
    (["validate", "stacks", "-C", "stacks"], "✓ All stacks validated successfully"),
)
"""The same of what plait does with the packages that it depends on."""
VERB = re.compile(r"^  (\w[\w-]*(?: \w+)*) {2,}\S", re.M)
"""A command in the list that `plait --help` prints."""
PAGES = build_opener(ProxyHandler({}), HTTPCookieProcessor())
"""Reads pages of this machine, as a browser does."""
HEAVY = ("jinja2", "jsonschema_rs", "pygls", "lsprotocol", "starlette", "uvicorn", "asyncio", "yaml")
"""What the import of plait must leave alone."""


class Broken(Exception):
    """A step of the package failed."""


def environment(folder: Path, passed: tuple[str, ...] = PASSED) -> dict[str, str]:
    """Return an environment without any setting of this one, with a home folder of its own."""
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    return env | {name: value for name, value in os.environ.items() if name.startswith(passed)}


def run(argv: list[str], folder: Path, given: str = "", passed: tuple[str, ...] = PASSED, **more: str) -> str:
    """Return what a command prints, errors included. Raise Broken if it fails."""
    env = environment(folder, passed) | more
    done = subprocess.run(
        argv,
        cwd=folder,
        env=env,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise Broken(f"{' '.join(argv)}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def write_files(folder: Path) -> None:
    """Write the files that the steps read."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def use(command: Path, folder: Path) -> int:
    """Ask an installed command what everybody asks first, in an empty folder. Return how many commands were run."""
    write_files(folder)
    asked = (*STEPS, *WITH_PACKAGES, (["version", "--verbose"], addresses().get("Source", "")))
    for words, expected in asked:
        shown = run([str(command), *words], folder)
        if expected not in shown:
            raise Broken(f"plait {' '.join(words)} does not print {expected!r}:\n{shown}")
    verbs = VERB.findall(run([str(command), "--help"], folder))
    if len(verbs) < 50:
        raise Broken(f"plait --help lists {len(verbs)} commands")
    for verb in verbs:
        run([str(command), *verb.split(), "--help"], folder)
    serve(command, folder)
    initialize(command, folder)
    pages = list((command.resolve().parents[1] / "share" / "man" / "man1").glob("plait*.1"))
    if len(pages) < 50:
        raise Broken(f"{len(pages)} manual pages are installed")
    return len(asked) + len(verbs) + 2


def serve(command: Path, folder: Path) -> None:
    """Read the first page of `plait serve`."""
    with subprocess.Popen(
        [str(command), "serve", "--no-open"], cwd=folder, env=environment(folder), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            with PAGES.open(address, timeout=60) as answer:
                page = answer.read()
        except (OSError, ValueError) as trouble:
            raise Broken(f"plait serve does not answer: {trouble}") from None
        finally:
            process.terminate()
    if b"</html>" not in page:
        raise Broken(f"plait serve answers {page[:200]!r}")


def initialize(command: Path, folder: Path) -> None:
    """Open a folder with `plait lsp`, as an editor does."""
    asked = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked})
    ending = [{"id": 2, "method": "shutdown"}, {"method": "exit"}]
    messages = [message, *(json.dumps({"jsonrpc": "2.0", **one}) for one in ending)]
    framed = "".join(f"Content-Length: {len(one)}\r\n\r\n{one}" for one in messages)
    shown = run([str(command), "lsp"], folder, given=framed)
    if '"capabilities"' not in shown or "hoverProvider" not in shown:
        raise Broken(f"plait lsp answers {shown[:300]!r}")


def imports_little(python: Path, folder: Path) -> None:
    """Check that `import plait` leaves the packages alone that only some commands need."""
    loaded = run([str(python), "-c", "import plait, sys; print(*sys.modules)"], folder).split()
    heavy = sorted(set(HEAVY) & set(loaded))
    if heavy:
        raise Broken(f"import plait imports {', '.join(heavy)}")
