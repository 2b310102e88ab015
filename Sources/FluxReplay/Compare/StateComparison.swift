package import FluxJSON
import FluxLog

/// Compares two values place by place.
package struct StateComparison {
  /// The two values at a place.
  struct Pair: Equatable {
    /// The names and indices that lead to it.
    let tokens: [String]
    let recorded: JSON?
    let replayed: JSON?
    /// `true` if the value is redacted, so that only its presence was compared.
    var isRedacted = false

    /// The same place; unlike names, pointers are compared byte by byte.
    var path: Pointer { Pointer(tokens: tokens) }

    /// The pair with its place from the store's state, whose name is the first token.
    var withoutStore: Pair {
      Pair(tokens: Array(tokens.dropFirst()), recorded: recorded, replayed: replayed)
    }
  }

  struct Result: Equatable {
    /// The places that differ, in the order of the first value.
    var places: [Pair] = []
    /// Places that differ because one value is a redaction token.
    var redacted: [Pointer] = []
    /// The number of redacted values that were not compared.
    var redactedValues = 0
  }

  /// The numeric tolerance, relative to the larger number; absolute if both are smaller than one.
  let tolerance: Double
  let ignored: IgnoredPlaces?
  /// The redacted places, seen from the model, at which only presence is compared.
  var hidden = RedactedPlaces()

  /// Finds the places at which two values differ.
  ///
  /// Arrays are compared index by index. If they differ in length, only the first element that differs is reported,
  /// because the others follow from it.
  func compare(_ recorded: JSON?, _ replayed: JSON?, at tokens: [String]) -> Result {
    var result = Result()
    // A list instead of recursion: values nest as deeply as a log allows.
    var pending = [Pair(tokens: tokens, recorded: recorded, replayed: replayed)]
    var uneven: [UnevenArrays] = []
    func next() -> Pair? {
      while let arrays = uneven.last, arrays.waiting == pending.count {
        if arrays.found == result.places.count, let element = arrays.elements.next() {
          return element
        }
        uneven.removeLast()
      }
      return pending.popLast()
    }
    while let pair = next() {
      if isEqual(pair) || ignored?.contains(pair.tokens) ?? false { continue }
      if isHidden(pair) {
        result.addPresence(pair)
        continue
      }
      switch (pair.recorded, pair.replayed) {
      case (let recorded?, let replayed?)
      where recorded.kind == .object && replayed.kind == .object:
        pending += members(recorded, replayed, pair.tokens).reversed()
      case (let recorded?, let replayed?) where recorded.kind == .array && replayed.kind == .array:
        let (left, right) = (Array(recorded.elements), Array(replayed.elements))
        let elements = Self.elements(left, right, pair.tokens)
        if left.count == right.count {
          pending += elements.reversed()
        } else {
          uneven.append(
            UnevenArrays(
              elements: elements, waiting: pending.count, found: result.places.count))
        }
      default:
        if RedactionToken.isIn(pair.recorded) || RedactionToken.isIn(pair.replayed) {
          if !result.addPresence(pair) { result.redacted.append(pair.path) }
        } else {
          result.places.append(pair)
        }
      }
    }
    return result
  }

  /// Returns the places of a value that another form of it does not have; null counts as no value.
  package static func places(of value: JSON, lostIn other: JSON?) -> [[String]] {
    StateComparison(tolerance: 0, ignored: nil).compare(value, other, at: []).places
      .filter { $0.replayed == nil && $0.recorded?.kind != .null }.map(\.tokens)
  }

  private func isHidden(_ pair: Pair) -> Bool {
    guard !hidden.isEmpty else { return false }
    return [pair.recorded, pair.replayed].contains { value in
      value.map { hidden.isSecret(at: pair.tokens, $0.kind) } ?? false
    }
  }

  private func isEqual(_ pair: Pair) -> Bool {
    guard let recorded = pair.recorded, let replayed = pair.replayed else {
      return pair.recorded == nil && pair.replayed == nil
    }
    if recorded == replayed { return true }
    // An infinite difference is within an infinite tolerance: 1e400 would equal every number.
    guard tolerance > 0, let left = recorded.number?.double, let right = replayed.number?.double,
      left.isFinite, right.isFinite
    else { return false }
    return abs(left - right) <= tolerance * max(1, abs(left), abs(right))
  }

  private func members(_ recorded: JSON, _ replayed: JSON, _ tokens: [String]) -> [Pair] {
    var places: [Pair] = []
    for member in recorded.members {
      places.append(
        Pair(
          tokens: tokens + [member.name], recorded: member.value, replayed: replayed[member.name]))
    }
    for member in replayed.members where recorded[member.name] == nil {
      places.append(Pair(tokens: tokens + [member.name], recorded: nil, replayed: member.value))
    }
    return places
  }

  /// Two arrays of different lengths, whose elements are compared up to the first with a place that differs.
  ///
  /// Elements that are not equal may still have no such place: what differs may be ignored, redacted, or within the
  /// tolerance.
  private struct UnevenArrays {
    let elements: AnyIterator<Pair>
    /// The number of pairs that wait until the arrays are done.
    let waiting: Int
    /// The number of places that were found before.
    let found: Int
  }

  private static func elements(
    _ left: [JSON], _ right: [JSON], _ tokens: [String]
  ) -> AnyIterator<Pair> {
    AnyIterator(
      (0..<max(left.count, right.count)).lazy.map { index in
        Pair(
          tokens: tokens + [String(index)],
          recorded: index < left.count ? left[index] : nil,
          replayed: index < right.count ? right[index] : nil)
      }.makeIterator())
  }
}

extension StateComparison.Result {
  /// Adds a redacted place if only one side has a value there; returns `true` if so.
  ///
  /// Absent and null are both no value: a redacted null stays null. The app's own value is masked.
  @discardableResult
  fileprivate mutating func addPresence(_ pair: StateComparison.Pair) -> Bool {
    func masked(_ value: JSON?) -> JSON? {
      guard let value, value.kind != .null, !RedactionToken.isIn(value) else { return value }
      return "<redacted>"
    }
    let sides = [pair.recorded, pair.replayed].map { ($0 ?? .null).kind != .null }
    guard sides[0] != sides[1] else {
      redactedValues += 1
      return false
    }
    places.append(
      StateComparison.Pair(
        tokens: pair.tokens, recorded: masked(pair.recorded), replayed: masked(pair.replayed),
        isRedacted: true))
    return true
  }
}
