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
      "seek, nothing cached", in: .microseconds, target: .atMost(300), limit: .atMost(103)
    ) {
      let log = try log.value()
      var random = SeededGenerator(seed: conditions.seed)
      return Contest(
        .timed(rounds: 5) {
          try (0..<40).map { _ in
            let timeline = Timeline(log)
            let position = Int.random(in: 0..<log.count, using: &random)
            return try Stopwatch.lap { _ = try timeline.state(of: store, at: position) }
          }
        })
    },
    // One timeline from its first seek on.
    Figure("seek", in: .microseconds, target: .atMost(300), limit: .atMost(103)) {
      let log = try log.value()
      var random = SeededGenerator(seed: conditions.seed)
      return Contest(
        .timed(rounds: 3) {
          let timeline = Timeline(log)
          return try (0..<1_000).map { _ in
            let position = Int.random(in: 0..<log.count, using: &random)
            return try Stopwatch.lap { _ = try timeline.state(of: store, at: position) }
          }
        })
    },
  ]
}

private func walking(_ log: Prepared<LogFile>) -> [Figure] {
  let pointer = Prepared { try Pointer("/items/500/title") }
  return [
    walk("next", log) { log in Array(0..<min(3_000, log.count)) },
    walk("previous", log) { log in (0..<min(3_000, log.count)).reversed() },
    Figure("next, one value", in: .microseconds, target: .atMost(50)) {
      let (log, pointer) = (try log.value(), try pointer.value())
      return Contest(
        .timed(rounds: 3) {
          let timeline = Timeline(log)
          return try (0..<min(3_000, log.count)).map { position in
            try Stopwatch.lap { _ = try timeline.value(pointer, of: store, at: position) }
          }
        })
    },
  ]
}

/// Steps one after another, with the whole state each.
private func walk(
  _ name: String, _ log: Prepared<LogFile>, _ positions: @escaping (LogFile) -> [Int]
) -> Figure {
  Figure(name, in: .microseconds, target: .atMost(50)) {
    let log = try log.value()
    return Contest(
      .timed(rounds: 3) {
        let timeline = Timeline(log)
        // The first move comes from nowhere, and is a seek.
        let positions = positions(log)
        _ = try timeline.state(of: store, at: positions.first ?? 0)
        return try positions.dropFirst().map { position in
          try Stopwatch.lap { _ = try timeline.state(of: store, at: position) }
        }
      })
  }
}
