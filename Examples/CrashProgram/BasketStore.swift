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
      // A basket holds ten things, so that a long run does not fill the memory.
      if basket.items.count > 10 { basket.items.removeFirst() }
    case .split(let people):
      // The mistake: nobody is a number of people, too.
      basket.share = basket.total / people
    }
  }
}
