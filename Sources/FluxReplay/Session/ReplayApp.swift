public import FluxLog

/// An app as replay needs it: the place where fresh stores come from.
///
/// The stores may be in this process, or in another one that serves them. Whoever asks knows
/// neither the app's types nor where it runs: all that goes to and fro is JSON.
public protocol ReplayApp: Sendable {
  /// Tells what the app has: its stores, and the actions that they take.
  ///
  /// - Throws: ``ReplayFailure`` where the app cannot be reached.
  func describe() throws(ReplayFailure) -> AppDescription

  /// Makes fresh stores in a given state, and begins a session with them.
  ///
  /// Sessions are independent of each other. An app that is a process of its own gives each session
  /// a process too, so that what the app keeps outside of its stores is fresh as well.
  ///
  /// - Parameter start: Where the session begins.
  /// - Returns: The session.
  /// - Throws: ``ReplayFailure`` where the app cannot be reached, or its stores cannot take on the
  ///   states.
  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession

  /// The same app with a limit of the time that it may take to start, where it is a process of its own.
  ///
  /// - Parameter seconds: The limit; nil for as long as it likes.
  /// - Returns: The app.
  func waiting(toStart seconds: Double?) -> any ReplayApp
}

extension ReplayApp {
  /// The app as it is: in this process there is nothing to start.
  public func waiting(toStart seconds: Double?) -> any ReplayApp { self }
}

/// Fresh stores of an app that take actions one after the other.
///
/// Used by one thread at a time.
public protocol ReplaySession: AnyObject {
  /// Dispatches actions in order, and tells what became of each.
  ///
  /// In ``SessionStart/Mode/replay`` each action makes one step, under the number and at the time
  /// that it has in the log. In ``SessionStart/Mode/simulate`` each is followed by its follow-ups,
  /// which are steps of their own, and the session counts the steps.
  ///
  /// - Parameter actions: The actions; many at a time, because a process next door costs a message
  ///   for each call.
  /// - Returns: The steps, in the order in which they ran.
  /// - Throws: ``ReplayFailure`` where the session came to its end on the way; it names the step
  ///   where that is known.
  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep]

  /// The states of all stores as they are now, without the features that are absent.
  ///
  /// - Returns: The states, by the names that the app has for its stores today.
  /// - Throws: ``ReplayFailure`` where the session came to its end.
  func states() throws(ReplayFailure) -> StoreDictionary<JSON>

  /// Brings recorded states into the form that the app gives them today.
  ///
  /// Asked only for stores that are among ``AppDescription/upcastStores``.
  ///
  /// - Parameter states: The states, by the names that their stores have in the log.
  /// - Returns: As many states, in the same order.
  /// - Throws: ``ReplayFailure`` where one of them cannot be brought into that form.
  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON]

  /// Ends the session and lets its stores go.
  ///
  /// Where it has ended already, nothing happens.
  func end()
}

extension ReplaySession {
  /// The states as they are: the app has no upcasters.
  public func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    states.map(\.state)
  }
}

/// The state of a store as a log has it.
public struct RecordedState: Sendable, Equatable {
  /// The store, by its name in the log.
  public var store: String
  /// The state.
  public var state: JSON

  /// Makes a recorded state.
  public init(store: String, state: JSON) {
    self.store = store
    self.state = state
  }
}
