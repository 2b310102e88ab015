import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness

/// The delays of an app that is faster than its recorder, beside those of an app without one.
func overloadSuite(_ conditions: Conditions) -> Suite {
  let durabilities: [LogWriter.Options.Durability] = [.buffered, .ahead, .synced]
  let bursts = durabilities.flatMap { durability in
    MessageBurst.Statistic.allCases.map { statistic in
      burst(durability, statistic, conditions)
    }
  }
  return Suite("overload", bursts + [keyPress(conditions), keyPressSize(conditions)])
}

/// A burst of messages; a synced recorder waits for the disk by definition, so it has no target.
private func burst(
  _ durability: LogWriter.Options.Durability, _ statistic: MessageBurst.Statistic,
  _ conditions: Conditions
) -> Figure {
  let target: Target? = statistic == .p99 && durability != .synced ? .timesRival(0.5) : nil
  return Figure(
    "burst of messages, \(durability), \(statistic)", in: .milliseconds, on: .all, target: target
  ) {
    let burst = MessageBurst(url: conditions.scratch("burst.jsonl"), statistic: statistic)
    let rounds = conditions.scale(5, quick: 3)
    return Contest(
      .timed(rounds: rounds) { [try burst.lap(durability)] }, on: "500 into 10,000 rows",
      beside: [Rival("no recorder", .timed(rounds: rounds) { [try burst.lap(nil)] })])
  }
}

// MARK: Undo in the state

private func keyPress(_ conditions: Conditions) -> Figure {
  Figure("key press with 50 undos", in: .microseconds, on: .all) {
    let url = conditions.scratch("undo.jsonl")
    return Contest(
      .timed(amount: UndoSession.keys, rounds: 5) { [try UndoSession.record(to: url)] },
      on: "5.8 KB each",
      beside: [
        Rival("no recorder", .timed(amount: UndoSession.keys, rounds: 5) { UndoSession.lap() })
      ])
  }
}

private func keyPressSize(_ conditions: Conditions) -> Figure {
  Figure("key press with 50 undos, size", in: .bytesPerStep, target: .atMost(400)) {
    let url = conditions.scratch("undo.jsonl")
    return Contest(
      .counted {
        _ = try UndoSession.record(to: url, overflow: .block)
        let lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map(\.count)
        return [Double(lines.sorted()[lines.count / 2])]
      }, on: "5.8 KB each, median line")
  }
}

/// Somebody who types into a text whose state keeps 50 undos.
private enum UndoSession {
  static let keys = 2_000

  private enum Edit: Action { case type(String) }

  private struct Document: StateValue {
    var history = History(String(repeating: "a text of some length. ", count: 250), limit: 50)
  }

  private struct DocumentStore: Store {
    let id: StoreID = "document"
    let initialState = Document()

    func reduce(_ state: inout Document, _ edit: Edit, _ step: inout Step) {
      if case .type(let text) = edit { state.history.change { $0 += text } }
    }
  }

  private static func type(into dispatcher: Dispatcher) {
    for key in 0..<keys { dispatcher.dispatch(Edit.type(String(key % 10))) }
  }

  static func lap() -> [Lap] {
    let dispatcher = Dispatcher([DocumentStore()])
    return [Stopwatch.lap { type(into: dispatcher) }]
  }

  static func record(
    to url: URL, overflow: LogWriter.Options.Overflow = .thin
  ) throws -> Lap {
    var options = Recorder.Options()
    options.log.existing = .replace
    options.log.overflow = overflow
    let recorder = Recorder(to: url, options: options)
    let dispatcher = Dispatcher([DocumentStore()])
    dispatcher.use(recorder)
    let lap = Stopwatch.lap { type(into: dispatcher) }
    try recorder.close()
    return lap
  }
}
