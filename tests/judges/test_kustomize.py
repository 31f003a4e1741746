"""Kustomizations built as kustomize builds them: one overlay for each field and option, over one set of resources."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.cases.preloaded import preloaded
from tests.conformance.helm import documents
from tests.judges import said, seeds

BASE = {
    "base/kustomization.yaml": """
resources: [app.yaml, rbac.yaml, more.yaml]
configMapGenerator:
- name: settings
  literals: [mode=plain, "text='quoted'", 'eq=a=b']
- name: files
  files: [a.txt, other=a.txt]
  envs: [vars.env]
secretGenerator:
- name: login
  type: kubernetes.io/basic-auth
  literals: [username=admin, password=aVeryLongPasswordThatNeedsMoreThanSeventyCharactersInBase64ToBeSplitIntoLines]
""",
    "base/a.txt": "one\ntwo\n",
    "base/vars.env": "# comment\nA=1\n  B=two words\n\nC=\n",
    "base/app.yaml": """
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web, tier: front}
  annotations: {note: hello}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: runner
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - labelSelector: {matchLabels: {app: web}}
            topologyKey: host
      containers:
      - name: web
        image: registry:5000/web:1.0
        command: [run, $(HOST)]
        env:
        - {name: A, value: "1"}
        - name: PASSWORD
          valueFrom: {secretKeyRef: {name: login, key: password}}
        envFrom:
        - configMapRef: {name: settings}
        ports:
        - {containerPort: 80, name: http}
        - {containerPort: 53, protocol: UDP}
        volumeMounts:
        - {mountPath: /data, name: data}
      - name: side
        image: side@sha256:0123456789abcdef
      initContainers:
      - {name: init, image: init}
      volumes:
      - name: data
        configMap: {name: files}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports:
  - {port: 80, targetPort: http, name: http}
  - {port: 53, protocol: UDP, name: dns}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, finalizers: [a, b]}
spec:
  serviceName: web
  template:
    spec:
      containers: [{name: db, image: "db:9"}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {storageClassName: fast}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: clean}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          containers: [{name: clean, image: "web", envFrom: [{secretRef: {name: login}}]}]
""",
    "base/rbac.yaml": """
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [settings], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reads}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects:
- {kind: ServiceAccount, name: runner}
- {kind: ServiceAccount, name: default}
- {kind: User, name: somebody}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reads-all}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: ServiceAccount, name: runner, namespace: default}]
""",
    "base/more.yaml": """
apiVersion: v1
kind: Namespace
metadata: {name: home}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, annotations: {nginx.ingress.kubernetes.io/auth-secret: login}}
spec:
  tls: [{hosts: [a.example], secretName: login}]
  rules:
  - host: a.example
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{podSelector: {matchLabels: {app: web}}}]}]
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: w}
spec:
  parts: [{name: a, size: 1}, {name: b}]
  secretRef: {name: login}
  template: {spec: {containers: [{image: "web:2"}]}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks}
