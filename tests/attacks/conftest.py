"""What every attack has: a clone of a hostile repository, with a user who has an empty home."""

from tests.test_safety import clone as clone
