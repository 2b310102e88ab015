import FluxCore
import Testing

/// UniFlow's features: scenarios U1 to U7.
@Suite struct UniFlowScenarioTests {
  struct Counter: Feature {
    enum Phase: StateValue { case counting(Int) }

    enum Action: FluxCore.Action {
      case begin
      case beginAndCount
      case set(Int)
      case add(Int)
      case end
    }

    func reduce(_ counter: inout Phase?, _ action: Action, _ step: inout Step) throws {
      switch (counter, action) {
      case (nil, .begin):
        counter = .counting(0)
      case (nil, .beginAndCount):
        counter = .counting(0)
        step.dispatch(Action.set(10))
        step.dispatch(Action.add(5))
      case (.counting, .set(let value)):
        counter = .counting(value)
      case (.counting(let value), .add(let amount)):
        counter = .counting(value + amount)
      case (.counting, .end):
        counter = nil
      default:
        throw Rejection.impossible
      }
    }
  }

  let dispatcher = Dispatcher([Counter()])
  var counter: StoreHandle<Counter> { dispatcher.store(Counter.self) }

  @Test("U1: begin at 0, a follow-up that sets 10, a follow-up that adds 5: 15 is observed")
  func followUps() {
    let seen = Recorded<Counter.Phase?>()
    let receipt = counter.observe({ $0 }) { seen.append($0) }
    withExtendedLifetime(receipt) { _ = counter.dispatch(.beginAndCount) }
    #expect(seen.all == [nil, .counting(0), .counting(10), .counting(15)])
  }

  struct Search: Feature {
    enum Phase: StateValue {
      case ready
      case inProgress(percent: Int)
      case failed
    }

    enum Action: FluxCore.Action {
      case prepare
      case progress(Int)
      case fail
      case remove
    }

    func reduce(_ search: inout Phase?, _ action: Action, _ step: inout Step) throws {
      switch (search, action) {
      case (nil, .prepare): search = .ready
      case (.ready, .progress(let percent)): search = .inProgress(percent: percent)
      case (.inProgress, .progress(let percent)): search = .inProgress(percent: percent)
      case (.inProgress, .fail): search = .failed
      case (.failed, .remove): search = nil
      default: throw Rejection.impossible
      }
    }
  }

  @Test("U2: Ready, InProgress 0, 10, 30, 70, Failed and the removal are all observed in order")
  func phases() {
    let search = Dispatcher([Search()]).store(Search.self)
    let seen = Recorded<Search.Phase?>()
    let receipt = search.observe(initial: false, { $0 }) { seen.append($0) }
    withExtendedLifetime(receipt) {
      search.dispatch(.prepare)
      for percent in [0, 10, 30, 70] { search.dispatch(.progress(percent)) }
      search.dispatch(.fail)
      search.dispatch(.remove)
    }
    let progress = [0, 10, 30, 70].map { Search.Phase.inProgress(percent: $0) }
    #expect(seen.all == [.ready] + progress + [.failed, nil])
  }

  @Test("U3: a second begin is rejected and the value unchanged")
  func beginTwice() {
    counter.dispatch(.begin)
    counter.dispatch(.set(7))
    let outcome = counter.dispatch(.begin)
    #expect(outcome.rejection?.reason == .impossible)
    #expect(outcome.rejection?.message == "counter/begin is impossible in counting")
    #expect(counter.state == .counting(7))
  }

  @Test("U4: a set before the initialization is rejected")
  func setBeforeBegin() {
    let outcome = counter.dispatch(.set(7))
    #expect(outcome.rejection?.message == "counter/set is impossible in absent")
    #expect(counter.state == nil)
  }

  @Test("U5: two initializations in one transaction are rejected; the feature is absent afterwards")
  func beginTwiceInOneStep() {
    let outcome = dispatcher.dispatch(Batch(nil, [Counter.Action.begin, Counter.Action.begin]))
    #expect(outcome.result == .rejected)
    #expect(outcome.rejection?.reason == .impossible)
    #expect(counter.state == nil)
  }

  @Test("U6: bindings fire in the order initialization, transition, deinitialization")
  func bindings() {
    let mutations = mutations(of: Search.self) {
      $0.dispatch(Search.Action.prepare)
      $0.dispatch(Search.Action.progress(0))
      $0.dispatch(Search.Action.progress(10))
      $0.dispatch(Search.Action.fail)
      $0.dispatch(Search.Action.remove)
    }
    #expect(
      mutations == [.initialization, .transition, .actualization, .transition, .deinitialization])
  }

  @Test("U6: what a binding leads to happens where its given is true, and not where it is false")
  func given() {
    #expect(stateOfBinding(given: { $0 == .counting(0) }) == .counting(42))
    #expect(stateOfBinding(given: { $0 == .counting(1) }) == .counting(0))
  }

  /// Sets the counter to 42 when it is initialized, if a condition holds.
  private func stateOfBinding(given: @escaping @Sendable (Counter.Phase?) -> Bool) -> Counter.Phase?
  {
    let counter = Dispatcher([Counter()]).store(Counter.self)
    let binding = counter.onChange { change in
      guard change.mutation() == .initialization, given(change.new) else { return }
      counter.dispatch(.set(42))
    }
    withExtendedLifetime(binding) { _ = counter.dispatch(.begin) }
    return counter.state
  }

  @Test("U7: an initialization and two actualizations are two actualization events")
  func actualizations() {
    let mutations = mutations(of: Counter.self) {
      $0.dispatch(Counter.Action.begin)
      $0.dispatch(Counter.Action.add(1))
      $0.dispatch(Counter.Action.add(1))
    }
    #expect(mutations.filter { $0 == .actualization }.count == 2)
    #expect(mutations.count == 3)
  }

  /// The mutations of a feature that its observer sees.
  private func mutations<F: Feature>(
    of type: F.Type, _ body: (Dispatcher) -> Void
  ) -> [Mutation] {
    let dispatcher = Dispatcher([Counter(), Search()])
    let seen = Recorded<Mutation>()
    let receipt = dispatcher.store(type).onChange { change in
      if let mutation = change.mutation() { seen.append(mutation) }
    }
    withExtendedLifetime(receipt) { body(dispatcher) }
    return seen.all
  }
}
