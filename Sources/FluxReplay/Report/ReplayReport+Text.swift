import FluxJSON
import FluxSystem

extension ReplayReport: CustomStringConvertible {
  /// The report for people, as ``text`` without the last line break.
  public var description: String { lines.joined(separator: "\n") }

  /// The report for people: a line with the verdict, then the details.
  ///
  /// A divergence names the log and line, the step, its action and causes, the store, the path, both values, a
  /// likely reason, and lines to paste into a shell. Characters that a terminal would obey are escaped.
  public var text: String { lines.joined(separator: "\n") + "\n" }

  package var lines: [String] { layout.map(\.text) }

  /// The lines of ``text``, the verdict first.
  package var layout: [ReportLine] {
    let shell = ShellLine(inspector: inspector, log: log, app: app)
    return layout { shell.text($0, at: $1) }
  }

  /// The lines for a session that has the log open: the steps to take next are its commands.
  package var sessionLayout: [ReportLine] { layout { next, _ in next.dispatchingCommand } }

  private func layout(
    next command: (_ next: NextStep, _ step: UInt64?) -> String?
  ) -> [ReportLine] {
    var rest: [String] = []
    // The reason for an impossible replay may be a wrong app, which says more than what the app lacks.
    if severity == .impossible { rest += noteLines }
    rest += incompatibilityLines
    rest += damage.map { "  damage: \(log): \($0)" }
    if !redacted.isEmpty {
      rest.append("  redacted, not compared: \(redacted.joined(separator: ", "))")
    }
    rest += circumstances.map { "  circumstance: \($0.sentence)" }
    if severity != .impossible { rest += noteLines }
    return [ReportLine(headline)] + divergences.flatMap { $0.layout(log: log, next: command) }
      + rest.map { ReportLine($0) }
  }

  private var noteLines: [String] {
    notes.flatMap { note in
      note.split(separator: "\n").enumerated().map { $0 == 0 ? "  note: \($1)" : "    \($1)" }
    }
  }

  private var headline: String {
    let compared = "\(steps.counted("step")) compared"
    switch verdict {
    case .passed: return "passed: \(log): \(compared)"
    case .diverged:
      let count = divergences.count
      return "diverged: \(log): \(count.counted("divergence")), \(compared)"
    case .incompatible:
      let result = severity == .impossible ? "the app cannot replay this log" : compared
      return "incompatible: \(log): \(result)"
    case .damaged: return "damaged: \(log): \(compared)"
    case .empty: return "empty: \(log): \(compared)"
    }
  }

  /// The incompatibilities, a line each; one line for all actions that the app does not handle, and one for all that
  /// reflection recorded.
  private var incompatibilityLines: [String] {
    var unhandled: [String] = []
    var unlisted: [String] = []
    var reflected: [String] = []
    var others: [Incompatibility] = []
    for incompatibility in incompatibilities {
      switch incompatibility.subject {
      case .unknownAction(let type, let step): unhandled.append("\(type) (step \(step))")
      case .unlistedAction(let type, let step): unlisted.append("\(type) (step \(step))")
      case .reflectedAction(let type, _): reflected.append(type)
      default: others.append(incompatibility)
      }
    }
    guard max(unhandled.count, unlisted.count, reflected.count) > 1 else {
      return incompatibilities.map(\.line)
    }
    func shortened(_ names: [String]) -> String {
      let more = names.count - 5
      return (more > 1 ? names.prefix(5) + ["and \(more) more"] : names[...]).joined(
        separator: ", ")
    }
    var lines: [String] = []
    if !unhandled.isEmpty {
      lines.append(
        "  error: no store handles \(shortened(unhandled)); if actions were renamed, add aliases to the app's Evolution; "
          + "if they were removed, drop them there")
    }
    if !unlisted.isEmpty {
      lines.append(
        "  error: the app's actions do not include \(shortened(unlisted)); add their types to the `actions` of the "
          + "AppDefinition, or, if they were renamed, aliases to the app's Evolution")
    }
    if !reflected.isEmpty {
      lines.append(
        "  error: reflection recorded the actions \(shortened(reflected)), which cannot be decoded; make their types "
          + "Codable, and record again, or drop them in the app's Evolution")
    }
    return lines + others.map(\.line)
  }
}

extension Incompatibility {
  fileprivate var line: String {
    let label =
      switch severity {
      case .fine: "note"
      case .risky: "warning"
      case .impossible: "error"
      }
    return "  \(label): \(self)"
  }
}

