"""Sprig 3.3: the functions that every Go template of this world expects, one module for each group."""
