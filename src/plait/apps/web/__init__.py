"""The explorer: a page on which people look at a repository and its layers. See docs/explorer.md."""
