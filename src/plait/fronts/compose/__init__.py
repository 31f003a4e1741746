"""Compose projects: which files make one, and what `docker compose config` makes of them.

`loading` reads files, follows `include` and `extends` and merges by the profile `compose`; `canonical` brings short
forms into long ones; `model` adds names and networks; `typed` gives values the types that Compose prints.
"""
