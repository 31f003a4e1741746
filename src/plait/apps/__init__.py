"""User interfaces: thin modules, one per command or request, on top of the workspace."""
