-- Neovim's own client against `plait lsp`: opens, asks, renames, applies a fix, saves. Prints what it sees.
local client = dofile(vim.env.PLAIT_SCRIPTS .. "/client.lua")
local root, say, at, ask = client.root, client.say, client.at, client.ask

local function findings(count)
  vim.wait(20000, function() return #vim.diagnostic.get(0) == count end, 20)
  for _, one in ipairs(vim.diagnostic.get(0)) do
    say(string.format("%d:%d %s", one.lnum + 1, one.col + 1, vim.split(one.message, "\n")[1]))
  end
  return #vim.diagnostic.get(0)
end

client.run(function()
  local prod = root .. "/stacks/stacks/deploy/prod.yaml"
  local id = client.attach(prod)
  say("# hover over 8192")
  at("8192", 1)
  for line in vim.gsplit(ask("textDocument/hover").contents.value, "\n") do say(line) end
  say("# definition of app/defaults")
  at("app/defaults", 1)
  local place = ask("textDocument/definition")[1]
  say(vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ":t") .. ":" .. place.range.start.line + 1)
  say("# completion after `.locals.`")
  at(".locals.network", 8)
  local names = {}
  for _, item in ipairs(ask("textDocument/completion").items) do table.insert(names, item.label) end
  table.sort(names)
  say(table.concat(names, " "))
  say("# rename the local prefix to stem")
  at("prefix:", 1)
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", { newName = "stem" }), "utf-16")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find("stem", 1, true) then say(line) end
  end
  say("# a typo, and its fix")
  at("- catalog/app")
  vim.api.nvim_set_current_line("  - catalog/ap")
  findings(1)
  local range = { start = { line = 2, character = 4 }, ["end"] = { line = 2, character = 4 } }
  for _, action in ipairs(ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })) do
    if action.title:find("Change it to", 1, true) then
      say(action.title)
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    end
  end
  say("findings: " .. findings(0))
  vim.cmd("write")
  say("# saved")
  say(vim.fn.readfile(prod)[3])
  say("# what is found in all examples")
  local files = vim.fn.globpath(root, "**/*.y*ml", false, true)
  table.sort(files)
  local silent = 0
  for _, path in ipairs(files) do
    vim.cmd("edit " .. path)
    vim.lsp.buf_attach_client(0, id)
    client.settle(id)
    for number, text in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
      local column = text:find("[^%s#-]")
      if column and not text:find("^%s*#") then vim.api.nvim_win_set_cursor(0, { number, column - 1 }) end
    end
    silent = silent + (ask("textDocument/hover") and 0 or 1)
    for _, one in ipairs(vim.diagnostic.get(0)) do
      local first = vim.split(one.message, "\n")[1]
      say(string.format("%s:%d: %s", path:sub(#root + 2), one.lnum + 1, first))
    end
  end
  vim.fn.writefile({ tostring(#files), tostring(silent) }, vim.env.PLAIT_REPORT .. ".counts")
  vim.lsp.get_client_by_id(id).stop()
end)
