import FluxLog
import Foundation

/// Writes a log of small steps, and tells how long that took.
struct Recording {
  let steps: Int
  /// From the first hand-over until the log is closed, in seconds.
  let seconds: Double
  /// Of that, the time of handing over, for each step.
  let handOver: Double

  static let header = LogHeader(
    log: "benchmark", created: LogInstant(microseconds: 0), seed: 1,
    stores: [.init(name: "todos", type: "Todos", initial: ["items": []])])

  private static let types = [
    "toggle", "add", "remove", "rename", "move", "filter", "sort", "undo",
  ]
  .map { "todo/\($0)" }

  init<State: SmallState>(
    of _: State.Type, path: String, steps: Int, durability: LogWriter.Options.Durability,
    queueCapacity: Int = 1024
  ) throws {
    var options = LogWriter.Options()
    options.durability = durability
    options.replacesExisting = true
    options.queueCapacity = queueCapacity
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    let actions = Self.types.map {
      LogValue(json: ["type": .init(stringLiteral: $0), "payload": ["id": 1]])
    }
    var state = State()
    let clock = ContinuousClock()
    let start = clock.now
    for step in 0..<steps {
      state.toggle(step)
      let time = LogTime(microseconds: UInt64(step) * 100)
      // The last type is rare, for the search of it.
      let action = actions[step == steps / 2 ? 7 : step % 7]
      let number = UInt64(step) + 1
      let prepared = writer.begin(step: number, at: time, action: action)
      writer.append(
        StepRecord(
          number: number, time: time, action: prepared,
          changes: [.init(store: "todos", state: state.value)]))
    }
    handOver = (clock.now - start) / .seconds(1) / Double(steps)
    try writer.close()
    seconds = (clock.now - start) / .seconds(1)
    self.steps = steps
  }
}
