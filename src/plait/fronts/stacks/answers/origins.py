"""Where the values of a component come from: its tree with the roles of all parts."""

from __future__ import annotations

from plait.evaluate.tree import Tree
from plait.fronts.stacks.answers.roles import roles_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.components import Component


def tree_of(component: Component) -> Tree:
    """A component as a tree whose values can be read and explained."""
    evaluator = component.shared.ground.evaluator
    return Tree(component.root, evaluator, roles=roles_of(component), top=component.place)
