import FluxInspector

/// The commands of debuggers, databases and other tools, and what does the same here.
enum ForeignCommand {
  /// Returns the line to write instead of a command of another tool; nil for any other word.
  static func equivalent(of name: String) -> String? {
    if subcommands.contains(name) {
      return "!flux-inspect \(name), a subcommand of the program"
    }
    if PositionRange(name) != nil { return "list \(name)" }
    return equivalents.first { $0.names.contains(name.lowercased()) }?.here
  }

  /// The subcommands of the program that are no commands of a session.
  private static let subcommands: Set<String> = [
    "attach", "check", "import", "mcp", "repair", "report", "review", "serve", "trust",
  ]

  private static let equivalents: [(names: Set<String>, here: String)] = [
    (["run", "process"], "start, and then continue"),
    (["po", "expr", "expression", "call", "inspect", "x", "jq"], "print VALUE"),
    (["backtrace", "frame", "thread", "callstack"], "where"),
    (["finish", "nexti"], "next"),
    (["stepi", "si"], "step"),
    (["children"], "effects"),
    (["ptype", "\\d", "\\dt", "tables", "locals", "ls-stores"], "stores"),
    (["select", "grep", "filter", "search", "where-is"], "find GLOB|EXPR"),
    (["seek", "travel"], "goto POS"),
    (["skip", "toggle", "reorder", "whatif", "what-if"], "redispatch RANGE --skip N"),
    (["flux-inspect", "open", "file", "load"], "quit, and open the other log"),
    (["tag", "mark", "checkpoint", "label"], "bookmark NAME"),
    (["trace", "rwatch", "awatch", "observe"], "watch VALUE"),
    (["assert", "expect", "invariant"], "until EXPR, or rules FILE"),
    (["record", "generate-test", "testgen"], "test FILE"),
    (["send", "emit", "fire"], "dispatch JSON"),
    (["compare-logs", "vimdiff"], "!flux-inspect diff A B"),
    (["stack", "why-not"], "where"),
    (["reverse-finish", "reverse-nexti"], "prev"),
    (["reverse-stepi", "rsi"], "back"),
    (["head"], "list ..10"),
    (["tail"], "end, and then list"),
    (["history-of"], "history VALUE"),
    (["reset", "restart", "rewind"], "start"),
    (["revert", "rollback"], "undo"),
    (["commit", "slice"], "save FILE"),
    (["replay"], "verify"),
    (["minimize", "minimise", "reduce"], "shrink EXPR"),
    (["settings"], "set NAME VALUE"),
    (["\\q", ":q", ":q!", ":wq", "bye", "logout"], "quit"),
    (["ls", "cd", "pwd", "cat", "clear", "less", "vim"], "!CMD, which runs a shell command"),
  ]
}
