import FluxCore

enum BasketAction: Action {
  case add(String, price: Int)
  case split(people: Int)
}

struct Basket: StateValue {
  var items: [String] = []
  var total = 0
  var share: Int?
}

struct BasketStore: Store {
  let initialState = Basket()

  func reduce(_ basket: inout Basket, _ action: BasketAction, _ step: inout Step) {
    switch action {
    case .add(let item, let price):
      basket.items.append(item)
      basket.total += price
      // A limit of ten items keeps a long run from filling the memory.
      if basket.items.count > 10 { basket.items.removeFirst() }
    case .split(let people):
      // The bug: the number of people can be zero.
      basket.share = basket.total / people
    }
  }
}
