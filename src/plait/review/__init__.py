"""What a change does to the results: targets evaluated on both sides, compared, and each difference traced to
changed lines."""
