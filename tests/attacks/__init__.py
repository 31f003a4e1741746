"""Attacks that once worked, each as a test of its own: `make attack` runs them."""
