"""The pages of the explorer: each a function from a state of the repository to HTML."""
