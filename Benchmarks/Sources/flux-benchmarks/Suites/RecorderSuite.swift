import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// What recording costs an app, and how fast it can go on.
func recorderSuite(_ conditions: Conditions) -> Suite {
  Suite(
    "recorder",
    [
      added(
        .buffered, .median, target: .atMost(120, .multiplication),
        limit: .atMost(82, .multiplication), conditions),
      added(.ahead, .median, target: .atMost(2.8, .write), limit: nil, conditions),
      added(
        .buffered, .mean, target: .atMost(205, .multiplication),
        limit: .atMost(120, .multiplication), conditions),
      added(.ahead, .mean, target: nil, limit: nil, conditions),
      throughput(
        .buffered, target: .atMost(3.7, .write), limit: .atMost(2.8, .write), conditions),
      throughput(.ahead, target: nil, limit: nil, conditions),
    ] + thousandTodos(conditions) + deviceFigures(conditions) + reflectionFigures(conditions)
      + typingFigures(conditions) + attachedFigures(conditions))
}

private func added(
  _ durability: LogWriter.Options.Durability, _ statistic: AddedCost.Statistic, target: Target?,
  limit: Target?, _ conditions: Conditions
) -> Figure {
  Figure(
    "added to a dispatch, \(durability), \(statistic)", in: .nanoseconds, on: .all,
    target: target, limit: limit
  ) {
    let cost = AddedCost(
      url: conditions.scratch("added.jsonl"), durability: durability, statistic: statistic)
    return Contest(
      .timed(rounds: conditions.scale(5, quick: 3)) { [try cost.lap()] }, on: "two todos")
  }
}

private func throughput(
  _ durability: LogWriter.Options.Durability, target: Target?, limit: Target?,
  _ conditions: Conditions
) -> Figure {
  Figure(
    "two todos, \(durability)", in: .stepsPerSecond, on: .all, target: target, limit: limit
  ) {
    let steps = conditions.scale(500_000, quick: 100_000)
    let session = TodoSession(todos: 2, seed: conditions.seed, durability: durability)
    // The same lines, as somebody would keep them who takes a database for it.
    let inserted = steps / 25
    let log = conditions.scratch("inserted.jsonl")
    _ = try session.record(to: log, steps: inserted)
    return Contest(
      .timed(amount: steps, rounds: 5) {
        [try session.record(to: conditions.scratch("recorded.jsonl"), steps: steps)]
      }, on: "\(Readable.grouped(steps)) steps",
      beside: [PythonRival.rival(.sqlite3, [log.filePath], amount: inserted)])
  }
}

/// The state of a larger app, beside the recorder that its author would write.
private func thousandTodos(_ conditions: Conditions) -> [Figure] {
  let steps = conditions.scale(10_000, quick: 2_000)
  let session = TodoSession(todos: 1_000, seed: conditions.seed, durability: .ahead)
  return [
    Figure("1,000 todos", in: .stepsPerSecond, on: .all, target: .atMost(40_000, .multiplication)) {
      Contest(
        .timed(amount: steps, rounds: 5) {
          [try session.record(to: conditions.scratch("recorded.jsonl"), steps: steps)]
        }, on: "\(Readable.grouped(steps)) steps, 142 KB")
    },
    Figure(
      "1,000 todos, beside a recorder by hand", in: .microseconds, on: .all,
      target: .timesRival(6)
    ) {
      let url = conditions.scratch("recorded.jsonl")
      return Contest(
        .timed(amount: steps, rounds: 5) { [try session.record(to: url, steps: steps)] },
        beside: [
          Rival(
            "JSONEncoder, FileHandle",
            .timed(amount: steps / 20, rounds: 3) {
              [try recordByHand(session, to: url, steps: steps / 20)]
            })
        ])
    },
    // A large state of which each step changes three small parts.
    Figure("1,000 lines of text", in: .stepsPerSecond, on: .all) {
      Contest(
        .timed(amount: steps, rounds: 5) {
          let text = TextSession(lines: 1_000, seed: conditions.seed)
          let url = conditions.scratch("recorded.jsonl")
          return [try Stopwatch.lap { try text.record(to: url, steps: steps) }]
        }, on: "\(Readable.grouped(steps)) steps, 75 KB")
    },
    Figure("1,000 todos, size", in: .bytesPerStep, target: .atMost(300)) {
      let url = conditions.scratch("recorded.jsonl")
      return Contest(
        .counted {
          try session.record(to: url, steps: steps)
          return [Double(try url.byteCount()) / Double(steps)]
        },
        beside: [
          Rival(
            "JSONEncoder, FileHandle",
            .counted {
              _ = try recordByHand(session, to: url, steps: 20)
              return [Double(try url.byteCount()) / 20]
            })
        ])
    },
  ]
}

private func recordByHand(_ session: TodoSession, to url: URL, steps: Int) throws -> Lap {
  let actions = session.actions(steps)
  let dispatcher = Dispatcher(session.stores())
  let recorder = try HandWrittenRecorder(path: url.filePath)
  dispatcher.use(recorder)
  return try Stopwatch.lap {
    for action in actions { dispatcher.dispatch(action) }
    try recorder.close()
  }
}
