import FluxCore
import Foundation

enum CartAction: Action, Equatable {
  case add(String)
  case clear
  case fetch
  case nothing
  case refuse
}

struct Cart: StateValue {
  var items: [String] = []
}

struct CartStore: Store {
  let initialState = Cart()

  func reduce(_ cart: inout Cart, _ action: CartAction, _ step: inout Step) throws {
    switch action {
    case .add(let item): cart.items.append(item)
    case .clear: cart.items = []
    case .fetch: step.effect("fetch", then: CartAction.add) { "tea" }
    case .nothing: break
    case .refuse: throw Rejection("the shop is closed")
    }
  }
}

struct Checkout: Feature {
  enum Phase: StateValue { case paying(sum: Int) }
  enum Action: FluxCore.Action { case begin, finish }

  func reduce(_ checkout: inout Phase?, _ action: Action, _ step: inout Step) throws {
    switch (checkout, action) {
    case (nil, .begin): checkout = .paying(sum: try step[CartStore.self].items.count)
    case (.paying, .finish):
      checkout = nil
      step.dispatch(CartAction.clear)
    default: throw Rejection.impossible
    }
  }
}

enum NotesAction: Action { case write(String) }

struct NotesStore: Store {
  struct State: StateValue { var text = "" }

  let initialState = State()

  func reduce(_ notes: inout State, _ action: NotesAction, _ step: inout Step) {
    switch action {
    case .write(let text): notes.text = text
    }
  }
}

/// A clock that goes on by a tenth of a second at each look.
final class Ticks: @unchecked Sendable {
  // Sendable: guarded by `lock`.
  private let lock = NSLock()
  private let start: Date
  private var count = 0

  init(_ start: Date) {
    self.start = start
  }

  func next() -> Date {
    lock.withLock {
      defer { count += 1 }
      return start.addingTimeInterval(Double(count) / 10)
    }
  }
}
