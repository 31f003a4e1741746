"""Where the values of a component come from: its tree with the roles of all parts, and every part that has something
of a value."""

from __future__ import annotations

from plait.evaluate.tree import Tree
from plait.fronts.stacks.answers.roles import roles_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.components import Component
    from plait.merging.account import Account


def tree_of(component: Component) -> Tree:
    """A component as a tree that can be asked for values and explained."""
    evaluator = component.shared.ground.evaluator
    return Tree(component.root, evaluator, roles=roles_of(component), top=component.place)


def parts_of(account: Account) -> list[Account]:
    """Everything that was written about a place, the highest part first: what the result is made of, then what lost."""
    found: dict[int, Account] = {}
    for part in (*reversed(account.written), *(drop.part for drop in account.overridden)):
        found.setdefault(id(part.node), part)
    return list(found.values())
