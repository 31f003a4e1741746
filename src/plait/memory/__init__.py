"""Answers that know what they read: reused wherever that is the same."""
