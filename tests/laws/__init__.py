"""The laws of the loom, each a property of that name."""
