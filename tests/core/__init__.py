"""What the data of `plait.core` is, reads and prints."""
