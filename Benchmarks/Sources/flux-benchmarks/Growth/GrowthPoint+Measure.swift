import FluxJSON
import FluxLog
import Foundation
import Harness
import Inputs

extension GrowthReport.Point {
  /// Records a log, and measures what can be done with it.
  ///
  /// - Parameters:
  ///   - size: By which the point is known.
  ///   - steps: The length of the log.
  ///   - todos: The size of the state: 142 bytes each.
  ///   - folder: Where the log is written, and removed again.
  /// - Returns: The costs.
  /// - Throws: What writing and reading the log throw.
  static func measured(
    size: Int, steps: Int, todos: Int, in folder: URL
  ) throws -> GrowthReport.Point {
    let url = folder.appending(path: "growth-\(todos)-\(steps).jsonl")
    let recorded = try MemoryTask.record.inOwnProcess(url, todos, steps)
    let indexed = try MemoryTask.index.inOwnProcess(url)
    let sought = try MemoryTask.seek.inOwnProcess(url)
    let log = try LogFile.open(url.filePath)
    try log.waitForIndex()
    let indexing = try Series(
      (0..<5).map { _ in
        try Stopwatch.seconds {
          try LogFile.open(url.filePath).waitForIndex()
        }
      })
    var values: [GrowthMeasure: Double] = [
      .record: recorded.seconds / Double(steps) * 1e6,
      .index: indexing.median / Double(steps) * 1e6,
      .seek: try seek(in: log) * 1e6,
      .next: try next(in: log) { _ = try $0.state(of: "todo", at: $1) } * 1e6,
      .nextValue: try nextValue(in: log) * 1e6,
      .size: Double(try url.byteCount()) / Double(steps),
    ]
    values[.recordPeak] = recorded.peak.map { Double($0) / 1e6 }
    values[.indexPeak] = indexed.peak.map { Double($0) / 1e6 }
    values[.seekPeak] = sought.peak.map { Double($0) / 1e6 }
    try FileManager.default.removeItem(at: url)
    return GrowthReport.Point(size: size, values: values)
  }

  private static func seek(in log: LogFile) throws -> Double {
    var random = SeededGenerator(seed: Conditions.usualSeed)
    return try Series(
      (0..<200).map { _ in
        let timeline = Timeline(log)
        let position = Int.random(in: 0..<log.count, using: &random)
        return try Stopwatch.seconds { _ = try timeline.state(of: "todo", at: position) }
      }
    ).median
  }

  private static func nextValue(in log: LogFile) throws -> Double {
    let pointer = try Pointer("/items/0/title")
    return try next(in: log) { _ = try $0.value(pointer, of: "todo", at: $1) }
  }

  private static func next(
    in log: LogFile, _ look: (Timeline, Int) throws -> Void
  ) throws -> Double {
    let timeline = Timeline(log)
    return try Series(
      (0..<min(1_000, log.count)).map { offset in
        // The end of the log: whatever grows with what lies before shows there.
        let position = log.count - min(1_000, log.count) + offset
        return try Stopwatch.seconds { try look(timeline, position) }
      }
    ).median
  }
}
