"""A component against the schemas and policies of its `settings.validation`, or against one that is named."""

from __future__ import annotations

import os
from functools import reduce

from plait.core.diagnostic import Diagnostic, Fault, Label, NotKnown
from plait.core.find import entry, items_of, word
from plait.core.node import MapNode, Node, Scalar, plain_value
from plait.fronts.stacks.answers.describe import described
from plait.fronts.stacks.answers.schemas import Validated, checked_by, checker_of, file_below
from plait.report.catalog import BAD_CONFIG, NO_SCHEMA_FILE, NOT_CHECKED, POLICY
from plait.services.policies import policy_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.stacks.assemble.components import Component

SECONDS = 20.0
"""How long a policy may take, if nothing says otherwise."""
SUFFIX, TESTS = ".rego", "_test.rego"


class Validation:
    """One entry of `settings.validation`. What a command line says wins over it."""

    __slots__ = ("_row", "kind", "modules", "name", "path", "seconds")

    def __init__(self, name: str, row: Node | None, flags: ValidationFlags) -> None:
        self._row = row
        self.name = name
        self.path = flags.path or word(row, "schema_path")
        self.kind = flags.kind or word(row, "schema_type") or ("opa" if self.path.endswith(SUFFIX) else "jsonschema")
        listed = [item.text for item in items_of(entry(row, "module_paths")) if isinstance(item, Scalar)]
        self.modules = flags.modules or listed
        self.seconds = flags.seconds or _seconds(word(row, "timeout")) or SECONDS

    @property
    def labels(self) -> list[Label]:
        return [Label(self._row.origin)] if self._row is not None else []


class ValidationFlags:
    """What the command line says about validations."""

    __slots__ = ("kind", "modules", "path", "seconds")

    def __init__(self, path: str = "", kind: str = "", modules: list[str] | None = None, timeout: str = "") -> None:
        self.path = path
        self.kind = kind
        self.modules = modules or []
        self.seconds = _seconds(timeout)


def _seconds(text: str) -> float:
    """A number of seconds; 0 where none is given."""
    try:
        return max(0.0, float(text or 0))
    except ValueError:
        raise BAD_CONFIG.error(why=f"`{text}` is no number of seconds", hint="write `timeout: 20`") from None


def validate_component(component: Component, flags: ValidationFlags) -> Validated:
    """A component against the schemas of its `settings.validation`, or against one that is named."""
    found = Validated()
    check = ComponentCheck(component, found)
    if flags.path:
        check.by(Validation(flags.path, None, flags))
        return found
    rows = entry(check.whole, "settings", "validation")
    for name, row in rows.entries.items() if isinstance(rows, MapNode) else ():
        if word(row, "disabled") != "true":
            try:
                check.by(Validation(str(name), row, flags))
            except Fault as error:
                found.findings += error.diagnostics
    return found


class ComponentCheck:
    """Checks one component, by one validation after the other."""

    def __init__(self, component: Component, found: Validated) -> None:
        self._component = component
        self._config, self._session = component.shared.config, component.shared.session
        self._found = found
        self.whole = described(component, everything=True, include_empty=True)

    def by(self, asked: Validation) -> None:
        check = KINDS.get(asked.kind)
        if check is None:
            hint = f"available: {', '.join(KINDS)}"
            why = f"unknown schema type `{asked.kind}` of the validation `{asked.name}`"
            raise BAD_CONFIG.error(*asked.labels, why=why, hint=hint)
        check(self, asked)

    def schema(self, asked: Validation) -> None:
        full = self._file(asked, asked.path)
        checked_by(self._found, lambda: checker_of(full, asked.path, self._session, "the component").check(self.whole))

    def policy(self, asked: Validation) -> None:
        """What policies say. Where no command may be run, or `opa` is not there, that is a warning."""
        files = [self._file(asked, asked.path), *(file for path in asked.modules for file in self._module(asked, path))]
        for file in files:
            self._session.project.check_inside(file, self._component.root)
        try:
            self._found.findings += self._by_opa(asked, files)
            self._found.checked += 1
        except NotKnown as missing:
            self._found.findings.append(NOT_CHECKED(*asked.labels, name=asked.name, what=missing.why))
        except Fault as wrong:
            self._found.findings += [reduce(Diagnostic.also_at, asked.labels, one) for one in wrong.diagnostics]

    def _by_opa(self, asked: Validation, files: list[str]) -> list[Diagnostic]:
        door, root = self._session.project.door, self._component.root
        data = plain_value(self.whole)
        assert isinstance(data, dict)
        data["cli_args"] = self._session.options.command
        if any("process_env" in door.text(file) for file in files):
            data["process_env"] = door.permit("env", root).variables()
        errors = policy_errors(door.permit("exec", root), files, data, asked.seconds)
        return [POLICY(*asked.labels, message=one, notes=(f"the policy `{asked.name}`",)) for one in errors]

    def other(self, asked: Validation) -> None:
        self._found.findings.append(NOT_CHECKED(*asked.labels, name=asked.name, what="CUE is not supported"))

    def _file(self, asked: Validation, path: str) -> str:
        """The file of a schema: below the folder of its kind, or as it is."""
        base = self._config.text("schemas", asked.kind, "base_path")
        folders = (base, "") if path else ()
        full = next(filter(None, (file_below(self._session, self._config, one, path) for one in folders)), "")
        if not full:
            hint = f"see schemas.{asked.kind}.base_path in atmos.yaml"
            raise NO_SCHEMA_FILE.error(*asked.labels, name=path, hint=hint)
        return full

    def _module(self, asked: Validation, path: str) -> list[str]:
        """The files in Rego of a module: one file, or all below a folder but those with tests."""
        base = self._config.text("schemas", asked.kind, "base_path")
        door = self._session.project.door
        for root in (self._config.base_path, self._config.folder):
            folder = os.path.normpath(os.path.join(root, base, path))
            if door.is_folder(folder):
                names = sorted(os.path.join(folder, name) for name in door.below(folder))
                return [name for name in names if name.endswith(SUFFIX) and not name.endswith(TESTS)]
        return [self._file(asked, path)]


KINDS: dict[str, Callable[[ComponentCheck, Validation], None]] = {
    "jsonschema": ComponentCheck.schema,
    "opa": ComponentCheck.policy,
    "cue": ComponentCheck.other,
}
"""How a component is checked, by the type of the schema."""
