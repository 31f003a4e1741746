"""JSON Schemas of the files that people write and of what commands print with `--format json`."""
