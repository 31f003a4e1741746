"""Ask: questions to the outside (terraform, stores, accounts, remote sources, files that are included), made of plain
facts.

Nothing here knows what a manifest or a component is. It may import `session`, and the rooms below the fronts.
"""
