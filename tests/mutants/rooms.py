"""Which tests are about which part of plait: the longest beginning of a module's path decides.

A value is cases (`cases/...`, a folder or a file) and test files or folders, all below tests, separated by spaces: what
notices most in the least time comes first. Test files that import a module are about it, too, and in no list.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
IMPORTED = re.compile(r"^ *from plait\.([\w.]+) import (\(?[\w, ]*)|^ *import plait\.([\w.]+)", re.M)
FEW = 5
"""What more test files import than these is what tests need, and not what they are about."""
CHANGES_OF_BOTH = (
    "cases/patterns patterns/test_threeway.py patterns/test_merge3.py patterns/test_sequences.py patterns/test_texts.py"
)
EXPLAINING = (
    "cases/layers cases/spiff cases/stacks laws/test_explanations.py laws/test_proofs.py cases/review cases/unknown"
)
EDITING = "yaml/test_patch.py cases/editing cases/tidy cases/patterns cases/unfurl"
REVISIONS = "cases/review review/test_git.py test_revisions.py test_attacks.py"
PROCESSES = "attacks/test_workers.py stacks/test_jobs.py review/test_jobs.py patterns/test_many.py"
SAFE_WRITING = "yaml/test_writer.py cases/patterns cases/editing"
ROOMS = {
    "core": "test_shown.py test_trees.py cases/semantics/layers cases/layers cases/mistakes test_glob.py test_meter.py "
    "laws/test_paths.py laws/test_laws.py cases/unknown cases/review cases/editing cases/tidy cases/outputs "
    "cases/profiles cases/spiff",
    "core/diagnostic.py": "cases/mistakes test_library.py test_library_more.py cases/outputs",
    "core/find.py": "test_path_texts.py cases/semantics/layers cases/layers cases/editing cases/unfurl "
    "yaml/test_patch.py",
    "core/floats.py": "gotemplate/test_cases.py gotemplate/test_functions.py cases/layers",
    "core/glob.py": "test_glob.py cases/layers cases/mistakes cases/stacks",
    "core/node.py": "test_trees.py cases/compose cases/layers cases/semantics/layers laws/test_laws.py",
    "core/meter.py": "test_meter.py cases/mistakes cases/layers unfurl/test_functions.py cases/spiff",
    "core/packing.py": "review/test_jobs.py patterns/test_many.py",
    "core/path.py": "test_path_texts.py laws/test_paths.py cases/layers cases/mistakes cases/editing",
    "core/places.py": "test_places.py native/test_origins.py cases/layers",
    "core/plain.py": "cases/layers cases/unfurl cases/spiff test_library.py test_docstrings.py",
    "core/protection.py": "cases/review",
    "core/semver.py": "gotemplate/test_functions.py gotemplate/test_cases.py spiff/test_functions.py cases/charts "
    "cases/stacks",
    "core/resource.py": "test_trees.py cases/kustomize cases/charts cases/layers",
    "core/source.py": "attacks/test_excerpts.py cases/mistakes cases/layers cases/review cases/patterns",
    "core/unknown.py": "test_trees.py cases/unknown cases/review cases/unfurl review/test_unknown_law.py",
    "core/visible.py": "test_trees.py cases/mistakes cases/layers test_terminal.py test_console.py cases/outputs",
    "merging": "test_shown.py cases/semantics cases/layers laws/test_laws.py model/test_model.py cases/unknown "
    "cases/unfurl cases/stacks",
    "merging/account.py": "cases/layers cases/spiff cases/compose laws/test_explanations.py laws/test_account.py "
    "cases/editing cases/stacks cases/profiles cases/charts native/test_origins.py",
    "merging/align.py": "cases/semantics cases/layers cases/review cases/patterns cases/profiles laws/test_laws.py "
    "cases/unfurl cases/compose",
    "merging/combine.py": "cases/semantics cases/layers laws/test_laws.py model/test_model.py cases/unknown "
    "cases/unfurl cases/stacks native/test_native.py",
    "merging/compare.py": "yaml/test_diff.py cases/unknown cases/review",
    "merging/diff.py": "yaml/test_diff.py cases/editing cases/review",
    "merging/differing.py": "patterns/test_sequences.py patterns/test_texts.py cases/patterns patterns/test_merge3.py",
    "merging/identities.py": "cases/profiles cases/compose",
    "merging/items.py": f"{CHANGES_OF_BOTH} cases/editing",
    "merging/lines.py": CHANGES_OF_BOTH,
    "merging/locate.py": "cases/patterns",
    "merging/runs.py": "cases/layers cases/stacks laws/test_account.py native/test_origins.py",
    "merging/threeway.py": f"{CHANGES_OF_BOTH} cases/editing",
    "evaluate": "cases/semantics cases/layers laws/test_laws.py model/test_model.py cases/unknown cases/spiff "
    "cases/unfurl cases/stacks cases/mistakes cases/review cases/charts",
    "evaluate/engine.py": "laws/test_work.py cases/semantics cases/layers laws/test_laws.py spiff/test_spending.py "
    "cases/unknown cases/spiff cases/unfurl stacks/test_pages.py attacks/test_trust.py test_meter.py",
    "evaluate/calls.py": "outside/test_calls.py cases/stacks cases/diagnostics/sources.case cases/spiff",
    "evaluate/explain.py": f"{EXPLAINING} test_library_more.py test_meter.py",
    "evaluate/hops.py": EXPLAINING,
    "evaluate/lint.py": "cases/layers test_lint.py cases/mistakes test_meter.py",
    "evaluate/seen.py": "test_views.py cases/layers cases/semantics cases/unfurl",
    "evaluate/near_paths.py": "cases/layers cases/mistakes cases/semantics/layers test_near.py",
    "yaml": "cases/layers cases/mistakes yaml/test_build.py yaml/test_schema.py yaml/test_emit.py cases/spiff "
    "cases/stacks",
    "yaml/build.py": "cases/layers cases/mistakes yaml/test_build.py native/test_native.py cases/stacks cases/spiff",
    "yaml/cache.py": "yaml/test_cache.py cases/layers",
    "yaml/edits.py": EDITING,
    "yaml/emit.py": "yaml/test_emit.py cases/layers cases/stacks cases/editing cases/mistakes test_functions.py "
    "cases/outputs native/test_native.py",
    "yaml/events.py": "yaml/test_reader12.py yaml/test_build.py cases/mistakes",
    "yaml/files.py": "yaml/test_files.py cases/mistakes",
    "yaml/folder.py": f"yaml/test_cache.py {SAFE_WRITING} cases/unknown",
    "yaml/graft.py": EDITING,
    "yaml/hints.py": "cases/mistakes yaml/test_hints.py yaml/test_reader12.py",
    "yaml/journal.py": SAFE_WRITING,
    "yaml/layout.py": EDITING,
    "yaml/local_style.py": EDITING,
    "yaml/lock.py": SAFE_WRITING,
    "yaml/nested.py": "cases/editing cases/patterns cases/tidy lsp/test_layers.py",
    "yaml/outline.py": "yaml/test_cache.py yaml/test_reader12.py cases/layers cases/stacks",
    "yaml/patch.py": EDITING,
    "yaml/places.py": f"yaml/test_edited_texts.py lsp/test_notations.py lsp/test_layers.py {EDITING}",
    "yaml/printing.py": "cases/outputs cases/unfurl cases/spiff test_library.py cases/stacks/edit.case",
    "yaml/reader12.py": "yaml/test_readings.py yaml/test_reader12.py cases/mistakes",
    "yaml/readers.py": "yaml/test_readers.py cases/profiles",
    "yaml/spots.py": "cases/layers laws/test_proofs.py cases/editing cases/charts",
    "yaml/state.py": f"{SAFE_WRITING} cases/unknown",
    "yaml/step.py": SAFE_WRITING,
    "yaml/unbuilt.py": "native/test_native.py lsp/test_typing.py",
    "yaml/verify.py": "yaml/test_verify.py yaml/test_patch.py cases/editing",
    "yaml/words.py": "yaml/test_words.py yaml/test_written.py yaml/test_readers.py yaml/test_emit.py cases/layers "
    "cases/patterns",
    "yaml/write_choices.py": EDITING,
    "yaml/writer.py": SAFE_WRITING,
    "regexp": "regexp gotemplate/test_cases.py cases/unfurl",
    "report": "cases/mistakes cases/diagnostics test_near.py test_last_net.py cases/outputs",
    "report/columns.py": "test_report_texts.py cases/discovery",
    "report/data.py": "cases/mistakes cases/outputs test_library.py",
    "report/fixes.py": "cases/mistakes lsp/test_fixes.py",
    "report/installing.py": "test_installing.py",
    "report/lines.py": "test_lines.py cases/editing",
    "report/margin.py": "cases/layers native/test_origins.py",
    "report/markdown.py": "test_report_texts.py lsp/test_markup.py review/test_comment.py",
    "report/near.py": "test_near.py cases/mistakes cases/review cases/layers",
    "report/render.py": "cases/mistakes cases/diagnostics attacks/test_excerpts.py test_terminal.py",
    "report/unknown.py": "cases/unknown",
    "report/wrap.py": "test_report_texts.py test_terminal.py",
    "access": "cases/diagnostics cases/mistakes test_safety.py test_attacks.py",
    "access/archives.py": "outside/test_archive_limits.py outside/test_archives.py outside/test_remote.py cases/charts",
    "access/browser.py": "web/test_gathering.py web/test_safety.py",
    "access/caller.py": "outside/test_caller.py web/test_safety.py",
    "access/checkout.py": f"test_access_tables.py {REVISIONS} outside/test_affected.py",
    "access/child.py": f"attacks/test_child.py {REVISIONS} test_schemas.py",
    "access/commands.py": f"{REVISIONS} outside/test_permits.py cases/mistakes cases/spiff",
    "access/copies.py": "outside/test_remote.py distributed cases/review",
    "access/door.py": "test_door_tables.py yaml/test_files.py test_trace_law.py cases/discovery cases/mistakes "
    "test_discovery.py test_safety.py outside/test_permits.py keeping/test_answers.py cases/stacks cases/outputs",
    "access/environment.py": "attacks/test_environment.py cases/layers keeping/test_answers.py cases/outputs",
    "access/git.py": REVISIONS,
    "access/gitfolder.py": f"test_access_tables.py {REVISIONS} keeping/test_answers.py cases/discovery",
    "access/githelper.py": REVISIONS,
    "access/gitlinks.py": f"test_access_tables.py {REVISIONS} keeping/test_answers.py cases/discovery",
    "access/guard.py": "cases/mistakes cases/unfurl cases/diagnostics test_safety.py cases/spiff cases/outputs",
    "access/http.py": "test_access_tables.py outside/test_remote.py outside/test_stores.py unfurl/test_network.py",
    "access/objects.py": f"test_access_tables.py {REVISIONS} outside/test_affected.py",
    "access/ourselves.py": "test_ourselves.py test_doctor.py distributed/test_executor.py",
    "access/outputs.py": "test_access_tables.py cases/stacks",
    "access/owners.py": "test_access_tables.py test_safety.py attacks/test_trust.py",
    "access/pages.py": "test_package.py cases/outputs test_completion.py",
    "access/parcels.py": "distributed",
    "access/permit.py": "outside/test_permits.py cases/spiff cases/unfurl cases/layers outside/test_stores.py",
    "access/process.py": "test_last_net.py test_meter.py keeping/test_watch.py",
    "access/process_pool.py": PROCESSES,
    "access/sinks.py": "attacks/test_sinks.py attacks/test_environment.py cases/stacks cases/outputs",
    "access/trace.py": "test_trace_law.py keeping/test_answers.py keeping/test_law.py "
    "keeping/test_living_documents.py cases/outputs",
    "access/trouble.py": "outside/test_stores.py outside/test_state.py outside/test_signing.py",
    "access/unquoted.py": "cases/mistakes cases/outputs",
    "access/workers.py": PROCESSES,
    "access/kernel.py": "attacks/test_kernel_tables.py attacks/test_kernel.py attacks/test_promises.py test_safety.py",
    "access/pager.py": "test_terminal.py attacks/test_terminal.py",
    "access/raw.py": "cases/mistakes yaml/test_files.py test_attacks.py",
    "access/reach.py": "attacks/test_promises.py attacks/test_kernel.py",
    "access/modules.py": "test_modules.py",
    "keeping": "keeping/test_store.py keeping/test_hostile.py keeping/test_answers.py cases/outputs "
    "keeping/test_documents.py keeping/test_law.py keeping/test_documents_law.py",
    "profiles": "cases/profiles test_profiles.py test_reference.py",
    "profiles/kubernetes.py": "cases/profiles/kubernetes test_profiles.py cases/kustomize test_reference.py",
    "profiles/rules.py": "cases/profiles test_profiles.py cases/compose test_reference.py",
    "profiles/keys.py": "cases/compose cases/profiles/compose cases/profiles/why-not.case",
    "services": "outside/test_service_tables.py outside/test_remote_tables.py cases/diagnostics cases/unknown outside",
    "schemas.py": "test_schemas.py cases/stacks",
    "notations": "test_functions.py",
    "notations/tags.py": "cases/layers test_functions.py cases/semantics/layers cases/outputs",
    "notations/gotemplate": "gotemplate/test_cases.py gotemplate/test_functions.py gotemplate/test_work.py "
    "cases/stacks cases/charts gotemplate/test_documents.py gotemplate/test_laws.py cases/unknown cases/layers",
    "notations/gotemplate/goyaml.py": "charts/test_goyaml.py cases/charts cases/unknown",
    "notations/gotemplate/ropes.py": "charts/test_origins.py cases/charts cases/stacks gotemplate/test_documents.py",
    "notations/gotemplate/tracing.py": "charts/test_origins.py cases/charts cases/stacks gotemplate/test_documents.py",
    "notations/gotemplate/ways.py": "charts/test_origins.py cases/charts cases/stacks gotemplate/test_documents.py",
    "notations/dynaml": "spiff/test_measured.py spiff/test_shapes.py cases/semantics cases/spiff "
    "spiff/test_functions.py spiff/test_work.py spiff/test_parse.py model/test_model.py spiff/test_laws.py",
    "notations/query": "unfurl/test_functions.py unfurl/test_paths.py unfurl/test_work.py cases/unfurl "
    "unfurl/test_laws.py",
    "notations/directives": "cases/unfurl unfurl/test_laws.py",
    "notations/yq": "stacks/test_notations.py cases/stacks",
    "notations/hcl.py": "cases/stacks/code-and-values.case stacks/test_notations.py cases/stacks outside/test_state.py",
    "notations/terraform.py": "cases/stacks/code-and-values.case cases/review/terraform-defaults.case cases/stacks",
    "fronts": "cases/layers cases/semantics cases/mistakes test_includes.py test_revisions.py",
    "fronts/blame.py": "cases/layers/blame.case cases/layers cases/unknown cases/profiles",
    "fronts/catalog.py": "cases/discovery cases/review cases/diagnostics",
    "fronts/charts": "cases/charts cases/unknown charts/test_origins.py charts/test_goyaml.py",
    "fronts/compose": "cases/compose",
    "fronts/discovery": "cases/discovery test_discovery.py",
    "fronts/editing.py": EDITING,
    "fronts/entries.py": "cases/discovery cases/diagnostics cases/review",
    "fronts/file_services.py": "cases/spiff spiff/test_functions.py cases/layers test_functions.py",
    "fronts/front.py": "cases/discovery cases/review cases/editing test_front.py",
    "fronts/helm_set.py": "cases/charts cases/profiles",
    "fronts/kustomize": "cases/kustomize kustomize/test_overlays.py",
    "fronts/lint": "cases/layers test_lint.py",
    "fronts/patches.py": "cases/kustomize cases/profiles",
    "fronts/proposal.py": "cases/discovery cases/tidy",
    "fronts/resource_schemas.py": "cases/profiles cases/charts cases/kustomize cases/layers",
    "fronts/setting.py": "cases/editing",
    "fronts/shaping.py": "cases/profiles cases/layers cases/charts",
    "fronts/signs.py": "cases/discovery cases/mistakes",
    "fronts/sops.py": "test_sops.py cases/diagnostics cases/discovery",
    "fronts/targets.py": "cases/discovery cases/review cases/diagnostics",
    "fronts/template_reads.py": "cases/charts cases/stacks",
    "fronts/trail.py": "lsp/test_notations.py lsp/test_layers.py cases/layers",
    "fronts/trust.py": "cases/outputs cases/mistakes attacks/test_trust.py",
    "fronts/typed.py": "cases/editing web/test_target_edit.py",
    "fronts/typed_values.py": "cases/editing web/test_target_edit.py",
    "fronts/values_schema.py": "cases/charts",
    "fronts/rendered_text.py": "cases/stacks/prove.case cases/charts charts/test_origins.py",
    "fronts/patterns": "cases/patterns patterns/test_record.py patterns/test_requirement.py test_patterns.py",
    "fronts/spiff": "cases/spiff spiff/test_account.py spiff/test_laws.py spiff/test_spending.py",
    "fronts/stacks": "cases/stacks stacks/test_locals.py stacks/test_validate.py stacks/test_edit.py",
    "fronts/stacks/answers/composed.py": "stacks/test_pages.py cases/stacks",
    "fronts/stacks/answers/kept_affected.py": "keeping/test_answers.py keeping/test_law.py",
    "fronts/stacks/answers/kept_components.py": "keeping/test_answers.py keeping/test_law.py",
    "fronts/stacks/answers/merged_values.py": "stacks/test_merged_values.py keeping/test_places.py keeping/test_law.py",
    "fronts/stacks/answers/kept_values.py": "keeping/test_places.py keeping/test_answers.py keeping/test_law.py",
    "fronts/stacks/answers/section_text.py": "keeping/test_places.py keeping/test_answers.py keeping/test_law.py",
    "fronts/stacks/answers/rendered.py": "cases/stacks/prove.case cases/stacks",
    "fronts/stacks/answers/replaced.py": "review/test_states.py cases/review",
    "fronts/stacks/answers/written_values.py": "review/test_states.py cases/review keeping",
    "fronts/stacks/answers/values.py": "stacks/test_pages.py cases/stacks",
    "fronts/unfurl": "cases/unfurl unfurl/test_laws.py",
    "fronts/charts/places.py": "cases/editing cases/discovery cases/charts",
    "fronts/charts/secrets.py": "cases/charts web/test_targets.py",
    "fronts/charts/target.py": "cases/charts cases/editing cases/discovery",
    "fronts/findings.py": "lsp/test_layers.py cases/layers",
    "fronts/forms.py": "cases/compose cases/profiles laws/test_compose_accounts.py",
    "fronts/inline.py": "cases/discovery cases/review",
    "fronts/layered.py": "cases/editing cases/layers cases/discovery lsp/test_layers.py",
    "fronts/layers.py": "cases/layers cases/semantics cases/mistakes cases/profiles test_includes.py",
    "fronts/masks.py": "cases/patterns cases/layers",
    "fronts/origins.py": "cases/layers cases/charts cases/stacks",
    "fronts/patterns/merge3.py": "patterns/test_merge3.py cases/editing cases/patterns",
    "fronts/places.py": "cases/editing cases/tidy",
    "fronts/project.py": "cases/layers cases/mistakes cases/outputs cases/stacks keeping/test_answers.py",
    "fronts/shown.py": "cases/unknown cases/review",
    "fronts/stacks/answers/authored.py": "lsp/test_notations.py lsp/test_names.py cases/tidy web/test_targets.py",
    "fronts/stacks/answers/target.py": "cases/stacks cases/review cases/tidy web/test_targets.py",
    "fronts/stacks/ask/remote.py": "cases/stacks outside/test_stacks.py outside/test_remote.py",
    "fronts/stacks/read/resolve.py": "cases/stacks outside/test_stacks.py",
    "fronts/touched.py": "cases/review cases/editing cases/unfurl",
    "notations/dynaml/checks.py": "spiff/test_checks.py spiff/test_account.py cases/spiff",
    "memory": "memory",
    "review": "review/test_limits.py cases/review review/test_law.py review/test_states.py review/test_found.py "
    "review/test_git.py",
    "review/causes.py": "review/test_causes.py review/test_results.py cases/review review/test_limits.py "
    "review/test_law.py review/test_states.py review/test_found.py review/test_git.py",
    "review/classes.py": "review/test_classes.py cases/review",
    "review/compared.py": "review/test_compared.py cases/review review/test_jobs.py cases/stacks/edit.case "
    "review/test_law.py review/test_states.py",
    "review/hunks.py": "review/test_hunks.py cases/review review/test_html.py review/test_law.py review/test_git.py",
    "review/kept.py": "review/test_lasting.py keeping/test_reviews.py keeping/test_documents_law.py "
    "keeping/test_law.py cases/review",
    "review/packing.py": "keeping/test_reviews.py review/test_jobs.py cases/review",
    "apps/web/earlier.py": "web/test_earlier.py",
    "apps/web/simpler.py": "web/test_targets.py",
    "review/reads.py": "web/test_targets.py cases/editing/diff-targets.case cases/editing/diff-causes.case "
    "cases/kustomize/diff.case",
    "fronts/counterparts.py": "cases/editing/diff-targets.case web/test_things.py",
    "survey/things.py": "web/test_things.py",
    "apps/cli/difference_causes.py": "cases/editing/diff-targets.case cases/editing/diff-causes.case",
    "review/between.py": "cases/editing/diff-targets.case cases/editing",
    "review/sides.py": "review/test_sides.py cases/review review/test_git.py",
    "review/checking.py": "review/test_checks_itself.py cases/review",
    "review/shares.py": "review/test_jobs.py cases/review",
    "review/review.py": "review/test_reviewer.py review/test_compared.py review/test_checks_itself.py cases/review "
    "review/test_limits.py review/test_states.py review/test_law.py review/test_found.py review/test_git.py",
    "review/states.py": "review/test_state_answers.py review/test_states.py cases/review review/test_law.py",
    "review/verify.py": "review/test_verify.py cases/review cases/unknown/verify.case test_tools.py "
    "attacks/test_environment.py",
    "edits": "cases/stacks/edit.case cases/stacks/edit-one.case cases/editing stacks/test_edit.py",
    "edits/effects.py": "stacks/test_edit_parts.py cases/stacks/edit.case cases/editing cases/tidy stacks/test_edit.py",
    "edits/proof.py": "cases/layers cases/stacks/prove.case cases/charts cases/unfurl cases/spiff laws/test_proofs.py",
    "survey": "web/test_survey_tables.py web/test_survey.py web/test_seen.py cases/layers/origins.case "
    "cases/charts/layers.case cases/stacks/two-types.case cases/kustomize/origins.case cases/spiff/commands.case "
    "web/test_targets.py web/test_counts.py lsp/test_layers.py cases/outputs",
    "tidy": "cases/tidy tidy/test_laws.py",
    "tidy/alike.py": "cases/tidy tidy/test_laws.py tidy/test_looking.py tidy/test_growth.py",
    "tidy/looking.py": "cases/tidy tidy/test_laws.py tidy/test_looking.py tidy/test_growth.py",
    "tidy/renamed.py": "cases/tidy",
    "tidy/written.py": "cases/tidy tidy/test_laws.py tidy/test_written.py",
    "authoring": "lsp/test_notations.py cases/tidy lsp",
    "library": "test_library_tables.py test_library_more.py test_library.py",
    "distributed": "distributed/test_tables.py cases/diagnostics distributed",
    "apps": "cases/mistakes cases/layers test_console.py test_terminal.py test_completion.py cases/outputs",
    "apps/cli/apply.py": "cases/patterns test_patterns.py",
    "apps/cli/blame_component.py": "cases/stacks",
    "apps/cli/checking.py": "cases/outputs test_doctor.py",
    "apps/cli/create.py": "cases/patterns test_patterns.py",
    "apps/cli/describe_affected.py": "cases/stacks",
    "apps/cli/describe_component.py": "cases/stacks",
    "apps/cli/describe_config.py": "cases/stacks",
    "apps/cli/describe_dependents.py": "cases/stacks",
    "apps/cli/describe_locals.py": "cases/stacks",
    "apps/cli/describe_stacks.py": "cases/stacks",
    "apps/cli/describe_workflows.py": "cases/stacks",
    "apps/cli/diff.py": "cases/editing",
    "apps/cli/doctor.py": "cases/outputs test_doctor.py",
    "apps/cli/expand.py": "cases/unfurl",
    "apps/cli/expanded.py": "cases/unfurl",
    "apps/cli/explain_component.py": "cases/stacks",
    "apps/cli/explain_config.py": "cases/stacks",
    "apps/cli/init.py": "cases/discovery",
    "apps/cli/layers.py": "cases/unknown/data.case cases/charts/layers.case cases/layers/origins.case",
    "apps/cli/line_diff.py": "cases/editing",
    "apps/cli/lint.py": "cases/diagnostics cases/layers cases/stacks",
    "apps/cli/lists.py": "cases/stacks",
    "apps/cli/merge3.py": "cases/patterns test_patterns.py",
    "apps/cli/patterns_check.py": "cases/patterns test_patterns.py",
    "apps/cli/patterns_describe.py": "cases/patterns test_patterns.py",
    "apps/cli/patterns_list.py": "cases/patterns test_patterns.py",
    "apps/cli/patterns_new.py": "cases/patterns test_patterns.py",
    "apps/cli/proving.py": "cases/layers cases/stacks",
    "apps/cli/query.py": "cases/unfurl",
    "apps/cli/regenerate.py": "cases/patterns test_patterns.py",
    "apps/cli/render.py": "cases/charts cases/compose cases/kustomize cases/discovery",
    "apps/cli/result_edit.py": "cases/editing",
    "apps/cli/review.py": "cases/review review/test_git.py",
    "apps/cli/serve.py": "web",
    "apps/cli/set.py": "cases/editing",
    "apps/cli/spiff_diff.py": "cases/spiff",
    "apps/cli/spiff_merge.py": "cases/spiff",
    "apps/cli/stack_edit.py": "cases/stacks/edit.case stacks/test_edit.py",
    "apps/cli/stack_get.py": "cases/stacks",
    "apps/cli/stack_set.py": "cases/stacks/edit.case stacks/test_edit.py",
    "apps/cli/stack_unset.py": "cases/stacks/edit.case stacks/test_edit.py",
    "apps/cli/stacks.py": "cases/stacks",
    "apps/cli/targets.py": "cases/discovery",
    "apps/cli/tidy.py": "cases/tidy tidy/test_terminal.py",
    "apps/cli/tidying.py": "cases/tidy tidy/test_terminal.py",
    "apps/cli/unset.py": "cases/editing",
    "apps/cli/validate_component.py": "cases/stacks",
    "apps/cli/validate_config.py": "cases/stacks",
    "apps/cli/validate_schema.py": "cases/stacks",
    "apps/cli/validate_stacks.py": "cases/stacks",
    "apps/cli/verify.py": "cases/review review/test_git.py",
    "apps/cli/watch.py": "cases/mistakes keeping/test_watch.py",
    "apps/reviews": "cases/review review/test_comment.py review/test_html.py",
    "apps/schemas": "test_output_schemas.py cases/outputs",
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
    """The cases and the test files of a module, below tests, in the order in which they are asked."""
    return tuple(ROOMS[room_of(module)].split())


def more_tests(module: str) -> tuple[str, ...]:
    """What is asked after the row of a module: test files that import it, and the rows of the rooms around its own."""
    own = room_of(module)
    around = [name for room in ROOMS if own.startswith(f"{room}/") for name in ROOMS[room].split()]
    row = named_tests(module)
    further = [*importing(module), *around]
    return tuple(name for name in dict.fromkeys(further) if not any(f"{name}/".startswith(f"{one}/") for one in row))


def importing(module: str) -> tuple[str, ...]:
    """The test files that import a module, or the package inside of a room that it is a part of; none where many do."""
    name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package = name.rpartition(".")[0]
    found = [_imports().get(one, []) for one in (name, package if "." in package else name)]
    return tuple(dict.fromkeys(file for files in found if len(files) <= FEW for file in files))


@cache
def _imports() -> dict[str, list[str]]:
    """The test files that import each module."""
    found: dict[str, list[str]] = {}
    for path in sorted(set(TESTS.rglob("test_*.py")) - {TESTS / "test_rooms.py"}):  # that is about mutants themselves
        names = set()
        for package, words, module in IMPORTED.findall(path.read_text(encoding="utf-8")):
            names |= {package or module, *(f"{package}.{word}" for word in re.findall(r"\w+", words))}
        for name in names:
            found.setdefault(name, []).append(str(path.relative_to(TESTS)))
    return found
