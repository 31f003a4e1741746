"""Evaluating, what it costs, and what is explained of it."""
