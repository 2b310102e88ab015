package import FluxCore
import FluxLog
import FluxRecorder
package import Foundation
import Harness

enum TallyAction: Action {
  case increase
  case add(amount: Int, note: String)
  case reset
}

struct Tally: StateValue {
  var count = 0
  var note = ""
  var changes = 0
}

struct TallyStore: Store {
  let initialState = Tally()

  func reduce(_ tally: inout Tally, _ action: TallyAction, _ step: inout Step) {
    switch action {
    case .increase: tally.count += 1
    case .add(let amount, let note):
      tally.count += amount
      tally.note = note
    case .reset: tally.count = 0
    }
    tally.changes += 1
  }
}

enum SelectionAction: Action { case select(id: Int), clear }

struct SelectionStore: Store {
  let initialState: [Int] = []

  func reduce(_ selected: inout [Int], _ action: SelectionAction, _ step: inout Step) {
    switch action {
    case .select(let id): selected.append(id)
    case .clear: selected = []
    }
  }
}

@Sendable package func makeTallyStores() -> [any Store] { [TallyStore(), SelectionStore()] }

/// Records a run of two small stores.
package func recordTallies(
  to url: URL, steps: Int, seed: UInt64, now: @escaping @Sendable () -> Date = { Date() }
) throws {
  var random = SeededGenerator(seed: seed)
  var options = Recorder.Options()
  options.log.overflow = .block
  options.log.existing = .replace
  options.log.durability = .buffered
  let dispatcher = Dispatcher(makeTallyStores(), seed: seed, now: now)
  let recorder = Recorder(to: url, options: options)
  dispatcher.use(recorder)
  for _ in 0..<steps {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: dispatcher.dispatch(TallyAction.increase)
    case 5..<8:
      dispatcher.dispatch(
        TallyAction.add(
          amount: Int.random(in: 1...1000, using: &random), note: "by \(random.next() % 1000)"))
    case 8: dispatcher.dispatch(SelectionAction.select(id: Int.random(in: 1...99, using: &random)))
    default:
      if Int.random(in: 0..<4, using: &random) == 0 {
        dispatcher.dispatch(SelectionAction.clear)
      } else {
        dispatcher.dispatch(TallyAction.reset)
      }
    }
  }
  try recorder.close()
}
