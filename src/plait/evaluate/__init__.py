"""Asking for values: force, memo, cycles, budgets, capabilities."""
