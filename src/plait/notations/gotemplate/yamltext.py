"""YAML inside templates: `toYaml` and `fromYaml`.

The text is read and written by PyYAML's Python code, which is slow but cannot crash: templates hold snippets.
"""

from __future__ import annotations

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.values import Object, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def encode(value: Any) -> str:
    """A value as YAML in block style: sorted keys, two spaces, lists set off from their key."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, False)

        def ignore_aliases(self, data: Any) -> bool:
            return True

    Dumper.add_multi_representer(Object, lambda dumper, item: dumper.represent_str(item.go_string()))
    Dumper.add_multi_representer(dict, lambda dumper, item: dumper.represent_dict(dict(item)))
    Dumper.add_multi_representer(list, lambda dumper, item: dumper.represent_list(list(item)))
    Dumper.add_multi_representer(int, lambda dumper, item: dumper.represent_int(int(item)))
    try:
        text: str = yaml.dump(value, Dumper=Dumper, allow_unicode=True, width=2**31, default_flow_style=False)
    except (yaml.YAMLError, RecursionError) as problem:
        raise CallError(f"yaml: {problem}") from None
    return text.removesuffix("...\n")


def decode(text: str) -> Any:
    """A YAML text as data."""
    import yaml

    try:
        return plain(yaml.load(text, yaml.SafeLoader))
    except yaml.YAMLError as problem:
        raise CallError(f"yaml: {' '.join(str(problem).split())}") from None
    except RecursionError:
        raise CallError("yaml: exceeded max depth") from None
