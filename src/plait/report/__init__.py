"""What people read when something is wrong, or worth knowing."""
