// How the server is started: what the extension and its test share.
function serverOptions(configuration) {
  const command = configuration.get("command") || "plait";
  const args = configuration.get("arguments") || ["lsp"];
  return { command, args };
}

const documentSelector = [{ scheme: "file", language: "yaml" }];

module.exports = { serverOptions, documentSelector };
