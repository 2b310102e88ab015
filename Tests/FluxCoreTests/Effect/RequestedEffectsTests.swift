import Foundation
import Testing

@testable import FluxCore

/// The starts and cancellations of effects that middleware sees.
@Suite struct RequestedEffectsTests {
  enum Order: Action {
    case run([String])
    case refuse
  }

  /// Starts an effect for each word; `-word` cancels one.
  static func request(_ words: [String], _ policy: EffectPolicy, _ step: inout Step) {
    for word in words {
      if word.hasPrefix("-") {
        step.cancel(EffectName(String(word.dropFirst())))
      } else {
        step.effect(EffectName(word), policy) { _ in }
      }
    }
  }

  struct Worker: Store {
    var id: StoreID = "worker"
    let initialState = 0
    var policy: EffectPolicy = .replacing

    func reduce(_ count: inout Int, _ action: Order, _ step: inout Step) throws {
      guard case .run(let words) = action else {
        RequestedEffectsTests.request(["lost"], policy, &step)
        throw Rejection("no")
      }
      RequestedEffectsTests.request(words, policy, &step)
    }
  }

  struct Pair: StateValue {
    var left = 0
  }

  /// A store with a worker for a part of its state.
  struct Parent: Projection {
    let initialState = Pair()

    var reactions: [Reaction<Pair>] { [.child(\.left, Worker())] }
  }

  /// Notes the requests of each step as a middleware sees them.
  struct Observer: Middleware {
    let seen: Recorded<String>

    func didDispatch(_ step: CompletedStep) {
      let requests = step.outcome.requestedEffects.map {
        "\($0.store):\($0.isCancellation ? "-" : "")\($0.name)"
      }
      seen.append("\(step.envelope.step) \(requests.joined(separator: " "))")
    }
  }

  private func requests(
    of actions: [any Action], stores: [any Store], mode: Dispatcher.Mode = .live
  ) -> [String] {
    let dispatcher = Dispatcher(stores, mode: mode)
    let observer = Observer(seen: Recorded())
    dispatcher.use(observer)
    func dispatch(_ action: some Action) { dispatcher.dispatch(action) }
    for action in actions { dispatch(action) }
    return observer.seen.all
  }

  @Test(
    "starts and cancellations are in the order of the reducer",
    arguments: [Dispatcher.Mode.live, .replay, .simulate])
  func order(_ mode: Dispatcher.Mode) {
    let seen = requests(
      of: [Order.run(["save", "-search", "save", "-save"]), Order.run([]), Order.run(["-x"])],
      stores: [Worker()], mode: mode)
    #expect(
      seen == ["1 worker:save worker:-search worker:save worker:-save", "2 ", "3 worker:-x"])
  }

  @Test("each request names its store, and a child's are its parent's")
  func stores() {
    let seen = requests(
      of: [Order.run(["a", "-b"])], stores: [Worker(id: "first"), Parent(), Worker(id: "last")])
    #expect(seen == ["1 first:a first:-b parent:a parent:-b last:a last:-b"])
  }

  @Test("the requests of a batch are those of its actions")
  func batch() {
    let seen = requests(
      of: [Batch("all", [Order.run(["a"]), Order.run(["-a", "b"])])], stores: [Worker()])
    #expect(seen == ["1 worker:a worker:-a worker:b"])
  }

  @Test("a rejected step requests nothing")
  func rejected() {
    let seen = requests(
      of: [Order.refuse, Batch("all", [Order.run(["a"]), Order.refuse])], stores: [Worker()])
    #expect(seen == ["1 ", "2 "])
  }

  @Test("an effect that its policy drops was requested all the same")
  func dropped() {
    let seen = requests(
      of: [Order.run(["a", "a", "a"])], stores: [Worker(policy: .keeping(for: .seconds(1_000)))])
    #expect(seen == ["1 worker:a worker:a worker:a"])
  }

  @Test("the names of started effects are the starts alone")
  func names() {
    let outcome = Dispatcher([Worker()], mode: .replay)
      .dispatch(Order.run(["-a", "b", "-b", "c", "b"]))
    #expect(outcome.effects == ["b", "c", "b"])
    #expect(
      outcome.requestedEffects.first
        == Outcome.RequestedEffect(store: "worker", name: "a", isCancellation: true))
  }
}
