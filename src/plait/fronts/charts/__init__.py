"""Helm charts: rendered as `helm template` does, every field with the places that made it.

ignored     which files of the folder belong to the chart
chart       a chart as it lies on the disk, with its subcharts
values      the layers that its values are merged from
objects     what templates see besides values: .Chart, .Files, .Capabilities
functions   what templates can call besides Sprig
rendering   templates to text
manifests   text to resources, in the order that helm installs them
"""
