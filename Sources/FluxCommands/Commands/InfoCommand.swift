import FluxInspector
import FluxJSON

extension Command {
  static let info = Command(
    "info", aliases: ["i"], group: .look, synopsis: "info [breakpoints]",
    summary: "Show facts about the log",
    help: """
      Actions in flight were logged, but their steps were not written when the recorder stopped. Some of them had \
      committed, and at most one had begun but not finished: the action that crashed the app.

      'info breakpoints' is the same as 'breakpoints'.
      """,
    examples: ["info", "info breakpoints"], arguments: .words(1),
    completions: [.words(["breakpoints"])]
  ) { arguments, console in
    switch arguments.words.first {
    case nil:
      let isLive = console.session.isAttached
      return Reply(try console.session.information()) { try $1.information($0, isLive: isLive) }
    case "breakpoints", "break", "b", "watchpoints": return .stopPoints(of: console.session)
    case let word?: throw arguments.usage("expected nothing or breakpoints, found \(word)")
    }
  }
}

extension TextOutput {
  /// Writes the facts about a log; `isLive` is `true` if the app that records it is connected.
  fileprivate mutating func information(_ log: Information, isLive: Bool) throws {
    try fact("file", log.file)
    try fact("log", log.log.value)
    try fact("created", log.created.value)
    try fact("app", log.appTitle)
    for constant in log.circumstances?.members.map(\.self) ?? [] {
      try fact("circumstance", "\(constant.name): \(constant.value.text)")
    }
    try fact("recorded on", log.platform)
    try fact("format", log.format)
    try fact(
      "steps", log.last.map { "\(log.steps), \(log.first) to \($0)" } ?? "none")
    try fact("stores", log.stores.joined(separator: ", "))
    if let reflected = log.reflected {
      try fact(
        "reflected",
        "\(reflected.joined(separator: ", ")): recorded by reflection, cannot be replayed")
    }
    try fact("redacted", log.redacted.joined(separator: ", "))
    if let only = log.only {
      let kept = only.isEmpty ? ["names"] : only
      try fact("redacted", "everything except \(kept.joined(separator: ", "))")
    }
    try fact("closed", closing(of: log, isLive: isLive))
    for action in log.inFlight { try fact("in flight", action.sentenceWithPayload) }
    try facts("gap", log.gaps.lazy.map(\.sentence), more: "gaps")
    try facts("warning", log.warnings, more: "warnings: 'check' lists them")
  }

  private func closing(of log: Information, isLive: Bool) -> String {
    let state =
      if !log.isClosed {
        isLive
          ? "no: the app is running" : "no: the recorder crashed, or is still recording"
      } else if log.isContinued == true {
        "yes: the recording continues in the next segment"
      } else {
        log.isComplete ? "yes" : "yes, but its last steps may be missing"
      }
    return log.isTorn ? state + "; the last line is truncated and left out" : state
  }

  private mutating func fact(_ name: String, _ value: String?) throws {
    guard let value, !value.isEmpty else { return }
    write("\(name): ", .heading)
    try line(value)
  }

  /// Writes the first facts of a kind; JSON has all of them.
  private mutating func facts(
    _ name: String, _ values: some Collection<String>, more: String
  ) throws {
    let limit = 10
    for value in values.prefix(limit) { try fact(name, value) }
    let rest = values.count - limit
    if rest > 0 { try line("and \(rest) more \(more)", .dim) }
  }
}
