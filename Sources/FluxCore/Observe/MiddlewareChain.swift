/// A middleware of a dispatcher and those after it, in the order in which they were added.
///
/// A chain of constants and not an array, because each call of an array's element counts references.
final class MiddlewareChain: Sendable {
  private let middleware: any Middleware
  /// The same middleware if it is one of this package.
  private let attached: (any AttachedMiddleware)?
  private let cancellation: Cancellation
  private let next: MiddlewareChain?
  /// `false` if no middleware has anything to do before a step; then a step does not copy the model for it.
  let looksAhead: Bool

  init(
    _ middleware: any Middleware, _ cancellation: Cancellation,
    before next: MiddlewareChain? = nil
  ) {
    self.middleware = middleware
    self.cancellation = cancellation
    self.next = next
    attached = middleware as? any AttachedMiddleware
    looksAhead = (attached?.looksAhead ?? true) || next?.looksAhead ?? false
  }

  func appending(_ last: MiddlewareChain) -> MiddlewareChain {
    MiddlewareChain(middleware, cancellation, before: next?.appending(last) ?? last)
  }

  /// `true` if a middleware was removed.
  var hasCancelled: Bool { cancellation.isCancelled || next?.hasCancelled ?? false }

  var withoutCancelled: MiddlewareChain? {
    let rest = next?.withoutCancelled
    return cancellation.isCancelled
      ? rest : MiddlewareChain(middleware, cancellation, before: rest)
  }

  func willDispatch(_ envelope: borrowing Envelope, _ model: Model) throws(Rejection) {
    do {
      try middleware.willDispatch(envelope, model)
    } catch {
      throw Rejection(error, middleware: middleware, action: envelope.action)
    }
    try next?.willDispatch(envelope, model)
  }

  func didDispatch(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
  ) {
    guard let next else { return report(envelope, outcome, changes) }
    report(copy envelope, outcome, changes)
    next.didDispatch(envelope, outcome, changes)
  }

  @inline(__always)
  private func report(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
  ) {
    if let attached {
      attached.didDispatch(envelope, outcome, changes)
    } else {
      middleware.didDispatch(CompletedStep(envelope, outcome, changes))
    }
  }

  func didRestore(_ restoration: Restoration) {
    if !cancellation.isCancelled { middleware.didRestore(restoration) }
    next?.didRestore(restoration)
  }
}

extension Rejection {
  init(_ error: any Error, middleware: any Middleware, action: any Action) {
    let name = "\(type(of: middleware))"
    guard let rejection = error as? Rejection else {
      self.init(reason: .intercepted, message: "\(name) threw: \(describe(error))")
      return
    }
    self.init(
      reason: .intercepted, store: rejection.store,
      message: rejection.message.isEmpty
        ? "\(name) finds \(describe(action)) impossible" : rejection.message)
  }
}
