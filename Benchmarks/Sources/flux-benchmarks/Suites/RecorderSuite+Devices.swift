import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// The cost of recording on people's devices: launches within limits, exports, and memory.
func deviceFigures(_ conditions: Conditions) -> [Figure] {
  [
    Figure(
      "added to a dispatch, ahead, in launches, median", in: .nanoseconds, on: .all,
      target: .atMost(2.8, .write)
    ) {
      let cost = AddedCost(
        url: conditions.scratch("launches"), durability: .ahead, statistic: .median,
        isLaunch: true)
      return Contest(
        .timed(rounds: conditions.scale(5, quick: 3)) { [try cost.lap()] }, on: "two todos")
    },
    exportOfLastMinutes(conditions),
    Figure(
      "processor time added by recording 1,400 lines", in: .microseconds, on: .all,
      target: .atMost(24_000, .multiplication),
      limit: .atMost(8_000, .multiplication)
    ) {
      let cost = TextCost(
        lines: 1_400, steps: conditions.scale(5_000, quick: 2_000), seed: conditions.seed)
      let url = conditions.scratch("text.jsonl")
      return Contest(
        .timed(rounds: conditions.scale(5, quick: 3)) { [try cost.recording(to: url)] },
        on: "100 KB of lines")
    },
    Figure("peak memory of recording 2 MB states", in: .megabytes, target: .atMost(150)) {
      Contest(
        .counted {
          let cost = try MemoryTask.record.inOwnProcess(
            conditions.scratch("large.jsonl"), 14_000, conditions.scale(2_000, quick: 500))
          return [Double(cost.peak ?? 0) / 1e6]
        }, on: "14,000 todos")
    },
  ]
}

/// The last 6,000 steps of a long log that is still recorded, ten steps to a second.
private func exportOfLastMinutes(_ conditions: Conditions) -> Figure {
  let steps = conditions.scale(1_000_000, quick: 100_000)
  return Figure("export the last ten minutes", in: .milliseconds, on: .all) {
    let clock = SteadyClock(tick: 0.1)
    let session = TodoSession(todos: 2, seed: conditions.seed, now: clock.now)
    let (dispatcher, recorder) = session.recorded(to: conditions.scratch("long.jsonl"))
    for action in session.actions(steps) { dispatcher.dispatch(action) }
    try recorder.flush()
    let url = conditions.scratch("excerpt.jsonl")
    return Contest(
      .timed(rounds: 5) {
        if FileManager.default.fileExists(atPath: url.filePath) {
          try FileManager.default.removeItem(at: url)
        }
        return [try Stopwatch.lap { try recorder.export(last: .minutes(10), to: url) }]
      }, on: "\(Readable.grouped(steps)) steps")
  }
}
