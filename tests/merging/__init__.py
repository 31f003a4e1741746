"""Merging, and the account of a merge."""
