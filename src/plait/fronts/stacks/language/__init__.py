"""The language of manifests: the scopes of a file, YAML functions, Go templates, templated keys.

Expressions reach other components through the services `outputs` and `view` of their scope, which `assemble`
registers. It may import `config`, `ask` and `session`, and the rooms below the fronts.
"""
