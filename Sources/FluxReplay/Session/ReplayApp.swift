public import FluxJSON
public import FluxLog

/// An app that can be replayed: a source of fresh stores.
///
/// The stores may be in this process or in another one that serves them. Callers know neither the app's types
/// nor its process: they exchange JSON with it.
public protocol ReplayApp: Sendable {
  /// Describes the app's stores, and the actions that they handle.
  ///
  /// - Throws: ``ReplayFailure`` if the app cannot be reached.
  func describe() throws(ReplayFailure) -> AppDescription

  /// Creates fresh stores in given states, and starts a session with them.
  ///
  /// Sessions are independent of each other. An app in another process gives each session a process of its
  /// own, so that variables outside the stores are fresh as well.
  ///
  /// - Parameter start: The state in which the session begins.
  /// - Returns: The session.
  /// - Throws: ``ReplayFailure`` if the app cannot be reached, or the states do not fit its stores.
  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession

  /// Returns the same app with another limit for its start, if it runs in a process of its own.
  ///
  /// - Parameter seconds: The limit; nil for none.
  /// - Returns: The app.
  func waiting(toStart seconds: Double?) -> any ReplayApp
}

extension ReplayApp {
  /// Returns the app itself: in this process there is nothing to start.
  public func waiting(toStart seconds: Double?) -> any ReplayApp { self }
}

/// Fresh stores of an app, to which actions are dispatched one after the other.
///
/// Used by one thread at a time.
public protocol ReplaySession: AnyObject {
  /// Dispatches actions in order, and returns the resulting steps.
  ///
  /// In ``SessionStart/Mode/replay`` each action makes one step, with its number and time from the log. In
  /// ``SessionStart/Mode/simulate`` each action's follow-ups come after it as steps of their own, and the
  /// session numbers the steps.
  ///
  /// - Parameter actions: The actions. Each call costs a message to another process, so pass many at a time.
  /// - Returns: The steps, in the order in which they ran.
  /// - Throws: ``ReplayFailure`` if the session ended on the way; it names the step if that is known.
  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep]

  /// Returns the current states of all stores; absent features are left out.
  ///
  /// - Returns: The states, by the app's current names for its stores.
  /// - Throws: ``ReplayFailure`` if the session has ended.
  func states() throws(ReplayFailure) -> StoreDictionary<JSON>

  /// Upcasts recorded states to the app's current form.
  ///
  /// Called only for stores in ``AppDescription/upcastStores``.
  ///
  /// - Parameter states: The states, by the names of their stores in the log.
  /// - Returns: The upcast states, in the same order.
  /// - Throws: ``ReplayFailure`` if a state cannot be upcast.
  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON]

  /// Ends the session and releases its stores.
  ///
  /// Does nothing if it has already ended.
  func end()
}

extension ReplaySession {
  /// Returns the states unchanged: the app has no upcasters.
  public func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    states.map(\.state)
  }
}

/// The recorded state of a store.
public struct RecordedState: Sendable, Equatable {
  /// The store, by its name in the log.
  public var store: String
  /// The state.
  public var state: JSON

  /// Creates a recorded state.
  public init(store: String, state: JSON) {
    self.store = store
    self.state = state
  }
}
