"""Reading: one manifest file with its locals, what it imports, and which files are stacks.

Sections and components are merged over the imports when they are asked for. It may import `language`, `config`,
`ask` and `session`.
"""
