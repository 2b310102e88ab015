import FluxCore
import FluxLog

// The parts of a step's record that the dispatcher knows as others.

extension ActionOrigin {
  init(_ envelope: Envelope) {
    self.init(
      target: envelope.target?.rawValue, cause: envelope.cause, effect: envelope.effect,
      from: envelope.isFromObserver ? LogStep.observer : nil)
  }
}

extension [StoreEffects] {
  /// Groups the requests of a step by store, in their order.
  init(_ requests: [Outcome.RequestedEffect]) {
    self = []
    for request in requests {
      let store = request.store.rawValue
      let place = firstIndex { $0.store.hasSameBytes(as: store) } ?? count
      if place == count { append(StoreEffects(store: store)) }
      if request.isCancellation {
        self[place].cancel(request.name)
      } else {
        self[place].start(request.name)
      }
    }
  }
}

extension LogRejection {
  init(_ rejection: Rejection) {
    self.init(
      reason: rejection.reason.rawValue, message: rejection.message,
      store: rejection.store?.rawValue)
  }
}
