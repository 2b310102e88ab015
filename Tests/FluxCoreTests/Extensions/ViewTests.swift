import Observation
import TestFixtures
import Testing

@testable import FluxCore

/// The code of the page "Views".
@Suite("The page about views") @MainActor struct ViewsPageTests {
  enum CartAction: Action { case add(String), redeem(String) }

  struct CartStore: Store {
    struct State: StateValue {
      var items: [String] = []
      var coupon = ""
      var price: Int { items.count * 10 }
    }

    let initialState = State()

    func reduce(_ cart: inout State, _ action: CartAction, _ step: inout Step) throws {
      switch action {
      case .add(let name): cart.items.append(name)
      case .redeem(let coupon):
        guard coupon.count > 2 else { throw Rejection("a coupon has three letters or more") }
        cart.coupon = coupon
      }
    }
  }

  struct ShippingStore: Projection {
    let initialState = 5
    var reactions: [Reaction<Int>] {
      [
        .on(CartAction.self) { price, action, step in
          if try step[CartStore.self].price > 20 { price = 0 }
        }
      ]
    }
  }

  @MainActor @Observable final class CartModel {
    private(set) var count = 0
    private(set) var total = 0
    private let cart: StoreHandle<CartStore>

    init(_ dispatcher: Dispatcher) {
      cart = dispatcher.store(CartStore.self)
      cart.bind(\.count, of: self, to: \.items.count)
      dispatcher.bind(\.total, of: self) { $0[CartStore.self].price + $0[ShippingStore.self] }
    }

    func add(_ name: String) {
      cart.dispatch(.add(name))
    }
  }

  @MainActor final class Form {
    private(set) var problem: String?
    private(set) var problems: [String?] = []

    func redeem(_ cart: StoreHandle<CartStore>) -> StateBinding<String> {
      let coupon = cart.binding(\.coupon, CartAction.redeem).reporting { rejection in
        self.problem = rejection?.message
        self.problems.append(self.problem)
      }
      return coupon
    }
  }

  let dispatcher = Dispatcher([CartStore(), ShippingStore()])

  @Test("observed values and view models")
  func reading() {
    let total = dispatcher.observed { model in
      model[CartStore.self].price + model[ShippingStore.self]
    }
    let model = CartModel(dispatcher)
    for name in ["milk", "bread", "salt"] { model.add(name) }
    #expect(model.count == 3 && model.total == 30 && total.value == 30)
  }

  @Test("a rejected write leaves the value, and is returned and reported; the next write clears it")
  func writing() {
    let form = Form()
    let cart = dispatcher.store(CartStore.self)
    let coupon = form.redeem(cart)
    coupon.value = "no"
    #expect(form.problem == "a coupon has three letters or more")
    #expect(coupon.value == "")
    #expect(coupon.set("x").rejection?.store == "cart")
    coupon.value = "spring"
    #expect(form.problem == nil && coupon.value == "spring")
    #expect(form.problems.count == 3)
  }

  @Test("the rejection of a write inside a step is reported after the step")
  func queued() {
    let form = Form()
    let cart = dispatcher.store(CartStore.self)
    let coupon = form.redeem(cart)
    let results = Recorded<Outcome.Result>()
    let receipt = cart.onChange { _ in
      results.append(coupon.set("no").result)
    }
    cart.dispatch(.add("milk"))
    #expect(results.all == [.queued])
    #expect(form.problems == ["a coupon has three letters or more"])
    withExtendedLifetime(receipt) {}
  }
}

@MainActor @Suite("View models and observed values") struct ViewTests {
  @MainActor @Observable final class CounterModel {
    private(set) var count = -1
    private(set) var isLong = true
    private(set) var summary = ""

    init(_ dispatcher: Dispatcher) {
      let counter = dispatcher.store(CounterStore.self)
      counter.bind(\.count, of: self) { $0 }
      counter.bind(\.isLong, of: self) { $0 > 9 }
      dispatcher.bind(\.summary, of: self) {
        "\($0[CounterStore.self]), \($0[TallyStore.self].count) lines"
      }
    }

    func follow(_ dispatcher: Dispatcher) {
      dispatcher.store(CounterStore.self).bind(\.count, of: self) { -$0 }
    }
  }

  private let dispatcher = Dispatcher([CounterStore(), TallyStore()])

  @Test("properties follow their selectors from the initializer on")
  func follow() {
    let model = CounterModel(dispatcher)
    #expect(model.count == 0 && !model.isLong && model.summary == "0, 0 lines")
    dispatcher.dispatch(CounterAction.set(12))
    #expect(model.count == 12 && model.isLong && model.summary == "12, 1 lines")
    dispatcher.dispatch(LogAction.note("hello"))
    #expect(model.summary == "12, 2 lines")
  }

  @Test("a view is notified only of the properties that it reads, and only if they change")
  func notifications() {
    let model = CounterModel(dispatcher)
    let told = Recorded<String>()
    withObservationTracking {
      _ = model.isLong
    } onChange: {
      told.append("long")
    }
    dispatcher.dispatch(CounterAction.set(3))
    #expect(told.all == [])
    dispatcher.dispatch(CounterAction.set(30))
    #expect(told.all == ["long"])
  }

  @Test("a later binding of a property replaces the earlier one, and leaves the others")
  func replaced() {
    let model = CounterModel(dispatcher)
    model.follow(dispatcher)
    dispatcher.dispatch(CounterAction.set(12))
    #expect(model.count == -12 && model.isLong)
    #expect(dispatcher.engine.observers.value.observers(of: [0, 1]).count == 3)
  }

  @Test("bindings do not keep their view model, and end with it")
  func released() {
    var model: CounterModel? = CounterModel(dispatcher)
    weak let reference = model
    #expect(model != nil)
    model = nil
    #expect(reference == nil)
    dispatcher.dispatch(CounterAction.set(12))
    #expect(dispatcher.engine.observers.value.observers(of: [0, 1]).isEmpty)
  }

  @Test("a value observed over several stores notifies a view when it changes")
  func observed() {
    let sum = dispatcher.observed { $0[CounterStore.self] + $0[TallyStore.self].count }
    let told = Recorded<Bool>()
    let first = withObservationTracking {
      sum.value
    } onChange: {
      told.append(true)
    }
    #expect(first == 0)
    dispatcher.dispatch(CounterAction.nothing)
    #expect(told.count == 1)
    #expect(sum.value == 1)
  }
}

@Suite(.hangLimit) struct ModelSequenceTests {
  @Test("values over several stores are the current one, then each new one, until the end")
  func states() async {
    var dispatcher: Dispatcher? = Dispatcher([CounterStore(), TallyStore()])
    let states = dispatcher?.states { $0[CounterStore.self] + $0[TallyStore.self].count }
    dispatcher?.dispatch(CounterAction.increase)
    dispatcher?.dispatch(LogAction.note("hello"))
    dispatcher = nil
    var seen: [Int] = []
    if let states { for await state in states { seen.append(state) } }
    #expect(seen == [0, 2, 3])
  }
}
