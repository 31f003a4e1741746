"""Programs that are only read by the type checker: `make check` runs it with `disallow_any_expr`."""
