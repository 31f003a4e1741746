"""`make mutants`: small changes of the code, one at a time, and whether a test notices.

A mutant changes one expression or statement of a function. Only the tests that run its line are run, in a forked
process that has everything loaded: the function gets its changed code there, and nothing is imported again.
What is outside of functions (tables, defaults, names of classes) is not changed, and what a function did while plait
was loaded, as making an operator for a table, is not done again: such a mutant has no test that runs it.
"""
