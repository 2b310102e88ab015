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

  static let times: [GrowthMeasure] = [.record, .index, .seek, .next, .nextValue]
  static let peaks: [GrowthMeasure] = [.recordPeak, .indexPeak, .seekPeak]
}
