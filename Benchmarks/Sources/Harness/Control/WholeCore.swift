/// What the control reads where nobody else uses the core: the lowest reading that others agree with.
///
/// A single low reading is chance. What nobody disturbs comes out the same again and again, to half a percent.
struct WholeCore {
  /// How far readings that agree lie apart, as a share.
  static let agreement = 0.01
  /// How many have to agree, of up to 500 readings.
  static let fewest = 5

  /// In their order.
  private var readings: [Double] = []

  mutating func add(_ reading: Double) {
    readings.insert(reading, at: readings.firstIndex { $0 > reading } ?? readings.endIndex)
  }

  /// The reading; that in the middle, where too few agree.
  var value: Double? {
    let least = max(Self.fewest, readings.count / 100)
    let agreed = readings.indices.first { index in
      index + least <= readings.count
        && readings[index + least - 1] <= readings[index] * (1 + Self.agreement)
    }
    guard let agreed else { return readings.isEmpty ? nil : readings[readings.count / 2] }
    return readings[agreed]
  }
}
