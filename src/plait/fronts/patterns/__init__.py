"""Patterns: generate explicit resources from a few inputs, and generate them again without losing anyone's changes."""
