"""The language of manifests: the scopes of a file, YAML functions, Go templates, templated keys.

Expressions reach other components through the services `outputs` and `view` of their scope, which `assemble`
registers. It may import `config`, `ask` and `ground`, and the rooms below the fronts.
"""
