"""`make mutants`: small changes of the code, one at a time, and whether a test notices.

Each mutant is a whole file as Python prints it, in a copy of the sources that comes first on PYTHONPATH: whatever the
tests start, as commands, servers and editors, has the mutant, too. The tests near its module are run first, in a
process of their own, up to the first that fails. Tests that read plait's sources read those of the checkout, which have
no mutant: they notice nothing. The native reader is off, as in `make test-python`: it has no mutants, but
what does the same in Python has.

mutmut and cosmic-ray were compared in November 2026. Neither knows a sample with a seed, tests that depend on the
module, removed calls or early returns. mutmut asks copies of functions in pytest's process, which the commands that
cases start do not have; cosmic-ray changes the checkout itself and has one test command for all modules. What would
have to be written around either of them is what is written here, but for `operators.py`.
"""
