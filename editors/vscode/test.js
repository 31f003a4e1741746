// Without an editor: the bundle loads with a stand-in for VS Code, and its client talks to the real server.
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { pathToFileURL } = require("node:url");
const { serverOptions, documentSelector } = require("./server");

const settings = { get: (name) => (name === "command" ? process.env.PLAIT_COMMAND || "plait" : ["lsp", "--no-cache"]) };

test("the manifest names what is there", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, "package.json"), "utf8"));
  assert.ok(fs.existsSync(path.join(__dirname, manifest.main)));
  assert.deepStrictEqual(Object.keys(manifest.contributes.configuration.properties), ["plait.command", "plait.arguments"]);
  assert.strictEqual(documentSelector[0].language, "yaml");
});

test("the server answers a hover over JSON-RPC", async () => {
  const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "plait-"));
  const files = { "plait.yaml": "targets:\n- name: t\n  layers: [a.yaml, b.yaml]\n", "a.yaml": "x: 1\n", "b.yaml": "x: 2\n" };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const { command, args } = serverOptions(settings);
  const server = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  connection.listen();
  const uri = pathToFileURL(path.join(folder, "b.yaml")).href;
  const rootUri = pathToFileURL(folder).href;
  const made = await connection.sendRequest("initialize", { processId: null, rootUri, capabilities: {} });
  assert.ok(made.capabilities.hoverProvider);
  connection.sendNotification("initialized", {});
  const textDocument = { uri, languageId: "yaml", version: 1, text: files["b.yaml"] };
  connection.sendNotification("textDocument/didOpen", { textDocument });
  const hover = await connection.sendRequest("textDocument/hover", { textDocument: { uri }, position: { line: 0, character: 3 } });
  assert.match(hover.contents.value, /overrides a\.yaml:1 `1`/);
  await connection.sendRequest("shutdown");
  connection.sendNotification("exit");
  connection.dispose();
});
