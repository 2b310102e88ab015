public import FluxCore

/// Something to buy.
public struct Grocery: StateValue, Identifiable {
  /// The number of the entry; no two entries of a list have the same.
  public let id: Int
  /// The name of the product.
  public let name: String
  /// `true` if it is in the basket.
  public internal(set) var isInBasket = false
}

/// A shopping list.
public struct GroceryState: StateValue {
  /// The entries, in the order in which they were added.
  public internal(set) var items: [Grocery] = []
  var nextID = 1

  /// The number of entries that are not in the basket.
  public var missing: Int { items.count { !$0.isInBasket } }
}

/// The actions of a shopping list.
public enum GroceryAction: Action, Equatable {
  case add(name: String)
  case toggle(id: Int)
  case remove(id: Int)
  /// Removes what is in the basket.
  case checkOut
}

/// The store of a shopping list.
///
/// It is in a package target, not in the app: its tests run on any machine, Linux included. In a module that is isolated to
/// the main actor by default, the state, the action and the store would have to be `nonisolated`, because a dispatcher runs
/// reducers on the thread that dispatches.
public struct GroceryStore: Store {
  /// An empty list.
  public let initialState = GroceryState()

  /// Creates the store.
  public init() {}

  /// Changes the list; an entry without a name and an unknown one are rejected.
  public func reduce(
    _ list: inout GroceryState, _ action: GroceryAction, _ step: inout Step
  ) throws {
    switch action {
    case .add(let name):
      guard name.contains(where: { !$0.isWhitespace }) else {
        throw Rejection("an entry needs a name")
      }
      list.items.append(Grocery(id: list.nextID, name: name))
      list.nextID += 1
    case .toggle(let id):
      list.items[try list.index(of: id)].isInBasket.toggle()
    case .remove(let id):
      list.items.remove(at: try list.index(of: id))
    case .checkOut:
      list.items.removeAll(where: \.isInBasket)
    }
  }
}

extension GroceryState {
  fileprivate func index(of id: Int) throws -> Int {
    guard let index = items.firstIndex(where: { $0.id == id }) else {
      throw Rejection("there is no entry \(id)")
    }
    return index
  }
}
