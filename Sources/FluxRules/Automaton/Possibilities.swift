/// The answers that a question may have: yes, no, or that it was not asked.
struct Possibilities: OptionSet, Hashable, Sendable {
  var rawValue: UInt8

  static let yes = Possibilities(rawValue: 1)
  static let no = Possibilities(rawValue: 2)
  static let skipped = Possibilities(rawValue: 4)
  static let all: Possibilities = [.yes, .no, .skipped]

  /// `true` if there is only one answer.
  var isExact: Bool { rawValue.nonzeroBitCount == 1 }

  /// The answers one by one.
  var answers: [Possibilities] {
    [.yes, .no, .skipped].filter(contains)
  }
}

/// The number that a path selects at an event, as far as it is known.
enum PossibleNumber: Equatable, Sendable {
  case known(NumberSignal)
  case unknown

  /// The numbers to try: none at all, and one that violates whatever can be violated.
  var signals: [NumberSignal] {
    switch self {
    case .known(let number): [number]
    case .unknown: [.none, .extreme]
    }
  }
}

extension RuleAutomaton {
  /// Returns the signals of answers, which are in the order of the conditions; `nil` if one of them is not exact.
  func signals(exact answers: [Possibilities], _ number: PossibleNumber) -> RuleSignals? {
    guard case .known(let number) = number, answers.allSatisfy(\.isExact) else { return nil }
    func answer(_ question: Int?) -> Possibilities { question.map { answers[$0] } ?? .skipped }
    return RuleSignals(
      opens: answer(opening) == .yes, closes: answer(closing) == .yes,
      isTrue: answer(left) == .yes && !asksForFalse,
      isFalse: answer(left) == .no && asksForFalse,
      isAnswered: answer(right) == .yes, number: number)
  }

  /// Returns the different signals that are possible.
  func signals(possible answers: [Possibilities], _ number: PossibleNumber) -> [RuleSignals] {
    var combinations: [[Possibilities]] = [[]]
    for answer in answers {
      combinations = combinations.flatMap { some in answer.answers.map { some + [$0] } }
    }
    var found: [RuleSignals] = []
    for combination in combinations {
      for number in number.signals {
        guard let signals = signals(exact: combination, .known(number)) else { continue }
        if !found.contains(signals) { found.append(signals) }
      }
    }
    return found
  }
}
