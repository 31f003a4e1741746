"""Kustomizations: built as `kustomize build` does, every field with the places that made it.

kustomization   the file of a folder, and the files that it names
fields          which fields are changed, by kind
resource        a resource with its names, now and before
history         what became of each value
patching        strategic merge patches; json6902 has the other ones, selecting says what they are for
transforms      labels, annotations, namespaces, prefixes, suffixes, images, replicas
generators      ConfigMaps and Secrets, and the hash in their names
references      names that refer to other resources; replacements and variables copy fields
building        all of it, in kustomize's order
"""
