-- What could be simpler, in Neovim: asks for the actions of two lines as a person does, applies a fix of each, saves.
local client = dofile(vim.env.PLAIT_SCRIPTS .. "/client.lua")
local root, say = client.root, client.say

local function fix(words)
  client.at(words, 1)
  local wanted = { range = vim.lsp.util.make_range_params().range, context = { diagnostics = {}, triggerKind = 1 } }
  for _, action in ipairs(client.ask("textDocument/codeAction", wanted) or {}) do
    if action.title:find("Simpler", 1, true) then
      say(action.title)
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
      return
    end
  end
  say("nothing for " .. words)
end

client.run(function()
  local id = client.attach(root .. "/env/dev.yaml")
  client.settle(id)
  fix("name: dev")
  fix("port: 80")
  fix("team: red")
  vim.cmd("wall")
  client.settle(id)
  fix("name: dev")
  vim.lsp.get_client_by_id(id).stop()
end)
