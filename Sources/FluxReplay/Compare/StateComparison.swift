package import FluxJSON
import FluxLog

/// Compares two values place by place.
package struct StateComparison {
  /// A place at which two values differ.
  struct Place: Equatable {
    /// The names and indices that lead to it.
    let tokens: [String]
    let recorded: JSON?
    let replayed: JSON?
    /// `true` if the value is redacted, so that only its presence was compared.
    var isRedacted = false

    /// The place from the store's state, whose name is the first token.
    var withoutStore: Place {
      Place(tokens: Array(tokens.dropFirst()), recorded: recorded, replayed: replayed)
    }
  }

  struct Result: Equatable {
    /// The places, in the order of the first value.
    var places: [Place] = []
    /// Places that differ because one value is a redaction token.
    var redacted: [[String]] = []
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
  /// Arrays are compared index by index. If they differ in length, only the first difference is reported,
  /// because the others follow from it.
  func compare(_ recorded: JSON?, _ replayed: JSON?, at tokens: [String]) -> Result {
    var result = Result()
    // A list instead of recursion: values nest as deeply as a log allows.
    var pending = [Place(tokens: tokens, recorded: recorded, replayed: replayed)]
    while let place = pending.popLast() {
      if isEqual(place) || ignored?.contains(place.tokens) ?? false { continue }
      if isHidden(place) {
        result.addPresence(place)
        continue
      }
      switch (place.recorded, place.replayed) {
      case (let recorded?, let replayed?)
      where recorded.kind == .object && replayed.kind == .object:
        pending += members(recorded, replayed, place.tokens).reversed()
      case (let recorded?, let replayed?) where recorded.kind == .array && replayed.kind == .array:
        pending += elements(recorded, replayed, place.tokens).reversed()
      default:
        if RedactionToken.isIn(place.recorded) || RedactionToken.isIn(place.replayed) {
          if !result.addPresence(place) { result.redacted.append(place.tokens) }
        } else {
          result.places.append(place)
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

  private func isHidden(_ place: Place) -> Bool {
    guard !hidden.isEmpty else { return false }
    return [place.recorded, place.replayed].contains { value in
      value.map { hidden.isSecret(at: place.tokens, $0.kind) } ?? false
    }
  }

  private func isEqual(_ place: Place) -> Bool {
    guard let recorded = place.recorded, let replayed = place.replayed else {
      return place.recorded == nil && place.replayed == nil
    }
    if recorded == replayed { return true }
    guard tolerance > 0, let left = recorded.number?.double, let right = replayed.number?.double
    else { return false }
    return abs(left - right) <= tolerance * max(1, abs(left), abs(right))
  }

  private func members(_ recorded: JSON, _ replayed: JSON, _ tokens: [String]) -> [Place] {
    var places: [Place] = []
    for member in recorded.members {
      places.append(
        Place(
          tokens: tokens + [member.name], recorded: member.value, replayed: replayed[member.name]))
    }
    for member in replayed.members where recorded[member.name] == nil {
      places.append(Place(tokens: tokens + [member.name], recorded: nil, replayed: member.value))
    }
    return places
  }

  private func elements(_ recorded: JSON, _ replayed: JSON, _ tokens: [String]) -> [Place] {
    let (left, right) = (Array(recorded.elements), Array(replayed.elements))
    var places: [Place] = []
    for index in 0..<max(left.count, right.count) {
      let place = Place(
        tokens: tokens + [String(index)],
        recorded: index < left.count ? left[index] : nil,
        replayed: index < right.count ? right[index] : nil)
      places.append(place)
      if left.count != right.count, !isEqual(place) { break }
    }
    return places
  }
}

extension StateComparison.Result {
  /// Adds a redacted place if only one side has a value there; returns `true` if so.
  ///
  /// Absent and null are both no value: a redacted null stays null. The app's own value is masked.
  @discardableResult
  fileprivate mutating func addPresence(_ place: StateComparison.Place) -> Bool {
    func masked(_ value: JSON?) -> JSON? {
      guard let value, value.kind != .null, !RedactionToken.isIn(value) else { return value }
      return "<redacted>"
    }
    let sides = [place.recorded, place.replayed].map { ($0 ?? .null).kind != .null }
    guard sides[0] != sides[1] else {
      redactedValues += 1
      return false
    }
    places.append(
      StateComparison.Place(
        tokens: place.tokens, recorded: masked(place.recorded), replayed: masked(place.replayed),
        isRedacted: true))
    return true
  }
}
