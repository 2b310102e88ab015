import FluxCore

enum CounterAction: Action, Equatable {
  case increase
  case add(Int)
  case set(Int)
  case nothing
  case refuse(String)
  case fail
}

struct CounterFailure: Error, CustomStringConvertible {
  var description: String { "the counter is out of order" }
}

/// A counter; `onReduce` gets every action in the turn, so that a test can act from inside a reducer.
struct CounterStore: Store {
  var id: StoreID = "counter"
  var initialState = 0
  var onReduce: @Sendable (CounterAction) -> Void = { _ in }

  func reduce(_ count: inout Int, _ action: CounterAction, _ step: inout Step) throws {
    onReduce(action)
    switch action {
    case .increase: count += 1
    case .add(let amount): count += amount
    case .set(let value): count = value
    case .nothing: break
    case .refuse(let reason):
      count += 1000
      throw Rejection(reason)
    case .fail:
      count += 1000
      throw CounterFailure()
    }
  }
}

enum LogAction: Action, Equatable { case note(String) }

/// Keeps every number that the counter reaches.
struct TallyStore: Store {
  let initialState: [String] = []

  func reduce(_ lines: inout [String], _ action: LogAction, _ step: inout Step) {
    guard case .note(let line) = action else { return }
    lines.append(line)
  }

  var reactions: [Reaction<[String]>] {
    [
      .on(CounterAction.self) { lines, action, step in
        lines.append("counter is \(try step[CounterStore.self])")
      }
    ]
  }
}
