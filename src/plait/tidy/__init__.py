"""Changes of files that leave every result of every target as it is: found by kind, and proved by evaluating."""
