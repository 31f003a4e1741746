// How the server is started: what the extension and its test share.
function serverOptions(configuration) {
  const command = configuration.get("command") || "plait";
  const args = configuration.get("arguments") || ["lsp"];
  return { command, args };
}

// Other extensions give templates of charts, Compose files and playbooks languages of their own.
const LANGUAGES = ["yaml", "helm", "dockercompose", "ansible"];
const documentSelector = LANGUAGES.map((language) => ({ scheme: "file", language }));

module.exports = { serverOptions, documentSelector };
