import FluxJSON

/// A state of a rule's automaton after some steps.
struct RuleState: Equatable {
  /// The place of the trace with regard to the scope.
  enum Phase: UInt8 {
    case outside
    case inside
    /// No other scope can begin.
    case over
  }

  var phase = Phase.outside
  /// A violation is kept back until the scope closes.
  var isHeld = false
  /// The event came that the pattern waits for: `eventually` was met, the first event of `precedes` came, or a
  /// question of `leads to` is pending.
  var flag = false
  /// The step that began what is pending: it opened the scope, or asked the question.
  ///
  /// The largest number if the step is missing.
  var since: Int64 = 0
  /// The last step or microsecond for the answer to the question that ``since`` asked; the largest number if it has no
  /// deadline.
  var sinceEnd = Int64.max
  /// The number of events, or the last step or microsecond for the answer.
  var amount: Int64 = 0
  /// The last known number.
  var last = NumberSignal.none

  /// Takes a question that can no longer be pending for one that a missing step asked.
  mutating func forgetSince() { (since, sinceEnd) = (.max, .max) }

  /// The part of the state that decides which states can be joined.
  var key: UInt8 { phase.rawValue | (isHeld ? 4 : 0) | (flag ? 8 : 0) }
}

/// A number that a step is compared with.
enum NumberSignal: Equatable, Sendable {
  /// There is no number.
  case none
  case integer(Int64)
  case other(JSONNumber)
  /// An unknown number that no other number may follow, and that may follow none.
  case extreme

  init(_ value: QueryValue) {
    switch value {
    case .absent: self = .none
    case .integer(let integer): self = .integer(integer)
    case .json(let json):
      self =
        json.number.map { number in number.int64.map { .integer($0) } ?? .other(number) } ?? .none
    }
  }

  /// `true` if this number must not follow the other one, which it is beyond in a direction.
  func isBeyond(_ other: NumberSignal, _ direction: Rule.Direction) -> Bool {
    switch (self, other) {
    case (.integer(let new), .integer(let old)): return direction == .up ? new > old : new < old
    case (.none, _), (_, .none): return false
    case (.extreme, _), (_, .extreme): return true
    default:
      guard let new = number, let old = other.number else { return false }
      return direction == .up ? old < new : new < old
    }
  }

  private var number: JSONNumber? {
    switch self {
    case .integer(let integer): JSON(integerLiteral: integer).number
    case .other(let number): number
    case .none, .extreme: nil
    }
  }
}

/// The answers to a rule's questions at one event.
struct RuleSignals: Equatable {
  var opens = false
  var closes = false
  /// The left or only condition is true.
  var isTrue = false
  /// The left or only condition was asked, and is false.
  var isFalse = false
  /// The right condition is true.
  var isAnswered = false
  var number = NumberSignal.none
}

/// A step of a trace, or its start.
///
/// The time of a missing step or start is only known to be between two times.
struct RuleEvent {
  var number: Int64
  var earliest: Int64
  var latest: Int64
  var isMissing = false
  /// `true` for a missing step that led to known states, by an action that is not known.
  var hidesAction = false

  /// The number to report for what begins here if a condition is true.
  func since(_ condition: Rule.Condition) -> Int64 {
    isMissing || hidesAction && !condition.readsStatesOnly ? .max : number
  }
}
