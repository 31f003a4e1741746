"""What templates cost, and what chance gives them: with a meter and a host that count."""

from __future__ import annotations

import string

import pytest
import yaml

from plait.core.meter import Meter
from plait.gotemplate import ExecError, Host, parse
from plait.notations.gotemplate.tables import stacks
from tests.gotemplate.test_cases import CASES
from tests.growth import for_64_more

WORK = yaml.load((CASES / "work.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
ROUNDS = "{{ $v := semver `1.2.3` }}{{ range N }}%s{{ end }}{{ define `t` }}x{{ end }}"


class Counting(Host):
    """Chance that gives 0, 1, 2, ... where numbers are asked for, and the highest where one below a bound is."""

    def random_bytes(self, count: int) -> bytes:
        return b"".join(number.to_bytes(8, "big") for number in range(count // 8))

    def random_below(self, bound: int) -> int:
        return bound - 1


class Lowest(Counting):
    def random_below(self, bound: int) -> int:
        return 0


def work(template: str, count: int) -> Meter:
    host = Counting()
    host.meter = Meter()
    parse(template.replace(" N", f" {count}").replace("%N", f"%{count}"), functions=stacks()).render({}, host=host)
    return host.meter


@pytest.mark.parametrize(
    ("template", "steps", "size", "count"),
    [(f"{{{{ $x := {call} }}}}", steps, size, 1 << 14) for call, steps, size in WORK["sizes"]]
    + [(ROUNDS % body, steps, size, 1 << 11) for body, steps, size in WORK["rounds"]],
)
def test_work_is_counted(template: str, steps: int, size: int, count: int) -> None:
    assert for_64_more(lambda number: work(template, number), count) == [steps, size]


def given(call: str, host: Host) -> str:
    return parse(f"{{{{ {call} }}}}", functions=stacks()).render({}, host=host)


DIGITS, LOWER, UPPER = string.digits, string.ascii_lowercase, string.ascii_uppercase
PRINTED = "".join(map(chr, range(32, 127)))


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ("randAlpha 53", f"{LOWER}{UPPER}a"),
        ("randNumeric 11", f"{DIGITS}0"),
        ("randAlphaNum 63", f"{LOWER}{UPPER}{DIGITS}a"),
        ("randAscii 96", f"{PRINTED} "),
        ("random.ASCII 96", f"{PRINTED} "),
        ("random.Alpha 53", f"{UPPER}{LOWER}A"),
        ("random.AlphaNum 63", f"{DIGITS}{UPPER}{LOWER}0"),
        ("random.String 66", f"-.{DIGITS}{UPPER}_{LOWER}-"),
        ('random.String 66 ""', f"-.{DIGITS}{UPPER}_{LOWER}-"),
        ('random.String 4 "a" "c"', "abca"),
        ("random.String 4 97 99", "abca"),
        ('random.String 4 "97" "99"', "abca"),
        ('random.String 4 "97" 99', "abca"),
        ('random.String "3" "-9" "33"', " ! "),  # what is below is no character
        ("random.String 4 126 161", "~\xa0¡~"),  # nor can 127 to 159 be printed
        ("randBytes 8", "AAAAAAAAAAA="),
        # version 4, variant 2
        ("uuidv4", "00000000-0000-4000-8000-000000000001"),
        ("uuid.V4", "00000000-0000-4000-8000-000000000001"),
    ],
)
def test_chance_gives_each_letter_in_its_turn_and_then_the_first_again(call: str, made: str) -> None:
    assert given(call, Counting()) == made


@pytest.mark.parametrize(
    ("call", "lowest", "highest"),
    [
        ("random.Number", "0", "100"),
        ("random.Number 5", "0", "5"),
        ("random.Number 3 9", "3", "9"),
        ("random.Number -9 -3", "-9", "-3"),
        ("random.Number 3 3", "3", "3"),
        ("random.Number 1 4611686018427387903", "1", "4611686018427387903"),
        ("random.Number 1 2 3", "0", "100"),
        ("random.Float", "0", "0.9999999999999999"),
        ("random.Float 4", "0", "3.9999999999999996"),
        ("random.Float -2 2", "-2", "1.9999999999999996"),
        ("random.Item (list 1 2 3)", "1", "3"),
        ("random.Item (list 1)", "1", "1"),
        ("randInt 3 9", "3", "8"),
        ("randInt -3 3", "-3", "2"),
    ],
)
def test_chance_gives_everything_that_it_may(call: str, lowest: str, highest: str) -> None:
    assert (given(call, Lowest()), given(call, Counting())) == (lowest, highest)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("random.Number 9 3", "min must not be greater than max (was 9, 3)"),
        ("random.Number 0 4611686018427387903", "must not be greater than 4611686018427387903"),
        ("random.Item (list)", "expected a non-empty array or slice"),
        ("random.String 0", "count must be greater than 0"),
        ("random.String -1", "makeslice: len out of range"),
        ("random.String 1 2 3 4", "want 1 to 3, got 4"),
        ('random.String 2 "2147483647" "2147483647"', "no printable codepoints found"),
        ('random.String 2 "-2147483648" "-2147483648"', "no printable codepoints found"),
        ('random.String 2 "97" "2147483648"', 'parsing "2147483648": invalid syntax'),
        ('random.String 2 "-2147483649" "97"', 'parsing "-2147483649": invalid syntax'),
        ('random.String 2 "ab" "c"', 'parsing "ab": invalid syntax'),
        ('random.String 2 "c" "a"', "no printable codepoints found"),
        ("random.String 2 0 31", "no printable codepoints found"),
        ("random.String 2 55296 57343", "no printable codepoints found"),
        ("randAlpha -1", "length -1 is less than 0"),
        ("randInt 3 3", "invalid argument to Intn"),
    ],
)
def test_what_chance_cannot_give(call: str, said: str) -> None:
    with pytest.raises(ExecError) as caught:
        given(call, Counting())
    assert said in caught.value.message
