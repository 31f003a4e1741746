"""How Atmos reads YAML: as go-yaml 3 does, where `0644` is 420 and `1_000` is 1000."""

from __future__ import annotations

from plait.yaml.readers import READERS

READER = READERS["go-yaml-3"]
