"""Stacks: manifests that import each other, components that inherit, file-scoped locals, YAML functions, templates.

Floors, the highest first; each imports only those below it:

- `answers`: describe, list, validate, affected, locals, provenance; `questions.py` has the one object that surfaces ask
- `assemble`: names of stacks, layers and bases of components, backends, and the index of all of it
- `read`: one manifest file, its locals, its imports
- `language`: scopes of a file, YAML functions, templates
- `config`: atmos.yaml as a value
- `ask`: questions to the outside, made of plain facts
- `session`: what one question has: project, evaluator, options, policies, secrets, trace
"""
