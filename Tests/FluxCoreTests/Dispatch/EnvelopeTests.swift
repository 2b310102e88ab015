import FluxCore
import Testing

@Suite struct EnvelopeTests {
  private enum Signal: Action {
    case begin, followUp, fromObserver, fromMiddleware, fromEffect, then
  }

  private struct SignalStore: Store {
    let id: StoreID = "signal"
    let initialState = 0

    func reduce(_ count: inout Int, _ action: Signal, _ step: inout Step) {
      count += 1
      guard case .begin = action else { return }
      step.dispatch(Signal.followUp)
      step.effect("work", then: { Signal.fromEffect }) { () }
    }
  }

  private struct Watch: Middleware {
    let seen: Recorded<String>
    let then: @Sendable (Envelope) -> Void

    func willDispatch(_ envelope: Envelope, _ model: Model) {
      seen.append(
        "\(envelope.name) cause \(envelope.cause ?? 0) \(envelope.effect ?? "-") "
          + "\(envelope.isFromObserver)")
      then(envelope)
    }
  }

  @Test("an envelope tells follow-ups and effects from dispatches of observers and middleware")
  func origins() async {
    let dispatcher = Dispatcher([SignalStore()])
    let seen = Recorded<String>()
    dispatcher.use(
      Watch(seen: seen) { [weak dispatcher] envelope in
        if envelope.step == 1 { dispatcher?.dispatch(Signal.fromMiddleware) }
      })
    let receipt = dispatcher.store(SignalStore.self).onChange { [weak dispatcher] change in
      if change.step == 1 { dispatcher?.dispatch(Signal.fromObserver) }
    }
    await dispatcher.run(Signal.begin)
    dispatcher.dispatch(Signal.then)
    #expect(
      seen.all == [
        "signal/begin cause 0 - false",
        "signal/fromMiddleware cause 1 - true",
        "signal/fromObserver cause 1 - true",
        "signal/followUp cause 1 - false",
        "signal/fromEffect cause 1 work false",
        "signal/then cause 0 - false",
      ])
    receipt.cancel()
  }
}
