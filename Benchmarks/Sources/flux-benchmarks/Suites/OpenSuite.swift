import FluxLog
import Foundation
import Harness
import Inputs

/// Opening a large log of small steps, and searching it.
func openSuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(20_000_000, quick: 1_000_000)
  let log = Prepared {
    try conditions.file("small-steps-\(steps).jsonl") { url in
      let log = try SmallSteps(to: url, durability: .buffered)
      _ = log.handOver(steps, of: Count.self)
      try log.close()
    }
  }
  return Suite("open", indexing(log, steps, conditions) + searching(log))
}

private func indexing(
  _ log: Prepared<URL>, _ steps: Int, _ conditions: Conditions
) -> [Figure] {
  [
    Figure(
      "index", in: .stepsPerSecond, on: .all, target: .atMost(31, .multiplication),
      limit: .atMost(16, .multiplication)
    ) {
      let path = try log.value().filePath
      return Contest(
        .repeated(amount: steps) {
          let log = try LogFile.open(path)
          try log.waitForIndex()
          return log.count
        }, on: try extent(of: log, steps))
    },
    Figure("index, in bytes", in: .gigabytesPerSecond, on: .all, limit: .timesRival(1)) {
      let path = try log.value().filePath
      let size = try log.value().byteCount()
      return Contest(
        .repeated(amount: size) {
          let log = try LogFile.open(path)
          try log.waitForIndex()
          return log.count
        }, on: try extent(of: log, steps),
        beside: [
          ExternalProgram.rival("rg", ["-c", "", path], amount: size),
          ExternalProgram.rival("wc", ["-l", path], amount: size),
          ExternalProgram.rival("grep", ["-c", "", path], amount: size),
        ])
    },
    // Of a short log most of it is the process itself, which says nothing.
    Figure(
      "peak memory of opening, by the log", in: .percent,
      target: conditions.isQuick ? nil : .atMost(10)
    ) {
      let url = try log.value()
      return Contest(
        .counted {
          [Double(try MemoryTask.index.peak(of: url)) / Double(try url.byteCount()) * 100]
        },
        on: try extent(of: log, steps))
    },
    Figure("first step", in: .milliseconds, on: .all) {
      let path = try log.value().filePath
      return Contest(
        .repeated { try LogFile.open(path).step(at: 0) },
        on: try extent(of: log, steps))
    },
  ]
}

private func searching(_ log: Prepared<URL>) -> [Figure] {
  [
    Figure("find an action type, at first", in: .milliseconds, target: .atMost(200_000, .scan)) {
      let path = try log.value().filePath
      return Contest(
        .timed(rounds: 9) {
          let log = try indexed(path)
          return [try Stopwatch.lap { try find(in: log) }]
        },
        beside: [
          ExternalProgram.rival("rg", ["-n", "-m1", SmallSteps.rareType, path]),
          PythonRival.rival(.duckdb, [path, SmallSteps.rareType]),
        ])
    },
    Figure(
      "find an action type", in: .milliseconds, target: .atMost(200_000, .scan),
      limit: .atMost(25_000, .scan)
    ) {
      let log = try indexed(log.value().filePath)
      return Contest(.repeated { try find(in: log) })
    },
    Figure("read a random step", in: .microseconds) {
      let log = try indexed(log.value().filePath)
      var generator = SeededGenerator(seed: 1)
      return Contest(
        .repeated { try log.step(at: Int.random(in: 0..<log.count, using: &generator)) })
    },
  ]
}

private func find(in log: LogFile) throws {
  let found = log.position(in: 0..<log.count) { $0 == SmallSteps.rareType }
  guard found == log.count / 2 else {
    throw ExternalProgram.Failure(description: "the rare step was found at the wrong place")
  }
}

private func indexed(_ path: String) throws -> LogFile {
  let log = try LogFile.open(path)
  try log.waitForIndex()
  return log
}

private func extent(of log: Prepared<URL>, _ steps: Int) throws -> String {
  let megabytes = try log.value().byteCount() / 1_000_000
  return "\(Readable.grouped(steps)) steps, \(Readable.grouped(megabytes)) MB"
}
