"""The configuration (atmos.yaml): where its files are found, how they merge, and what they say, computed key by key
when asked.

It is a value that everything above reads. It may import `ask` and `session`, and the rooms below the fronts.
"""
