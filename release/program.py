"""What the single file runs."""

from plait.__main__ import run

run()
