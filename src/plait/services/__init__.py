"""What is outside the repository: stores, terraform's state, remote sources, accounts. Plain data in, plain data out.

Services do not depend on trees, stacks or templates. Every service is asked by one call that may be slow and may fail,
and says which of three things happened: an answer, `Missing` (not there, or not yet), or an error that names the
service and what to do. `Passing` errors are worth another try. Client libraries are imported when a service is used,
never before.
"""
