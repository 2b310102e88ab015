import FluxInspector
import FluxLog
import Foundation
import Harness
import Inputs

/// A session on a log of many small steps.
func inspectorSuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(20_000_000, quick: 1_000_000)
  let url = Prepared {
    try conditions.file("counters-\(steps).jsonl") { try CounterLog.write(to: $0, steps: steps) }
  }
  let size = Prepared {
    "\(Readable.grouped(steps)) steps, \(Readable.grouped(try url.value().byteCount() / 1_000_000)) MB"
  }
  return Suite(
    "inspector",
    [
      Figure(
        "open and first step", in: .milliseconds, on: .all,
        target: .atMost(8_000_000, .multiplication)
      ) {
        let path = try url.value().filePath
        return Contest(
          .repeated {
            var session = try InspectedSession(path)
            try session.run("step")
          }, on: try size.value())
      },
      Figure("slowest of 25 moves", in: .milliseconds, target: .atMost(40_000_000, .multiplication))
      {
        var session = try InspectedSession(try url.value().filePath)
        try session.run("end")
        return Contest(
          .timed(rounds: 3) { [try session.slowest(of: moves(steps))] }, on: try size.value())
      },
      Figure("find over all steps", in: .milliseconds) {
        var session = try InspectedSession(try url.value().filePath)
        try session.run("end")
        return Contest(
          .timed(rounds: 3) { [try session.slowest(of: ["find rare/event"])] },
          on: try size.value())
      },
    ])
}

private func moves(_ steps: Int) -> [String] {
  let middle = steps / 2
  return [
    "goto \(middle)", "step", "back", "next", "prev", "step 1000", "back 1000", "goto 75%",
    "undo", "goto @\(steps / 40_000)", "goto counter/add#100", "goto rare/event#1",
    "goto counter/add#\(middle)", "last rare", "break rare/event", "continue",
    "reverse-continue", "bisect counter.value > \(middle)", "start", "watch rare", "continue",
    "end", "state", "action", "print counter.value",
  ]
}
