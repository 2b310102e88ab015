import Harness

/// Rows and reports as they are in the tests.
enum Examples {
  static let parse = Row(
    name: "json/parse", input: "142 KB", unit: .gigabytesPerSecond,
    series: Series([1.4, 1.5, 1.6]),
    rivals: [
      .init(name: "JSONSerialization", series: Series([0.05]), absence: nil),
      .init(name: "jq", series: nil, absence: "not installed"),
    ], yardstick: .init(name: "scans of 4 KB", series: Series([150]), absence: nil),
    target: .atMost(115, .scan), limit: .atMost(78, .scan))
  static let shared = RoundSummary(
    load: 1.31, whole: 0.95, isShared: true, repeated: 12, faults: 0)
  static let encode = Row(
    name: "json/encode", input: "", unit: .microseconds, series: Series([500]),
    rivals: [
      .init(name: "JSONEncoder", series: Series([2_500]), absence: nil, rounds: shared)
    ],
    target: .timesRival(6), limit: nil, rounds: shared)
  static let read = Row(
    name: "open/read", input: "", unit: .nanoseconds, series: Series([120, 120, 120]), rivals: [],
    target: nil, limit: nil)

  static func report(_ rows: [Row]) -> Report {
    Report(
      machine: Machine(processors: 2, architecture: "x86_64", system: "Linux", swift: "6.3"),
      isQuick: false, seed: 1, rows: rows)
  }
}
