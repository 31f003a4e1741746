"""Parts of a question answered by other machines: what travels, who answers it, and why the answer can be trusted.

It may import the workspace and what is below it. Dask and Ray are imported when an address names them.
"""
