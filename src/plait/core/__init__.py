"""The data every room shares: sources, nodes, paths, policies, scopes, diagnostics. Imports nothing of ours."""
