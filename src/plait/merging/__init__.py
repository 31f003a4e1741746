"""How layers become one tree, and how two trees differ."""
