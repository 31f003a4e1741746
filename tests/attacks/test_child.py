"""A child process that meets hostile data: what it answers, what ends it, and what it has."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from plait.access.child import HEAD, Child, TooMuch, TooSlow, _toil

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@contextmanager
def child(answer: Callable[[bytes], bytes], memory: int = 0, most: int = 100) -> Iterator[Child]:
    made = Child(lambda: answer, memory, most)
    try:
        yield made
    finally:
        made.close()


def is_gone(process: int) -> bool:
    """Whether it has ended, and was waited for."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_child_answers_one_message_after_another_until_it_is_closed() -> None:
    with child(lambda message: message[::-1], most=3_000_000) as made:
        process = made.process
        long = bytes(range(250)) * 10_000  # more than a pipe holds, and than is read at once
        assert [made.ask(message, 60) for message in (b"ab", b"", long)] == [b"ba", b"", long[::-1]]
        made.close()
        assert (made.process, is_gone(process)) == (0, True)


def test_an_answer_may_be_so_long_and_no_longer() -> None:
    with child(lambda message: message, most=3) as made:
        process = made.process
        assert made.ask(b"123", 60) == b"123"
        with pytest.raises(TooMuch):
            made.ask(b"1234", 60)
        assert (made.process, is_gone(process)) == (0, True)


def test_a_child_that_takes_too_long_or_goes_is_ended() -> None:
    for answer, error in ((lambda _: time.sleep(60), TooSlow), (lambda _: os._exit(0), TooMuch)):
        with child(answer) as made:  # type: ignore[arg-type]
            process = made.process
            with pytest.raises(error):
                made.ask(b"x", 0.2 if error is TooSlow else 60)
            assert (made.process, is_gone(process)) == (0, True)


def _has(message: bytes) -> bytes:
    """What a child has: an open file of its parent, core dumps, memory, and how it takes an interrupt."""
    try:
        os.fstat(int(message))
        is_open = True
    except OSError:
        is_open = False
    limits = [resource.getrlimit(kind) for kind in (resource.RLIMIT_CORE, resource.RLIMIT_AS)]
    is_bounded = limits[1][0] == limits[1][1] != resource.RLIM_INFINITY
    return repr((is_open, limits[0], is_bounded, signal.getsignal(signal.SIGINT) is signal.SIG_IGN)).encode()


def test_a_child_with_a_limit_has_nothing_of_its_parent() -> None:
    with open(os.devnull, "rb") as file:
        name = str(file.fileno()).encode()
        with child(_has, 1 << 28) as limited:
            assert limited.ask(name, 60) == b"(False, (0, 0), True, True)"
        with child(_has) as free:
            assert free.ask(name, 60).startswith(b"(True, ")
            assert free.ask(name, 60).endswith(b", True)")


def test_a_child_with_a_limit_gets_no_more_memory() -> None:
    with child(lambda message: bytes(int(message))[:1], 1 << 26) as made:
        assert made.ask(b"1000", 60) == b"\0"
        with pytest.raises(TooMuch):
            made.ask(str(1 << 28).encode(), 60)


def test_a_child_ends_where_whoever_asks_is_gone() -> None:
    for said in (b"", b"half", HEAD.pack(10), HEAD.pack(10) + b"half of it"[:4]):
        inlet, ours = os.pipe()
        process = os.fork()
        if not process:
            os.close(ours)
            resource.setrlimit(resource.RLIMIT_CPU, (5, 5))  # it did not end
            _toil(lambda: bytes.upper, inlet, 2, 0)
        os.close(inlet)
        os.write(ours, said)
        os.close(ours)
        assert os.waitpid(process, 0)[1] == 0
