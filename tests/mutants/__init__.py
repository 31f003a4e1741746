"""`make mutants`: small changes of the code, one at a time, and whether a test notices.

A mutant changes one expression or statement of a function. Only the tests that run its line are run, in a forked
process that has everything loaded: the function gets its changed code there, and nothing is imported again. What a
function did while plait was loaded, as filling a table, is not done again so: where no test notices such a mutant, the
tests of its row are asked in a process that loads plait with the changed code (`anew.py`).
What is outside of functions (constants, defaults, names of classes) is not changed.
"""
