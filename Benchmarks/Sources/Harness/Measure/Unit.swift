/// What a figure is counted in, and whether less or more of it is better.
package enum Unit: String, Codable, Sendable {
  case nanoseconds = "ns"
  case microseconds = "us"
  case milliseconds = "ms"
  case gigabytesPerSecond = "GB/s"
  case stepsPerSecond = "steps/s"
  case bytesPerStep = "B/step"
  case megabytes = "MB"
  case percent = "%"

  /// Whether a smaller value is the better one.
  package var isLessBetter: Bool {
    switch self {
    case .nanoseconds, .microseconds, .milliseconds, .bytesPerStep, .megabytes, .percent: true
    case .gigabytesPerSecond, .stepsPerSecond: false
    }
  }

  /// Returns a time in this unit.
  ///
  /// - Parameters:
  ///   - seconds: How long some work took.
  ///   - amount: How much the work went through: bytes for a speed in bytes, steps for a speed in
  ///     steps, and for a time the number of runs that it is of.
  /// - Returns: The time of one, or the speed.
  func value(seconds: Double, amount: Double) -> Double {
    switch self {
    case .nanoseconds: seconds / amount * 1e9
    case .microseconds: seconds / amount * 1e6
    case .milliseconds: seconds / amount * 1e3
    case .gigabytesPerSecond: amount / seconds / 1e9
    case .stepsPerSecond: amount / seconds
    case .bytesPerStep, .megabytes, .percent: seconds / amount
    }
  }

  /// How many operations a run of so large an amount is: a run through bytes is one, however many they are.
  func operations(_ amount: Double) -> Double { self == .gigabytesPerSecond ? 1 : amount }
}