extension Divergence {
  fileprivate func layout(
    log: String, next command: (_ next: NextStep, _ step: UInt64?) -> String?
  ) -> [ReportLine] {
    let place = line.map { "\(log):\($0)" } ?? log
    let position =
      kind == .initial ? "at start" : "step \(step), \(Excerpt.text(of: action, limit: 120))"
    let commands = next.compactMap { command($0, kind == .initial ? nil : step) }
    return [ReportLine(""), ReportLine("  \(place): \(position)")]
      + (causes + findings).map { $0.indented(by: 4) } + [ReportLine("    next:")]
      + commands.map { ReportLine("      \($0)", isVerbatim: true) }
  }

  /// The details of the divergence, except its step: causes, store, path, values and a likely reason.
  package var details: [String] { (causes + findings).map(\.text) }

  /// The line with the causes of the step; empty if it has none.
  private var causes: [ReportLine] {
    let causes = chain.dropFirst().map { "\($0.number) \($0.type)" }
    return causes.isEmpty ? [] : [ReportLine("caused by \(causes.joined(separator: ", by "))")]
  }

  /// The difference in lines: the store, the path, both values and a likely reason.
  package var findings: [ReportLine] {
    var lines = [ReportLine(sentence)]
    if recorded != nil || replayed != nil {
      let scalars = LookAlike.scalars(recorded, replayed)
      for (name, (value, scalars)) in zip(
        comparison.sides, [(recorded, scalars?.left), (replayed, scalars?.right)])
      {
        let text = value.map { Excerpt.text(of: $0) } ?? "nothing"
        let line = "  \(name): \(text)\(scalars.map { " \($0)" } ?? "")"
        lines.append(ReportLine(line, isVerbatim: true))
      }
    }
    if let reason { lines.append(ReportLine("likely reason: \(reason)")) }
    if kind == .initial {
      lines.append(
        ReportLine("if the app restores saved states, or the log is a saved fork: --initial ignore")
      )
    }
    return lines
  }

  private var sentence: String {
    let type = action["type"]?.string ?? "the action"
    let subject = store.map { "the store \($0)" } ?? "the app"
    guard comparison == .record else {
      return switch kind {
      case .initial: "two fresh starts of \(subject) differ\(place)"
      case .different: "two replays of \(type) differ in \(subject)\(place)"
      case .missing, .extra, .followUp: "two replays of \(type) dispatch different follow-ups"
      case .effectMissing, .effectExtra: "two replays of \(type) ask for different effects"
      case .rejected, .accepted, .reason, .message, .undecodable:
        "two replays of \(type) end differently"
      }
    }
    let cause = chain.dropFirst().first.map { "step \($0.number), \($0.type)," } ?? "its cause"
    return switch kind {
    case .initial: "\(subject) begins in a different state\(place)"
    case .different: "after \(type), \(subject) differs\(place)"
    case .rejected: "\(subject) now rejects \(type)"
    case .accepted: "\(type) was rejected, and is now accepted"
    case .reason: "\(type) is rejected for a different reason"
    case .message: "\(subject) refuses \(type) with a different message"
    case .undecodable: "the app can no longer decode \(type)"
    case .missing: "\(cause) no longer dispatches \(type)"
    case .extra: "\(type) dispatches a follow-up that the recording does not have"
    case .followUp: "\(cause) dispatches a different follow-up"
    case .effectMissing: "\(type) no longer asks for an effect\(ofStore)"
    case .effectExtra: "\(type) asks for an effect\(ofStore) that the recording does not have"
    }
  }

  private var ofStore: String { store.map { " of the store \($0)" } ?? "" }

  private var place: String {
    guard let path else { return "" }
    let more = others == 0 ? "" : " and \(others) more \(others == 1 ? "place" : "places")"
    return " at \(path)\(more)" + (isRedacted ? "; the value is redacted" : "")
  }
}

/// A line of a report for people.
///
/// Characters that a terminal would obey are escaped.
package struct ReportLine: Sendable, Equatable {
  /// The text, with its indentation.
  package let text: String
  /// `true` for a value and for a command to paste, which must not be wrapped.
  package let isVerbatim: Bool

  init(_ text: String, isVerbatim: Bool = false) {
    self.text = text.printable
    self.isVerbatim = isVerbatim
  }

  func indented(by count: Int) -> ReportLine {
    ReportLine(String(repeating: " ", count: count) + text, isVerbatim: isVerbatim)
  }
}
