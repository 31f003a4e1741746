"""The filters and tests that Ansible adds to Jinja2, as far as they need nothing but their arguments.

Each gets the meter first, then plain data. What they make is charged before it is made: see `table.py`, which charges
for what they are given, and the few that can make much more of it.
"""
