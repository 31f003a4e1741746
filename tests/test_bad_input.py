"""Input that is meant to hurt: one clear report, within two seconds and 300 MB, and never a traceback."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import PLAIT, environment
from tests.clock import within

SECONDS, MEGABYTES = 2.0, 300


def plait(folder: Path, *words: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Run the command under the limits that a bomb must respect."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))

    answers: list[tuple[int, str, str]] = []

    def measure() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        answers.append(_answer(folder, words, stdin, limit))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime

    within(SECONDS, measure)
    return answers[0]


def _answer(folder: Path, words: tuple[str, ...], stdin: bytes, limit: Callable[[], None]) -> tuple[int, str, str]:
    done = subprocess.run(
        [*PLAIT, *words],
        cwd=folder,
        env=environment(folder),
        input=stdin,
        capture_output=True,
        preexec_fn=limit,
        timeout=60,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err, err
    return done.returncode, out, err


def peak(folder: Path, *words: str) -> int:
    """Megabytes that a command needs at its peak, measured in a process of its own."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [PLAIT[0], "-c", code, *PLAIT, *words], cwd=folder, env=environment(folder), capture_output=True, text=True
    )
    return int(done.stdout) // 1024


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    return made


LAUGHS = "a0: &a0 [lol]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 11))

BOMBS = {
    "10,000 brackets": (b"[" * 10_000, "PL5001", "nested deeper than 1000 levels"),
    "100,000 brackets": (b"[" * 100_000, "PL5001", "nested deeper than 319 levels"),
    "10,000 flow maps": (b"{a: " * 10_000, "PL5001", "nested deeper than 799 levels"),
    "100,000 flow maps": (b"{a: " * 100_000, "PL5001", "nested deeper than 100 levels"),
    "2,000 block maps": (
        b"".join(b" " * i + b"a:\n" for i in range(2_000)),
        "PL5001",
        "nested deeper than 100 levels",
    ),
    "billion laughs": (LAUGHS.encode(), "PL5002", "more than"),
    "a cyclic alias": (b"a: &x [*x]\n", "PL1104", "is inside its own anchor"),
    "an alias without anchor": (b"a: *x\n", "PL1103", "unknown anchor `x`"),
    "NUL": (b"a: \x00\n", "PL1004", "is not a text file"),
    "binary": (bytes(range(256)) * 10, "PL1004", "is not a text file"),
    "bad UTF-8": (b"a: \xff\xfe\xfa\n", "PL1004", "is not a text file"),
    "a double key": (b"a: 1\nb: 2\na: 3\n", "PL1102", "duplicate key `a`"),
    "no YAML": (b"a: [1\nb: 2\n", "PL1101", "invalid YAML"),
    "a tab": (b"a:\n\tb: 1\n", "PL1101", "invalid YAML"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bomb(name: str, folder: Path) -> None:
    data, code, words = BOMBS[name]
    (folder / "bomb.yaml").write_bytes(data)
    status, out, err = plait(folder, "merge", "bomb.yaml")
    assert (status, out) == (1, "")
    assert f"error {code}" in err
    assert words in err
    assert "bomb.yaml" in err


@pytest.mark.parametrize("name", ["100,000 brackets", "billion laughs"])
def test_bomb_memory(name: str, folder: Path) -> None:
    (folder / "bomb.yaml").write_bytes(BOMBS[name][0])
    assert peak(folder, "merge", "bomb.yaml") < MEGABYTES


def test_a_scalar_of_100_megabytes(folder: Path) -> None:
    with open(folder / "bomb.yaml", "wb") as file:
        file.write(b"a: '")
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b"'\n")
    status, out, err = plait(folder, "merge", "bomb.yaml")
    assert (status, out) == (1, "")
    assert "PL5003" in err
    assert "--max-size" in err
    assert peak(folder, "merge", "bomb.yaml") < MEGABYTES


def test_integers_of_5000_digits(folder: Path) -> None:
    digits = "7" * 5_000
    (folder / "a.yaml").write_text(f"a: {digits}\nb: -{digits}\nc: !ref a\n")
    status, out, _ = plait(folder, "merge", "a.yaml")
    assert (status, out) == (0, f"a: {digits}\nb: -{digits}\nc: {digits}\n")
    status, out, _ = plait(folder, "merge", "a.yaml", "--format", "json", "--path", "c")
    assert (status, out) == (0, digits + "\n")


def test_a_missing_file_names_its_neighbours(folder: Path) -> None:
    (folder / "base.yaml").write_text("a: 1\n")
    status, _, err = plait(folder, "merge", "bsae.yaml")
    assert status == 1
    assert "PL1001" in err
    assert "did you mean `base.yaml`?" in err


def test_a_folder(folder: Path) -> None:
    (folder / "sub").mkdir()
    status, _, err = plait(folder, "merge", "sub")
    assert status == 1
    assert "PL1002" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(folder: Path) -> None:
    (folder / "a.yaml").write_text("a: 1\n")
    (folder / "a.yaml").chmod(0)
    status, _, err = plait(folder, "merge", "a.yaml")
    assert status == 1
    assert "PL1003" in err


def test_a_file_that_the_system_refuses(folder: Path) -> None:
    """A link that leads to itself cannot be opened by anybody, root included."""
    (folder / "a.yaml").symlink_to("a.yaml")
    status, _, err = plait(folder, "merge", "a.yaml")
    assert status == 1
    assert "PL1003" in err


def test_empty_input(folder: Path) -> None:
    (folder / "a.yaml").write_text("")
    assert plait(folder, "merge", "a.yaml") == (0, "{}\n", "")
    assert plait(folder, "merge", "-") == (0, "{}\n", "")


def test_utf_16_and_byte_order_marks(folder: Path) -> None:
    for name, encoding in (("a", "utf-8-sig"), ("b", "utf-16"), ("c", "utf-16-le"), ("d", "utf-16-be")):
        (folder / name).write_bytes("key: café\n".encode(encoding))
        assert plait(folder, "merge", name)[:2] == (0, "key: café\n")


def test_a_write_into_a_folder_that_is_none(folder: Path) -> None:
    (folder / "a.yaml").write_text("a: 1\n")
    (folder / "file").write_text("text")
    status, _, err = plait(folder, "merge", "a.yaml", "-o", "file/out.yaml")
    assert status == 1
    assert "cannot write `file/out.yaml`: `file` is not a folder" in err
    assert sorted(os.listdir(folder)) == ["a.yaml", "file"]


def test_a_full_disk(folder: Path) -> None:
    """/dev/full is a disk that is always full."""
    (folder / "a.yaml").write_text("a: 1\n")
    with open("/dev/full", "w") as full:
        argv = [*PLAIT, "merge", "a.yaml"]
        done = subprocess.run(argv, cwd=folder, env=environment(folder), stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"PL1201" in done.stderr


def test_help_on_a_full_disk(folder: Path) -> None:
    with open("/dev/full", "w") as full:
        argv = [sys.executable, "-m", "plait", "--help"]
        done = subprocess.run(argv, cwd=folder, env=environment(folder), stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"plait: standard output cannot be written: No space left on device\n")


def test_a_reader_that_goes_away(folder: Path) -> None:
    (folder / "a.yaml").write_text("".join(f"key{i}: value\n" for i in range(50_000)))
    command = " ".join(f"'{word}'" for word in PLAIT) + " merge a.yaml | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, env=environment(folder), capture_output=True)
    assert done.stdout == b"key0: value\n"
    assert done.stderr == b""


def test_a_chain_of_20_000_references(folder: Path) -> None:
    links = "".join(f"k{i}: !ref k{i - 1}\n" for i in range(20_000, 0, -1))
    (folder / "a.yaml").write_text(f"{links}k0: seed\n")
    done = subprocess.run(
        [*PLAIT, "merge", "a.yaml", "--path", "k20000"], cwd=folder, env=environment(folder), capture_output=True
    )
    assert (done.returncode, done.stdout) == (0, b"seed\n"), done.stderr


def test_budgets_have_flags(folder: Path) -> None:
    (folder / "a.yaml").write_text("a: {b: {c: 1}}\nd: !ref a\ne: !ref d\n")
    for flag, code in (("--max-depth=2", "PL5001"), ("--max-size=5", "PL5003"), ("--max-steps=1", "PL5004")):
        status, _, err = plait(folder, "merge", "a.yaml", flag)
        assert status == 1
        assert code in err
        assert flag.partition("=")[0] in err
