import FluxJSON

/// A rule on its way through a trace, and what it takes of the answers that a ``RuleQuestion`` has for all rules.
struct RuleSubject {
  private(set) var progress: RuleProgress
  /// The indices of its conditions in the answers.
  private let conditions: [Int]
  /// The index of its number in the answers; `nil` if it compares none.
  private let number: Int?
  /// The answers to its conditions at the current step; `.skipped` where they do not matter.
  private var answers: [Possibilities]

  /// Prepares a rule for the answers to some conditions and paths.
  init(
    _ progress: RuleProgress, asking conditions: [Rule.Condition], _ paths: [QueryExpression]
  ) {
    self.progress = progress
    self.conditions = progress.automaton.conditions.compactMap(conditions.firstIndex)
    number = progress.automaton.path.flatMap(paths.firstIndex)
    answers = Array(repeating: .skipped, count: self.conditions.count)
  }

  /// Moves over missing steps, as ``RuleProgress/skip(_:before:from:to:)``.
  mutating func skip(_ count: UInt64, before number: Int64, from earliest: Int64, to latest: Int64)
  {
    progress.skip(count, before: number, from: earliest, to: latest)
  }

  /// Moves over a step, or the start.
  mutating func take(_ answer: RuleQuestion.Answer, at event: RuleEvent) {
    let number = choose(from: answer)
    if let signals = progress.automaton.signals(exact: answers, number) {
      progress.take(signals, at: event)
    } else {
      progress.take(possible: progress.automaton.signals(possible: answers, number), at: event)
    }
  }

  /// Chooses the answers that matter in the phase of the rule, and returns the number that matters.
  private mutating func choose(from answer: RuleQuestion.Answer) -> PossibleNumber {
    for condition in answers.indices { answers[condition] = .skipped }
    func choose(_ condition: Int?) {
      guard let condition else { return }
      answers[condition] = answer.conditions[conditions[condition]]
    }
    let automaton = progress.automaton
    let phase = progress.phase
    if phase == .over { return .known(.none) }
    if phase == .outside {
      choose(automaton.opening)
      return .known(.none)
    }
    choose(automaton.closing)
    let closes = automaton.closing.map { answers[$0] } ?? .no
    if phase == nil || closes.contains(.yes) { choose(automaton.opening) }
    if phase == .inside, closes == .yes { return .known(.none) }
    choose(automaton.left)
    choose(automaton.right)
    return number.map { answer.numbers[$0] } ?? .known(.none)
  }
}
