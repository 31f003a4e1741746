"""Random overlays: some resources that refer to each other, a base and up to two folders above it, each with fields of
kustomizations that meet in the same places."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import yaml

RESOURCES = {
    "deployment": """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, tier: front}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {seen: once}}
    spec:
      serviceAccountName: runner
      initContainers: [{name: init, image: 'busybox:1.0'}]
      containers:
      - name: main
        image: registry.io:5000/team/web:1.2
        env: [{name: A, value: x}, {name: B, valueFrom: {configMapKeyRef: {name: settings, key: a}}}]
        envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: creds}}]
        ports: [{containerPort: 80, name: http}, {containerPort: 81, protocol: UDP}]
        volumeMounts: [{name: data, mountPath: /data}]
      - {name: side, image: nginx}
      volumes: [{name: data, configMap: {name: settings}}, {name: claim, persistentVolumeClaim: {claimName: disk}}]
""",
    "service": """apiVersion: v1
kind: Service
metadata: {name: web, annotations: {note: one}}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http, name: http}, {port: 443, name: https}]}
""",
    "settings": "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: '1', host: web.default.svc}}",
    "creds": "{apiVersion: v1, kind: Secret, metadata: {name: creds}, stringData: {p: x}}",
    "bare": "{apiVersion: apps/v1, kind: Deployment, metadata: {name: bare}}",
    "runner": "{apiVersion: v1, kind: ServiceAccount, metadata: {name: runner}}",
    "binding": """apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: bind}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: runner, namespace: default}, {kind: User, name: joe}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [''], resources: [configmaps], resourceNames: [settings], verbs: [get]}]
""",
    "ingress": """apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: in}
spec:
  tls: [{hosts: [a.b], secretName: creds}]
  rules: [{host: a.b, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web}}}]}}]
""",
    "database": """apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: web
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: 'postgres@sha256:abc'}]}}
  volumeClaimTemplates: [{metadata: {name: disk}, spec: {accessModes: [ReadWriteOnce]}}]
""",
    "job": """apiVersion: batch/v1
kind: CronJob
metadata: {name: night}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: c, image: 'team/job:v1'}]}}}}}
""",
    "widget": """apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: own}
spec: {size: 3, image: 'nginx:1', list: [{name: a, v: 1}], template: {spec: {containers: [{name: q, image: nginx}]}}}
""",
    "list": """apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {k: v}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}, data: {k: v}}
