"""The language of manifests, put together: what a tag, a text and a key mean where a file is read."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Key, MapNode, Node, Scalar, Suspension, key_text
from plait.fronts.stacks.config.config import Config, manifest_settings
from plait.fronts.stacks.language.atmos import STACK_FUNCTIONS
from plait.fronts.stacks.language.manifest_functions import ManifestCall, function_in, recognise
from plait.fronts.stacks.language.scope import FileScope, Language
from plait.fronts.stacks.language.templates import Templates
from plait.fronts.stacks.language.view import Rendering, TemplateView
from plait.fronts.stacks.session.reader import READER
from plait.notations.gotemplate.tables import stacks
from plait.report.catalog import KEYS_COLLIDE
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Place, Scope
    from plait.fronts.stacks.ask.include import Includes
    from plait.fronts.stacks.ask.outside import Outside
    from plait.fronts.stacks.session.session import StackSession


class ManifestLanguage(Language):
    """How the texts of manifests are read and rendered."""

    def __init__(self, session: StackSession, config: Config, outside: Outside, includes: Includes) -> None:
        settings = manifest_settings(config)
        delimiters = settings.delimiters
        table = stacks().with_functions(*STACK_FUNCTIONS.functions.values())
        super().__init__(session, config, settings, Templates(table, delimiters), outside, includes)
        self._markers = tuple(dict.fromkeys(("{{", delimiters[0], '"!', "'!")))
        self._signs = tuple(dict.fromkeys(("{{", self._late, "!")))

    def rendered(self, value: str, scope: Scope, node: Node) -> str:
        return TemplateView(scope, node).rendered(value)

    def named(self, value: str, scope: Scope, node: Node) -> list[tuple[Node, Place]]:
        return TemplateView(scope, node).named(value)

    def reading(self, scope: FileScope) -> Reading:
        return Reading(
            READER.schema,
            tagged=lambda tag, node: recognise(tag, node, scope),
            markers=self._markers,
            marked=lambda scalar: self.text_node(scalar, scope),
            signs=self._signs,
            nodes=self.session.project.budgets.nodes,
            text_keys=True,
            alike=self._alike,
        )

    def text_node(self, scalar: Scalar, scope: FileScope) -> Node:
        value = scalar.value
        if not isinstance(value, str):
            return scalar
        if self.has_template(value):
            return Suspension(Rendering(scalar), scalar.source, scalar.at, scope)
        call = function_in(value) if value[:1] == "!" else None
        return (
            Suspension(ManifestCall(call[0], scalar, call[1]), scalar.source, scalar.at, scope)
            if call is not None
            else scalar
        )

    def _alike(self, key: Key, low: Node, high: Node, *labels: Label) -> Node:
        """Two values whose keys are the same as text: maps are merged, of anything else one would be lost."""
        if not isinstance(low, MapNode) or not isinstance(high, MapNode):
            raise KEYS_COLLIDE.error(
                *labels, key=key_text(key), hint="keys become strings here: rename or remove one of them"
            )
        return self.config.policies.merge([low, high]) or high
