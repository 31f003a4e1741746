"""The sections that a stack manifest can have: facts of Atmos's published JSON Schema of manifests, by component type.

A section that is not here is read all the same: it is merged, inherited and printed like the others, and
`validate stacks` names it.
"""

from __future__ import annotations

PUBLISHED = "2026-08-19"
"""The date of the schema that these facts are from; a test compares them where it is at hand."""

ROOT = (
    "name", "import", "vars", "hooks", "env", "settings", "locals", "metadata", "components", "compositions",
    "secrets", "overrides", "workflows", "dependencies", "generate", "version",
)  # fmt: skip
"""The keys at the root of a manifest, apart from those of component types."""

COMPONENTS: dict[str, tuple[str, ...]] = {
    "terraform": (
        "metadata", "component", "vars", "test", "mocks", "env", "settings", "locals", "command",
        "backend_type", "backend", "remote_state_backend_type", "remote_state_backend", "providers", "hooks",
        "auth", "secrets", "generate", "dependencies", "depends_on", "provision", "source",
        "required_version", "required_providers", "retry",
    ),
    "helmfile": (
        "metadata", "component", "vars", "env", "settings", "locals", "command", "plugins", "auth", "secrets",
        "dependencies", "provision", "source", "hooks", "retry",
    ),
    "packer": (
        "metadata", "component", "vars", "env", "settings", "locals", "command", "auth", "secrets",
        "dependencies", "provision", "source", "retry",
    ),
    "kubernetes": (
        "metadata", "component", "provider", "paths", "manifests", "vars", "env", "settings", "locals",
        "hooks", "generate", "render", "source", "provision", "auth", "secrets", "retry", "dependencies",
        "validate",
    ),
    "helm": (
        "metadata", "component", "chart", "version", "repository", "repositories", "namespace", "name",
        "values", "values_files", "render", "vars", "env", "settings", "locals", "secrets", "hooks",
        "generate", "source", "provision", "auth", "dependencies", "plugins", "command",
    ),
    "container": (
        "composition", "image", "build", "run", "env", "settings", "metadata", "command",
    ),
    "emulator": (
        "driver", "cloud", "region", "project", "services", "ephemeral", "container", "env", "settings",
        "metadata",
    ),
}  # fmt: skip
"""The sections of a component, by its type."""

ALL_OF_TYPE: dict[str, tuple[str, ...]] = {
    "terraform": (
        "vars", "hooks", "env", "settings", "locals", "command", "backend_type", "backend",
        "remote_state_backend_type", "remote_state_backend", "overrides", "providers", "generate",
        "dependencies", "depends_on", "provision", "required_version", "required_providers", "retry",
    ),
    "helmfile": (
        "vars", "env", "settings", "locals", "command", "plugins", "overrides", "dependencies", "provision",
        "hooks", "retry",
    ),
    "packer": (
        "vars", "env", "settings", "locals", "command", "overrides", "dependencies", "provision", "retry",
    ),
    "kubernetes": (
        "vars", "env", "settings", "locals", "provider", "paths", "manifests", "render", "hooks", "generate",
    ),
    "helm": (
        "vars", "env", "settings", "locals", "render", "hooks", "plugins", "repositories", "generate",
        "command", "auth", "dependencies", "source", "provision",
    ),
}  # fmt: skip
"""The sections that a manifest can set for all components of a type."""

OVERRIDES = (
    "command", "vars", "env", "settings", "providers", "hooks", "generate", "secrets", "auth", "retry",
    "required_providers", "required_version",
)  # fmt: skip
"""The sections of `overrides`."""

OPEN = ("container", "emulator")
"""The types for which the schema allows other sections too."""

DOCUMENTED: dict[str, tuple[str, ...]] = {
    "packer": ("hooks",),
    "ansible": ("metadata", "component", "vars", "env", "settings", "locals", "command", "hooks"),
    "container": ("component", "vars", "locals", "hooks", "dependencies", "auth", "secrets"),
    "emulator": ("component", "vars", "locals"),
}
"""Sections that Atmos's documentation has and the schema has not."""
TOLERATED = ("description", "tags", "labels", "args", "tests", "templates", "name", "version")
"""Sections that the schema refuses and that manifests have all the same; they are named in a warning."""
TYPES = ("terraform", "helmfile", "packer", "ansible", "kubernetes", "helm", "container", "emulator")
"""The types of components that there are; a repository may have others."""


def sections_of_type(type: str) -> tuple[str, ...]:
    """The sections that a component of a type is known to have; none for a type that is not known."""
    return (*COMPONENTS.get(type, ()), *DOCUMENTED.get(type, ()))
