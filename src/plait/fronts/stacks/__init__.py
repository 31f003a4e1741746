"""Stacks: manifests that import each other, components that inherit, file-scoped locals, YAML functions, templates.

config, discovery       atmos.yaml, and which files are stacks
manifest, imports       one file, and one file with all that it imports: merged section by section, when asked
scope, locals           what `.locals` means in a file: lexical scope, checked when the file is read
functions, arguments    `!env`, `!exec`, `!terraform.state`, ...: one table, one grammar
templates               `{{ ... }}` in a text, and files that are rendered before they are read
components, backend     one component: its layers from the root section up to its overrides
names, repository       what a stack is called, and the one object that answers questions
describe, listing, provenance, validate, schema    the answers
"""
