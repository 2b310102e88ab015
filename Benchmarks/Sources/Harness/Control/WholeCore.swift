/// What the control reads where nobody else uses the core: the lowest reading that others agree with.
///
/// A single low reading is chance. What nobody disturbs comes out the same again and again, to half a percent.
struct WholeCore {
  /// How far readings that agree lie apart, as a share.
  static let agreement = 0.01
  /// How many have to agree, of up to 500 readings; of more, a hundredth.
  static let fewest = 5
  /// How many have to agree, of however many.
  static let enough = 50
  /// How many are kept, of the lowest ones.
  private static let kept = 1_000

  /// In their order.
  private var lowest: [Double] = []
  private var count = 0

  mutating func add(_ reading: Double) {
    count += 1
    lowest.insert(reading, at: lowest.firstIndex { $0 > reading } ?? lowest.endIndex)
    if lowest.count > Self.kept { lowest.removeLast() }
  }

  /// The reading; that in the middle of the lowest ones, where too few agree.
  var value: Double? {
    let least = min(max(Self.fewest, count / 100), Self.enough)
    let agreed = lowest.indices.first { index in
      index + least <= lowest.count
        && lowest[index + least - 1] <= lowest[index] * (1 + Self.agreement)
    }
    guard let agreed else { return lowest.isEmpty ? nil : lowest[lowest.count / 2] }
    return lowest[agreed]
  }
}
