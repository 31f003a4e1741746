"""What the kernel of Linux enforces on this process and on those that it starts: which files are opened (Landlock), and
that nothing is executed or connected (seccomp).

The door and the guard decide the same in Python. This holds where a line of Python is wrong, and for native code.
`native/limits.c` does the same in a fortieth of the time, where it was built; here, the system calls are made through
`_ctypes`, the native part of `ctypes`. Where the kernel, the machine or Python cannot, nothing is enforced, and
`abilities` says why.
"""

from __future__ import annotations

import os
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF, SECCOMP = 444, 445, 446, {"x86_64": 317, "aarch64": 277}
BY_PATH, VERSION, FILTER = 1, 1, 1
"""Of Landlock: a rule about what is below a path, and the question which version there is. Of seccomp: a filter."""
TSYNC = 1
NO_NEW_PRIVILEGES = 38
READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
EXECUTE, WRITE_FILE, TRUNCATE = 1 << 0, 1 << 1, 1 << 14
CHANGE = WRITE_FILE | TRUNCATE | sum(1 << bit for bit in (4, 5, 7, 8, 9, 10, 12, 13))
"""Write, truncate, remove and make files and folders, links, sockets and pipes; rename between folders."""
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
"""What a rule about a single file may allow."""
READ = READ_FILE | READ_FOLDER
HANDLED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""By the version of Landlock, all that it can decide about files; later ones decide more about other things."""
CONNECT_AND_BIND = 3
NETWORK_SINCE = 4
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
COMMANDS = {"x86_64": (59, 322), "aarch64": (221, 281)}
"""`execve` and `execveat`."""
CONNECTIONS = {"x86_64": (41, 42), "aarch64": (198, 203)}
"""`socket` and `connect`."""
POWERS = {
    "x86_64": (101, 310, 311, 321, 165, 166, 155, 161, 272, 308, 250, 248, 249, 323, 298, 175, 313, 246, 304),
    "aarch64": (117, 270, 271, 280, 40, 39, 41, 51, 97, 268, 219, 217, 218, 282, 241, 105, 273, 104, 265),
}
"""What no command of plait needs: other processes, mounts, namespaces, keys, modules, files by handle."""
POWERS_EVERYWHERE = (425, 426, 427, 428, 429, 430, 432, 433, 438, 442)
"""The same, with one number on every machine: `io_uring`, which seccomp does not see, mounts, handles of others."""
OTHER_NUMBERS = 0x40000000
"""From here on, system calls of x86-64 are those of another way to call it."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 13
"""Of a filter: go on, or answer `EACCES`."""
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06


class Unavailable(Exception):
    """The kernel, the machine or Python cannot enforce something, and why."""


