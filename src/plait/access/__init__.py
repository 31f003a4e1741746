"""The only package that reaches outside the process: files, folders, commands, the network and the environment.

Only this room calls `open`, `os.scandir`, `subprocess`, `socket` and similar functions; `tests/test_architecture.py`
enforces that.
"""
