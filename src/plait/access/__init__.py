"""The one door to the outside: files, folders, commands, the network and the environment.

Only this room calls `open`, `os.scandir`, `subprocess`, `socket` and their like; `tests/test_architecture.py` holds
the others to it.
"""
