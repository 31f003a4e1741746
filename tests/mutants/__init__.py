"""`make mutants`: small changes of the code, one at a time, and whether a test notices.

Each mutant is a whole file as Python prints it, in a copy of the sources that comes first on PYTHONPATH: whatever the
tests start, as commands, servers and editors, has the mutant, too. The tests near its module are run first, in a
process of their own, up to the first that fails. Tests that read plait's sources read those of the checkout, which have
no mutant: they notice nothing. The native reader is off, as in `make test-python`: it has no mutants, but
what does the same in Python has.

The sources of mutmut 3.8.1 (5,765 lines) and cosmic-ray 8.7.0 (4,407) were read in November 2026. Neither draws a
sample with a seed, takes tests by module, or removes calls and early returns. mutmut writes all mutants of a file
into one tree and chooses by a variable of the environment, of which commands that start with an environment of their
own know nothing; cosmic-ray changes the checkout itself, with one test command for all modules. What would have to be
written around either of them is what is written here, but for `operators.py`.
"""
