"""Questions about all targets at once: what each line of a file decides, one value in every target, who imports and who
inherits what."""
