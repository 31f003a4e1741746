const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { serverOptions, documentSelector } = require("./server");

let client;

function activate() {
  const files = workspace.createFileSystemWatcher("**/{*.yaml,*.yml,*.tpl,Kustomization}");
  client = new LanguageClient("plait", "plait", serverOptions(workspace.getConfiguration("plait")), {
    documentSelector,
    synchronize: { fileEvents: files },
  });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
