"""The plugin for Argo CD: its commands are run as Argo CD runs them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cases import PLAIT

EXAMPLE = Path(__file__).parents[1] / "examples" / "deploy"


@pytest.mark.parametrize(("overlay", "replicas"), [("", 3), ("staging", 1)])
def test_the_plugin_of_argo_cd(tmp_path: Path, overlay: str, replicas: int) -> None:
    folder = shutil.copytree(EXAMPLE, tmp_path / "app")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "plait"
    program.write_text(f"#!{sys.executable}\n{PLAIT[2]}\n")
    program.chmod(0o755)
    env = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    if overlay:
        env["ARGOCD_ENV_OVERLAY"] = overlay
    spec = yaml.safe_load((EXAMPLE / "plugin.yaml").read_text())["spec"]

    def run(argv: list[str]) -> str:
        return subprocess.run(argv, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout

    assert run(spec["discover"]["find"]["command"]).strip()  # Argo CD takes the plugin where this prints something
    resources = list(yaml.safe_load_all(run([*spec["generate"]["command"], *spec["generate"]["args"]])))
    assert [one["kind"] for one in resources] == ["Deployment", "Service"]
    assert resources[0]["spec"]["replicas"] == replicas
