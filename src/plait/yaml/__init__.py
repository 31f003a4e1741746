"""Text to tree and back: reader, emitter, patcher, parse cache."""
