/// The answers that a question may have: yes, no, or that it was not asked.
struct Possibilities: OptionSet, Hashable {
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
enum PossibleNumber: Equatable {
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
  /// Returns the signals of exact answers, which are in the order of the conditions.
  func signals(_ answers: [Possibilities], _ number: NumberSignal) -> RuleSignals {
    RuleSignals(
      opens: opening.map { answers[$0] == .yes } ?? false,
      closes: closing.map { answers[$0] == .yes } ?? false,
      isTrue: left.map { answers[$0] == .yes } ?? false,
      isFalse: left.map { answers[$0] == .no } ?? false,
      isAnswered: right.map { answers[$0] == .yes } ?? false, number: number)
  }

  /// Returns the different signals that are possible.
  func signals(
    possible answers: [Possibilities], _ number: PossibleNumber
  ) -> [RuleSignals] {
    var combinations: [[Possibilities]] = [[]]
    for answer in answers {
      combinations = combinations.flatMap { some in answer.answers.map { some + [$0] } }
    }
    var found: [RuleSignals] = []
    for combination in combinations {
      for number in number.signals {
        let signals = signals(combination, number)
        if !found.contains(signals) { found.append(signals) }
      }
    }
    return found
  }
}
