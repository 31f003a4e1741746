"""Edits by result: what writing a value at each possible place would change, and a write that changes exactly that."""
