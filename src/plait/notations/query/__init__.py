"""Queries on a tree: path expressions (`a::b[c=1]::0`) and the functions that go with them."""
