"""The functions of gomplate 3.11, which templates of stacks may call, in its namespaces: a module for each subject.

Where that version gives a value, this gives the same. Functions and forms of arguments that only later versions have
are as these have them. What reaches outside asks the host; `refused.py` lists what is not here, with the reason.
"""
