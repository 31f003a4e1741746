"""Where people wait: edits in large files, origins of every line, many mistakes; each against the smaller question
that it contains."""

from __future__ import annotations

import random
from pathlib import Path


def services(count: int, seed: int = 1) -> str:
    """Values as charts have them: maps of five levels with lists, comments and quotes; about 600 bytes a service."""
    chance = random.Random(seed)
    return "# all services\nservices:\n" + "".join(service(number, chance) for number in range(count))


def service(number: int, chance: random.Random) -> str:
    return f"""\
  service-{number}:  # number {number}
    enabled: {chance.choice(["true", "false"])}
    image:
      repository: "registry.example/team/app-{number}"
      tag: "1.{chance.randrange(100)}.{chance.randrange(10)}"
    replicas: {chance.randrange(1, 9)}
    # what it may use
    resources:
      limits: {{cpu: {chance.randrange(1, 20)}00m, memory: {chance.randrange(64, 512)}Mi}}
      requests:
        cpu: 50m
        memory: 64Mi
    ports: [{8000 + number % 1000}, {chance.randrange(9000, 9999)}]
    probes:
      ready:
        http:
          path: /ready
          headers:
          - name: Host
            value: app-{number}.example
    env:
    - name: LOG_LEVEL
      value: {chance.choice(["info", "debug", "warning"])}
    - name: REGION
      value: eu-central-1
"""


def layers(folder: Path, count: int) -> list[str]:
    """A base and an override that changes a fifth of its services."""
    base, prod = folder / f"values-{count}.yaml", folder / f"values-{count}-prod.yaml"
    base.write_text(services(count))
    prod.write_text(
        "services:\n"
        + "".join(
            f"  service-{number}:\n    replicas: 12\n    image: {{tag: '2.{number}'}}\n"
            f"    resources:\n      limits:\n        memory: 1Gi\n"
            for number in range(0, count, 5)
        )
    )
    return [str(base), str(prod)]


def unresolved(folder: Path, count: int) -> str:
    """A spiff template in which so many references lead nowhere, among as many that are found."""
    file = folder / f"unresolved-{count}.yml"
    jobs = "".join(
        f"  - name: job-{number}\n    properties:\n      network: (( networks.net_{number}.range ))\n"
        f"      domain: (( meta.domain ))\n"
        for number in range(count)
    )
    file.write_text(f"meta:\n  domain: example.org\nnetworks: {{}}\njobs:\n{jobs}")
    return str(file)
