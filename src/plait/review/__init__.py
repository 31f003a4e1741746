"""Reviews a change: evaluates targets on both sides, compares them, and traces each difference to changed lines."""
