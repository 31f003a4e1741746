"""Answers: what people ask about stacks (describe, list, validate, affected, locals, provenance), and the texts that
answer them.

`questions.py` has the one object that surfaces use. Questions start here, so that only this floor lets the evaluator
run. It may import every floor below: `assemble`, `read`, `language`, `config`, `ask` and `session`.
"""
