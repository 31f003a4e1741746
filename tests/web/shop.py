"""A small shop's repository of stacks, for tests of the survey and of the explorer."""

from __future__ import annotations

import subprocess
from pathlib import Path

FILES = {
    "atmos.yaml": """base_path: "./"
components: {terraform: {base_path: components/terraform}}
stacks:
  base_path: stacks
  included_paths: ["deploy/**/*"]
  name_template: "{{ .vars.environment }}-{{ .vars.stage }}"
templates: {settings: {enabled: true, sprig: {enabled: true}}}
""",
    "stacks/defaults.yaml": """vars:
  namespace: shop
  tags: {managed-by: terraform}
settings:
  team: platform
  support: {channel: "#platform", hours: office}
""",
    "stacks/catalog/network.yaml": """components:
  terraform:
    network:
      metadata: {component: network}
      vars:
        cidr: 10.0.0.0/8
        zones: [a, b]
        flow_logs: false
""",
    "stacks/catalog/service.yaml": """locals:
  domain: shop.example
components:
  terraform:
    service-defaults:
      metadata: {type: abstract, component: service}
      vars:
        replicas: 1
        memory: 512
        image: registry.shop.example/base:1.0
        url: "https://{{ .atmos_component }}.{{ .locals.domain }}"
        probe: {path: /health, seconds: 10}
        debug: false
""",
    "stacks/catalog/api.yaml": """import: [catalog/service]
components:
  terraform:
    api:
      metadata: {component: service, inherits: [service-defaults]}
      vars:
        image: registry.shop.example/api:4.2
        memory: 1024
        database: {host: db.internal, port: 5432}
""",
    "stacks/catalog/web.yaml": """import: [catalog/service]
components:
  terraform:
    web:
      metadata: {component: service, inherits: [service-defaults]}
      vars:
        image: registry.shop.example/web:7.0
        upstream: "{{ .vars.url }}/api"
""",
    "stacks/catalog/queue.yaml": """components:
  terraform:
    queue:
      metadata: {component: queue}
      vars:
        retention_days: 4
        dead_letter: true
    queue-legacy:
      metadata: {type: abstract}
      vars: {retention_days: 1}
""",
    "stacks/mixins/prod.yaml": """vars:
  stage: prod
  tags: {cost-center: "4711"}
settings:
  support: {hours: always}
""",
    "stacks/mixins/dev.yaml": """vars:
  stage: dev
""",
    "stacks/deploy/eu/prod.yaml": """import:
- defaults
- mixins/prod
- catalog/network
- catalog/api
- catalog/web
- catalog/queue
vars: {environment: eu, region: eu-central-1}
components:
  terraform:
    network:
      vars: {cidr: 10.1.0.0/16, flow_logs: true}
    api:
      vars: {replicas: 6, memory: 4096}
    web:
      vars: {replicas: 3}
""",
    "stacks/deploy/eu/dev.yaml": """import: [defaults, mixins/dev, catalog/network, catalog/api, catalog/web]
vars: {environment: eu, region: eu-central-1}
components:
  terraform:
    api:
      vars: {debug: true}
""",
    "stacks/deploy/us/prod.yaml": """import:
- defaults
- mixins/prod
- catalog/network
- catalog/api
- catalog/web
- catalog/queue
vars: {environment: us, region: us-east-1}
components:
  terraform:
    network:
      vars: {cidr: 10.2.0.0/16, flow_logs: true, zones: [a, b, c]}
    api:
      vars: {replicas: 4}
    queue:
      vars: {retention_days: 14}
""",
    "stacks/deploy/us/dev.yaml": """import: [defaults, mixins/dev, catalog/network, catalog/api, catalog/web]
vars: {environment: us, region: us-east-1}
""",
}


def write_shop(folder: Path, more: dict[str, str] | None = None) -> Path:
    """The repository in a folder; `more` are files that are added or replaced."""
    for name, text in {**FILES, **(more or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def commit(folder: Path, message: str = "the shop") -> None:
    """Everything in the folder as a commit of its own repository."""
    person = ["-c", "user.name=Shop", "-c", "user.email=shop@shop.example", "-c", "commit.gpgsign=false"]
    if not (folder / ".git").exists():
        _git(folder, "init", "-q", "-b", "main")
    _git(folder, "add", "-A")
    _git(folder, *person, "commit", "-q", "-m", message)


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
