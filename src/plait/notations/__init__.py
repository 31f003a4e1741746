"""Languages that people write inside YAML. Each recognises its own, parses it, and evaluates it against a scope."""
