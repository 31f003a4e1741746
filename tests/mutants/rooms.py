"""Which tests are about which part of plait: the longest beginning of a module's path decides.

A value is folders of cases (`cases/...`) and test files or folders, all below tests, separated by spaces: what notices
most in the least time comes first.
"""

from __future__ import annotations

CHANGES_OF_BOTH = (
    "patterns/test_threeway.py patterns/test_merge3.py patterns/test_sequences.py patterns/test_texts.py cases/patterns"
)
ROOMS = {
    "core": "cases/layers cases/semantics cases/mistakes laws test_glob.py test_meter.py",
    "core/find.py": "cases/layers cases/semantics cases/editing cases/unfurl yaml/test_patch.py",
    "core/protection.py": "cases/review",
    "core/source.py": "cases/layers cases/mistakes cases/review cases/patterns",
    "merging": "cases/layers cases/semantics cases/patterns laws model patterns/test_threeway.py",
    "merging/compare.py": "cases/unknown cases/review",
    "merging/differing.py": CHANGES_OF_BOTH,
    "merging/items.py": CHANGES_OF_BOTH,
    "merging/lines.py": CHANGES_OF_BOTH,
    "merging/threeway.py": CHANGES_OF_BOTH,
    "evaluate": "cases/layers cases/semantics laws model",
    "yaml": "cases/layers cases/editing cases/mistakes yaml",
    "yaml/unbuilt.py": "native/test_native.py lsp/test_typing.py",
    "regexp": "regexp cases/unfurl",
    "report": "cases/mistakes cases/diagnostics cases/outputs test_near.py test_last_net.py",
    "access": "cases/diagnostics cases/mistakes test_safety.py test_attacks.py",
    "keeping": "keeping cases/outputs",
    "profiles": "cases/profiles test_profiles.py",
    "services": "outside",
    "schemas.py": "test_schemas.py cases/stacks",
    "notations": "test_functions.py",
    "notations/tags.py": "cases/layers test_functions.py",
    "notations/gotemplate": "gotemplate cases/stacks",
    "notations/dynaml": "cases/spiff cases/semantics model "
    "spiff/test_functions.py spiff/test_laws.py spiff/test_parse.py",
    "notations/query": "cases/unfurl unfurl/test_functions.py unfurl/test_laws.py",
    "notations/directives": "cases/unfurl unfurl/test_laws.py",
    "notations/yq": "cases/stacks",
    "notations/hcl.py": "cases/stacks outside/test_state.py",
    "fronts": "cases/layers cases/semantics cases/mistakes test_includes.py test_revisions.py",
    "fronts/lint": "cases/layers test_lint.py",
    "fronts/patterns": "cases/patterns patterns/test_record.py patterns/test_requirement.py test_patterns.py",
    "fronts/spiff": "cases/spiff spiff/test_account.py spiff/test_laws.py",
    "fronts/stacks": "cases/stacks stacks/test_locals.py stacks/test_validate.py stacks/test_edit.py",
    "fronts/unfurl": "cases/unfurl unfurl/test_laws.py",
    "memory": "memory",
    "review": "cases/review review/test_law.py review/test_states.py review/test_found.py review/test_git.py",
    "review/sides.py": "cases/review review/test_git.py",
    "edits": "cases/editing stacks/test_edit.py yaml/test_patch.py",
    "edits/effects.py": "cases/editing cases/tidy stacks/test_edit.py",
    "edits/proof.py": "cases/layers laws/test_proofs.py",
    "survey": "cases/outputs web/test_survey.py",
    "tidy": "cases/tidy",
    "authoring": "lsp",
    "library": "test_library.py test_library_more.py",
    "distributed": "distributed",
    "apps": "cases/outputs cases/mistakes cases/layers test_console.py test_terminal.py test_completion.py",
    "apps/web": "web",
    "apps/lsp": "lsp",
    "workspace.py": "cases/layers cases/outputs cases/editing",
    "manifests.py": "stacks/test_notations.py",
    "gotemplate.py": "gotemplate",
    "version.py": "test_package.py",
    "__main__.py": "test_last_net.py test_console.py",
    "__init__.py": "test_library.py",
}


def room_of(module: str) -> str:
    """The row of the table for a module, as `merging/combine.py`."""
    fitting = [room for room in ROOMS if module == room or module.startswith(f"{room}/")]
    return max(fitting, key=len) if fitting else ""


def named_tests(module: str) -> tuple[str, ...]:
    """The case folders and the test files of a module, below tests, in the order in which they are asked."""
    return tuple(ROOMS[room_of(module)].split())
