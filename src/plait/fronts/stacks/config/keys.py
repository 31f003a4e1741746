"""The keys of atmos.yaml that plait reads: their defaults, the environment variables that stand for them, and what
they hold."""

from __future__ import annotations

from plait.fronts.stacks.config.sections import TYPES

DEFAULTS: dict[str, object] = {
    "base_path": ".",
    "stacks": {
        "base_path": "stacks",
        "included_paths": ["**/*"],
        "excluded_paths": ["**/_defaults.yaml"],
        "inherit": {"metadata": True, "source": True},
    },
    "components": {
        type: {"base_path": f"components/{type}", "command": type} for type in ("terraform", "helmfile", "packer")
    },
    "settings": {"list_merge_strategy": "replace"},
    "templates": {
        "settings": {
            "enabled": True,
            "sprig": {"enabled": True},
            "gomplate": {"enabled": True, "timeout": 5},
            "evaluations": 1,
        }
    },
    "describe": {
        "provenance": True,
        "component": {"filter": "schema"},
        "error_mode": "warn",
        "settings": {"include_empty": True},
    },
    "list": {"error_mode": "warn"},
}

EDITIONS: tuple[tuple[str, tuple[str, ...], object], ...] = (
    ("2025-12-06", ("stacks", "inherit", "metadata"), False),
    ("2026-07-13", ("describe", "error_mode"), "strict"),
    ("2026-07-13", ("list", "error_mode"), "strict"),
    ("2026-07-16", ("describe", "provenance"), False),
    ("2026-07-17", ("describe", "component", "filter"), "full"),
)
"""Defaults that Atmos changed, as far as plait reads them: the date, the key, and what it was before. `edition` pins a
repository to the defaults of a date."""

VARIABLES: dict[str, tuple[str, ...]] = {
    "ATMOS_BASE_PATH": ("base_path",),
    "ATMOS_STACKS_BASE_PATH": ("stacks", "base_path"),
    "ATMOS_STACKS_INCLUDED_PATHS": ("stacks", "included_paths"),
    "ATMOS_STACKS_EXCLUDED_PATHS": ("stacks", "excluded_paths"),
    "ATMOS_STACKS_NAME_PATTERN": ("stacks", "name_pattern"),
    "ATMOS_STACKS_NAME_TEMPLATE": ("stacks", "name_template"),
    "ATMOS_COMPONENTS_TERRAFORM_BASE_PATH": ("components", "terraform", "base_path"),
    "ATMOS_COMPONENTS_TERRAFORM_COMMAND": ("components", "terraform", "command"),
    "ATMOS_COMPONENTS_HELMFILE_BASE_PATH": ("components", "helmfile", "base_path"),
    "ATMOS_COMPONENTS_HELMFILE_COMMAND": ("components", "helmfile", "command"),
    "ATMOS_COMPONENTS_PACKER_BASE_PATH": ("components", "packer", "base_path"),
    "ATMOS_COMPONENTS_PACKER_COMMAND": ("components", "packer", "command"),
    "ATMOS_SETTINGS_LIST_MERGE_STRATEGY": ("settings", "list_merge_strategy"),
    "ATMOS_SCHEMAS_ATMOS_MANIFEST": ("schemas", "atmos", "manifest"),
    "ATMOS_SCHEMAS_JSONSCHEMA_BASE_PATH": ("schemas", "jsonschema", "base_path"),
    "ATMOS_SCHEMAS_OPA_BASE_PATH": ("schemas", "opa", "base_path"),
    "ATMOS_LOGS_LEVEL": ("logs", "level"),
    "ATMOS_LOGS_FILE": ("logs", "file"),
    "ATMOS_DESCRIBE_PROVENANCE": ("describe", "provenance"),
    "ATMOS_DESCRIBE_COMPONENT_FILTER": ("describe", "component", "filter"),
    "ATMOS_DESCRIBE_ERROR_MODE": ("describe", "error_mode"),
    "ATMOS_LIST_ERROR_MODE": ("list", "error_mode"),
    "ATMOS_EDITION": ("edition",),
}
"""Environment variables, and the keys that they stand for."""
LISTS = frozenset({"ATMOS_STACKS_INCLUDED_PATHS", "ATMOS_STACKS_EXCLUDED_PATHS"})

SHAPES: dict[str, tuple[tuple[type, ...], str]] = {
    "a map": ((dict,), "write `{key}:` with `name: value` below it"),
    "a string": ((str, int, float), "write `{key}: text`"),
    "a list of strings": ((list, str), "write `{key}:` with `- text` below it"),
    "a whole number": ((int,), "write `{key}: 2`"),
}
"""What a key may hold, as plain data, and how it is written."""
KEYS: dict[str, str] = {
    "base_path": "a string",
    "edition": "a string",
    "import": "a list of strings",
    "env": "a map",
    "stores": "a map",
    "profiles": "a map",
    "stacks": "a map",
    "stacks.base_path": "a string",
    "stacks.included_paths": "a list of strings",
    "stacks.excluded_paths": "a list of strings",
    "stacks.name_template": "a string",
    "stacks.name_pattern": "a string",
    "stacks.inherit": "a map",
    "stacks.list": "a map",
    "components": "a map",
    **{f"components.{type}": "a map" for type in TYPES},
    **{f"components.{type}.{key}": "a string" for type in TYPES for key in ("base_path", "command")},
    "settings": "a map",
    "settings.list_merge_strategy": "a string",
    "settings.terminal": "a map",
    "settings.terminal.tab_width": "a whole number",
    "settings.yaml": "a map",
    "settings.yaml.key_delimiter": "a string",
    "templates": "a map",
    "templates.settings": "a map",
    "templates.settings.evaluations": "a whole number",
    "templates.settings.env": "a map",
    "templates.settings.gomplate": "a map",
    "templates.settings.gomplate.datasources": "a map",
    "describe": "a map",
    "describe.component": "a map",
    "describe.settings": "a map",
    "list": "a map",
    "schemas": "a map",
}
"""The keys that plait reads, and what they hold. All others are kept and ignored."""
