/// The rule for an effect that starts while another one with the same name and store is running.
public enum EffectPolicy: Sendable, Equatable {
  /// Both run.
  case concurrent
  /// The new one waits until the earlier ones have ended.
  case serial
  /// Cancels the earlier one; the new one starts after the duration. This debounces.
  case replacing(after: Duration)
  /// Drops the new one until the earlier one has ended and the duration since its start is over. This
  /// throttles.
  case keeping(for: Duration)
  /// Follows another policy, and is never cancelled; see ``uncancellable-swift.property``.
  indirect case uncancellable(policy: EffectPolicy)

  /// Cancels the earlier one; the new one starts at once.
  public static let replacing = EffectPolicy.replacing(after: .zero)
  /// Drops the new one while the earlier one is running.
  public static let keeping = EffectPolicy.keeping(for: .zero)
  /// Replaces the earlier one, which still runs to its end if it is uncancellable itself.
  public static let uncancellable = EffectPolicy.replacing.uncancellable

  /// The same policy for an effect that runs to its end once it was requested, for example a payment.
  ///
  /// Neither ``Step/cancel(_:)``, nor a later effect of the same name, nor ``Dispatcher/cancelEffects()`` cancels
  /// it, and its actions are accepted. It still ends with ``Dispatcher/restore(_:)`` and with the dispatcher.
  public var uncancellable: EffectPolicy { .uncancellable(policy: self) }

  /// The policy, without the protection from cancellation.
  fileprivate var withoutProtection: EffectPolicy {
    if case .uncancellable(let policy) = self { policy.withoutProtection } else { self }
  }
}

/// Identifies an effect: names are private to a store, to a child store, and to an element of a list.
struct EffectKey: Hashable, @unchecked Sendable {
  // Sendable: a scope consists of key paths and identifiers that are Sendable where it is made.

  let slot: Int
  /// The way to a child store or an element in the store's state; empty for the store itself.
  var scope: [AnyHashable] = []
  let name: String
}

struct EffectRequest: Sendable {
  var key: EffectKey
  let policy: EffectPolicy
  let isUncancellable: Bool
  let file: StaticString
  let line: UInt
  var operation: @Sendable (Send) async -> Void
  /// `true` for a store's state that contains the element whose effect it is; nil if it is no element's effect.
  var isPresent: (@Sendable (Any) -> Bool)?

  init(
    key: EffectKey, policy: EffectPolicy, file: StaticString, line: UInt,
    operation: @escaping @Sendable (Send) async -> Void
  ) {
    self.key = key
    self.policy = policy.withoutProtection
    isUncancellable = self.policy != policy
    self.file = file
    self.line = line
    self.operation = operation
  }
}

/// A request of a step: to start an effect or to cancel those of a name.
enum EffectCommand: Sendable {
  case start(EffectRequest)
  case cancel(EffectKey)

  /// The command for middleware; `stores` are those of the dispatcher, in order.
  func request(_ stores: [StoreID]) -> Outcome.RequestedEffect {
    let (key, isCancellation) =
      switch self {
      case .start(let request): (request.key, false)
      case .cancel(let key): (key, true)
      }
    return Outcome.RequestedEffect(
      store: stores[key.slot], name: key.name, isCancellation: isCancellation)
  }
}

/// The receiver of the actions that effects dispatch, and the source of the states that they read.
///
/// Closures and not a protocol: calling a method of a protocol reads the object's header, and the Thread Sanitizer takes
/// that for a race with a reducer that changes the object's members in its turn.
struct EffectHost: Sendable {
  let dispatch: @Sendable (_ action: any Action, _ slot: Int, _ call: Call) -> Outcome
  let model: @Sendable () -> Model
}

/// Dispatches the actions of an effect, reads states, and sleeps.
///
/// Once the effect is cancelled or its dispatcher is gone, actions are ignored. A late effect never reaches
/// another dispatcher.
public struct Send: Sendable {
  let host: EffectHost
  let slot: Int
  let token: EffectToken
  let activity: Activity?
  let clock: any Clock<Duration>
  let file: StaticString
  let line: UInt
  /// Wraps the actions of an element in those of its store; nil for other actions.
  var embed: (@Sendable (any Action) -> (any Action)?)?

  /// Dispatches an action; its cause is the step that started the effect.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it. Without a target, an
  ///     own action of the store that started the effect goes to that instance only.
  /// - Returns: The outcome of the action.
  @discardableResult
  public func callAsFunction(_ action: some Action, to target: StoreID? = nil) -> Outcome {
    if token.isCancelled { return .ignored }
    let origin = Call.Origin(cause: token.cause, effect: token, activity: activity)
    return host.dispatch(
      target == nil ? embed?(action) ?? action : action, slot,
      Call(file: file, line: line, target: target, origin: origin))
  }

  /// Returns a value for an element's effect, whose actions `embed` wraps before those around it do.
  func embedding(_ embed: @escaping @Sendable (any Action) -> (any Action)?) -> Send {
    var send = self
    let outer = self.embed
    send.embed = { action in
      guard let whole = embed(action) else { return outer?(action) }
      return outer?(whole) ?? whole
    }
    return send
  }

  /// The states of all stores as of the last committed step.
  ///
  /// Steps run while an effect runs: read the model when you need it, and expect a different one after an `await`.
  public var model: Model { host.model() }

  /// The state of a store as of the last committed step.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The identifier of the store; needed if the dispatcher has several of the type.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State { model[type, id] }

  /// Sleeps on the dispatcher's clock, which a test can advance.
  ///
  /// - Parameter duration: The time to sleep.
  /// - Throws: `CancellationError` if the effect is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }

  /// Runs the part of the effect that must not stop halfway.
  ///
  /// If the effect is cancelled or replaced meanwhile, `body` runs to its end and its actions are accepted; the
  /// effect is cancelled then. Only ``Dispatcher/restore(_:)`` and the end of the dispatcher cancel it at once.
  /// ```swift
  /// step.effect("buy") { [service] send in
  ///   let offer = await service.offer()
  ///   await send.commit { send(LibraryAction.bought(await service.buy(offer))) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller; the compiler fills it in.
  ///   - body: The part that runs to its end.
  /// - Returns: The result of `body`; nil if the effect was cancelled before, so that `body` did not run.
  @discardableResult
  public func commit<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value? {
    guard token.beginCommit() else { return nil }
    defer { token.endCommit() }
    return try await body()
  }
}
