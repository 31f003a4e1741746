"""Conformance cases and the project's own tests."""
