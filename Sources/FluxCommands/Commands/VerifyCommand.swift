import FluxInspector
import FluxLog
import FluxReplay
import FluxSystem

extension Command {
  static let verify = Command(
    "verify", group: .replay, synopsis: "verify [RANGE]",
    summary: "Replay the log in fresh stores, and compare",
    help: """
      Dispatches the actions of the log, or those of RANGE, in fresh stores of the app, with the recorded \
      numbers, times and random numbers. It compares the initial states of a log that begins with them, and, \
      for each step, the outcome, the message of a refusal, the states, the follow-ups (actions that reducers \
      ask for), and the effects that dispatched steps. Follow-ups right after RANGE belong to it. The first step \
      that diverges ends it. The report counts what could not be compared. A batch exits with 1 if a step \
      diverges, and with 5 if nothing could be run.

      The position does not change; the report suggests commands to continue with.
      """,
    examples: ["verify", "verify 100..200"], arguments: .words(1), completions: [.range]
  ) { arguments, console in
    let range = try arguments.words.first.map { try arguments.range($0) }
    let result = try console.session.verify(range)
    let changesActions = result.report.divergences.contains(where: \.changesActions)
    let notes =
      changesActions && console.session.log.firstInterruption == nil
      ? [
        "the app dispatches other follow-ups now; to record that: redispatch .. and then save FILE"
      ]
      : []
    let hasShell = console.session.services.hasShell
    return Reply(result) { result, text in
      let report = result.report
      // A page and the console of an editor have no place for a shell line.
      let layout = hasShell ? report.layout : report.sessionLayout
      for (place, line) in layout.enumerated() {
        if line.isVerbatim {
          try text.line(line.text)
        } else {
          try text.wrapped(line.text, place == 0 ? .heading : .plain)
        }
      }
    }.adding(notes)
  }

  static let compare = Command(
    "compare", group: .replay, synopsis: "compare [N]",
    summary: "Compare a fork with the recording",
    help: """
      Shows the first step of fork N, or of the current one, that leads to different states than the recorded \
      step it repeats, and the differences at the end. Then come the steps that are accepted on one side only, \
      are rejected with a different message, or ask for different effects. If the fork repeats no steps, steps \
      with the same number are compared. If anything differs, a batch exits with 1.
      """,
    examples: ["compare", "compare 1"], arguments: .words(1), completions: [.fork]
  ) { arguments, console in
    let number = arguments.words.isEmpty ? nil : try arguments.number(of: "fork")
    return Reply(try console.session.compare(fork: number)) { try $1.comparison($0) }
  }

  static let rules = Command(
    "rules", group: .look, synopsis: "rules FILE",
    summary: "Check the log against a rules file",
    help: """
      The file contains one rule per line, such as 'rule total: always cart.total >= 0'. Each rule holds, is \
      violated, is open because the log was not closed, is unknown because steps or states are missing, or was \
      never triggered. A batch exits with 1 if a rule is violated.

      The position does not change. 'catch rule NAME' stops at the step that violates a rule.
      """,
    examples: ["rules shop.rules"], arguments: .words(1), completions: [.file]
  ) { arguments, console in
    let file = try arguments.word("a file of rules")
    return Reply(try console.session.checkRules(in: file)) { result, text in
      for (place, line) in result.text.enumerated() {
        try text.line(line, place == 0 ? .heading : .plain)
      }
    }
  }
}

extension TextOutput {
  mutating func comparison(_ comparison: ForkDifference) throws {
    let (fork, recorded) = (comparison.fork, comparison.recorded)
    let unknown = comparison.unknown.map { stores in
      let (noun, verb) = stores.count == 1 ? ("state", "is") : ("states", "are")
      return "the \(noun) of \(stores.joined(separator: ", ")) there \(verb) not in the log"
    }
    let missing = comparison.uncomparedSteps.map {
      "the states of \($0.counted("step")) are not in the log, and were not compared"
    }
    guard !comparison.isSame else {
      try line(
        (missing ?? unknown).map { "fork \(fork) differs from no recorded state; \($0)" }
          ?? "fork \(fork) leads to the recorded states, up to those of step \(recorded)", .heading)
      return try outcomes(of: comparison)
    }
    if let first = comparison.first {
      let repeated =
        first.step == first.recorded ? "" : ", which repeats step \(first.recorded)"
      try line("fork \(fork) first differs at step \(first.step)\(repeated)", .heading)
      try entries(first.readable)
    }
    let isRepeated = comparison.first?.changes == comparison.changes
    let result =
      isRepeated
      ? ": the same differences"
      : comparison.changes.isEmpty ? ": \(unknown ?? "no differences")" : ""
    try line("at the end, compared with step \(recorded)\(result)", .heading)
    if !isRepeated { try entries(comparison.readable) }
    if let unknown, !comparison.changes.isEmpty { try line(unknown, .dim) }
    if let missing { try line(missing, .dim) }
    if let steps = comparison.missingSteps {
      let ranges = steps.map { $0.from == $0.to ? "\($0.from)" : "\($0.from) to \($0.to)" }
      let noun = steps.count == 1 && steps[0].from == steps[0].to ? "step" : "steps"
      try line(
        "not in the log, and not on the fork: \(noun) \(ranges.joined(separator: ", "))", .dim)
    }
    try outcomes(of: comparison)
  }

  /// Writes the steps with other outcomes, messages and effects.
  private mutating func outcomes(of comparison: ForkDifference) throws {
    guard let divergences = comparison.divergences else { return }
    let shown = divergences.prefix(Self.mostOutcomes)
    for divergence in shown {
      for (place, finding) in divergence.findings.enumerated() {
        try line(
          place == 0 ? "recorded step \(divergence.step): \(finding.text)" : finding.text)
      }
    }
    let more = (comparison.divergenceCount ?? divergences.count) - shown.count
    if more > 0 {
      try line("\(more.counted("more difference")) in outcomes, messages and effects", .dim)
    }
  }

  /// The divergences that are shown with their details: most follow from the first.
  private static var mostOutcomes: Int { 5 }
}
