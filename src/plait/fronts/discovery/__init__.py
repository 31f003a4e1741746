"""Targets that are found without plait.yaml: what manifests of deployment tools declare, and what names suggest."""
