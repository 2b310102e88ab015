import FluxJSON
import FluxLog
import Foundation
import Harness
import Inputs

/// Moving in a log of states of 142 KB.
func timelineSuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(20_000, quick: 5_000)
  let url = Prepared {
    try conditions.file("todos-1000-\(steps).jsonl") { url in
      try TodoSession(todos: 1_000, seed: conditions.seed).record(to: url, steps: steps)
    }
  }
  let log = Prepared {
    let log = try LogFile.open(url.value().filePath)
    try log.waitForIndex()
    return log
  }
  return Suite(
    "timeline",
    seeking(log, conditions) + walking(log) + [
      Figure("peak memory of 1,000 seeks", in: .megabytes) {
        let url = try url.value()
        return Contest(
          .counted { [Double(try MemoryTask.seek.peak(of: url)) / 1e6] },
          on: "\(Readable.grouped(steps)) steps, \(try url.byteCount() / 1_000) KB")
      }
    ])
}

/// The name of the only store.
private let store = "todo"

private func seeking(_ log: Prepared<LogFile>, _ conditions: Conditions) -> [Figure] {
  [
    // Nothing kept: the whole state and, on average, half of the patches to the next are read.
    Figure(
      "seek, nothing cached", in: .microseconds, target: .timesRival(1 / 1.5),
      limit: .timesRival(1)
    ) {
      let log = try log.value()
      let state = try Timeline(log).state(of: store, at: log.count - 1)
      let bytes = [UInt8]((state?.description ?? "").utf8)
      return seeks(
        in: log, conditions, rounds: 10,
        beside: [Rival("one parse of the state", .repeated { try JSON.parse(bytes) })]
      ) { Timeline(log) }
    },
    // One timeline from its first seek on.
    Figure(
      "seek", in: .microseconds, target: .atMost(160_000, .multiplication),
      limit: .atMost(80_000, .multiplication)
    ) {
      let log = try log.value()
      let timeline = Timeline(log)
      return seeks(in: log, conditions, rounds: 50) { timeline }
    },
  ]
}

/// Rounds of 20 seeks to anywhere, short enough for the control.
private func seeks(
  in log: LogFile, _ conditions: Conditions, rounds: Int, beside rivals: [Rival] = [],
  _ timeline: @escaping () -> Timeline
) -> Contest {
  var random = SeededGenerator(seed: conditions.seed)
  return Contest(
    .timed(rounds: rounds) {
      try (0..<20).map { _ in
        let timeline = timeline()
        let position = Int.random(in: 0..<log.count, using: &random)
        return try Stopwatch.lap { _ = try timeline.state(of: store, at: position) }
      }
    }, beside: rivals)
}

private func walking(_ log: Prepared<LogFile>) -> [Figure] {
  let pointer = Prepared { try Pointer("/items/500/title") }
  return [
    walk("next", log, { $0 }) { _ = try $0.state(of: store, at: $1) },
    walk("previous", log, { $0.reversed() }) { _ = try $0.state(of: store, at: $1) },
    walk("next, one value", log, { $0 }) { timeline, position in
      _ = try timeline.value(pointer.value(), of: store, at: position)
    },
  ]
}

/// Steps one after another in one timeline, in stretches that are short enough for the control.
private func walk(
  _ name: String, _ log: Prepared<LogFile>, _ order: @escaping ([Int]) -> [Int],
  _ look: @escaping (Timeline, Int) throws -> Void
) -> Figure {
  Figure(name, in: .microseconds, target: .atMost(40_000, .multiplication)) {
    let log = try log.value()
    let positions = order(Array(0..<min(3_000, log.count)))
    let stretch = 100
    var left: ArraySlice<Int> = []
    var timeline = Timeline(log)
    return Contest(
      .timed(rounds: positions.count / stretch) {
        if left.count < stretch {
          // The first move comes from nowhere, and is a seek.
          timeline = Timeline(log)
          try look(timeline, positions[0])
          left = positions.dropFirst()
        }
        defer { left = left.dropFirst(stretch) }
        return try left.prefix(stretch).map { position in
          try Stopwatch.lap { try look(timeline, position) }
        }
      })
  }
}
