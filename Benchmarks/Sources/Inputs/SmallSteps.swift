import FluxJSON
package import FluxLog
package import Foundation
package import Harness

/// Writes a log of small steps.
package struct SmallSteps {
  /// The type of the one action in the middle of the log.
  package static let rareType = "todo/undo"

  /// Ten rules that a log of counts keeps.
  package static let rules = """
    rule positive: always todos.count >= 0
    rule grows:    todos.count never decreases
    rule small:    never todos.count > 1000000000
    rule first:    todo/toggle precedes todo/add
    rule answered: todo/toggle leads to todo/add within 1s before todo/undo
    rule soon:     todo/rename leads to todo/move within 10 steps
    rule once:     at most 1 of todo/undo
    rule turns:    at most 10 of todo/move between todo/toggle and todo/sort
    rule refused:  never rejected todo/*
    rule undone:   after todo/undo never todo/undo if todos.count > 0
    """

  private static let types = ["toggle", "add", "remove", "rename", "move", "filter", "sort"]
    .map { "todo/\($0)" }

  private static let header = LogHeader(
    log: "benchmark", created: LogInstant(microseconds: 0), seed: 1,
    stores: [.init(name: "todos", type: "Todos", initial: ["items": []])])

  private let writer: LogWriter
  private let actions: [LogValue]
  private let rare: LogValue

  /// Begins a log, with room for so many steps that are handed over and not written yet.
  package init(
    to url: URL, durability: LogWriter.Options.Durability, queueCapacity: Int = 1024
  ) throws {
    var options = LogWriter.Options()
    options.durability = durability
    options.existing = .replace
    options.overflow = .block
    options.queueCapacity = queueCapacity
    writer = try LogWriter(
      path: url.path(percentEncoded: false), header: Self.header, options: options)
    actions = Self.types.map(Self.action)
    rare = Self.action(Self.rareType)
  }

  private static func action(_ type: String) -> LogValue {
    LogValue(json: ["type": JSON(stringLiteral: type), "payload": ["id": 1]])
  }

  /// Hands over so many steps, and returns what this took.
  package func handOver<State: SmallState>(_ steps: Int, of _: State.Type) -> Lap {
    var state = State()
    return Stopwatch.lap {
      for step in 0..<steps {
        state.change(step)
        let time = LogTime(microseconds: UInt64(step) * 100)
        let number = UInt64(step) + 1
        let action = writer.begin(
          step: number, at: time,
          action: step == steps / 2 ? rare : actions[step % actions.count])
        writer.append(
          StepRecord(
            number: number, time: time, action: action,
            changes: [.init(store: "todos", state: state.value)]))
      }
    }
  }

  /// Waits until all is in the file.
  package func close() throws { try writer.close() }
}