""",
    "namespace": "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {a: b}}}",
}
KINDS = [
    ("apps/v1", "Deployment", "web"),
    ("apps/v1", "Deployment", "bare"),
    ("v1", "Service", "web"),
    ("v1", "ConfigMap", "settings"),
    ("apps/v1", "StatefulSet", "db"),
    ("networking.k8s.io/v1", "Ingress", "in"),
    ("batch/v1", "CronJob", "night"),
    ("example.com/v1", "Widget", "w"),
]
LABELS: list[object] = [{"app": "other"}, {"tier": None}, {"l": "m", "n": 1}, None, {}]
NOTES: list[object] = [{"p": "q"}, {"note": None}, None, {"$patch": "replace", "z": "z"}, {"$patch": "delete"}]
SPECS: dict[str, list[object]] = {
    "Deployment": [
        {"replicas": 5},
        {"template": {"spec": {"containers": [{"name": "main", "image": "nginx:9"}, {"name": "new", "image": "i"}]}}},
        {"template": {"spec": {"containers": [{"name": "side", "$patch": "delete"}]}}},
        {"template": {"spec": {"volumes": [{"name": "data", "configMap": None, "emptyDir": {}}]}}},
        {"template": {"metadata": {"labels": {"app": "other", "l": "x"}}}},
    ],
    "Service": [{"ports": [{"port": 80, "targetPort": 8080}]}, {"selector": {"app": None, "x": "z"}}],
    "Widget": [{"size": None}, {"list": [{"name": "c"}]}],
}
OPERATIONS: list[list[dict[str, object]]] = [
    [{"op": "add", "path": "/metadata/annotations", "value": {"r": "s"}}],
    [{"op": "add", "path": "/metadata/labels", "value": {"l": "u"}}],
    [{"op": "add", "path": "/metadata/annotations/x", "value": "v"}],
    [{"op": "replace", "path": "/metadata/name", "value": "renamed"}],
    [{"op": "add", "path": "/spec/replicas", "value": 7}, {"op": "test", "path": "/spec/replicas", "value": 7}],
]
FIELDS = ["metadata.name", "metadata.labels.app", "metadata.annotations.new", "spec.replicas", "data.host"]


class DrawnOverlay:
    """The files of one overlay; `top` is the folder that is built."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.files: dict[str, object] = {}
        chosen = self._random.sample(sorted(RESOURCES), self._random.randint(3, 8))
        self.files |= {f"base/{name}.yaml": RESOURCES[name] for name in chosen}
        self._put("base", [f"{name}.yaml" for name in chosen])
        self.top = "base"
        for number in range(self._random.randint(0, 2)):
            self._put(f"over{number}", [f"../{self.top}"])
            self.top = f"over{number}"

    def write(self, folder: Path) -> None:
        for name, content in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content if isinstance(content, str) else yaml.safe_dump(content))

    def _often(self, share: float) -> bool:
        return self._random.random() < share

    def _put(self, folder: str, resources: list[str]) -> None:
        content: dict[str, object] = {"resources": resources, **self._fields()}
        if folder != "base" and self._often(0.2):
            named = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", "nameSuffix": "-c"}
            self.files[f"{folder}/part/kustomization.yaml"] = {**named, **self._fields()}
            content["components"] = ["part"]
        if self._often(0.2):
            content["buildMetadata"] = self._random.sample(["originAnnotations", "transformerAnnotations"], 1)
        self.files[f"{folder}/kustomization.yaml"] = content

    def _fields(self) -> dict[str, object]:
        draw, choice = self._often, self._random.choice
        found: dict[str, tuple[float, object]] = {
            "namePrefix": (0.3, choice(["p-", "dev-"])),
            "nameSuffix": (0.2, "-s"),
            "namespace": (0.3, choice(["n1", "n2"])),
            "commonLabels": (0.25, choice([{"l": "1"}, {"app": "over"}])),
            "labels": (0.3, [self._label()]),
            "commonAnnotations": (0.2, choice([{"ca": "1"}, {"note": "two"}])),
            "images": (0.3, [{"name": choice(["nginx", "team/job", "postgres"]), **self._image()} for _ in "ab"]),
            "configMapGenerator": (0.3, [self._generator(f"made{len(self.files)}-{self._random.randint(0, 99)}")]),
            "patches": (0.6, [self._patch() for _ in range(self._random.randint(1, 2))]),
            "replacements": (0.15, [self._replacement()]),
            "generatorOptions": (0.1, choice([{"disableNameSuffixHash": True}, {"labels": {"go": "l"}}])),
            "sortOptions": (0.1, {"order": choice(["fifo", "legacy"])}),
        }
        return {name: value for name, (share, value) in found.items() if draw(share)}

    def _label(self) -> dict[str, object]:
        more = [{}, {"includeSelectors": True}, {"includeTemplates": True}]
        fields = {"fields": [{"path": "spec/extra/labels", "create": True, "kind": "Widget"}]}
        pairs = self._random.choice([{"l": "2"}, {"app": "lab"}])
        return {"pairs": pairs, **self._random.choice(more), **(fields if self._often(0.2) else {})}

    def _image(self) -> dict[str, str]:
        return dict(self._random.sample([("newName", "new/image"), ("newTag", "9"), ("digest", "sha256:d")], 1))

    def _generator(self, name: str) -> dict[str, object]:
        texts = self._random.sample(["a=1", "b='q u'", "c=", "d=x=y", 'e="z"'], 2)
        options = [{}, {"options": {"disableNameSuffixHash": True}}, {"options": {"annotations": {"g": "n"}}}]
        return {"name": name, "literals": texts, **self._random.choice(options)}

    def _target(self) -> dict[str, str]:
        _, kind, name = self._random.choice(KINDS)
        some = [{"kind": kind}, {"kind": "Deployment|Service"}, {"kind": kind, "name": name}, {"name": "w.*"}]
        return self._random.choice([*some, {"labelSelector": "app=web"}, {"annotationSelector": "note"}])

    def _patch(self) -> dict[str, object]:
        if self._often(0.25):
            return {"patch": json.dumps(self._random.choice(OPERATIONS)), "target": self._target()}
        api, kind, name = self._random.choice(KINDS)
        metadata: dict[str, object] = {"name": name}
        if self._often(0.4):
            metadata["labels"] = self._random.choice(LABELS)
        if self._often(0.4):
            metadata["annotations"] = self._random.choice(NOTES)
        body: dict[str, object] = {"apiVersion": api, "kind": kind, "metadata": metadata}
        if kind in SPECS and self._often(0.6):
            body["spec"] = self._random.choice(SPECS[kind])
        return {"patch": yaml.safe_dump(body), **({"target": self._target()} if self._often(0.7) else {})}

    def _replacement(self) -> dict[str, object]:
        (_, kind, name), (_, other, _) = self._random.sample(KINDS, 2)
        select = {"select": {"kind": other}, "fieldPaths": [self._random.choice(FIELDS)], "options": {"create": True}}
        return {"source": {"kind": kind, "name": name, "fieldPath": "metadata.name"}, "targets": [select]}
