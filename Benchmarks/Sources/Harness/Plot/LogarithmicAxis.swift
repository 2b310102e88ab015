import Foundation

/// Places on an axis that gives each decade the same room, with whole decades at its ends.
struct LogarithmicAxis {
  private let first: Int
  private let last: Int
  private let start: Double
  private let end: Double

  /// Creates an axis that all values, which have to be above 0, are on.
  ///
  /// - Parameters:
  ///   - values: What has to be on it.
  ///   - start: The place of its lower end.
  ///   - end: The place of its upper end.
  init(_ values: [Double], from start: Double, to end: Double) {
    // A hair of tolerance: the logarithm of 1,000 need not come out as 3.
    let lowest = Int((log10(values.min() ?? 1) + 1e-9).rounded(.down))
    let highest = Int((log10(values.max() ?? 1) - 1e-9).rounded(.up))
    first = lowest
    last = max(highest, lowest + 1)
    self.start = start
    self.end = end
  }

  /// The decades.
  var ticks: [Double] { (first...last).map { pow(10, Double($0)) } }

  func place(of value: Double) -> Double {
    let share = (log10(value) - Double(first)) / Double(last - first)
    return start + share * (end - start)
  }

  /// A power of ten as it is read: 0.1, 1, 10, 1k, 1M.
  static func label(_ tick: Double) -> String {
    switch tick {
    case 1e9...: "\(Readable.number(tick / 1e9))G"
    case 1e6...: "\(Readable.number(tick / 1e6))M"
    case 1e3...: "\(Readable.number(tick / 1e3))k"
    case 0.99...: Readable.number(tick)
    default: "\(tick)"
    }
  }
}
