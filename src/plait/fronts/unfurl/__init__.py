"""Unfurl's documents: directives that bring in other parts, expressions in them, and edits that keep both."""
