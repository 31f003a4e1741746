"""Tests of what lies outside the repository, against real servers where they can be had."""
