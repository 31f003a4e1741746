"""`plait lsp`: the questions of an editor, answered from a living workspace.

`session` keeps the texts and the folders, `server` connects them to the protocol, and each request has a file of its
own.
"""
