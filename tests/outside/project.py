"""A small repository of stacks for tests, and the command line to ask it with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cases.preloaded import completed
from tests.outside.conftest import state

PLAIT = [sys.executable, "-c", "from plait.__main__ import run; run()"]
CONFIG = """\
base_path: "."
stacks:
  base_path: stacks
  included_paths: ["deploy/**/*"]
  name_pattern: "{stage}"
components: {terraform: {base_path: components/terraform}}
"""


def git(folder: Path, *words: str) -> str:
    """What git prints, for nobody in particular and without anybody's configuration."""
    argv = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0", *words]
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    return subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=True).stdout.strip()


class Said:
    """What a command printed, and how it ended."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.out = done.stdout
        self.err = done.stderr
        self.status = done.returncode

    @property
    def data(self) -> object:
        assert self.status == 0, self.err
        return json.loads(self.out)


class Repository:
    """A folder with an atmos.yaml. Files are written with `write`, components get state with `provision`."""

    def __init__(self, folder: Path, config: str = "") -> None:
        self.folder = folder
        (folder / ".git").mkdir(parents=True, exist_ok=True)
        self.write("atmos.yaml", CONFIG + config)
        (folder / "stacks/deploy").mkdir(parents=True, exist_ok=True)

    def write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def stack(self, name: str, text: str) -> Path:
        return self.write(f"stacks/deploy/{name}.yaml", f"vars: {{stage: {name}}}\n{text}")

    def provision(
        self, component: str, workspace: str, outputs: dict[str, object], sensitive: tuple[str, ...] = ()
    ) -> None:
        data = json.loads(state(outputs))
        for name in sensitive:
            data["outputs"][name]["sensitive"] = True
        self.write(
            f"components/terraform/{component}/terraform.tfstate.d/{workspace}/terraform.tfstate", json.dumps(data)
        )

    def plait(self, *words: str, allow: str = "network,exec", **env: str) -> Said:
        made = {**os.environ, "PLAIT_ALLOW": allow, "ATMOS_GIT_ROOT_BASEPATH": "false", **env}
        if "PYTHONPATH" in env:  # read by a Python that starts
            argv = [*PLAIT, *words]
            return Said(subprocess.run(argv, cwd=self.folder, env=made, capture_output=True, text=True, timeout=60))
        return Said(completed(list(words), self.folder, made))

    def vars(self, component: str, stack: str, *words: str, **env: str) -> object:
        """The evaluated variables of a component."""
        said = self.plait("describe", "component", component, "-s", stack, "-f", "json", "-q", ".vars", *words, **env)
        return said.data
