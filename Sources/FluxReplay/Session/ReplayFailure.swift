/// Says why an app could not be replayed: a failure to run, and not a difference that it found.
public struct ReplayFailure: Error, Equatable, Sendable {
  /// What went wrong.
  public enum Reason: Equatable, Sendable {
    /// The app could not be started, or is no app that can be replayed.
    case cannotStart(why: String)
    /// The app answered a request with an error: the request, and why.
    case refused(method: String, why: String)
    /// The app's process ended of its own accord.
    case exited(Exit)
    /// The app took longer than it may, and was stopped.
    case timedOut(seconds: Double)
    /// The app answered otherwise than the protocol has it.
    case protocolViolation(found: String, expected: String)
    /// States of a log do not fit the app's stores.
    case statesNotRestorable([StateProblem])
    /// The app cannot read an action that is dispatched on a branch: why.
    case undecodable(String)
    /// A state or an action of the app could not be encoded: which, and why.
    case cannotEncode(String, why: String)
    /// The session was ended before.
    case ended
    /// Whoever asked has changed their mind.
    case cancelled
  }

  /// How a process ended.
  public enum Exit: Equatable, Sendable {
    /// By itself, with that status.
    case status(Int32)
    /// By a signal: its number, and its name where it is known.
    case signal(Int32, name: String?)
    /// In a way that another part of this program took notice of.
    case unknown
  }

  /// A state that does not fit its store.
  public struct StateProblem: Equatable, Sendable {
    /// The store, by its name in the log.
    public var store: String
    /// What is wrong.
    public var why: String

    /// Makes a problem.
    public init(store: String, why: String) {
      self.store = store
      self.why = why
    }
  }

  /// What went wrong.
  public var reason: Reason
  /// The app, as it was named; nil for one in this process.
  public var app: String?
  /// The step that was under way, where that is known.
  public var step: UInt64?
  /// The type of its action.
  public var action: String?
  /// The steps of the call that had run before it, as far as that is known.
  public var completed: [ReplayedStep] = []
  /// What else was found out about it.
  public var note: String?
  /// The lines that the app's process wrote last to its standard error.
  public var lastWords: [String] = []

  /// Makes a failure.
  public init(
    _ reason: Reason, app: String? = nil, step: UInt64? = nil, action: String? = nil
  ) {
    self.reason = reason
    self.app = app
    self.step = step
    self.action = action
  }
}

extension ReplayFailure: CustomStringConvertible {
  /// What happened, where, what was expected and what to do next.
  public var description: String {
    guard !lastWords.isEmpty else { return Excerpt.printable(headline) }
    let title = "  its last lines on standard error:"
    return ([headline, title] + lastWords.map { "    \($0)" }).map(Excerpt.printable).joined(
      separator: "\n")
  }

  /// The same without the app's own words.
  var headline: String {
    [app, place].compactMap(\.self).map { "\($0): " }.joined() + problem
      + (note.map { "; \($0)" } ?? "")
  }

  private var place: String? {
    guard let step else { return action.map { "at \($0)" } }
    return "step \(step)\(action.map { ", \($0)" } ?? "")"
  }

  private var problem: String {
    switch reason {
    case .cannotStart(let why): "the app cannot be replayed: \(why)"
    case .refused(let method, let why): "the app answered \(method) with an error: \(why)"
    case .exited(let exit):
      "the app \(exit); run it in a debugger"
        + (step == nil ? "" : " and dispatch the actions up to this step") + " to see why"
    case .timedOut(let seconds):
      "the app did not answer within \(seconds) s and was stopped; allow it more time, or look for a "
        + "reducer that does not return"
    case .protocolViolation(let found, let expected):
      "the app broke the protocol: \(found); expected \(expected)"
    case .statesNotRestorable(let problems):
      problems.map { "the recorded state of \($0.store) does not fit the app: \($0.why)" }
        .joined(separator: "; ")
        + "; if the type has changed, give the replayer an upcaster for its state"
    case .undecodable(let why): "the app cannot decode the action: \(why)"
    case .cannotEncode(let value, let why): "\(value) cannot be encoded: \(why)"
    case .ended: "the session has ended; start a new one"
    case .cancelled: "the replay was cancelled"
    }
  }
}

extension ReplayFailure.Exit: CustomStringConvertible {
  /// A verb phrase: `exited with status 1`, `was terminated by signal 4 (SIGILL)`.
  public var description: String {
    switch self {
    case .status(let status): "exited with status \(status)"
    case .signal(let number, let name):
      "was terminated by signal \(number)\(name.map { " (\($0))" } ?? "")"
    case .unknown: "exited"
    }
  }
}
