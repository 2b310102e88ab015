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

  /// Returns the same app with another limit for its start and for each call, if it runs in another process.
  ///
  /// A process that serves the app reports progress during a long call, and each report of a further step restarts the
  /// limit.
  ///
  /// - Parameter seconds: The limit; nil for none.
  /// - Returns: The app.
  func limited(to seconds: Double?) -> any ReplayApp

  /// Returns the same app for processes with another environment, which show what depends on the environment.
  ///
  /// - Parameter instant: A moment whose local day differs there.
  /// - Returns: The app; nil if it runs in this process.
  func elsewhere(at instant: LogInstant) -> (any ReplayApp)?

  /// Returns the same app for processes in which sets and dictionaries have the same order, which tells that order from
  /// others.
  ///
  /// - Returns: The app; nil if its processes cannot be started so.
  func hashingAlike() -> (any ReplayApp)?

  /// The path of the executable that sessions start; nil if they run in a process that is running already.
  var executablePath: String? { get }

  /// `true` if another session can start after one has lost its process or hangs.
  var restarts: Bool { get }

  /// `true` if the app's code in this process needs the main actor.
  var needsMainActor: Bool { get }
}

extension ReplayApp {
  /// `nil`: the stores are in this process.
  public var executablePath: String? { nil }

  /// Returns the app itself: this process cannot stop its own code.
  public func limited(to seconds: Double?) -> any ReplayApp { self }

  /// Returns nil: this process has one environment.
  public func elsewhere(at instant: LogInstant) -> (any ReplayApp)? { nil }

  /// Returns nil, because this process already has its hash seed.
  public func hashingAlike() -> (any ReplayApp)? { nil }

  /// `true`: a session in this process cannot lose it, and one in another process has that to itself.
  public var restarts: Bool { true }

  /// `false`: sessions run on any thread.
  public var needsMainActor: Bool { false }

  /// Runs a replay in this process: on the main actor if the app needs it.
  package func replaying<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    needsMainActor ? try await MainActor.run { try body() } : try body()
  }
}

/// Fresh stores of an app, to which actions are dispatched one after the other.
///
/// Used by one thread at a time.
public protocol ReplaySession: AnyObject {
  /// Dispatches actions in order, and returns the resulting steps.
  ///
  /// In ``SessionStart/Mode/replay`` each action makes one step, with its number and time from the log. In
  /// ``SessionStart/Mode/simulate`` each action's follow-ups come after it as separate steps, and the
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
public struct RecordedState: Sendable, Equatable, Encodable {
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

/// A store that a recorded step changed.
package struct RecordedChange: Sendable, Equatable {
  /// The reasons why a log lacks a state.
  package enum Missing: Sendable {
    /// The recorder was behind.
    case behind
    /// The file that was imported had no states.
    case imported
  }

  /// The store, by its name in the log.
  package let store: String
  /// Its state after the step, as it was recorded until it is upcast; nil if the step removed it, or if it is not written.
  package var state: JSON?
  /// The reason why the log does not have the state; nil if it has it.
  let missing: Missing?

  package init(store: String, state: JSON? = nil, missing: Missing? = nil) {
    (self.store, self.state, self.missing) = (store, state, missing)
  }

  /// `true` if the log does not have the state.
  var isUnwritten: Bool { missing != nil }
}

/// An action to dispatch in a session.
public struct ReplayAction: Sendable, Equatable {
  /// The number of its step in the log; nil in ``SessionStart/Mode/simulate``, in which the session counts.
  public var number: UInt64?
  /// The time of its dispatch.
  public var time: LogTime
  /// The action: an object with a `type`, and usually a `payload`.
  public var action: JSON
  /// The store that it is addressed to, by its name in the log; nil for all stores.
  public var target: String?
  /// The recorded tokens of the secrets that its step draws, in order.
  public var secrets: [String]
  /// The number of the step whose random numbers its step draws; nil for its own.
  ///
  /// Follow-ups draw those of the steps after that.
  public var randomStep: UInt64?
  /// The times of the follow-ups that its step has in a recording, in order; nil if it repeats no recorded step.
  ///
  /// A session in ``SessionStart/Mode/simulate`` gives its follow-ups these times. Further ones have the time of the step
  /// before them, and draw random numbers that no step of a recording has drawn.
  public var followUpTimes: [LogTime]?
  /// The recorded changes of its step; not part of a message.
  ///
  /// A session in this process returns a state of these if it encodes the same text, which then is not parsed.
  package var recorded: [RecordedChange] = []

  /// Creates an action.
  public init(
    number: UInt64? = nil, time: LogTime, action: JSON, target: String? = nil,
    secrets: [String] = [], randomStep: UInt64? = nil
  ) {
    self.number = number
    self.time = time
    self.action = action
    self.target = target
    self.secrets = secrets
    self.randomStep = randomStep
  }

  /// Creates the action of a recorded step.
  public init(_ step: LogStep) {
    self.init(
      number: step.number, time: step.time, action: step.action, target: step.target,
      secrets: step.secrets, randomStep: step.randomStep)
  }
}

extension ReplayAction: Encodable {
  private enum CodingKeys: CodingKey { case n, t, action, target, secrets, random, followUpTimes }

  /// Encodes the action as a message of the protocol:
  /// `{"n"?,"t","action","target"?,"secrets"?:[token],"random"?,"followUpTimes"?:[t]}`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(number, forKey: .n)
    try members.encode(time, forKey: .t)
    try members.encode(action, forKey: .action)
    try members.encodeIfPresent(target, forKey: .target)
    try members.encode(nonEmpty: secrets, forKey: .secrets)
    try members.encodeIfPresent(randomStep, forKey: .random)
    try members.encodeIfPresent(followUpTimes?.map(\.json), forKey: .followUpTimes)
  }

  /// Reads an action from a message of the protocol, as the tests do that `test` writes.
  ///
  /// - Throws: An error that names the member that is missing or wrong.
  public init(_ json: JSON) throws { try self.init(message: json) }

  package init(message json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "an action")
    self.init(
      number: try message.optional("n", .integer), time: try message.required("t", .time),
      action: try message.required("action", .object),
      target: try message.optional("target", .string),
      secrets: try message.optional("secrets", .strings) ?? [],
      randomStep: try message.optional("random", .integer))
    followUpTimes = try message.optional("followUpTimes", .times)
  }
}
