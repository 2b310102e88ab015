import FluxSystem

extension RuleResult {
  /// The result for people, in lines without a common indentation; empty if the rule holds without a warning.
  ///
  /// - Parameter opening: Returns the start of the shell command that opens a log; nil for a session, where the next
  ///   steps are its commands.
  /// - Returns: The lines.
  public func lines(opening: ((_ log: String) -> String)?) -> [String] {
    warnings.map { "warning: \($0)" } + verdictLines(opening)
  }

  /// The reasons why a rule that holds proves less than it seems to, as sentences without a full stop.
  public var warnings: [String] {
    let missing = missingStores.map { store in
      "rule \(rule.name) reads the store \(store.name), which is in no checked recording"
        + (store.suggestion.map { "; did you mean \($0)?" } ?? "")
    }
    return verdict == .vacuous
      ? missing + ["rule \(rule.name) was never triggered: \(rule.text)"] : missing
  }

  private func verdictLines(_ opening: ((_ log: String) -> String)?) -> [String] {
    switch verdict {
    case .holds, .vacuous: return []
    case .unknown:
      return ["unknown: rule \(rule.name): the missing parts of the log decide it: \(rule.text)"]
    case .open:
      return ["open: rule \(rule.name): \(position) still has to be answered: \(rule.text)"]
    case .violated: break
    }
    var lines = ["", "\(segment)\(line.map { ":\($0)" } ?? ""): \(position)"]
    let causes = chain.dropFirst().map { "\($0.number) \($0.type)" }
    if !causes.isEmpty {
      let rest = isChainCut ? ", by earlier steps that are not listed" : ""
      lines.append("  caused by \(causes.joined(separator: ", by "))\(rest)")
    }
    lines.append("  violates rule \(rule.name): \(rule.text)")
    lines += missingPaths.map { missing in
      "  note: no path \(missing.path) there; did you mean \(missing.suggestion)?"
    }
    if let unreadable {
      let part = chain.isEmpty ? "the step" : "an earlier cause"
      lines.append("  note: \(part) could not be read again: \(unreadable)")
    }
    lines.append("  next:")
    guard let opening else { return lines + next.map { "    \($0)" } }
    let start = "\(opening(segment)) -g \(number.map { "\($0)" } ?? "start")"
    lines.append("    \(start)")
    lines += next.dropFirst().map { "    \(start) -e \($0)" }
    return lines
  }

  private var position: String {
    guard let number else { return step == nil ? "no step" : "at start" }
    return "step \(number)\(chain.first.map { ", \($0.type)" } ?? "")"
  }
}

extension CheckedLog {
  /// The results for people: a line with the verdict, then the details.
  ///
  /// - Parameters:
  ///   - result: The word for the verdict; nil for ``summary``.
  ///   - opening: Returns the start of the shell command that opens a log; nil for a session, where the next steps are its
  ///     commands.
  /// - Returns: The lines.
  public func lines(
    result: String? = nil, opening: ((_ log: String) -> String)?
  ) -> [String] {
    let steps = "\(steps.counted("step"))"
    var lines = ["\(result ?? summary): \(log): \(count), \(steps)"]
    for result in results {
      lines += result.lines(opening: opening).map { $0.isEmpty ? "" : "  \($0)" }
    }
    lines += damage.map { "  damage: \($0.path): \($0.finding)" }
    if let reason = ending.reason {
      lines.append("  note: \(reason); its last steps may be missing")
    }
    return lines
  }

  /// The overall result in a word: of the verdicts, the one that matters most.
  public var summary: String {
    if has(.violated) { return RuleVerdict.violated.rawValue }
    if !damage.isEmpty { return "damaged" }
    let found = [RuleVerdict.unknown, .open].first(where: has)
    return (found ?? .holds).rawValue
  }

  private func has(_ verdict: RuleVerdict) -> Bool { results.contains { $0.verdict == verdict } }

  private var count: String {
    let violated = results.count { $0.verdict == .violated }
    let rules = "\(results.count.counted("rule"))"
    return violated == 0 ? rules : "\(violated) of \(rules)"
  }
}
