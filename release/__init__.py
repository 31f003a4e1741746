"""What makes a release: pages and manual pages of a wheel, the README of the package index, the checks."""
