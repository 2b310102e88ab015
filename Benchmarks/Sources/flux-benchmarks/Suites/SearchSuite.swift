import FluxInspector
import FluxLog
import Foundation
import Harness
import Inputs

/// Searches that ask about every step of a large log of small steps.
func searchSuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(5_000_000, quick: 500_000)
  let url = Prepared {
    try conditions.file("searched-steps-\(steps).jsonl") { url in
      let log = try SmallSteps(to: url, durability: .buffered)
      _ = log.handOver(steps, of: Count.self)
      try log.close()
    }
  }
  let size = Prepared {
    "\(Readable.grouped(steps)) steps, \(Readable.grouped(try url.value().byteCount() / 1_000_000)) MB"
  }
  /// The rate of a command over all steps, on an open log whose index is complete.
  func figure(
    _ name: String, _ line: String, beside rivals: @escaping (URL) throws -> [Rival] = { _ in [] }
  ) -> Figure {
    Figure(
      name, in: .stepsPerSecond, on: .all, target: .atMost(2_500, .multiplication),
      limit: .atMost(810, .multiplication)
    ) {
      var session = try InspectedSession(try url.value().filePath)
      try session.run("end")
      try session.run("goto start")
      return Contest(
        .repeated(amount: steps) { try session.run(line) }, on: try size.value(),
        beside: try rivals(url.value()))
    }
  }
  return Suite(
    "search",
    [
      figure("count an expression", "count todos.count > \(steps / 2)"),
      figure(
        "count an expression of the action",
        "count $.action.type == 'todo/add' && changed(todos.count)"),
      figure("until an expression", "until todos.count == \(steps)"),
      figure("history of a value", "history todos.count"),
      figure("count a text in types and payloads", "count UNDO") { url in
        let path = url.filePath
        return [
          try matchingLines(of: url, Regex("undo").ignoresCase()),
          ExternalProgram.rival("rg", ["-c", "-i", "undo", path], amount: steps),
        ]
      },
      Figure(
        "check", in: .stepsPerSecond, on: .all, target: .atMost(1_600, .multiplication),
        limit: .atMost(810, .multiplication)
      ) {
        let path = try url.value().filePath
        return Contest(
          .repeated(amount: steps) {
            guard try Timeline(try LogFile.open(path)).check().isEmpty else {
              throw ExternalProgram.Failure(description: "the log has findings")
            }
          }, on: try size.value())
      },
    ])
}

/// A filter that somebody writes who has no tool for logs: the lines of the beginning that a pattern matches.
private func matchingLines(
  of url: URL, _ pattern: Regex<AnyRegexOutput>
) throws -> Rival {
  let file = try FileHandle(forReadingFrom: url)
  let text = String(decoding: try file.read(upToCount: 10_000_000) ?? Data(), as: UTF8.self)
  try file.close()
  let lines = text.split(separator: "\n")
  return Rival(
    "Regex", .repeated(amount: lines.count) { lines.count { $0.contains(pattern) } })
}
