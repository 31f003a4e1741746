"""What an editor needs to know about files while they are being edited.

`Authoring` is one folder with the unsaved texts of its files. It finds what is at a place of a text (`written`), what
that place refers to and who refers to it (`mentions`), which results the text takes part in (`units`), and
everything that is wrong (`Authoring.check`). Nothing here knows any protocol; `apps/lsp` does.
"""
