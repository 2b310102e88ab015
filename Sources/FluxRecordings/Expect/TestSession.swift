public import FluxCore
public import FluxJSON
import FluxLog
import FluxRecorder
public import FluxReplay

// New targets of Xcode see the members of imported modules only, and the name of a store is a literal in tests that the
// inspector writes. They import FluxTesting, which exports this module.
@_exported public import struct FluxCore.StoreID

/// Fresh stores in a test, to which it dispatches the actions of a recording.
///
/// Follow-ups run. Effects do not: their results are actions of the test. The command `test` of the inspector writes
/// such tests:
///
/// ```swift
/// let session = try TestSession(stores: makeStores)
/// try session.dispatch(TodoAction.add(title: "milk"))
/// let title = try session.value("todos.items[0].title")
/// #expect(title == "milk")
/// ```
public final class TestSession {
  /// An action that could not run.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem.
    public let description: String
  }

  private let session: any ReplaySession
  private let coder = ActionCoder()
  private var time: LogTime
  /// The steps so far, for expressions about the last action.
  private var history: ForkHistory

  /// Creates stores.
  ///
  /// - Parameters:
  ///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
  ///   - start: The recorded start as JSON, with the seed of random numbers, the moment from which times count, and
  ///     the states to begin in. By default the stores begin in their initial states, in 1970 and with the seed 0.
  /// - Throws: `ReplayFailure` if the states do not fit the stores, and the errors of reading `start`.
  public convenience init(
    stores: @escaping @Sendable () -> [any Store], start: String? = nil
  ) throws {
    try self.init(app: AppDefinition(stores: stores), start: start)
  }

  /// Creates the stores of an app, such as an `AppDefinition` with a reducer.
  ///
  /// ```swift
  /// let session = try TestSession(app: notesApp)
  /// try session.dispatch(json: ["type": "note/add", "payload": ["text": "milk"]])
  /// ```
  /// - Parameters:
  ///   - app: The app.
  ///   - start: The recorded start as JSON, as for stores.
  /// - Throws: `ReplayFailure` if the states do not fit the stores, and the errors of reading `start`.
  public init(app: some ReplayApp, start: String? = nil) throws {
    let start =
      try start.map { try SessionStart(JSON.parse($0)) }
      ?? SessionStart(mode: .simulate, seed: 0, created: LogInstant(microseconds: 0))
    time = start.time
    session = try app.start(start)
    history = ForkHistory(beginningIn: try session.states(), first: start.next)
  }

  deinit { session.end() }

  /// Dispatches an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it.
  ///   - seconds: The time since the start, for reducers that read the clock; nil for that of the last action.
  ///   - followUps: The times of the action's follow-ups since the start, in seconds and in order; nil if they have that
  ///     of the action.
  ///   - randomStep: The number of the recorded step whose random numbers the reducers get; nil for those of this step.
  /// - Returns: The reason and the message if a reducer rejected the action, otherwise nil.
  /// - Throws: ``Failure`` if the action cannot be decoded again, and the errors of encoding it.
  @discardableResult
  public func dispatch(
    _ action: some Action, to target: StoreID? = nil, at seconds: Double? = nil,
    followUpsAt followUps: [Double]? = nil, randomStep: UInt64? = nil
  ) throws -> String? {
    // The stores get the value of a secret: as tokens of a log, all of them would be equal.
    let json = try LogEncoder.$ambientUserInfo.withValue([.revealing: true]) {
      try coder.encode(action)
    }
    return try dispatch(
      json: json, to: target, at: seconds, followUpsAt: followUps, randomStep: randomStep)
  }

  /// Dispatches an action in the form that logs have: `{"type":"todo/add","payload":{"title":"milk"}}`.
  ///
  /// The other parameters, the result and the errors are those of an action as a value.
  ///
  /// - Throws: ``Failure`` if the app has no such action.
  @discardableResult
  public func dispatch(
    json action: JSON, to target: StoreID? = nil, at seconds: Double? = nil,
    followUpsAt followUps: [Double]? = nil, randomStep: UInt64? = nil
  ) throws -> String? {
    if let seconds { time = LogTime(rounding: seconds) }
    var given = ReplayAction(
      time: time, action: action, target: target?.rawValue, randomStep: randomStep)
    given.followUpTimes = followUps?.map(LogTime.init(rounding:))
    let steps = try session.dispatch([given])
    history.append(steps, of: [given])
    switch steps.first?.outcome {
    case .rejected(let rejection): return "\(rejection.reason): \(rejection.message)"
    case .undecodable(let reason): throw Failure(description: reason)
    case .accepted, nil: return nil
    }
  }

  /// The value of a path or an expression in the current states: `todos.items[0].title`, `length(todos.items)`.
  ///
  /// Store it in a constant before `#expect`, as above: a failed `#expect` shows no part of an expression with `try`.
  ///
  /// - Parameter query: A path or an expression, as at the inspector's prompt.
  /// - Returns: The value; of a path that can select several values, an array of them; nil if there is none.
  /// - Throws: `QueryError` if the text is none of these.
  public func value(_ query: String) throws -> JSON? {
    try ValueQuery(query).value(in: model())
  }

  /// Returns `true` if an expression is true after the last action, or after one of its follow-ups.
  ///
  /// ```swift
  /// let session = try TestSession(stores: makeStores)
  /// #expect(try !session.holds("changed(cart.lines) && length(cart.lines) == 0"))
  /// ```
  /// The expression may read the step: `$.action`, `$.before`, `changed(PATH)` and `was(PATH)`, as at the inspector's
  /// prompt. Before the first action, it is evaluated in the states at the start.
  ///
  /// - Parameter expression: The expression.
  /// - Returns: `true` if it is true at one of the steps.
  /// - Throws: `QueryError` if the text is no expression.
  public func holds(_ expression: String) throws -> Bool {
    try history.stepCount(where: QueryExpression(expression)) != nil
  }

  /// Compares several values with expected ones.
  ///
  /// - Parameter expected: The values, by their paths or expressions; nil if there should be none.
  /// - Returns: A line for each value that differs.
  /// - Throws: `QueryError` if a text is neither a path nor an expression.
  public func mismatches(_ expected: KeyValuePairs<String, JSON?>) throws -> [String] {
    let model = try model()
    return try expected.compactMap { query, expected in
      let value = try ValueQuery(query).value(in: model)
      guard value != expected else { return nil }
      return "\(query) is \(value?.text ?? "missing"), and not \(expected?.text ?? "missing")"
    }
  }

  private func model() throws -> JSON { Fork.model(of: try session.states()) }
}

extension LogTime {
  /// Creates the time that is closest to a number of seconds; 0 for a negative one, and the largest for one too large.
  fileprivate init(rounding seconds: Double) {
    self.init(microseconds: UInt64(exactly: (max(0, seconds) * 1_000_000).rounded()) ?? .max)
  }
}
