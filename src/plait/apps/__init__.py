"""Surfaces: thin, one module per question. They speak, the workspace answers."""
