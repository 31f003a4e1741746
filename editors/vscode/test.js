// Without an editor: the extension as it is packaged runs in a stand-in for VS Code, and talks to the real server.
const assert = require("node:assert");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { serverOptions, documentSelector } = require("./server");
const { standIn } = require("./stand-in");

const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, "package.json"), "utf8"));
const FILES = { "plait.yaml": "targets:\n- name: t\n  layers: [a.yaml, b.yaml]\n", "a.yaml": "x: 1\ny: 1\n", "b.yaml": "x: 2\ny: 1\n" };

test("the manifest names what is there", () => {
  assert.ok(fs.existsSync(path.join(__dirname, manifest.main)));
  assert.deepStrictEqual(Object.keys(manifest.contributes.configuration.properties), ["plait.command", "plait.arguments"]);
  assert.deepStrictEqual(documentSelector.map(({ language }) => language), ["yaml", "helm", "dockercompose", "ansible"]);
  assert.ok(fs.existsSync(path.join(__dirname, manifest.icon)));
  assert.strictEqual(manifest.license, "Apache-2.0");
});

// What VS Code does with `workspaceContains`: a glob with `**`, `*` and braces, which may be empty.
function matches(glob, name) {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (braces) return braces[1].split(",").some((part) => matches(glob.replace(braces[0], part), name));
  const pattern = glob.replace(/[.+^$()|[\]\\]/g, "\\$&").replace(/\*\*\//g, "\u0000").replace(/\*/g, "[^/]*").replace(/\u0000/g, "(?:.*/)?");
  return new RegExp(`^${pattern}$`).test(name);
}

test("a repository of any kind activates the extension", () => {
  const globs = manifest.activationEvents.map((event) => event.replace("workspaceContains:", ""));
  const activates = (name) => globs.some((glob) => matches(glob, name));
  for (const name of [
    "plait.yaml", "infra/atmos.yaml", "Chart.yaml", "charts/web/Chart.yaml", "overlays/prod/kustomization.yaml", "base/kustomization.yml", "base/Kustomization",
    "compose.yaml", "compose.prod.yml", "docker-compose.yml", "docker-compose.override.yml", "docker-compose-dev.yml", "deploy/compose.yaml",
  ]) assert.ok(activates(name), name);
  for (const name of ["README.md", "values.yaml", "src/composed.yaml", "mychart.yaml"]) assert.ok(!activates(name), name);
});

test("without settings the extension starts `plait lsp`", () => {
  assert.deepStrictEqual(serverOptions({ get: () => undefined }), { command: "plait", args: ["lsp"] });
});

test("the extension starts, shows a hover and a finding, and ends", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "plait-"));
  for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
  const editor = standIn(folder, { command: process.env.PLAIT_COMMAND || "plait", arguments: ["lsp", "--no-cache"] });
  const extension = require(path.join(__dirname, manifest.main));
  await extension.activate();
  const uri = editor.Uri.file(path.join(folder, "b.yaml"));
  const found = new Promise((resolve) => {
    editor.found.event(({ uri: where, diagnostics }) => where === String(uri) && diagnostics.length && resolve(diagnostics));
  });
  const document = { uri, languageId: "yaml", version: 1, getText: () => FILES["b.yaml"], fileName: uri.fsPath };
  editor.open(document);
  const hover = await editor.seen.hover.provideHover(document, { line: 0, character: 3 }, editor.token);
  assert.match(hover.contents.value, /overrides a\.yaml:1 `1`/);
  const [finding] = await found;
  assert.match(finding.message, /this override changes nothing/);
  assert.strictEqual(finding.range.start.line, 1);
  await extension.deactivate();
  assert.deepStrictEqual(editor.seen.errors, []);
});
