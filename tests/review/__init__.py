"""Reviews of changes, and proofs of migrations."""
