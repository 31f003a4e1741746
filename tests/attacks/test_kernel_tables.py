"""What the kernel is asked to enforce, on every machine: a machine of our own notes it, and runs the filter."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from plait.access import kernel

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="this is not Linux")
ALLOWED = (0, 1, 2, 39, 57, 63, 220)
"""Calls that every program makes."""


class Noting:
    """A machine on which nothing is enforced."""

    def __init__(self, name: str = "x86_64", version: int = 5, refuses: int = 0) -> None:
        self.name = name
        self.version = version
        self.refuses = refuses
        self.notes: list[Any] = []
        self.filter: list[tuple[int, int, int, int]] = []
        self.opened = 0

    def landlock(self) -> int:
        return self.version

    def give_up_privileges(self) -> None:
        self.notes.append("no more privileges")

    def call(self, number: int, *words: Any) -> int:
        if number == self.refuses:
            return -1
        if number == kernel.CREATE_RULESET:
            self.notes.append((number, struct.unpack(f"<{len(words[0]) // 8}Q", words[0]), *words[1:]))
            self.opened = os.open(os.devnull, os.O_RDONLY)
            return self.opened
        if number == kernel.ADD_RULE:
            rights, handle = struct.unpack("<QI", words[2])
            self.notes.append((words[:2] == (self.opened, 1), rights, os.readlink(f"/proc/self/fd/{handle}"), words[3]))
        elif number == kernel.RESTRICT_SELF:
            self.notes.append(("restrict", words[0] == self.opened, words[1]))
        else:
            count, address = struct.unpack("<QQ", words[2])
            self.filter = list(struct.iter_unpack("<HBBI", ctypes.string_at(address, 8 * count)))
            self.notes.append((number, *words[:2]))
        return 0

    def answer(self, number: int, machine: int) -> int:
        """What the filter answers to a system call, as the kernel runs it."""
        at, loaded = 0, 0
        while True:
            code, yes, no, value = self.filter[at]
            at += 1
            if code == 0x06:
                return value
            if code == 0x20:
                loaded = {0: number, 4: machine}[value]
            else:
                at += yes if {0x15: loaded == value, 0x35: loaded >= value}[code] else no


def filtered(name: str, commands: bool, connections: bool) -> Noting:
    machine = Noting(name)
    kernel._limit_calls(machine, commands, connections)  # type: ignore[arg-type]
    return machine


@pytest.mark.parametrize("connections", [True, False])
@pytest.mark.parametrize("commands", [True, False])
@pytest.mark.parametrize("name", ["x86_64", "aarch64"])
def test_which_calls_a_filter_refuses(name: str, commands: bool, connections: bool) -> None:
    machine = filtered(name, commands, connections)
    assert machine.notes == ["no more privileges", ({"x86_64": 317, "aarch64": 277}[name], 1, 1)]
    own = kernel.ARCHITECTURES[name]
    refused = {*kernel.POWERS[name], *kernel.POWERS_EVERYWHERE}
    refused |= set() if commands else set(kernel.COMMANDS[name])
    refused |= set() if connections else set(kernel.CONNECTIONS[name])
    asked = {number for each in refused for number in (each - 1, each, each + 1)} | set(ALLOWED)
    asked |= {*kernel.COMMANDS[name], *kernel.CONNECTIONS[name]}
    for number in asked:
        wanted = 0x0005000D if number in refused else 0x7FFF0000
        assert machine.answer(number, own) == wanted, number
    for number in ALLOWED:
        assert machine.answer(number, own + 1) == 0x0005000D, "calls of another machine have other numbers"
        other_way = 0x0005000D if name == "x86_64" else 0x7FFF0000
        assert [machine.answer(0x40000000 + more, own) for more in (0, number)] == [other_way, other_way]


@pytest.mark.parametrize(
    ("version", "fields"),
    [
        (1, (0x1FFF,)),
        (2, (0x3FFF,)),
        (3, (0x7FFF,)),
        (4, (0x7FFF, 3)),
        (5, (0xFFFF, 3)),
        (6, (0xFFFF, 3)),
    ],
)
def test_which_rules_about_files_there_are(version: int, fields: tuple[int, ...], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    folder, file = str(tmp_path / "folder"), str(tmp_path / "file")
    machine = Noting(version=version)
    before = os.listdir("/proc/self/fd")
    rows = (([folder, file, "no\0", "/no/such"], 0b1100), ([folder, file], 0b111 | 1 << 14))
    kernel._limit_files(machine, rows)  # type: ignore[arg-type]
    assert os.listdir("/proc/self/fd") == before, "all that was opened is closed"
    truncate = 1 << 14 if version > 2 else 0
    assert machine.notes == [
        (444, fields, 8 * len(fields), 0),
        (True, 0b1100, folder, 0),
        (True, 0b100, file, 0),
        (True, 0b111 | truncate, folder, 0),
        (True, 0b111 | truncate, file, 0),
        "no more privileges",
        ("restrict", True, 0),
    ]


@pytest.mark.parametrize(
    ("refuses", "why"),
    [
        (kernel.CREATE_RULESET, "the kernel refuses rules of Landlock"),
        (kernel.RESTRICT_SELF, "the kernel refuses to apply Landlock"),
    ],
)
def test_a_kernel_that_refuses_files(refuses: int, why: str) -> None:
    before = os.listdir("/proc/self/fd")
    with pytest.raises(kernel.Unavailable, match=why):
        kernel._limit_files(Noting(refuses=refuses), ())  # type: ignore[arg-type]
    assert os.listdir("/proc/self/fd") == before


def test_what_cannot_be_enforced_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def machine(made: Any) -> None:
        monkeypatch.setattr(kernel, "Machine", made)

    class Asked(Noting):
        """It notes the question whether filters can answer with an error."""

        def call(self, number: int, *words: Any) -> int:
            self.notes.append((number, *words))
            return self.refuses

    class NoLandlock(Asked):
        def landlock(self) -> int:
            raise kernel.Unavailable("no Landlock here")

    asked = Asked()
    machine(lambda: asked)
    assert kernel.abilities() == {kernel.FILES: "", kernel.CALLS: ""}
    assert asked.notes == [(317, 2, 0, b"\0\0\5\0")], "SECCOMP_GET_ACTION_AVAIL of SECCOMP_RET_ERRNO"
    machine(lambda: Asked(refuses=-1))
    assert kernel.abilities()[kernel.CALLS] == "this kernel has no seccomp filters"
    machine(NoLandlock)
    assert kernel.abilities() == {kernel.FILES: "no Landlock here", kernel.CALLS: ""}
    assert kernel.limit_files([], [], []) == "no Landlock here"
    machine(lambda: Noting(refuses=317))
    assert kernel.limit_calls(False, False) == "this kernel has no seccomp filters, or refuses them"

    def none() -> Noting:
        raise kernel.Unavailable("not on vax")

    machine(none)
    assert kernel.abilities() == dict.fromkeys(kernel.KINDS, "not on vax")
    assert (kernel.limit_files([], [], []), kernel.limit_calls(True, True)) == ("not on vax", "not on vax")


def test_what_may_be_done_with_which_files(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Any] = []
    monkeypatch.setattr(kernel, "Machine", Noting)
    monkeypatch.setattr(kernel, "_limit_files", lambda machine, allowed: rows.extend(allowed))
    assert kernel.limit_files(["r"], ["w"], ["x"]) is None
    folders = sum(1 << bit for bit in (4, 5, 7, 8, 9, 10, 12, 13))
    assert rows == [(["r"], 0b1100), (["w"], 0b1110 | 1 << 14 | folders), (["x"], 0b1101)]


def test_a_machine_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: type("Uname", (), {"machine": "vax"}))
    with pytest.raises(kernel.Unavailable, match="not on vax"):
        kernel.Machine()
    monkeypatch.setattr(kernel.sys, "platform", "plan9")
    with pytest.raises(kernel.Unavailable, match="only Linux can"):
        kernel.Machine()
