/// A middleware of a dispatcher and those after it, in the order in which they were added.
///
/// A chain of constants and not an array, because each call of an array's element counts references.
class MiddlewareChain: @unchecked Sendable {
  // Sendable: constants of Sendable types. The attribute is needed because the class is not final.
  private let middleware: any Middleware
  private let cancellation: Cancellation
  private let next: MiddlewareChain?
  /// `false` if no middleware has anything to do before a step; then a step does not copy the model for it.
  final let looksAhead: Bool

  fileprivate init(
    _ middleware: any Middleware, _ cancellation: Cancellation, before next: MiddlewareChain?
  ) {
    self.middleware = middleware
    self.cancellation = cancellation
    self.next = next
    let own = (middleware as? any AttachedMiddleware)?.looksAhead ?? true
    looksAhead = own || next?.looksAhead ?? false
  }

  /// Creates a chain of one middleware.
  static func of(_ middleware: any Middleware, _ cancellation: Cancellation) -> MiddlewareChain {
    if let final = middleware as? any FinalMiddleware {
      FinalMiddlewareChain(final, cancellation)
    } else {
      MiddlewareChain(middleware, cancellation, before: nil)
    }
  }

  /// The same chain with one more middleware at its end.
  final func appending(_ last: MiddlewareChain) -> MiddlewareChain {
    MiddlewareChain(middleware, cancellation, before: next?.appending(last) ?? last)
  }

  /// `true` if a middleware was removed.
  final var hasCancelled: Bool {
    cancellation.isCancelled || next?.hasCancelled ?? false
  }

  /// The middleware that was not removed.
  final var withoutCancelled: MiddlewareChain? {
    let rest = next?.withoutCancelled
    if cancellation.isCancelled { return rest }
    return rest.map { MiddlewareChain(middleware, cancellation, before: $0) }
      ?? .of(middleware, cancellation)
  }

  final func willDispatch(
    _ envelope: borrowing Envelope, _ model: Model
  ) throws(Rejection) {
    do {
      try middleware.willDispatch(envelope, model)
    } catch {
      throw Rejection(error, middleware: middleware, action: envelope.action)
    }
    try next?.willDispatch(envelope, model)
  }

  /// Reports the step that is ending.
  func didDispatch(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
  ) {
    didDispatch(
      CompletedStep(
        envelope: envelope, outcome: outcome, changed: changes.ids, model: changes.model))
  }

  private func didDispatch(_ step: borrowing CompletedStep) {
    middleware.didDispatch(step)
    next?.didDispatch(step)
  }

  final func didRestore(_ restoration: Restoration) {
    if !cancellation.isCancelled { middleware.didRestore(restoration) }
    next?.didRestore(restoration)
  }
}

/// The only middleware of a dispatcher, which takes over the steps.
private final class FinalMiddlewareChain: MiddlewareChain, @unchecked Sendable {
  // Sendable: one more constant of a Sendable type.
  private let final: any FinalMiddleware

  init(_ final: any FinalMiddleware, _ cancellation: Cancellation) {
    self.final = final
    super.init(final, cancellation, before: nil)
  }

  override func didDispatch(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
  ) {
    final.didDispatch(envelope, outcome, changes)
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
