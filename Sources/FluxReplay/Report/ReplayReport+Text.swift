import FluxJSON
import FluxLog

extension ReplayReport {
  /// The report for people: a line with the verdict, then the details.
  ///
  /// A divergence names the log and line, the step, its action and causes, the store, the path, both values, a
  /// likely reason, and lines to paste into a shell. Characters that a terminal would obey are escaped.
  public var text: String {
    var lines = [headline]
    let shell = ShellLine(inspector: inspector, log: log, app: app)
    lines += divergences.flatMap { $0.lines(log: log, shell: shell) }
    lines += incompatibilities.map { "  \($0.severity): \($0)" }
    lines += damage.map { "  damage: \(log): \($0)" }
    if !redacted.isEmpty {
      lines.append("  redacted, not compared: \(redacted.joined(separator: ", "))")
    }
    lines += notes.flatMap { note in
      note.split(separator: "\n").enumerated().map { $0 == 0 ? "  note: \($1)" : "    \($1)" }
    }
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
  /// The divergence, indented as part of a report.
  fileprivate func lines(log: String, shell: ShellLine) -> [String] {
    let place = line.map { "\(log):\($0)" } ?? log
    var lines = ["", "  \(place): step \(step), \(Excerpt.text(of: action, limit: 120))"]
    lines += details.map { "    \($0)" }
    lines.append("    next:")
    lines += next.compactMap { shell.text($0, at: step) }.map { "      \($0)" }
    return lines
  }

  /// The details of the divergence beside its step: causes, store, path, values and a likely reason.
  ///
  /// Characters that a terminal would obey are escaped.
  package var details: [String] {
    var lines: [String] = []
    let causes = chain.dropFirst().map { "\($0.number) \($0.type)" }
    if !causes.isEmpty { lines.append("caused by \(causes.joined(separator: ", by "))") }
    lines.append(sentence)
    if recorded != nil || replayed != nil {
      let names = comparison == .record ? ("recorded", "replayed") : ("run 1", "run 2")
      lines.append("  \(names.0): \(recorded.map { Excerpt.text(of: $0) } ?? "nothing")")
      lines.append("  \(names.1): \(replayed.map { Excerpt.text(of: $0) } ?? "nothing")")
    }
    if let reason { lines.append("likely reason: \(reason)") }
    return lines.map(Excerpt.printable)
  }

  private var sentence: String {
    let type = action["type"]?.string ?? "the action"
    let subject = store.map { "the store \($0)" } ?? "the app"
    guard comparison == .record else {
      return switch kind {
      case .different: "two replays of \(type) differ in \(subject)\(place)"
      case .missing, .extra, .followUp: "two replays of \(type) dispatch different follow-ups"
      case .rejected, .accepted, .undecodable: "two replays of \(type) end differently"
      }
    }
    let cause = chain.dropFirst().first.map { "step \($0.number), \($0.type)," } ?? "its cause"
    return switch kind {
    case .different: "after \(type), \(subject) differs\(place)"
    case .rejected:
      recorded == nil
        ? "\(subject) now rejects \(type)" : "\(type) is rejected for a different reason"
    case .accepted: "\(type) was rejected, and is now accepted"
    case .undecodable: "the app can no longer decode \(type)"
    case .missing: "\(cause) no longer dispatches \(type)"
    case .extra: "\(type) dispatches a follow-up that the recording does not have"
    case .followUp: "\(cause) dispatches a different follow-up"
    }
  }

  /// The first place that differs, and the number of others.
  private var place: String {
    guard let path else { return "" }
    let more = others == 0 ? "" : " and \(others) more \(others == 1 ? "place" : "places")"
    return " at \(path)\(more)"
  }
}
