"""The places where a value of a component could be written: the file, the layer, and the path in that file.

This module evaluates and changes nothing; `plait.edits` computes the effect of a write at each place.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.find import entry
from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension
from plait.core.path import Keyed, Path, format_path
from plait.core.source import SENSITIVE
from plait.evaluate.explain import Contribution, Teller
from plait.fronts.editing import WrittenPlace, reach
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.assemble.section_layers import (
    BASE,
    EVERYWHERE,
    OVERRIDES,
    OWN,
    ROOT,
    SECTIONS,
    TYPE,
    USUAL,
    WORDS,
    among,
    is_section,
)
from plait.fronts.stacks.config.sections import TYPES, sections_of_type
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.stacks.session.reader import READER
from plait.report.catalog import COMPUTED_VALUE, NOT_WRITTEN
from plait.yaml.build import Reading
from plait.yaml.load import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.merging.account import Account

    Row = tuple[str, str, ManifestFile, Path]
    """A layer, the name of its component or type, a file, and the path of the layer in the file."""

LAYERS = {OWN: "component", OVERRIDES: "overrides", BASE: "base", TYPE: "type", ROOT: "root"}
"""The layers of a component as `--at` names them, in the order in which a write there usually reaches further."""
WRITABLE = {
    **SECTIONS,
    **dict.fromkeys(WORDS, EVERYWHERE[1:]),
    "backend": USUAL,
    "metadata": (ROOT, BASE, OWN),
}
"""Which layers may have a section, as far as Atmos names it."""


WORDS_TO_THE_MERGE = ("!unset", "!append", "!literal", SENSITIVE)
"""Tags of values that are written as they are."""


class Site(WrittenPlace):
    """One place of a manifest."""

    __slots__ = ("name",)

    def __init__(self, layer: str, name: str, file: ManifestFile, steps: Path, root: Node) -> None:
        super().__init__(file.scope.file, file.path, file.source, LAYERS[layer], steps, root)
        self.name = name
        self.computed = _expression(self.reached)

    @property
    def about(self) -> str:
        """The components to which a value written here applies."""
        named = f" `{self.name}`" if self.layer == LAYERS[BASE] else f" {self.name}"
        return {
            LAYERS[OWN]: "this component",
            LAYERS[OVERRIDES]: "overrides of this file",
            LAYERS[BASE]: f"base component{named}",
            LAYERS[TYPE]: f"all{named} components",
            LAYERS[ROOT]: "all components",
        }[self.layer]

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.layer, f"{self.layer}:{self.name}")

    def __repr__(self) -> str:
        return f"Site({self.where}, {self.layer}, {format_path(self.steps)})"


def _expression(node: Node | None) -> str:
    """The text of a value that is a function or a template; empty for a literal one."""
    if not isinstance(node, Scalar) or not ("{{" in node.text or (node.tag or "").startswith("!")):
        return ""
    return f"{node.tag or ''} {node.text}".strip() if node.tag not in WORDS_TO_THE_MERGE else ""


def sites_of(component: Component, path: Path) -> list[Site]:
    """Every place where a value could be written; those that usually affect the fewest values come first."""
    section = str(path[0]) if path else ""
    if section not in WRITABLE and not (section and is_section(section, component.type)):
        raise _not_written(section, component.type)
    decider = _decider(component, path)
    sites: dict[tuple[str, Path], Site] = {}
    documents: dict[str, Node | None] = {}
    for layer, name, file, prefix in _rows(component, section):
        if file.path not in documents:
            documents[file.path] = _document(file)
        root = documents[file.path]
        steps = (*prefix, *_inside(component, path))
        if root is None or (file.path, steps) in sites or not _can_hold(root, steps):
            continue
        site = sites[file.path, steps] = Site(layer, name, file, steps, root)
        site.decides = site.written is not None and _same_place(site.written, decider)
    return list(sites.values())


def _decider(component: Component, path: Path) -> Node | None:
    """The part that sets the current value; None if there is none."""
    account = tree_of(component).account().find(path)
    return account.winner.node if account is not None and not account.gone else None


def _same_place(node: Node, other: Node | None) -> bool:
    if other is None:
        return False
    here, there = node.origin, other.origin
    written = there.source.written or there.source
    return here.source.name == written.name and (here.line, here.column) == (there.line, there.column)


def _rows(component: Component, section: str) -> Iterator[Row]:
    """The layers that may have a section, file by file, the nearest file of each first."""
    files, type, name = files_of(component.manifest), component.type, component.name
    wanted = among(WRITABLE, section, component.type)
    for layer in LAYERS:
        if layer not in wanted:
            continue
        if layer in (OWN, BASE):
            for one in [name] if layer == OWN else reversed(component.layers.chain):
                for file in files:
                    if one in file.components.names(type) or (layer == OWN and file is files[0]):
                        yield layer, one, file, ("components", type, one)
        else:
            for file in files:
                for prefix in _sections(layer, type, section, file):
                    yield layer, type, file, prefix


def _sections(layer: str, type: str, section: str, file: ManifestFile) -> list[Path]:
    """Where a file has a section of a layer that is not one of components."""
    keys = file.keys
    if layer == ROOT:
        return [()] if section in keys else []
    if layer == TYPE:
        return [(type,)] if type in keys and entry(file.section(type), section) is not None else []
    found: list[Path] = [("overrides",)] if isinstance(file.section("overrides"), MapNode) else []
    if type in TYPES and type in keys and isinstance(file.part(type, "overrides"), MapNode):
        found.insert(0, (type, "overrides"))
    return found


def _inside(component: Component, path: Path) -> Path:
    """A path of a component as the layers of its manifests have it: a backend is below its type there."""
    if path[0] != "backend":
        return path
    kind = component.shared.session.answer(lambda: component.root.entries.get("backend_type"))
    return ("backend", (kind.text if isinstance(kind, Scalar) else "") or "local", *path[1:])


def _document(file: ManifestFile) -> Node | None:
    """The file as it is written; None if it is not YAML before it is rendered, or has several documents."""
    try:
        found = load(file.source, Reading(READER.schema))
    except Fault:
        return None
    return found[0] if len(found) == 1 else MapNode({}, file.source) if not found else None


def _can_hold(root: Node, steps: Path) -> bool:
    """Whether a path can be written here. A step into a list needs the list: one item of it cannot be written alone."""
    for depth, step in enumerate(steps):
        if isinstance(step, int | Keyed):
            node, known = reach(root, steps[:depth])
            return known == depth and isinstance(node, ListNode)
    return True


# Values that are computed


def check_literal(component: Component, path: Path) -> None:
    """Check that a value is written literally.

    If a template or a function computes it, raise an error that names the values it is computed from.
    """
    teller = Teller(tree_of(component))
    account, found = teller.root, teller.root.find(path)
    if found is None or found.gone:
        return
    for depth, step in enumerate(path, 1):
        below = account.step(step)
        assert below is not None
        account = below
        for part in account.written:
            inner = part.find(path[depth:]) if isinstance(part.node, Suspension) else None
            if inner is not None and inner.winner.node is found.winner.node:
                raise _computed(teller, part, path)


def _computed(teller: Teller, part: Account, path: Path) -> PlaitError:
    made = teller.contribution(part, path)
    notes = tuple(f"computed from {_read(read)}" for read in made.reads)
    first = next((read for read in made.reads if read.path), None)
    hint = f"change {format_path(first.path)} instead" if first is not None else "edit the expression itself"
    return COMPUTED_VALUE.error(
        Label(part.node.origin), path=format_path(path), expression=made.expression.strip(), notes=notes, hint=hint
    )


def _read(read: Contribution) -> str:
    name = format_path(read.path)
    return f"{name} ({read.node.origin})" if name else str(read.node.origin)


def _not_written(section: str, type: str) -> PlaitError:
    known = {*WRITABLE, *(name for name in sections_of_type(type) if is_section(name, type))}
    hint = f"sections that can be written: {', '.join(sorted(known))}"
    return NOT_WRITTEN.error(section=section or "(everything)", hint=hint)