class Machine:
    """The system calls of this machine."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise Unavailable("only Linux can")
        self.name = os.uname().machine
        if self.name not in ARCHITECTURES:
            raise Unavailable(f"not on {self.name}")
        try:
            import _ctypes

            handle = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]
            self._syscall, self._prctl = _ctypes.dlsym(handle, "syscall"), _ctypes.dlsym(handle, "prctl")
            self._invoke = _ctypes.call_cdeclfunction
        except (ImportError, AttributeError, OSError) as trouble:
            raise Unavailable(f"this Python has no `_ctypes` that can: {trouble}") from None

    def call(self, number: int, *words: int | bytes | None) -> int:
        """A system call; -1 where it fails. Bytes stand for their address."""
        return int(self._invoke(self._syscall, (number, *words)))

    def give_up_privileges(self) -> None:
        """Let no program that is executed have more rights; without this, the kernel accepts no filter."""
        if self._invoke(self._prctl, (NO_NEW_PRIVILEGES, 1, 0, 0, 0)):
            raise Unavailable("the kernel refuses `no_new_privs`")

    def landlock(self) -> int:
        """The version of Landlock; raises where there is none."""
        version = self.call(CREATE_RULESET, None, 0, VERSION)
        if version < 1:
            raise Unavailable("this kernel has no Landlock, or it is not enabled")
        return version


def _address_of(data: bytes) -> int:
    """Where bytes are in memory: behind the head of the object. A kernel that finds nothing there refuses."""
    return id(data) + bytes.__basicsize__ - 1


def _words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, "little") for number in numbers)


def limit_files(reads: list[str], writes: list[str], runs: list[str]) -> str | None:
    """From now on, open only what is below some paths; execute only what is below `runs`. Why not, or None."""
    try:
        _limit_files(Machine(), ((reads, READ), (writes, READ | CHANGE), (runs, READ | EXECUTE)))
    except Unavailable as trouble:
        return str(trouble)
    return None


def _limit_files(machine: Machine, allowed: tuple[tuple[list[str], int], ...]) -> None:
    version = machine.landlock()
    handled = HANDLED.get(version, HANDLED[5])
    fields = (handled, CONNECT_AND_BIND) if version >= NETWORK_SINCE else (handled,)
    attributes = _words(*fields)
    rules = machine.call(CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        raise Unavailable("the kernel refuses rules of Landlock")
    try:
        for paths, rights in allowed:
            for path in paths:
                _allow(machine, rules, path, rights & handled)
        machine.give_up_privileges()
        if machine.call(RESTRICT_SELF, rules, 0):
            raise Unavailable("the kernel refuses to apply Landlock")
    finally:
        os.close(rules)


def _allow(machine: Machine, rules: int, path: str, rights: int) -> None:
    """Allow something below a path; nothing where there is no such file or folder."""
    try:
        handle = os.open(path, os.O_PATH)
    except (OSError, ValueError):
        return
    try:
        if not os.path.isdir(path):
            rights &= OF_FILES
        machine.call(ADD_RULE, rules, BY_PATH, _words(rights) + handle.to_bytes(4, "little"), 0)
    finally:
        os.close(handle)


def limit_calls(commands: bool, connections: bool) -> str | None:
    """From now on, make no system call that needs what is not allowed here; in all threads. Why not, or None."""
    try:
        _limit_calls(Machine(), commands, connections)
    except Unavailable as trouble:
        return str(trouble)
    return None


def _limit_calls(machine: Machine, commands: bool, connections: bool) -> None:
    refused = [*POWERS[machine.name], *POWERS_EVERYWHERE]
    refused += () if commands else COMMANDS[machine.name]
    refused += () if connections else CONNECTIONS[machine.name]
    tests = [(AT_LEAST, OTHER_NUMBERS)] if machine.name == "x86_64" else []
    tests += [(EQUAL, number) for number in refused]
    last = len(tests)
    program = [(LOAD, 0, 0, 4), (EQUAL, 0, last + 2, ARCHITECTURES[machine.name]), (LOAD, 0, 0, 0)]
    program += [(code, last - at, 0, value) for at, (code, value) in enumerate(tests)]
    program += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    data = b"".join([bytes((code, 0, yes, no)) + value.to_bytes(4, "little") for code, yes, no, value in program])
    machine.give_up_privileges()
    if machine.call(SECCOMP[machine.name], FILTER, TSYNC, _words(len(program), _address_of(data))):
        raise Unavailable("this kernel has no seccomp filters, or refuses them")


def abilities() -> dict[str, str]:
    """What the kernel can enforce here: for each kind, empty where it can, else why not."""
    found = {}
    try:
        machine = Machine()
    except Unavailable as trouble:
        return dict.fromkeys(KINDS, str(trouble))
    try:
        machine.landlock()
        found[FILES] = ""
    except Unavailable as trouble:
        found[FILES] = str(trouble)
    action = (REFUSE & 0xFFFF0000).to_bytes(4, "little")
    available = machine.call(SECCOMP[machine.name], 2, 0, action) == 0
    found[CALLS] = "" if available else "this kernel has no seccomp filters"
    return found


FILES, CALLS = "files (Landlock)", "commands and connections (seccomp)"
KINDS = (FILES, CALLS)
