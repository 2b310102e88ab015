import FluxJSON
import FluxLog
import Foundation

/// The reasons that a report gives for a divergence, each a sentence that a test has proved.
enum LikelyReason {
  /// Two numbers with a fraction differ only in their last digits, and a second replay has the same one.
  static let rounding =
    "the numbers differ by less than a billionth, as rounding on another machine or in another order does; set a "
    + "tolerance to allow it"

  /// `true` if two numbers with a fraction differ only in their last digits.
  static func isRounding(_ place: StateComparison.Pair) -> Bool {
    guard let left = place.recorded?.number?.double, let right = place.replayed?.number?.double,
      left.rounded() != left, right.rounded() != right, left != right
    else { return false }
    return abs(left - right) <= 1e-9 * max(abs(left), abs(right))
  }

  static func consequence(of step: UInt64) -> String {
    "it follows from step \(step), which already differs"
  }

  static func member(_ name: String, isAdded: Bool) -> String {
    isAdded
      ? "only the replay has the member \"\(name)\": it is new, or was omitted before"
      : "only the recording has the member \"\(name)\": it was removed, or is omitted now"
  }
}

/// Something outside the log and the stores that a reducer depends on.
enum HiddenInput: Equatable {
  /// An order, of a set or of something else.
  case order
  /// The order of a set or a dictionary, which depends on the hash seed of the process.
  case hashing
  case identifiers
  case clock
  /// The environment of the process.
  case environment
  /// Nothing more is known.
  case other

  /// Finds the input that two values of a place suggest; the place's tokens begin after the store.
  ///
  /// The clock shows in the values if the replayed one is the current time; of two replays, both are.
  init(
    of place: StateComparison.Pair, in states: (JSON?, JSON?), now: LogInstant,
    areReplays: Bool
  ) {
    self =
      Self.isReordered(place.tokens, states)
      ? .order
      : Self.areIdentifiers(place)
        ? .identifiers : Self.isClock(place, now, areReplays: areReplays) ? .clock : .other
  }

  /// Returns the sentence of a report, with advice that fits the app's reducers; two replays have shown that it is
  /// true.
  func reason(for reducers: AppDescription.Reducers) -> String {
    switch (self, reducers) {
    case (.order, _):
      "two replays have the same elements in another order, which the recording does not determine; sort them, or take "
        + "random numbers from \(reducers == .steps ? "step.random" : "the inputs of the step")"
    case (.environment, _):
      "a reducer depends on the environment of its process: time zone, locale, working folder, home folder or folder "
        + "for temporary files; pass what it needs in the action"
    case (.hashing, _):
      "two replays have the same elements in a different order: a Set or Dictionary has a new order in each run; "
        + "sort its elements before storing them in an array"
    case (.identifiers, .steps):
      "a reducer creates UUIDs; use step.uuid(), which returns the same one on replay"
    case (.identifiers, .plain):
      "a reducer creates UUIDs; pass them in the action, or take them from the inputs of the step, which are the same "
        + "on replay"
    case (.clock, .steps):
      "a reducer reads the clock; use step.now, which is the recorded time on replay"
    case (.clock, .plain):
      "a reducer reads the clock; pass the time in the action, or take it from the inputs of the step, which have the "
        + "recorded time on replay"
    case (.other, _):
      "a reducer depends on something that the recording does not contain: the clock, random numbers, the order of a "
        + "Set, the environment, or a variable outside the store"
    }
  }

  /// `true` if an array around the place has the same elements in a different order.
  private static func isReordered(_ tokens: [String], _ states: (JSON?, JSON?)) -> Bool {
    var (left, right) = states
    for token in tokens {
      if let one = left, let other = right, one.isPermutation(of: other) { return true }
      (left, right) = (left?.child(token), right?.child(token))
    }
    return false
  }

  private static func areIdentifiers(_ place: StateComparison.Pair) -> Bool {
    [place.recorded, place.replayed].allSatisfy {
      $0?.string.flatMap(UUID.init(uuidString:)) != nil
    }
  }

  private static func isClock(
    _ place: StateComparison.Pair, _ now: LogInstant, areReplays: Bool
  ) -> Bool {
    guard let right = place.replayed else { return false }
    func isNow(_ value: JSON) -> Bool {
      moments(value).contains { abs($0 - now.microseconds) < 3_600_000_000 }
    }
    return isNow(right) && (!areReplays || place.recorded.map(isNow) == true)
  }

  /// Returns the moments that a value may represent, in microseconds since 1970: a date, the description of one, or a count
  /// of seconds or milliseconds since 1970, or of seconds since 2001.
  private static func moments(_ value: JSON) -> [Int64] {
    if let text = value.string {
      // Foundation describes a date as 2026-11-20 12:00:00 +0000.
      let isDescription = text.utf8.count == 25 && text.hasSuffix(" +0000")
      let written = isDescription ? text.prefix(19).replacing(" ", with: "T") + "Z" : text
      return LogInstant(written).map { [$0.microseconds] } ?? []
    }
    guard let number = value.number?.double, number > 1e8, number < 1e14 else { return [] }
    return [number * 1e6, number * 1e3, (number + 978_307_200) * 1e6]
      .compactMap { Int64(exactly: $0.rounded()) }
  }
}

extension JSON {
  /// `true` if both are arrays with the same elements, in whatever order; texts are compared by their scalars.
  func isPermutation(of other: JSON) -> Bool {
    guard kind == .array, other.kind == .array, count == other.count else { return false }
    func texts(_ array: JSON) -> [BytewiseName] {
      array.elements.map { BytewiseName($0.canonical().text) }.sorted()
    }
    return texts(self) == texts(other)
  }
}
