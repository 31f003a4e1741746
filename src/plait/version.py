"""The version of plait, for every room to read."""

__version__ = "0.2.0"
