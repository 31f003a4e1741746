-- Neovim's own client of `plait lsp`: what scripts of these tests have in common.
local client = { root = vim.env.PLAIT_ROOT, report = {} }
local plait = vim.env.PLAIT_PYTHON

function client.say(line) table.insert(client.report, line) end

function client.attach(path)
  vim.cmd("edit " .. path)
  local id = vim.lsp.start_client({
    name = "plait",
    cmd = { plait, "-m", "plait", "lsp", "--no-cache" },
    root_dir = client.root,
    workspace_folders = { { uri = vim.uri_from_fname(client.root), name = "examples" } },
  })
  vim.lsp.buf_attach_client(0, id)
  vim.wait(20000, function() return vim.lsp.get_client_by_id(id) and vim.lsp.get_client_by_id(id).initialized end, 20)
  return id
end

-- All that the server has found, once it has nothing more to do: it answers in order.
function client.settle(id)
  vim.wait(60000, function()
    local answer = vim.lsp.get_client_by_id(id).request_sync("plait/idle", {}, 60000, 0)
    return answer and answer.result
  end, 20)
end

function client.at(words, inside)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(words, 1, true)
    if column then vim.api.nvim_win_set_cursor(0, { number, column - 1 + (inside or 0) }) return end
  end
  error("not found: " .. words)
end

function client.ask(method, extra)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), extra or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    if answer.error then client.say("error: " .. answer.error.message) end
    return answer.result
  end
end

-- Do the work of a script, write what it said, and end the editor.
function client.run(work)
  local ok, trouble = pcall(work)
  if not ok then client.say("failed: " .. tostring(trouble)) end
  vim.fn.writefile(client.report, vim.env.PLAIT_REPORT)
  vim.cmd("qall!")
end

return client
