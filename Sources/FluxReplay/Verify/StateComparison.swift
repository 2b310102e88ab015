import FluxLog

/// Compares two values place by place.
struct StateComparison {
  /// A place at which two values differ.
  struct Place: Equatable {
    /// The names and indices that lead to it.
    let tokens: [String]
    /// What the first value has there; nil for nothing.
    let recorded: JSON?
    /// What the second value has there; nil for nothing.
    let replayed: JSON?
  }

  /// What two values differ in.
  struct Result: Equatable {
    /// The places, in the order of the first value.
    var places: [Place] = []
    /// Places that differ where one of the two has a token instead of a redacted value.
    var redacted: [[String]] = []
  }

  /// How far numbers may be apart: that many times the larger one, or that much where both are
  /// smaller than one.
  let tolerance: Double
  let ignored: IgnoredPlaces?

  /// Finds the places at which two values differ.
  ///
  /// Arrays are compared index by index; of two that differ in length only the first place that
  /// differs is given, because all others follow from it.
  ///
  /// - Parameters:
  ///   - recorded: The first value; nil for nothing.
  ///   - replayed: The second value; nil for nothing.
  ///   - tokens: What leads to both.
  /// - Returns: The places.
  func compare(_ recorded: JSON?, _ replayed: JSON?, at tokens: [String]) -> Result {
    var result = Result()
    // A list and not the stack of calls: values nest as deep as a log allows.
    var pending = [Place(tokens: tokens, recorded: recorded, replayed: replayed)]
    while let place = pending.popLast() {
      if isEqual(place) || ignored?.contains(place.tokens) ?? false { continue }
      switch (place.recorded, place.replayed) {
      case (let recorded?, let replayed?)
      where recorded.kind == .object && replayed.kind == .object:
        pending += members(recorded, replayed, place.tokens).reversed()
      case (let recorded?, let replayed?) where recorded.kind == .array && replayed.kind == .array:
        pending += elements(recorded, replayed, place.tokens).reversed()
      default:
        if RedactionToken.isIn(place.recorded) || RedactionToken.isIn(place.replayed) {
          result.redacted.append(place.tokens)
        } else {
          result.places.append(place)
        }
      }
    }
    return result
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
