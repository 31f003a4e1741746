#!/bin/sh
# The step before Flux: every overlay as plain resources, in a folder that a Kustomization of Flux points to.
set -eu
for overlay in overlays/*; do
  name=$(basename "$overlay")
  mkdir -p "rendered/$name"
  plait lint base/app.yaml "$overlay/app.yaml" --select PL2302,PL2306 --fail-on warning
  plait merge base/app.yaml "$overlay/app.yaml" --hermetic -o "rendered/$name/app.yaml"
done
