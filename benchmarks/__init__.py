"""Measurements: ratios within one run, with counters of the work beside them. Machines are noisy; counters are not."""
