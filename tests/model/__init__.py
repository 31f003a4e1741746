"""Models: what plait must compute, said a second time, as shortly as possible.

Each model is one module that uses nothing but PyYAML, recursion and plain Python values.
`docs/explanation/semantics.md` says the same in numbered sentences; `# L7` in a model names the sentence that a line
is about. Tests compare plait with the models over generated inputs: some seconds in the suite, as long as you like
with `make model SECONDS=600`.
"""
