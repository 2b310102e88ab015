-- flux-inspect for nvim-dap: `require("flux").setup()`, with this file in lua/ of the configuration.

local M = {}

--- Registers the adapter, and configurations for Swift and for logs.
--- @param options { executable: string? }?
function M.setup(options)
  local dap = require("dap")
  local executable = options and options.executable or "flux-inspect"

  dap.adapters.flux = { type = "executable", command = executable, args = { "dap" } }
  -- A fork is a second thread that stops. Otherwise nvim-dap continues it, and again whenever it stops at its end.
  dap.defaults.flux.auto_continue_if_many_stopped = false

  local function log()
    local file = vim.api.nvim_buf_get_name(0)
    if file:match("%.jsonl$") then return file end
    return vim.fn.input({ prompt = "log: ", completion = "file" })
  end

  local launch = {
    type = "flux",
    request = "launch",
    name = "Flux recording",
    program = log,
    sourceRoots = { "${workspaceFolder}" },
  }
  local follow = {
    type = "flux",
    request = "attach",
    name = "Flux recording, followed while it is written",
    log = log,
    sourceRoots = { "${workspaceFolder}" },
  }
  for _, filetype in ipairs({ "swift", "json", "jsonl" }) do
    local configurations = dap.configurations[filetype] or {}
    vim.list_extend(configurations, { launch, follow })
    dap.configurations[filetype] = configurations
  end
end

return M
