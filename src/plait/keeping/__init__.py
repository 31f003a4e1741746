"""Answers of earlier runs, each with what it depended on.

A *question* is a command with its words, its folder and what the user's environment says to plait itself. Its *answer*
is everything it printed and its exit status. Its *trace* is what it asked of the world around it (`access.trace`). An
answer whose trace is unchanged is still true, and is printed again without computing anything.

What cannot be checked later is not kept: answers that depend on a command, the network, the clock, chance, or a secret.
"""
