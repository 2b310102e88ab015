import FluxCore
import Foundation
import Testing

@Suite("Rule 2: a step commits whole or not at all") struct TransactionTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let action: any Action
    let target: StoreID?
    let rejection: Rejection.Reason
    let store: StoreID?
    let message: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "refused with a message", action: CounterAction.refuse("not today"), target: nil,
      rejection: .refused, store: "counter", message: "not today"),
    Case(
      name: "any other error", action: CounterAction.fail, target: nil, rejection: .failed,
      store: "counter", message: "counter/fail failed: the counter is out of order"),
    Case(
      name: "an action that nobody takes", action: ThreadAction(thread: 1), target: nil,
      rejection: .unhandled, store: nil, message: "no store handles thread"),
    Case(
      name: "an action for a store that does not handle it", action: CounterAction.increase,
      target: "chain", rejection: .unhandled, store: "chain",
      message: "the store does not handle counter/increase"),
    Case(
      name: "an action for a store that does not exist", action: CounterAction.increase,
      target: "abacus", rejection: .unknownStore, store: "abacus",
      message: "there is no such store; the stores are tally, counter, chain"),
    Case(
      name: "a batch of which one is refused",
      action: Batch(
        "all",
        [
          CounterAction.increase, ChainAction.addAndFollow(1, 2), CounterAction.refuse("enough"),
        ]), target: nil, rejection: .refused, store: "counter", message: "enough"),
    Case(
      name: "a batch with an action that nobody takes",
      action: Batch(nil, [CounterAction.increase, ThreadAction(thread: 1)]), target: nil,
      rejection: .unhandled, store: nil, message: "no store handles thread"),
  ]

  @Test(
    "a rejection changes nothing, is reported once with its reason, and the queue continues",
    arguments: cases)
  func rejected(_ example: Case) {
    let dispatcher = Dispatcher([TallyStore(), CounterStore(), Chain()])
    let reports = Recorded<Outcome>()
    dispatcher.use(
      Reporting { outcome, changed in
        reports.append(outcome)
        #expect(outcome.result != .rejected || changed.isEmpty)
      })
    let changes = Recorded<UInt64>()
    let receipts = [
      dispatcher.store(CounterStore.self).onChange { changes.append($0.step) },
      dispatcher.store(TallyStore.self).onChange { changes.append($0.step) },
      dispatcher.store(Chain.self).onChange { changes.append($0.step) },
    ]
    let outcome = dispatch(example.action, to: example.target, in: dispatcher)
    #expect(outcome.result == .rejected)
    #expect(outcome.step == 1)
    #expect(outcome.rejection?.reason == example.rejection)
    #expect(outcome.rejection?.store == example.store)
    #expect(outcome.rejection?.message == example.message)
    #expect(outcome.followUps.isEmpty && outcome.effects.isEmpty)
    #expect(dispatcher[CounterStore.self] == 0)
    #expect(dispatcher[TallyStore.self] == [])
    #expect(dispatcher[Chain.self] == [])
    #expect(changes.all == [])

    #expect(dispatcher.dispatch(CounterAction.increase).step == 2)
    #expect(dispatcher[TallyStore.self] == ["counter is 1"])
    #expect(reports.all.map(\.result) == [.rejected, .changed])
    withExtendedLifetime(receipts) {}
  }

  @Test("a middleware that throws rejects, whatever it throws")
  func intercepted() {
    let dispatcher = Dispatcher([CounterStore()])
    dispatcher.use(Forbidding(error: CounterFailure()))
    let outcome = dispatcher.dispatch(CounterAction.increase)
    #expect(
      outcome.rejection?.description == "Forbidding threw: the counter is out of order")
    #expect(outcome.rejection?.reason == .intercepted)

    let other = Dispatcher([CounterStore()])
    other.use(Forbidding(error: Rejection("closed for today")))
    let rejection = other.dispatch(CounterAction.increase).rejection
    #expect(rejection?.reason == .intercepted)
    #expect(rejection?.message == "closed for today")
    let bare = Dispatcher([CounterStore()])
    bare.use(Forbidding(error: Rejection.impossible))
    #expect(
      bare.dispatch(CounterAction.increase).rejection?.message
        == "Forbidding finds counter/increase impossible")
    #expect(other[CounterStore.self] == 0)
  }

  private enum PIN: CodingKey { case pin }

  private enum Vault: Action { case open }

  private struct VaultStore: Store {
    let id: StoreID = "vault"
    let initialState = 0
    let error: any Error

    func reduce(_ state: inout Int, _ action: Vault, _ step: inout Step) throws { throw error }
  }

  @Test(
    "an error of encoding or decoding rejects without the value",
    arguments: [
      (
        EncodingError.invalidValue(
          "1234", .init(codingPath: [PIN.pin], debugDescription: "1234 is short")),
        #"String at "/pin" cannot be encoded"#
      ),
      (
        DecodingError.dataCorrupted(
          .init(codingPath: [PIN.pin], debugDescription: "1234 is no PIN")),
        #"the value at "/pin" cannot be decoded"#
      ),
      (
        DecodingError.typeMismatch(
          Int.self, .init(codingPath: [PIN.pin], debugDescription: "found 1234")),
        #"Int at "/pin" cannot be decoded"#
      ),
      (
        DecodingError.keyNotFound(
          PIN.pin, .init(codingPath: [], debugDescription: "only 1234")),
        #""/pin" is missing"#
      ),
    ] as [(any Error, String)])
  func quotesNoValue(_ error: any Error, _ expected: String) {
    let dispatcher = Dispatcher([VaultStore(error: error)])
    #expect(dispatcher.dispatch(Vault.open).rejection?.message == "vault/open failed: \(expected)")
    dispatcher.use(Forbidding(error: error))
    #expect(
      dispatcher.dispatch(Vault.open).rejection?.message == "Forbidding threw: \(expected)")
  }

  @Test("a batch is one step and one event; each action sees the result of the one before")
  func batch() {
    let dispatcher = Dispatcher([CounterStore(), TallyStore()])
    let changes = Recorded<String>()
    let receipt = dispatcher.store(CounterStore.self).onChange {
      changes.append("\($0.old) -> \($0.new) at \($0.step)")
    }
    let inner = Batch("inner", [CounterAction.add(5), CounterAction.increase])
    #expect(dispatcher.dispatch(Batch("outer", [CounterAction.set(4), inner])).result == .changed)
    #expect(changes.all == ["0 -> 10 at 1"])
    #expect(
      dispatcher[TallyStore.self] == ["counter is 4", "counter is 9", "counter is 10"])
    withExtendedLifetime(receipt) {}
  }

  @Test("a batch that ends where it began changes nothing")
  func revertedBatch() {
    let dispatcher = Dispatcher([CounterStore(), Chain()])
    let outcome = dispatcher.dispatch(Batch(nil, [CounterAction.add(5), CounterAction.add(-5)]))
    #expect(outcome.result == .unchanged)
    let mixed = Batch(nil, [CounterAction.add(5), ChainAction.add(1), CounterAction.add(-5)])
    let changed = Recorded<[StoreID]>()
    dispatcher.use(Reporting { changed.append($1) })
    #expect(dispatcher.dispatch(mixed).result == .changed)
    #expect(changed.all == [["chain"]])
    #expect(dispatcher.dispatch(Batch(nil, [])).result == .unchanged)
  }
}

/// Dispatches an action of an unknown type.
func dispatch(_ action: any Action, to target: StoreID? = nil, in dispatcher: Dispatcher) -> Outcome
{
  func open(_ action: some Action) -> Outcome { dispatcher.dispatch(action, to: target) }
  return open(action)
}

struct Reporting: Middleware {
  let body: @Sendable (Outcome, [StoreID]) -> Void

  init(_ body: @escaping @Sendable (Outcome, [StoreID]) -> Void) {
    self.body = body
  }

  func didDispatch(_ step: CompletedStep) { body(step.outcome, step.changed) }
}

struct Forbidding: Middleware {
  let error: any Error

  func willDispatch(_ envelope: Envelope, _ model: Model) throws { throw error }
}
