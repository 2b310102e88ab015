public import Foundation

/// Where actions arrive and stores live: runs one action at a time, each as one transaction.
///
/// All methods can be called from any thread. One total order covers everything: an action takes its turn,
/// every store that takes it changes or none does, every observer sees that step, and only then comes the
/// next. A call from inside a step (from a reducer, a middleware, an observer) is queued.
/// ```swift
/// let dispatcher = Dispatcher([TodoStore(), Search(engine: engine)])
/// dispatcher.dispatch(TodoAction.add(title: "milk"))
/// print(dispatcher[TodoStore.self].items)
/// ```
public final class Dispatcher: Sendable {
  /// What is done with what a step asks for.
  public enum Mode: Sendable {
    /// Follow-ups are dispatched and effects run.
    case live
    /// Neither: the follow-ups are in the log that is replayed, with what the effects dispatched.
    case replay
    /// Follow-ups are dispatched, effects do not run: for actions that were edited or made up.
    case simulate
  }

  @usableFromInline let engine: Engine

  /// Creates a dispatcher.
  ///
  /// Two stores with one identifier, or two types of actions of one kind, are a mistake in the program and
  /// stop it with a message.
  ///
  /// - Parameters:
  ///   - stores: The stores, in the order in which they take actions and appear in a log.
  ///   - mode: What is done with follow-ups and effects.
  ///   - seed: The seed of all random numbers that steps give out; one at random by default.
  ///   - clock: The clock by which effects wait; the continuous clock by default.
  ///   - now: The clock of ``Step/now``; the system's by default.
  public init(
    _ stores: [any Store], mode: Mode = .live, seed: UInt64 = .random(in: .min ... .max),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    engine = Engine(stores, mode: mode, seed: seed, clock: clock, now: now)
  }

  deinit {
    engine.close()
  }

  /// What is done with what a step asks for.
  public var mode: Mode { engine.mode }

  /// The seed of all random numbers that steps give out.
  public var seed: UInt64 { engine.seed }

  /// The types of all actions that the stores take, by their kinds: what is needed to decode a log.
  public var actionTypes: [String: any Action.Type] { engine.actionTypes }

  /// The states of all stores as of the last committed step; never waits for a step that is under way.
  public var model: Model { engine.publishedModel }

  /// The state of a store as of the last committed step; never waits for a step that is under way.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The store, where there are several of the type.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    store(type, id).state
  }

  /// One of the stores.
  ///
  /// A store that the dispatcher does not have, or a type with several instances and no identifier, is a
  /// mistake in the program and stops it with a message.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The store, where there are several of the type.
  /// - Returns: The handle of the store.
  public func store<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> StoreHandle<S> {
    StoreHandle(dispatcher: self, index: engine.layout.requireIndex(of: type, id))
  }

  /// One of the stores, where the dispatcher has it: for identifiers that come from outside.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The store.
  /// - Returns: The handle of the store; nil where there is no such store of that type.
  public func find<S: Store>(_ type: S.Type, _ id: StoreID) -> StoreHandle<S>? {
    do {
      return StoreHandle(dispatcher: self, index: try engine.layout.index(of: type, id))
    } catch {
      return nil
    }
  }

  /// Adds a middleware behind those that are there; it sees steps from the next one on.
  ///
  /// - Parameter middleware: The middleware.
  public func use(_ middleware: any Middleware) {
    engine.use(middleware)
  }

  /// Cancels all effects that are under way or wait, of all stores.
  public func cancelEffects() {
    engine.effects.cancelAll()
  }
}
