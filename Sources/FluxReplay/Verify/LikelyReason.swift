import FluxJSON
import FluxLog

/// Guesses why a replay differs: pure functions of the difference that return a sentence, or nil.
enum LikelyReason {
  /// Finds the likely reason why a place differs, whose tokens begin after the store.
  static func ofDifference(
    _ place: StateComparison.Place, in states: (recorded: JSON?, replayed: JSON?),
    now: LogInstant
  ) -> String? {
    reordered(place.tokens, states)
      ?? identifier(place)
      ?? clock(place, now: now)
      ?? rounding(place)
      ?? member(place, states)
  }

  /// An array has the same elements in a different order: that of a set or a dictionary.
  static func reordered(
    _ tokens: [String], _ states: (recorded: JSON?, replayed: JSON?)
  ) -> String? {
    var (left, right) = states
    for token in tokens {
      if let recorded = left, let replayed = right, isPermutation(recorded, replayed) {
        return
          "the same elements in a different order: a Set or Dictionary has a new order in each run; sort "
          + "its elements before storing them in an array"
      }
      (left, right) = (left?.child(token), right?.child(token))
    }
    return nil
  }

  private static func isPermutation(_ left: JSON, _ right: JSON) -> Bool {
    guard left.kind == .array, right.kind == .array, left.count == right.count else { return false }
    func texts(_ array: JSON) -> [String] {
      array.elements.map { $0.canonical().text }.sorted()
    }
    return texts(left) == texts(right)
  }

  static func identifier(_ place: StateComparison.Place) -> String? {
    guard let left = place.recorded?.string, let right = place.replayed?.string, isUUID(left),
      isUUID(right)
    else { return nil }
    return "a reducer creates UUIDs; use step.uuid(), which returns the same one on replay"
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } }
  }

  /// The replay has the present time, and the recording an earlier one.
  static func clock(_ place: StateComparison.Place, now: LogInstant) -> String? {
    guard let left = place.recorded, let right = place.replayed else { return nil }
    let isNow = moments(right).contains { abs($0 - now.microseconds) < 3_600_000_000 }
    guard isNow, !moments(left).isEmpty else { return nil }
    return "a reducer reads the clock; use step.now, which is the recorded time on replay"
  }

  /// Returns the moments that a value may represent, in microseconds since 1970: a date, or a count of
  /// seconds or milliseconds since 1970, or of seconds since 2001.
  private static func moments(_ value: JSON) -> [Int64] {
    if let text = value.string { return LogInstant(text).map { [$0.microseconds] } ?? [] }
    guard let number = value.number?.double, number > 1e8, number < 1e14 else { return [] }
    return [number * 1e6, number * 1e3, (number + 978_307_200) * 1e6]
      .compactMap { Int64(exactly: $0.rounded()) }
  }

  static func rounding(_ place: StateComparison.Place) -> String? {
    guard let left = place.recorded?.number?.double, let right = place.replayed?.number?.double,
      left != right, abs(left - right) <= 1e-9 * max(abs(left), abs(right))
    else { return nil }
    return
      "floating-point rounding on another machine or in another order; set a tolerance to allow it"
  }

  /// Only one of two objects has a member.
  static func member(
    _ place: StateComparison.Place, _ states: (recorded: JSON?, replayed: JSON?)
  ) -> String? {
    guard let name = place.tokens.last, (place.recorded == nil) != (place.replayed == nil) else {
      return nil
    }
    var (left, right) = states
    for token in place.tokens.dropLast() {
      (left, right) = (left?.child(token), right?.child(token))
    }
    guard left?.kind == .object, right?.kind == .object else { return nil }
    return place.recorded == nil
      ? "only the replay has the member \"\(name)\": it is new, or was omitted before"
      : "only the recording has the member \"\(name)\": it was removed, or is omitted now"
  }

  static let hiddenInput =
    "a reducer depends on something that the recording does not contain: the clock, random numbers, "
    + "the order of a Set, or a variable outside the store"

  static func consequence(of step: UInt64) -> String {
    "it follows from step \(step), which already differs"
  }
}

extension JSON {
  fileprivate func child(_ token: String) -> JSON? {
    kind == .array ? Int(token).flatMap { self[$0] } : self[token]
  }
}