webhooks: [{name: a.example, clientConfig: {service: {name: web, namespace: default}}}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec: {group: example.org}
""",
}
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
VARIANTS = {
    "prefix": "namePrefix: p-",
    "suffix and namespace": "nameSuffix: -s\nnamespace: shop",
    "all names": "namePrefix: p-\nnameSuffix: -s\nnamespace: shop",
    "common labels": "commonLabels: {owner: me, number: '1'}",
    "a label that is a number": "commonLabels: {number: 1}",
    "a namespace that is a boolean": "namespace: n",
    "labels": "labels: [{pairs: {a: b}}]",
    "labels with selectors": "labels: [{pairs: {a: b}, includeSelectors: true}]",
    "labels with templates": "labels: [{pairs: {a: b}, includeTemplates: true}, {pairs: {c: d}}]",
    "labels with fields": (
        "labels: [{pairs: {a: b}, fields: [{path: spec/parts-labels, kind: Widget, create: true}]}]"
    ),
    "annotations": "commonAnnotations: {a: b, t: 'true'}",
    "images": (
        "images: [{name: 'registry:5000/web', newTag: '2'}, {name: side, newName: other},"
        " {name: init, digest: 'sha256:a'}, {name: db, tagSuffix: -x}, {name: web, newName: q, newTag: v}]"
    ),
    "image with tag and digest": "images: [{name: side, newTag: '2', digest: 'sha256:aa'}, {name: db, newName: x/y}]",
    "replicas": "replicas: [{name: web, count: 5}, {name: db, count: 2}]",
    "merge a generator": "configMapGenerator: [{name: settings, behavior: merge, literals: [mode=fast, x=y]}]",
    "replace a generator": "configMapGenerator: [{name: settings, behavior: replace, literals: [x=y]}]",
    "merge a secret": "secretGenerator: [{name: login, behavior: merge, literals: [username=root]}]",
    "generator options": (
        "generatorOptions: {labels: {g: h}, annotations: {i: j}, immutable: true}\n"
        "configMapGenerator: [{name: new, literals: [a=b], options: {labels: {k: l}, disableNameSuffixHash: true}}]"
    ),
    "no hash": "generatorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: new, literals: [a=b]}]",
    "merge without hash": (
        "configMapGenerator: [{name: settings, behavior: merge, literals: [a=b],"
        " options: {disableNameSuffixHash: true}}]"
    ),
    "patch": "patches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {a: 3}}'}]",
    "patch by selector": (
        "patches: [{target: {kind: 'Deploy.*|Stateful.*', name: 'w.*|db'}, patch: "
        '\'[{"op": "add", "path": "/metadata/labels", "value": {"x": "y"}}]\'}]'
    ),
    "patch by labels": (
        "patches: [{target: {labelSelector: 'app=web,tier in (front, back)'}, patch: "
        "'- {op: replace, path: /spec/replicas, value: 7}'}]"
    ),
    "patch by annotations": (
        "patches: [{target: {annotationSelector: note=hello}, patch: '- {op: remove, path: /spec/replicas}'}]"
    ),
    "json operations": """
patches:
- target: {kind: Deployment}
  patch: |-
    - {op: test, path: /spec/replicas, value: 1}
    - {op: copy, from: /metadata/labels/app, path: /metadata/labels/copy}
    - {op: move, from: /metadata/annotations/note, path: /metadata/annotations/moved}
    - {op: add, path: /spec/template/spec/containers/-, value: {name: last}}
    - {op: add, path: /spec/template/spec/containers/0, value: {name: first}}
    - {op: add, path: /metadata/annotations/a~1b, value: c}
""",
    "a failing test": "patches: [{target: {kind: Deployment}, patch: '- {op: test, path: /spec/replicas, value: 2}'}]",
    "remove what is not there": "patches: [{target: {kind: Deployment}, patch: '- {op: remove, path: /spec/nothing}'}]",
    "add below nothing": "patches: [{target: {kind: Deployment}, patch: '- {op: add, path: /spec/a/b, value: 1}'}]",
    "no json": "patches: [{target: {kind: Deployment}, patch: '[{op: remove, path: /spec/replicas}]'}]",
    "rename by patch": (
        "patches: [{target: {kind: Service}, patch: '{kind: Service, metadata: {name: renamed}}',"
        " options: {allowNameChange: true}}]"
    ),
    "rename is not allowed": (
        "patches: [{target: {kind: Service}, patch: '{kind: Service, metadata: {name: renamed}}'}]"
    ),
    "change the kind": (
        "patches: [{target: {kind: Deployment}, patch: '{kind: DaemonSet, metadata: {name: web}}',"
        " options: {allowKindChange: true}}]"
    ),
    "delete": "patches: [{target: {kind: Widget}, patch: '{$patch: delete, kind: x, metadata: {name: y}}'}]",
    "replacements": """
replacements:
- source: {kind: Deployment, name: web, fieldPath: spec.replicas}
  targets:
  - select: {kind: StatefulSet}
    fieldPaths: [spec.replicas]
    options: {create: true}
- source: {kind: Service, name: web, fieldPath: metadata.name}
  targets:
  - select: {kind: Ingress}
    fieldPaths: [spec.rules.0.host, 'metadata.annotations.[nope]']
    reject: [{name: web}]
  - select: {kind: Deployment}
    fieldPaths: ['spec.template.spec.containers.[name=web].image']
    options: {delimiter: ':', index: 1}
  - select: {kind: Deployment}
    fieldPaths: ['spec.template.spec.containers.*.name']
    options: {delimiter: '/', index: -1}
- source: {kind: ConfigMap, name: settings, fieldPath: data.eq, options: {delimiter: '=', index: 1}}
  targets:
  - select: {kind: Widget}
    fieldPaths: ['spec.parts.[name=b].size', spec.new.field, 'metadata.annotations.a\\.b/c']
    options: {create: true}
""",
    "vars": """
vars:
- name: HOST
  objref: {apiVersion: v1, kind: Service, name: web}
- name: COUNT
  objref: {apiVersion: apps/v1, kind: Deployment, name: web}
  fieldref: {fieldpath: spec.replicas}
namePrefix: p-
patches:
- target: {kind: Service}
  patch: |-
    - {op: replace, path: /spec/ports/0/port, value: $(COUNT)}
    - {op: add, path: /metadata/annotations, value: {a: "$(HOST).$(NO).$$(HOST)"}}
""",
    "fifo": "sortOptions: {order: fifo}",
    "own order": "sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Service], orderLast: [Namespace]}}",
    "metadata": "buildMetadata: [originAnnotations]\nnamePrefix: x-",
    "transformations": "buildMetadata: [transformerAnnotations]\nnamePrefix: x-\nnamespace: s\ncommonLabels: {a: b}",
    "every transformation": """
buildMetadata: [transformerAnnotations, originAnnotations]
labels: [{pairs: {a: b}}, {pairs: {c: d}, includeSelectors: true}]
commonAnnotations: {e: f}
images: [{name: web, newTag: "2"}, {name: other, newTag: "3"}]
replicas: [{name: web, count: 3}]
patchesStrategicMerge:
- "{apiVersion: v1, kind: Service, metadata: {name: web, labels: {g: h}}}"
patchesJson6902:
- target: {version: v1, kind: Service, name: web}
  patch: "[{op: add, path: /metadata/labels/i, value: j}]"
transformers:
- "{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: k}, prefix: p-, fieldSpecs: [{path: metadata/name}]}"
""",
    "annotations that a patch replaces": """
buildMetadata: [transformerAnnotations, originAnnotations]
namespace: n
labels: []
commonLabels: {}
commonAnnotations: {}
patches:
- target: {kind: Service}
  patch: "[{op: add, path: /metadata/annotations, value: {a: b}}]"
- target: {kind: Deployment}
  patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: x, annotations: {$patch: replace, c: d}}}"
