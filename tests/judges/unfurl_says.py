"""Run by the Python that has Unfurl: for each line of JSON with files, what Unfurl makes of `main.yaml`, and whether it
read it again, because something was not there yet."""

import json
import logging
import signal
import sys
import tempfile
from pathlib import Path

from unfurl import merge  # type: ignore[import-not-found]
from unfurl.yamlloader import YamlConfig  # type: ignore[import-not-found]

logging.disable(logging.CRITICAL)
SECONDS = 10
"""For one document: some never end."""
find, missing = merge._find_missing_includes, list[object]()


def _noting(includes: object) -> list[object]:
    found = list(find(includes))
    missing.extend(found)
    return found


merge._find_missing_includes = _noting


def plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def _too_long(*_: object) -> None:
    raise TimeoutError


signal.signal(signal.SIGALRM, _too_long)


def answer(files: dict[str, str]) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        missing.clear()
        signal.alarm(SECONDS)
        try:
            found = YamlConfig(None, path=str(Path(folder, "main.yaml")), validate=False).expanded
            return {"found": plain(found), "again": bool(missing)}
        except Exception as error:  # whatever it raises, it has no answer
            return {"refused": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
