import FluxSystem

/// A failure to run an app for replay, as opposed to a difference that replay found.
public struct ReplayFailure: Error, Equatable, Sendable {
  /// The kind of failure.
  public enum Reason: Equatable, Sendable {
    /// The app could not be started, or cannot be replayed.
    case cannotStart(why: String)
    /// The app answered a request with an error.
    case refused(method: String, why: String)
    /// The app's process ended unexpectedly.
    case exited(Exit)
    /// The app exceeded its time limit, and was stopped.
    case timedOut(seconds: Double)
    /// The running app did not answer in time; it goes on.
    case unresponsive(seconds: Double)
    /// The app violated the protocol.
    case protocolViolation(found: String, expected: String)
    /// States of the log do not fit the app's stores.
    case statesNotRestorable([StateProblem])
    /// The app cannot decode an action that was dispatched on a fork.
    case undecodable(String)
    /// A state or an action of the app could not be encoded.
    case cannotEncode(String, why: String)
    /// The session had already ended.
    case ended
    /// The caller cancelled the replay.
    case cancelled
  }

  /// The end of a process.
  public enum Exit: Equatable, Sendable {
    /// It exited with that status.
    case status(Int32)
    /// A signal ended it; the name is nil for rare signals.
    case signal(Int32, name: String?)
    /// Unknown: another part of this program collected its status.
    case unknown
  }

  /// A recorded state that does not fit its store.
  public struct StateProblem: Equatable, Sendable, Encodable {
    /// The store, by its name in the log.
    public var store: String
    /// The problem.
    public var why: String
    /// A JSON Pointer into the state to a redacted value that is the reason; nil for other reasons.
    public var redacted: String?

    /// Creates a problem.
    public init(store: String, why: String, redacted: String? = nil) {
      self.store = store
      self.why = why
      self.redacted = redacted
    }
  }

  /// The kind of failure.
  public var reason: Reason
  /// The path of the app's executable; nil for an app in this process.
  public var app: String?
  /// The step that was running; nil if that is unknown.
  public var step: UInt64?
  /// The type of its action.
  public var action: String?
  /// The steps of the same call that completed before it, as far as known.
  public var completed: [ReplayedStep] = []
  /// Further findings.
  public var note: String?
  /// The last lines that the app's process wrote to standard error.
  package var lastWords: [String] = []

  /// Creates a failure.
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
  /// The problem, its place, the expectation and the remedy.
  public var description: String { lines.joined(separator: "\n") }

  package var lines: [String] {
    let title = "  its last lines on standard error:"
    let words = lastWords.isEmpty ? [] : [title] + lastWords.map { "    \($0)" }
    return ([headline] + words).map(\.printable)
  }

  /// The description without the app's own output.
  package var headline: String {
    [app, place].compactMap(\.self).map { "\($0): " }.joined() + problem
      + (note.map { "; \($0)" } ?? "")
  }

  /// The failure as one of a second process, which has another environment.
  ///
  /// A script may have found its files by the working folder.
  var elsewhere: ReplayFailure {
    guard reason != .cancelled else { return self }
    var failure = self
    failure.note = [
      note,
      "this is the second of two processes, whose working folder and home folder are new and empty",
    ].compactMap(\.self).joined(separator: "; ")
    return failure
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
    case .unresponsive(let seconds):
      "the app did not answer within \(seconds) s, and may still be in the step; look for a reducer that "
        + "does not return, and for a debugger that has stopped the app"
    case .protocolViolation(let found, let expected):
      "the app broke the protocol: \(found); expected \(expected)"
    case .statesNotRestorable(let problems):
      problems.map { "the state of \($0.store) does not fit the app: \($0.why)" }
        .joined(separator: "; ")
        + "; if the type has changed, add an upcaster for its state to the app's Evolution"
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