""",
}
FOLDERS = {
    "merging lists": {
        "kustomization.yaml": "resources: [../base]\npatches: [{path: p.yaml}]",
        "p.yaml": DEPLOYMENT
        + """
spec:
  template:
    spec:
      containers:
      - name: new
        image: new
        x: null
      - name: web
        env: [{name: A, value: null}, {name: B, value: "2"}, {name: PASSWORD, $patch: delete}]
        ports: [{containerPort: 80, hostPort: 1}, {containerPort: 81, protocol: TCP}]
        volumeMounts: [{mountPath: /more, name: data}]
        command: [other]
      - name: side
        $patch: delete
      volumes:
      - name: data
        configMap: null
        emptyDir: {}
      - name: tmp
        emptyDir: {}
      tolerations: [{key: a}]
      imagePullSecrets: [{name: login}]
---
apiVersion: v1
kind: Service
metadata: {name: web, labels: {a: null}}
spec:
  ports: [{port: 81, name: more}, {port: 53, protocol: UDP, nodePort: 30000}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, finalizers: [c, a]}
spec:
  serviceName: null
  template:
    spec:
      containers: [{$patch: replace}, {name: only}]
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: w}
spec: {parts: [{name: b, size: 3}], secretRef: {$patch: replace, other: 1}}
""",
    },
    "old fields": {
        "kustomization.yaml": """
bases: [../base]
patchesStrategicMerge:
- p.yaml
- |-
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec: {type: NodePort}
patchesJson6902:
- target: {group: apps, version: v1, kind: StatefulSet, name: db}
  path: j.yaml
