"""Stacks, below the command line."""
