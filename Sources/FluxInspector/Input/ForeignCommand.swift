/// The commands of debuggers, databases and other tools, and what does the same here.
enum ForeignCommand {
  /// Returns the line to write instead of a command of another tool; nil for any other word.
  static func equivalent(of name: String) -> String? {
    equivalents.first { $0.names.contains(name.lowercased()) }?.here
  }

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
    (["skip", "toggle", "reorder"], "redispatch RANGE --skip N"),
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