imageTags: [{name: db, newTag: "10"}]
namePrefix: old-
""",
        "p.yaml": DEPLOYMENT + "spec: {paused: true}\n",
        "j.yaml": "- {op: replace, path: /spec/serviceName, value: web}\n",
    },
    "configurations": {
        "kustomization.yaml": "resources: [../base]\nnamePrefix: p-\ncommonLabels: {a: b}\nconfigurations: [c.yaml]\n"
        "images: [{name: web, newTag: '9'}]",
        "c.yaml": """
nameReference:
- kind: Secret
  version: v1
  fieldSpecs: [{path: spec/secretRef/name, kind: Widget}]
commonLabels: [{path: spec/labels, kind: Widget, create: true}]
namePrefix: [{path: spec/parts/name, kind: Widget}]
images: [{path: spec/image, kind: Widget}]
""",
    },
    "component and layers": {
        "kustomization.yaml": "resources: [../middle]\nnameSuffix: -z\nnamespace: top\ncomponents: [../component]",
        "../middle/kustomization.yaml": "resources: [../base, extra.yaml]\nnamePrefix: m-\nlabels: [{pairs: {l: m}}]",
        "../middle/extra.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: other}\ndata: {}",
        "../component/kustomization.yaml": """
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: [c.yaml]
namePrefix: c-
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {minReadySeconds: 5}
""",
        "../component/c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-component}",
    },
    "own schema": {
        "kustomization.yaml": "resources: [../base]\nopenapi: {path: s.json}\npatches: [{path: p.yaml}]",
        "s.json": """
{"definitions": {"w": {"properties": {"spec": {"$ref": "#/definitions/s"}, "metadata": {"type": "object"}},
 "x-kubernetes-group-version-kind": [{"group": "example.org", "version": "v1", "kind": "Widget"}]},
 "s": {"properties": {"parts": {"type": "array", "items": {"type": "object"},
  "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}}}
""",
        "p.yaml": "apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w}\n"
        "spec: {parts: [{name: b, size: 3}, {name: c}]}",
    },
    "transformers in files": {
        "kustomization.yaml": "resources: [../base]\nnamePrefix: own-\ntransformers: [t.yaml, more]",
        "t.yaml": """
apiVersion: builtin
kind: PrefixTransformer
metadata: {name: p}
prefix: my-
fieldSpecs: [{path: metadata/name}]
---
apiVersion: builtin
kind: SuffixTransformer
metadata: {name: s}
suffix: -x
fieldSpecs: [{path: metadata/name, kind: Deployment}]
---
apiVersion: builtin
kind: LabelTransformer
metadata: {name: l}
labels: {team: a}
fieldSpecs:
- {path: metadata/labels, create: true}
- {path: spec/template/metadata/labels, create: true, kind: Deployment}
---
apiVersion: builtin
kind: AnnotationsTransformer
metadata: {name: an}
annotations: {note: b}
fieldSpecs: [{path: metadata/annotations, create: true}]
---
apiVersion: builtin
kind: ImageTagTransformer
metadata: {name: i}
imageTag: {name: nginx, newTag: "2"}
---
apiVersion: builtin
kind: ReplicaCountTransformer
metadata: {name: rc}
replica: {name: web, count: 5}
fieldSpecs: [{path: spec/replicas, create: true, kind: Deployment}]
""",
        "more/kustomization.yaml": "resources: [l.yaml]",
        "more/l.yaml": (
            "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: more}\nlabels: {one: more}\n"
            "fieldSpecs: [{path: metadata/labels, create: true}]"
        ),
    },
    "transformers as text": {
        "kustomization.yaml": """
resources: [../base]
transformers:
- |-
  apiVersion: builtin
  kind: NamespaceTransformer
  metadata: {name: n, namespace: new}
  unsetOnly: true
  setRoleBindingSubjects: allServiceAccounts
  fieldSpecs: [{path: metadata/namespace, create: true}]
- |-
  apiVersion: builtin
  kind: PatchTransformer
  metadata: {name: p}
  target: {kind: Deployment}
  patch: |-
    - {op: replace, path: /spec/replicas, value: 7}
- |-
  apiVersion: builtin
  kind: PatchStrategicMergeTransformer
  metadata: {name: p2}
  patches: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {paused: true}
- |-
  apiVersion: builtin
  kind: PatchJson6902Transformer
  metadata: {name: p3}
  target: {group: apps, version: v1, kind: Deployment, name: web}
  jsonOp: |-
    - {op: add, path: /spec/minReadySeconds, value: 3}
- |-
  apiVersion: builtin
  kind: ReplacementTransformer
  metadata: {name: r}
  replacements:
  - source: {kind: Deployment, fieldPath: spec.replicas}
    targets:
    - select: {kind: Service}
      fieldPaths: [metadata.annotations.count]
      options: {create: true}
""",
    },
    "transformers of one name": {
        "kustomization.yaml": "resources: [../base]\ntransformers: [t.yaml, t.yaml]",
        "t.yaml": "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {one: more}",
    },
    "generators in files": {
        "kustomization.yaml": "resources: [../base]\ngenerators: [g.yaml]",
        "g.yaml": """
apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: cm, namespace: ns}
literals: [a=b]
envs: [v.env]
---
apiVersion: builtin
kind: SecretGenerator
metadata: {name: se}
literals: [c=d]
options: {disableNameSuffixHash: true, labels: {x: z}}
""",
        "v.env": "A=1\nNAME\n",
    },
    "annotations are texts": {
        "kustomization.yaml": "resources: [r.yaml]",
        "r.yaml": "apiVersion: v1\nkind: Service\n"
        "metadata: {name: a, annotations: {num: 5, z: null, f: 1.50, m: {a: b}}}\n"
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: b, annotations: {}}\n",
    },
    "lists and numbers": {
        "kustomization.yaml": "resources: [l.yaml]\nnamespace: space\nnamePrefix: p-",
        "l.yaml": """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: "010", y: "yes", z: "1e3"}}
- {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {o: 0644, f: 1.50, t: yes, n: ~, big: 12345678901234567890}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: local, annotations: {config.kubernetes.io/local-config: "true"}}
""",
    },
}
ALL = {
    **{name: {"kustomization.yaml": f"resources: [../base]\n{text}\n"} for name, text in VARIANTS.items()},
    **FOLDERS,
}


@pytest.mark.parametrize("name", ALL)
def test_kustomization(name: str, tmp_path: Path) -> None:
    _same({**BASE, **{os.path.normpath(f"over/{path}"): text for path, text in ALL[name].items()}}, tmp_path)


LINES = ("a", "b c", "  x", "    y z", "", "é", "😀", "\u00a0x", "- d", "# h", "  ", "w ", "word " * 20)


@pytest.mark.parametrize("seed", seeds(5))
def test_folded_texts(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n"
    resource, patch = ("".join(_block(chance, f"k{number}") for number in range(60)) for _ in range(2))
    more = _block(chance, "new")
    files = {
        "over/kustomization.yaml": "resources: [map.yaml]\npatches: [{path: patch.yaml}]\n",
        "over/map.yaml": f"{head}{resource}",
        "over/patch.yaml": f"{head}{''.join(patch.partition('  k30:')[::2][:1])}{more}",
    }
    _same(files, tmp_path)


def _block(chance: random.Random, key: str) -> str:
    lines = chance.choices(LINES, k=chance.randrange(1, 7))
    hint = "2" if lines[0][:1] in ("", " ") else ""
    inner = "".join(f"    {line}\n" if line else "\n" for line in lines)
    return f"  {key}: {chance.choice('>>|')}{hint}{chance.choice(('', '-', '+'))}\n{inner}"


def _same(files: dict[str, str], tmp_path: Path) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    expected = said("kubectl", "kustomize", "over", folder=tmp_path)
    status, out, trouble = preloaded().run(["render", "over"], tmp_path, dict(os.environ), b"")
    if expected.returncode:
        assert status, f"kustomize refuses: {expected.stderr}"
    else:
        assert status == 0, trouble.decode()
        assert documents(out.decode()) == documents(expected.stdout)
