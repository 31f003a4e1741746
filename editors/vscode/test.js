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
  assert.strictEqual(documentSelector[0].language, "yaml");
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
