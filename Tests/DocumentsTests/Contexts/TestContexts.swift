import FluxCore
import FluxTesting
import Foundation
import XCTest

extension Bundle {
  /// The bundle that SwiftPM generates for a target with resources.
  static var module: Bundle { .main }
}

/// The context of the code in FluxTesting's documentation, apart from the cart of the pages.
struct FluxTestingContext {
  enum TodoAction: Action { case add(title: String), toggle(id: Int), saved }

  struct TodoStore: Store {
    let initialState: [String] = []

    func reduce(_ todos: inout [String], _ action: TodoAction, _ step: inout Step) {}
  }

  enum WishAction: Action { case add(String) }

  struct WishStore: Store {
    let initialState: [String] = []

    func reduce(_ wishes: inout [String], _ action: WishAction, _ step: inout Step) {}
  }

  struct Checkout: Feature {
    enum Phase: StateValue { case paying, done }
    enum Action: FluxCore.Action { case pay, paid(receipt: String) }

    func reduce(_ checkout: inout Phase?, _ action: Action, _ step: inout Step) {}
  }

  enum SearchAction: Action { case type(String) }

  let dispatcher: Dispatcher
  let todos: StoreHandle<TodoStore>
}

/// The context of the code in FluxXCTest's documentation.
class FluxXCTestContext: XCTestCase {}
