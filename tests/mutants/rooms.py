"""Which tests are about which part of plait: the longest beginning of a module's path decides.

A value is folders of cases (`cases/...`) and test files or folders, all below tests, separated by spaces: what notices
most in the least time comes first.
"""

from __future__ import annotations

CHANGES_OF_BOTH = (
    "cases/patterns patterns/test_threeway.py patterns/test_merge3.py patterns/test_sequences.py patterns/test_texts.py"
)
EXPLAINING = "cases/layers cases/spiff cases/stacks laws/test_explanations.py laws/test_proofs.py"
EDITING = "yaml/test_patch.py cases/editing cases/tidy"
SAFE_WRITING = "yaml/test_writer.py cases/patterns"
ROOMS = {
    "core": "cases/semantics/layers cases/layers cases/mistakes test_glob.py test_meter.py "
    "laws/test_paths.py laws/test_laws.py",
    "core/find.py": "cases/semantics/layers cases/layers cases/editing cases/unfurl yaml/test_patch.py",
    "core/protection.py": "cases/review",
    "core/source.py": "cases/mistakes cases/layers cases/review cases/patterns",
    "merging": "cases/semantics cases/layers laws/test_laws.py model/test_model.py",
    "merging/account.py": "cases/layers cases/spiff cases/compose laws/test_explanations.py laws/test_account.py",
    "merging/compare.py": "cases/unknown cases/review",
    "merging/differing.py": CHANGES_OF_BOTH,
    "merging/items.py": CHANGES_OF_BOTH,
    "merging/lines.py": CHANGES_OF_BOTH,
    "merging/threeway.py": CHANGES_OF_BOTH,
    "evaluate": "cases/semantics cases/layers laws/test_laws.py model/test_model.py",
    "evaluate/explain.py": EXPLAINING,
    "evaluate/hops.py": EXPLAINING,
    "evaluate/lint.py": "cases/layers test_lint.py",
    "yaml": "cases/layers cases/mistakes yaml/test_build.py yaml/test_schema.py yaml/test_emit.py",
    "yaml/cache.py": "yaml/test_cache.py cases/layers",
    "yaml/edits.py": EDITING,
    "yaml/events.py": "yaml/test_reader12.py yaml/test_build.py cases/mistakes",
    "yaml/files.py": "yaml/test_files.py cases/mistakes",
    "yaml/graft.py": EDITING,
    "yaml/hints.py": "cases/mistakes yaml/test_hints.py yaml/test_reader12.py",
    "yaml/journal.py": SAFE_WRITING,
    "yaml/layout.py": EDITING,
    "yaml/local_style.py": EDITING,
    "yaml/lock.py": SAFE_WRITING,
    "yaml/outline.py": "yaml/test_cache.py yaml/test_reader12.py cases/layers",
    "yaml/patch.py": EDITING,
    "yaml/places.py": EDITING,
    "yaml/reader12.py": "yaml/test_reader12.py cases/mistakes",
    "yaml/readers.py": "yaml/test_readers.py cases/profiles",
    "yaml/spots.py": "cases/layers laws/test_proofs.py cases/editing",
    "yaml/state.py": SAFE_WRITING,
    "yaml/step.py": SAFE_WRITING,
    "yaml/unbuilt.py": "native/test_native.py lsp/test_typing.py",
    "yaml/verify.py": "yaml/test_verify.py yaml/test_patch.py",
    "yaml/words.py": "yaml/test_written.py yaml/test_readers.py cases/layers",
    "yaml/write_choices.py": EDITING,
    "yaml/writer.py": SAFE_WRITING,
    "regexp": "cases/unfurl regexp",
    "report": "cases/mistakes cases/diagnostics cases/outputs test_near.py test_last_net.py",
    "access": "cases/diagnostics cases/mistakes test_safety.py test_attacks.py",
    "keeping": "cases/outputs keeping/test_hostile.py keeping/test_answers.py "
    "keeping/test_documents.py keeping/test_law.py keeping/test_documents_law.py",
    "profiles": "cases/profiles test_profiles.py",
    "services": "outside",
    "schemas.py": "test_schemas.py cases/stacks",
    "notations": "test_functions.py",
    "notations/tags.py": "cases/layers test_functions.py",
    "notations/gotemplate": "gotemplate/test_cases.py gotemplate/test_functions.py cases/stacks cases/charts "
    "gotemplate/test_documents.py gotemplate/test_laws.py",
    "notations/dynaml": "cases/semantics/dynaml cases/spiff spiff/test_functions.py spiff/test_parse.py "
    "model/test_model.py spiff/test_laws.py",
    "notations/query": "unfurl/test_functions.py cases/unfurl unfurl/test_laws.py",
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
    "edits": "cases/editing stacks/test_edit.py",
    "edits/choosing.py": "cases/editing cases/stacks stacks/test_edit.py",
    "edits/effects.py": "cases/editing cases/tidy stacks/test_edit.py",
    "edits/proof.py": "cases/layers cases/charts cases/unfurl cases/spiff laws/test_proofs.py",
    "survey": "cases/outputs web/test_survey.py web/test_seen.py",
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
