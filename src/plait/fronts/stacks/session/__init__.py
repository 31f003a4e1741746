"""The session: what one question has (project, evaluator, options, list policies, secrets, the trace of what was read),
and small tools.

It knows nothing about stacks, manifests or components. It may import the rooms below the fronts, and
`fronts/project.py`.
"""
