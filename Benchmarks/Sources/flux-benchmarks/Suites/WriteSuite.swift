import FluxLog
import Foundation
import Harness
import Inputs

/// Writing a log of small steps, without an app.
func writeSuite(_ conditions: Conditions) -> Suite {
  Suite(
    "write",
    [
      throughput(.buffered, target: .atMost(3.7, .write), limit: .atMost(2.8, .write), conditions),
      throughput(.ahead, target: nil, limit: nil, conditions),
      handOver(.buffered, target: .atMost(205, .multiplication), conditions),
      handOver(.ahead, target: nil, conditions),
    ])
}

/// From the first step that is handed over until all are in the file.
private func throughput(
  _ durability: LogWriter.Options.Durability, target: Target?, limit: Target?,
  _ conditions: Conditions
) -> Figure {
  Figure(
    "small steps, \(durability)", in: .stepsPerSecond, on: .all, target: target, limit: limit
  ) {
    let steps = conditions.scale(400_000, quick: 100_000)
    let url = conditions.scratch("written.jsonl")
    return Contest(
      .timed(amount: steps, rounds: 5) {
        let log = try SmallSteps(to: url, durability: durability)
        return [
          try Stopwatch.lap {
            _ = log.handOver(steps, of: Items.self)
            try log.close()
          }
        ]
      }, on: "\(Readable.grouped(steps)) steps")
  }
}

/// What a step costs the thread that hands it over, while the queue has room.
private func handOver(
  _ durability: LogWriter.Options.Durability, target: Target?, _ conditions: Conditions
) -> Figure {
  Figure("hand over a step, \(durability)", in: .nanoseconds, on: .all, target: target) {
    let steps = 4096
    let url = conditions.scratch("written.jsonl")
    return Contest(
      .timed(amount: steps, rounds: 25) {
        let log = try SmallSteps(to: url, durability: durability, queueCapacity: 1 << 16)
        let lap = log.handOver(steps, of: Items.self)
        try log.close()
        return [lap]
      })
  }
}
