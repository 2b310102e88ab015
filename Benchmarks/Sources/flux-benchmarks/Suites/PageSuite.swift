import Foundation
import Harness
import Inputs

/// The page in a browser: `Tests/PageTests/measure.py` drives Chromium, and tells the times.
func pageSuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(20_000_000, quick: 1_000_000)
  let log = Prepared {
    try conditions.file("counters-\(steps).jsonl") { try CounterLog.write(to: $0, steps: steps) }
  }
  let size = "\(Readable.grouped(steps)) steps"
  let (large, live, report, weight) = (
    BrowserRun("steps"), BrowserRun("live"), BrowserRun("report"), BrowserRun("weight")
  )
  let filter = BrowserRun("filter")
  let served = Prepared { BrowserRun("served", [try log.value().filePath]) }
  return Suite(
    "page",
    [
      Figure(
        "step to redraw, next", in: .milliseconds, on: .all,
        target: .atMost(14_500_000, .multiplication)
      ) {
        large.contest("neighbour", on: "states of 154 KB")
      },
      Figure(
        "step to redraw, random", in: .milliseconds, on: .all,
        target: .atMost(27_000_000, .multiplication)
      ) {
        large.contest("random", on: "states of 154 KB")
      },
      Figure("ready", in: .milliseconds, on: .all, target: .atMost(1.6e9, .multiplication)) {
        try served.value().contest("ready", on: size)
      },
      Figure(
        "random jump", in: .milliseconds, on: .all, target: .atMost(80_000_000, .multiplication)
      ) {
        try served.value().contest("jump", on: size)
      },
      Figure(
        "search for text, first rows", in: .milliseconds, on: .all,
        target: .atMost(80_000_000, .multiplication)
      ) {
        filter.contest("first", on: "26,000 steps")
      },
      Figure(
        "search for text, all counted", in: .milliseconds, on: .all,
        target: .atMost(240_000_000, .multiplication)
      ) {
        filter.contest("whole", on: "26,000 steps")
      },
      Figure(
        "from a line in the file", in: .milliseconds, on: .all,
        target: .atMost(120_000_000, .multiplication)
      ) {
        live.contest("line")
      },
      Figure("size of a report", in: .megabytes, target: .atMost(1.6)) {
        report.contest("size", on: "a log of 7.6 MB")
      },
      Figure("open a report", in: .milliseconds, on: .all, target: .atMost(1.6e9, .multiplication))
      {
        report.contest("open", on: "a log of 7.6 MB")
      },
      Figure(
        "open a large report", in: .milliseconds, on: .all,
        target: .atMost(1.35e9, .multiplication)
      ) {
        report.contest("large", on: "a log of 15 MB")
      },
      Figure(
        "seek in a report", in: .milliseconds, on: .all, target: .atMost(8_000_000, .multiplication)
      ) {
        report.contest("seek", on: "a log of 7.6 MB")
      },
      Figure("weight of the page, as served", in: .megabytes, target: .atMost(0.06)) {
        weight.contest("serve")
      },
      Figure("weight of the page, in a report", in: .megabytes, target: .atMost(0.12)) {
        weight.contest("report")
      },
    ])
}

/// A task of the browser, which several figures share.
private final class BrowserRun {
  private let task: String
  private let arguments: [String]
  /// The times of the last run that no figure has taken yet.
  private var laps: [String: [Double]] = [:]

  init(_ task: String, _ arguments: [String] = []) {
    (self.task, self.arguments) = (task, arguments)
  }

  /// The times of a name; sizes are in the unit of their figure.
  func contest(_ name: String, on input: String = "") -> Contest {
    let isSize = task == "weight" || name == "size"
    let work: Work =
      isSize
      ? .counted { try self.measured(name) }
      : .timed(rounds: 1) { try self.measured(name).map { Lap(seconds: $0) } }
    return Contest(work, on: input)
  }

  private func measured(_ name: String) throws -> [Double] {
    // A round that is made again needs a run of its own.
    if laps[name] == nil { laps = try run() }
    guard let found = laps.removeValue(forKey: name) else {
      throw ExternalProgram.Failure(description: "measure.py \(task) has no \(name)")
    }
    return found
  }

  private func run() throws -> [String: [Double]] {
    let build = try ExternalProgram.inspector().url.deletingLastPathComponent()
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../..").standardizedFileURL
    let environment = ProcessInfo.processInfo.environment
    let python =
      environment["FLUX_PAGE_PYTHON"]
      ?? root.appending(path: ".build/page-tests/venv/bin/python").filePath
    guard FileManager.default.isExecutableFile(atPath: python) else {
      throw ExternalProgram.Failure(
        description: "no \(python); 'make page-test' makes it, and needs chromium and chromedriver")
    }
    let script = root.appending(path: "Tests/PageTests/measure.py").filePath
    let output = try ExternalProgram(name: "measure.py", url: URL(filePath: python))
      .run([script, task] + arguments, environment: ["FLUX_BUILD": build.filePath]).output
    return try JSONDecoder().decode([String: [Double]].self, from: output)
  }
}
