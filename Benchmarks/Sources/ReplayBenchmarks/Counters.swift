import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness

enum CounterAction: Action {
  case increase
  case add(amount: Int, note: String)
  case reset
}

struct Counter: StateValue {
  var count = 0
  var note = ""
  var changes = 0
}

struct CounterStore: Store {
  let initialState = Counter()

  func reduce(_ counter: inout Counter, _ action: CounterAction, _ step: inout Step) {
    switch action {
    case .increase: counter.count += 1
    case .add(let amount, let note):
      counter.count += amount
      counter.note = note
    case .reset: counter.count = 0
    }
    counter.changes += 1
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

@Sendable func makeStores() -> [any Store] { [CounterStore(), SelectionStore()] }

/// Records a run of two small stores.
func recordCounters(to url: URL, steps: Int, seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  var options = Recorder.Options()
  options.log.replacesExisting = true
  options.log.durability = .buffered
  let dispatcher = Dispatcher(makeStores(), seed: seed)
  let recorder = Recorder(to: url, options: options)
  dispatcher.use(recorder)
  for _ in 0..<steps {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: dispatcher.dispatch(CounterAction.increase)
    case 5..<8:
      dispatcher.dispatch(
        CounterAction.add(
          amount: Int.random(in: 1...1000, using: &random), note: "by \(random.next() % 1000)"))
    case 8: dispatcher.dispatch(SelectionAction.select(id: Int.random(in: 1...99, using: &random)))
    default:
      if Int.random(in: 0..<4, using: &random) == 0 {
        dispatcher.dispatch(SelectionAction.clear)
      } else {
        dispatcher.dispatch(CounterAction.reset)
      }
    }
  }
  try recorder.close()
}
