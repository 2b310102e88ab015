import FluxLog

extension ReplayReport {
  /// The report for people: a line with the verdict, then all that there is to know.
  ///
  /// A divergence names log and line, step, action, chain of causes, store, path, recorded and
  /// replayed value, a likely reason, and the commands to go on with. Characters that a terminal would
  /// obey are spelled out.
  public var text: String {
    var lines = [headline]
    let opening = "flux-inspect \(log.shellWord)" + (app.map { " --app \($0.shellWord)" } ?? "")
    lines += divergences.flatMap { $0.lines(log: log, opening: opening) }
    lines += incompatibilities.map { "  \($0.severity): \($0)" }
    lines += damage.map { "  damage: \(log): \($0)" }
    if !redacted.isEmpty {
      lines.append("  redacted, not compared: \(redacted.joined(separator: ", "))")
    }
    lines += notes.map { "  note: \($0)" }
    return lines.map(Excerpt.printable).joined(separator: "\n") + "\n"
  }

  private var headline: String {
    let compared = "\(steps) \(steps == 1 ? "step" : "steps") compared"
    switch verdict {
    case .passed: return "passed: \(log): \(compared)"
    case .diverged:
      let count = divergences.count
      return "diverged: \(log): \(count) \(count == 1 ? "divergence" : "divergences"), \(compared)"
    case .incompatible:
      return "incompatible (\(severity.map { "\($0)" } ?? "")): \(log): \(compared)"
    case .damaged: return "damaged: \(log): \(compared)"
    case .empty: return "empty: \(log): \(compared)"
    }
  }
}

extension Divergence {
  /// The divergence, indented as part of a report; `opening` opens the log in the inspector.
  fileprivate func lines(log: String, opening: String) -> [String] {
    let place = line.map { "\(log):\($0)" } ?? log
    var lines = ["", "  \(place): step \(step), \(Excerpt.text(of: action, limit: 120))"]
    lines += details.map { "    \($0)" }
    lines.append("    go on: \(opening) -g \(step)")
    // The first one is to go there.
    lines += next.dropFirst().map { "      \($0)" }
    return lines
  }

  /// What there is to say of the divergence beside its step, in lines.
  ///
  /// Causes, store, path, values and a likely reason; characters that a terminal would obey are spelled out.
  package var details: [String] {
    var lines: [String] = []
    let causes = chain.dropFirst().map { "\($0.number) \($0.type)" }
    if !causes.isEmpty { lines.append("caused by \(causes.joined(separator: ", by "))") }
    lines.append(sentence)
    if let path {
      let more = others > 0 ? ", and \(others) more places" : ""
      lines.append("at \(path)\(others == 1 ? ", and 1 more place" : more)")
    }
    let names = comparison == .record ? ("recorded", "replayed") : ("1st run ", "2nd run ")
    if recorded != nil || replayed != nil {
      lines.append("  \(names.0): \(recorded.map { Excerpt.text(of: $0) } ?? "nothing")")
      lines.append("  \(names.1): \(replayed.map { Excerpt.text(of: $0) } ?? "nothing")")
    }
    if let reason { lines.append("likely reason: \(reason)") }
    return lines.map(Excerpt.printable)
  }

  private var sentence: String {
    let subject = store.map { "the store \($0)" } ?? "the app"
    let two = comparison == .replays
    return switch kind {
    case .different:
      two
        ? "two replays lead \(subject) to different states"
        : "\(subject) comes to another state"
    case .rejected:
      recorded == nil ? "it is rejected now" : "it is rejected for another reason"
    case .accepted: "it was rejected, and is accepted now"
    case .undecodable: "the action cannot be read any more"
    case .missing: "the step before it in the chain does not ask for it any more"
    case .extra: "it asks for a follow-up that the record does not have"
    case .followUp: "the step before it in the chain asks for something else"
    }
  }
}
