"""Which files, in which order, with which notations and policy: plait's own layers, and the systems it understands."""
