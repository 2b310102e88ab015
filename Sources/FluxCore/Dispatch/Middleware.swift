public import Foundation

/// Sees every step of a dispatcher, before and after it: a logger, a recorder, a guard.
///
/// Middleware runs inside the turn, in the order in which it was added. Actions that it dispatches are queued.
public protocol Middleware: Sendable {
  /// Called once, before the first step that the middleware sees.
  ///
  /// - Parameter context: The dispatcher's stores and current states.
  func didAttach(_ context: DispatcherContext)

  /// Called with an action before any store handles it.
  ///
  /// - Parameters:
  ///   - envelope: The action and its circumstances.
  ///   - model: The states before the step.
  /// - Throws: Any error; it rejects the step.
  func willDispatch(_ envelope: Envelope, _ model: Model) throws

  /// Called with the outcome of an action, even if it was rejected.
  ///
  /// - Parameter step: The action with its outcome and the states after it.
  func didDispatch(_ step: CompletedStep)

  /// Called after the dispatcher was set to another model, before the observers; see ``Dispatcher/restore(_:)``.
  ///
  /// - Parameter restoration: The model, and what differs from the one before.
  func didRestore(_ restoration: Restoration)
}

/// A step that has committed or was rejected, for middleware.
public struct CompletedStep: Sendable {
  /// The action and its circumstances, as the middleware got them before the step.
  public let envelope: Envelope
  /// The outcome; ``Outcome/followUps`` and ``Outcome/requestedEffects`` list the step's requests.
  public let outcome: Outcome
  /// The stores that the step changed, in the order of the dispatcher.
  public let changed: [StoreID]
  /// The states after the step.
  public let model: Model

  init(
    envelope: consuming Envelope, outcome: consuming Outcome, changed: [StoreID],
    model: consuming Model
  ) {
    self.envelope = envelope
    self.outcome = outcome
    self.changed = changed
    self.model = model
  }
}

/// A model to which a dispatcher was set, without a step.
public struct Restoration: Sendable {
  /// The states from now on.
  public let model: Model
  /// The step after which the dispatcher had that model; 0 for its first model, nil if it never had it.
  public let step: UInt64?
  /// The number of the next step.
  public let nextStep: UInt64
  /// The stores whose states differ from those before, in the order of the dispatcher.
  public let changed: [StoreID]
}

extension Middleware {
  /// Does nothing.
  public func didAttach(_ context: DispatcherContext) {}

  /// Does nothing.
  public func willDispatch(_ envelope: Envelope, _ model: Model) throws {}

  /// Does nothing.
  public func didDispatch(_ step: CompletedStep) {}

  /// Does nothing.
  public func didRestore(_ restoration: Restoration) {}
}

/// The setup and the current state of a dispatcher, for middleware that is added to it.
public struct DispatcherContext: Sendable {
  /// The constant properties of a store.
  public struct Store: Sendable {
    /// The identifier of the store.
    public let id: StoreID
    /// The name of the state's type; for a feature, the name of its own type.
    public let typeName: String
    /// `true` if the store is a feature, which can be absent.
    public let isFeature: Bool
  }

  /// The stores, in the order of the dispatcher.
  public let stores: [Store]
  /// The seed of all random numbers in steps.
  public let seed: UInt64
  /// The mode of the dispatcher.
  public let mode: Dispatcher.Mode
  /// The number of the first step that the middleware will see.
  public let nextStep: UInt64
  /// The current time in whole microseconds; no later step has an earlier time.
  public let time: Date
  /// The dispatcher's clock; its times are not quantised and may go back.
  public let clock: @Sendable () -> Date
  /// The states before that step.
  public let model: Model
}

/// A middleware that may have nothing to do before a step.
package protocol RetrospectiveMiddleware: Middleware {
  /// `false` if ``Middleware/willDispatch(_:_:)`` does nothing; constant once the middleware is attached.
  var looksAhead: Bool { get }
}

/// A middleware that takes over the steps of a dispatcher if it is its only one.
package protocol FinalMiddleware: Middleware {
  /// Called instead of ``Middleware/didDispatch(_:)``.
  ///
  /// The envelope is moved, and the model is lent: copies of both count references, which took a third of the time of
  /// recording a step.
  func didDispatch(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores)
}

/// The stores that a step changed, in the order of the dispatcher, for the duration of one call.
@safe
package struct ChangedStores: ~Copyable {
  /// A changed store and its state after the step, which is a nil optional for an absent feature.
  package typealias Change = (store: StoreID, snapshot: StateSnapshot, isFeature: Bool)

  // Not reference-counted: the turn that lends the stores keeps the kernel alive.
  private let lender: Unmanaged<Kernel>

  init(_ kernel: Kernel) {
    unsafe lender = .passUnretained(kernel)
  }

  /// The number of stores; 0 if the step was rejected.
  package var count: Int {
    unsafe lender._withUnsafeGuaranteedRef { $0.turn.value.touched.count }
  }

  package func change(at index: Int) -> Change {
    unsafe lender._withUnsafeGuaranteedRef { kernel in
      let slot = kernel.turn.value.touched[index]
      return (
        kernel.layout.ids[slot], kernel.published.value.snapshots[slot],
        kernel.layout.isFeature[slot]
      )
    }
  }
}

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
    let own = (middleware as? any RetrospectiveMiddleware)?.looksAhead ?? true
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

  /// Reports the step that is ending in a turn of `kernel`.
  func didDispatch(_ envelope: consuming Envelope, _ outcome: Outcome, in kernel: Kernel) {
    didDispatch(
      CompletedStep(
        envelope: envelope, outcome: outcome,
        changed: kernel.layout.ids(of: kernel.turn.value.touched), model: kernel.published.value))
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

  override func didDispatch(_ envelope: consuming Envelope, _ outcome: Outcome, in kernel: Kernel) {
    final.didDispatch(envelope, outcome, ChangedStores(kernel))
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
