"""The same text is parsed once, and what is kept has a bound."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from plait.gotemplate import builtins, parse, sprig
from plait.notations.gotemplate.template import Cache


def test_the_same_text_is_parsed_once() -> None:
    assert parse("{{ .once }}") is parse("{{ .once }}")
    assert parse("{{ .once }}") is not parse("{{ .once }}", functions=builtins())
    assert parse("{{ .once }}") is not parse("{{ .once }}", delimiters=("<<", ">>"))


def test_the_oldest_make_room() -> None:
    cache = Cache(limit=2)
    for text in ("a", "b", "c", "b", "c", "a"):
        cache.parse(text, sprig())
    assert cache.misses == 4


def test_large_texts_are_not_kept_for_ever() -> None:
    cache = Cache(size_limit=100)
    for _ in range(3):
        cache.parse("x" * 101, sprig())
    assert cache.misses == 3


def test_threads_share_templates() -> None:
    cache = Cache(limit=5)

    def work(number: int) -> str:
        return cache.parse(f"{{{{ .n }}}}-{number % 9}", sprig()).render({"n": number})

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(500))) == [f"{number}-{number % 9}" for number in range(500)]
