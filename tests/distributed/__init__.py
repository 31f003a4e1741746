"""Tests of engines that spread work over machines."""
