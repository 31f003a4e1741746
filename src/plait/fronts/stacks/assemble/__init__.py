"""Assembling: what a stack is called, the layers of a component, its bases, backend and workspace, and where a
component is found.

A question may have to wait (`Blocked`); see `read`. It registers the services `outputs` and `view`. It may import
`read`, `language`, `config`, `ask` and `session`.
"""
