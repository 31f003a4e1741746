"""Diagnostics: their catalog, hints and rendering."""
