public import Foundation

/// Holds stores and runs actions: one action at a time, each as one transaction.
///
/// Every method is safe to call from any thread. All steps have one total order. Either every store that
/// handles an action commits, or none does. Every observer sees a step before the next one begins. A call
/// from inside a step (a reducer, a middleware, an observer) is queued.
/// ```swift
/// let dispatcher = Dispatcher([TodoStore(), SearchStore(engine: engine)])
/// dispatcher.dispatch(TodoAction.add(title: "milk"))
/// print(dispatcher[TodoStore.self].items)
/// ```
public final class Dispatcher: Sendable {
  /// The treatment of follow-ups and effects.
  public enum Mode: Sendable {
    /// Dispatches follow-ups and runs effects.
    case live
    /// Does neither: the replayed log contains the follow-ups and the actions of effects.
    case replay
    /// Dispatches follow-ups and runs no effects: for edited or invented actions.
    case simulate
  }

  @usableFromInline let engine: Engine

  /// Creates a dispatcher.
  ///
  /// The program stops with a message if two stores have the same identifier, or if two action types have the
  /// same kind.
  ///
  /// - Parameters:
  ///   - stores: The stores, in the order in which they handle actions and appear in logs.
  ///   - mode: The treatment of follow-ups and effects.
  ///   - seed: The seed of all random numbers in steps; random by default.
  ///   - clock: The clock that delays effects; the continuous clock by default.
  ///   - now: The clock of ``Step/now``; the system's clock by default.
  public init(
    _ stores: [any Store], mode: Mode = .live, seed: UInt64 = .random(in: .min ... .max),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.mode = mode
    engine = Engine(
      stores, dispatchesFollowUps: mode != .replay, runsEffects: mode == .live, seed: seed,
      clock: clock, now: now)
  }

  deinit {
    engine.close()
  }

  /// The treatment of follow-ups and effects.
  public let mode: Mode

  /// The seed of all random numbers in steps.
  public var seed: UInt64 { engine.seed }

  /// The types of all actions that the stores handle, by their kinds; decoding a log needs them.
  public var actionTypes: [String: any Action.Type] { engine.actionTypes }

  // MARK: Dispatching

  /// Dispatches an action and returns after it and all its follow-ups have run.
  ///
  /// The call waits for its turn and runs the action on this thread. A call from inside a step does not wait:
  /// it queues the action and returns ``Outcome/Result/queued``. So does a call from inside a step of another
  /// dispatcher while another thread has the turn here, because the two threads could wait for each other.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it. Reactions of other
  ///     stores run in both cases.
  ///   - file: The calling file, which a log can name.
  ///   - line: The calling line.
  /// - Returns: The outcome of the action itself.
  @inlinable
  @discardableResult
  public func dispatch(
    _ action: some Action, to target: StoreID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Outcome {
    ActionReference.withReference(to: action) {
      engine.dispatch($0, to: target, at: nil, file, line)
    }
  }

  /// Queues an action and returns at once.
  ///
  /// `then` gets the outcome in the action's turn, after its observers. The rest is as for
  /// ``dispatch(_:to:file:line:)``.
  public func enqueue(
    _ action: some Action, to target: StoreID? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    then: (@Sendable (Outcome) -> Void)? = nil
  ) {
    engine.enqueue(action, Call(file: file, line: line, target: target), then: then)
  }

  /// Dispatches an action and waits for its follow-ups and effects, and theirs.
  ///
  /// If the waiting task is cancelled, these effects are cancelled too, except uncancellable ones.
  ///
  /// Returns the outcome of the action itself; the parameters are those of ``dispatch(_:to:file:line:)``.
  @discardableResult
  public func run(
    _ action: some Action, to target: StoreID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) async -> Outcome {
    let activity = Activity()
    return await withTaskCancellationHandler {
      let call = Call(
        file: file, line: line, target: target, origin: Call.Origin(activity: activity))
      let outcome = ActionReference.withReference(to: action) { engine.dispatch($0, call) }
      await activity.wait()
      return outcome
    } onCancel: {
      engine.effects.cancelAll(of: activity)
    }
  }

  /// Dispatches a recorded action with its recorded step number and time.
  ///
  /// Use it with a dispatcher in ``Mode/replay``. In other modes the action's follow-ups are dispatched, and
  /// in ``Mode/live`` its effects run.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it.
  ///   - step: The number of the step.
  ///   - time: The time of the step.
  ///   - secrets: The recorded tokens of the secrets that the step draws, in order; see ``Step/secret(bytes:)``.
  ///   - file: The calling file, which a log can name.
  ///   - line: The calling line.
  /// - Returns: The outcome of the action.
  @discardableResult
  public func replay(
    _ action: some Action, to target: StoreID? = nil, step: UInt64, at time: Date,
    secrets: [String] = [], file: StaticString = #fileID, line: UInt = #line
  ) -> Outcome {
    let call = Call(
      file: file, line: line, target: target,
      origin: Call.Origin(recorded: (step, time), secrets: secrets))
    return ActionReference.withReference(to: action) { engine.dispatch($0, call) }
  }

  // MARK: States

  /// The states of all stores as of the last committed step; reading them never waits for a running step.
  public var model: Model { engine.publishedModel }

  /// The state of a store as of the last committed step; reading it never waits for a running step.
  ///
  /// `id` is needed if the dispatcher has several stores of the type.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    store(type, id).state
  }

  /// Returns a handle to a store.
  ///
  /// The program stops with a message if the dispatcher does not have the store, or if it has several of the
  /// type and `id` is nil.
  public func store<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> StoreHandle<S> {
    StoreHandle(dispatcher: self, index: engine.layout.requireIndex(of: type, id))
  }

  /// Returns a handle to a store, or nil if there is none; for identifiers that come from outside.
  public func find<S: Store>(_ type: S.Type, _ id: StoreID) -> StoreHandle<S>? {
    do {
      return StoreHandle(dispatcher: self, index: try engine.layout.index(of: type, id))
    } catch {
      return nil
    }
  }

  // MARK: Middleware and effects

  /// Adds a middleware after the existing ones; it sees steps from the next one on.
  ///
  /// The call waits for its turn. A call from a reducer, or from a middleware before a step, adds it once that step has
  /// committed or was rejected. From inside a step of another dispatcher, while another thread has the turn here, it
  /// is queued as a dispatch is.
  ///
  /// - Parameter middleware: The middleware.
  public func use(_ middleware: any Middleware) {
    engine.use(middleware)
  }

  /// Cancels all running and waiting effects of all stores, except uncancellable ones.
  public func cancelEffects() {
    engine.effects.cancelAll()
  }
}
