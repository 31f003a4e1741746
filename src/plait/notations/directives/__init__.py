"""Keys that bring in other parts: `+/path`, `+../sibling`, `+*anchor`, `+include: file`, and `+%` for how they are
merged."""
