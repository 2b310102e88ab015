import FluxJSON

extension Request {
  /// The kinds of requests, as threads treat them.
  enum Kind {
    /// Searches the log, and ends with `stopped`.
    case search
    /// Only reads.
    case read
    /// Changes breakpoints.
    case breakpoints
    /// Ends a search, or the wait for new steps.
    case pause
    case other
  }

  var kind: Kind {
    switch command {
    case "configurationDone": return .search
    case "pause": return .pause
    // A command line may move or fork.
    case "evaluate" where arguments["context"]?.string == "repl": return .other
    case "setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints",
      "setExceptionBreakpoints":
      return .breakpoints
    default:
      if MoveCommand(rawValue: command) != nil { return .search }
      return ReadCommand(rawValue: command) == nil ? .other : .read
    }
  }
}
