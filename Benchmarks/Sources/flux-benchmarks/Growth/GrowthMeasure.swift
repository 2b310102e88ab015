/// A cost that is followed over sizes.
enum GrowthMeasure: String, Codable, CodingKeyRepresentable, CaseIterable {
  case record = "record a step"
  case index = "index a step"
  case seek = "seek, nothing cached"
  case next = "next"
  case nextValue = "next, one value"
  case size = "size of a step"
  case recordPeak = "peak while recording"
  case indexPeak = "peak of opening"
  case seekPeak = "peak of 1,000 seeks"

  var unit: String {
    switch self {
    case .record, .index, .seek, .next, .nextValue: "us"
    case .size: "B"
    case .recordPeak, .indexPeak, .seekPeak: "MB"
    }
  }

  /// The exponent that it may reach as logs get longer.
  ///
  /// Nothing that a step costs depends on the length of the log, and a seek at most on its logarithm. The index has a few
  /// bytes for each step.
  var mostBySteps: Double {
    switch self {
    case .record, .index, .seek, .next, .nextValue, .size, .recordPeak: 0.1
    case .indexPeak, .seekPeak: 1
    }
  }

  /// The exponent that it may reach as states get larger.
  ///
  /// `Codable` walks over the whole state, and reading a state returns all of its text. One value, and the bytes of a change,
  /// do not depend on the size of the state.
  var mostByState: Double {
    switch self {
    case .nextValue, .size: 0.25
    case .record, .seek, .next: 0.75
    case .index: 0.5
    case .recordPeak, .indexPeak, .seekPeak: 0.5
    }
  }

  static let times: [GrowthMeasure] = [.record, .index, .seek, .next, .nextValue]
  static let peaks: [GrowthMeasure] = [.recordPeak, .indexPeak, .seekPeak]
}
