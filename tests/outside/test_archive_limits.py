"""Archives that are exactly as large, long and deep as they may be, and those with one more."""

from __future__ import annotations

import gzip
import stat
from pathlib import Path

import pytest

from plait.access import archives
from plait.access.archives import files_in, unpack
from plait.core.diagnostic import PlaitError
from tests.outside.test_archives import FILE, FOLDER, GOOD, LINK, headed, tarred, zipped

LIMIT = 1000


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test can reach."""
    for name, value in {"MEMBERS": 10, "NAME": 20, "HOPS": 2}.items():
        monkeypatch.setattr(archives, name, value)


def found(folder: Path, body: bytes, kind: str = "tgz", limit: int = LIMIT) -> dict[str, bytes | str | None]:
    """What an archive unpacks to: the content of each file, the target of each link, None for a folder."""
    packed = folder / f"x.{kind}"
    packed.write_bytes(body)
    place = Path(unpack(str(packed), kind, str(folder / "unpacked"), "it", limit))
    assert stat.S_IMODE((folder / "unpacked").stat().st_mode) == 0o700, "nobody else may read it"
    return {
        str(path.relative_to(place)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in sorted(place.rglob("*"))
    }


def refused(folder: Path, body: bytes, kind: str = "tgz", limit: int = LIMIT) -> str:
    with pytest.raises(PlaitError) as caught:
        found(folder, body, kind, limit)
    return caught.value.diagnostics[0].message


ONE = ("a", b"1", FILE)
MANY = [(name, b"", FILE) for name in "abcdefghijk"]
CHAIN = [("l1", "l2", LINK), ("l2", "f", LINK), ("f", b"1", FILE), ("l0", "l1", LINK)]
LONG = "n" * 21
TARS: dict[str, tuple[bytes, bytes, str]] = {
    "members": (tarred(*MANY[:10]), tarred(*MANY), "it contains more than 10 files"),
    "bytes": (
        tarred(("a", b"x" * 600, FILE), ("b", b"x" * 400, FILE)),
        tarred(("a", b"x" * 600, FILE), ("b", b"x" * 401, FILE)),
        "what it unpacks to is larger than 1000 bytes",
    ),
    "a name": (tarred((LONG[1:], b"", FILE)), tarred((LONG, b"", FILE)), f"`{LONG[1:]}` is outside"),
    "a link": (
        tarred(("l", LONG[1:], LINK)),
        tarred(("l", LONG, LINK)),
        "`l` is outside",
    ),
    "links behind each other": (tarred(*CHAIN[:3]), tarred(*CHAIN), "`l0` is outside"),
}
"""What may be, and what may not."""
ZIPS: dict[str, tuple[bytes, bytes, str]] = {
    "members": (
        zipped(*((name, b"", False) for name in "abcdefghij")),
        zipped(*((name, b"", False) for name in "abcdefghijk")),
        "it contains more than 10 files",
    ),
    "bytes": (
        zipped(("a", b"x" * 1000, False)),
        zipped(("a", b"x" * 1001, False)),
        "what it unpacks to is larger than 1000 bytes",
    ),
    "a link": (
        zipped(("l", LONG[1:].encode(), True)),
        zipped(("l", LONG.encode(), True)),
        "`l` is outside",
    ),
}


@pytest.mark.parametrize("name", TARS)
def test_a_tar_at_its_limit(name: str, tmp_path: Path) -> None:
    good, bad, why = TARS[name]
    assert found(tmp_path, good)
    (tmp_path / "other").mkdir()
    assert why in refused(tmp_path / "other", bad)
    assert not (tmp_path / "other/unpacked").exists(), "nothing is written before all is planned"


@pytest.mark.parametrize("name", ZIPS)
def test_a_zip_at_its_limit(name: str, tmp_path: Path) -> None:
    good, bad, why = ZIPS[name]
    assert found(tmp_path, good, "zip")
    (tmp_path / "other").mkdir()
    assert why in refused(tmp_path / "other", bad, "zip")


def test_a_limit_is_told_in_what_people_count(tmp_path: Path) -> None:
    big = tarred(("a", b"x" * (3 << 20), FILE))
    for limit, told in ((1 << 20, "1 MB"), ((1 << 20) - 1, "1048575 bytes"), ((2 << 20) + 5, "2 MB")):
        assert refused(tmp_path, big, limit=limit) == f"what it unpacks to is larger than {told}"


def test_what_an_archive_holds(tmp_path: Path) -> None:
    made = found(
        tmp_path,
        tarred(("./", b"", FOLDER), ("./d/e/", b"", FOLDER), ("d/./f", b"1", FILE), ("l", "d/../d/f", LINK)),
    )
    assert made == {"d": None, "d/e": None, "d/f": b"1", "l": "d/../d/f"}
    assert stat.S_IMODE((tmp_path / "unpacked/d/e").stat().st_mode) == 0o700
    assert (tmp_path / "unpacked/l").read_bytes() == b"1"


def test_a_member_may_come_again_where_it_is_of_the_same_kind(tmp_path: Path) -> None:
    twice = tarred(("a", b"1", FILE), ("a", b"22", FILE), ("d", b"", FOLDER), ("d", b"", FOLDER))
    assert found(tmp_path, twice) == {"a": b"22", "d": None}
    (tmp_path / "other").mkdir()
    assert "`l` is outside" in refused(tmp_path / "other", tarred(("l", "a", LINK), ("l", "b", LINK)))


def test_one_file_that_is_compressed(tmp_path: Path) -> None:
    packed = tmp_path / "x.yaml.gz"
    packed.write_bytes(gzip.compress(b"y" * LIMIT))
    place = unpack(str(packed), "gz", str(tmp_path / "unpacked"), "it", LIMIT)
    assert (place, Path(place).read_bytes()) == (str(tmp_path / "unpacked/x.yaml"), b"y" * LIMIT)
    assert "larger than 1000 bytes" in refused(tmp_path / "unpacked", gzip.compress(b"y" * (LIMIT + 1)), "gz")


def test_headers_of_a_tar_count(tmp_path: Path) -> None:
    """They are no content, so twice the limit and a little for each member may be read, and no more."""
    zeros = tarred(ONE, mode="w:") + b"\0" * 20_000  # what follows the end is not read
    assert found(tmp_path, zeros, "tar") == {"a": b"1"}
    for size in (0, 1 << 19):
        assert found(_folder(tmp_path, str(size)), headed(size), limit=1 << 20) == {"vpc.yaml": b""}
    assert "it is too large when unpacked" in refused(_folder(tmp_path, "a"), headed(1 << 19))
    assert "a header is too large" in refused(_folder(tmp_path, "b"), headed(1 << 20), limit=1 << 22)


def _folder(place: Path, name: str) -> Path:
    (place / name).mkdir()
    return place / name


def packaged(*members: tuple[str, bytes | str, int], limit: int = LIMIT) -> dict[str, bytes]:
    return files_in(tarred(*members), "it", limit)


def test_the_package_of_a_chart() -> None:
    body = (("./c/a", b"1", FILE), ("d", b"", FOLDER), ("../e", b"2", FILE), ("c//b", b"3", FILE))
    assert packaged(*body) == {"c/a": b"1", "c/b": b"3"}, "what leads out is left out"
    assert packaged(("l", "a", LINK), ("a", b"1", FILE)) == {"a": b"1"}
    assert packaged(("a", b"x" * 600, FILE), ("b", b"x" * 400, FILE), ("c", b"", FILE)).keys() == {"a", "b", "c"}
    assert packaged(*MANY[:10]).keys() == set("abcdefghij")
    for members, why in (
        ((("a", b"x" * 600, FILE), ("b", b"x" * 401, FILE)), "what it unpacks to is larger than 1000 bytes"),
        (MANY, "it contains more than 10 files"),
    ):
        with pytest.raises(PlaitError) as caught:
            packaged(*members)  # type: ignore[arg-type]
        assert why in caught.value.diagnostics[0].message
    for data, why in (
        (headed(3 << 20), "a header is too large"),
        (b"no archive", "not a gzip file"),
        (GOOD["x.tgz"][:60], "Compressed file ended before"),
    ):
        with pytest.raises(PlaitError) as caught:
            files_in(data, "it", 1 << 22)
        assert why in caught.value.diagnostics[0].message
        assert "\n" not in caught.value.diagnostics[0].message
