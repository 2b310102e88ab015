public import FluxJSON

/// A step of a log: an action and what it changed.
///
/// Holds the members of the line; their values are not interpreted. See docs/log-format.md,
/// "Steps".
public struct LogStep: Sendable, Equatable {
  /// The step's number, consecutive from the header's `first`.
  public var number: UInt64
  /// When the action was dispatched.
  public var time: LogTime
  /// The action: an object with a `type` and usually a `payload`.
  public var action: JSON
  /// The type of the action, such as `todo/toggle`.
  public var type: String
  /// The store that the action was addressed to; `nil` if it was not addressed to one.
  public var target: String?
  /// The earlier step that led to this one.
  public var cause: UInt64?
  /// The name of the effect that dispatched the action.
  public var effect: String?
  /// The dispatcher of the action, if it was neither a follow-up nor an effect of the cause:
  /// ``observer``.
  ///
  /// Replay treats a step with this member as dispatched from outside.
  public var from: String?
  /// The place of the dispatch in the app: `File.swift:line`.
  public var source: String?
  /// Microseconds spent in reducers.
  public var took: UInt64?
  /// An object with the states of the stores that are written whole.
  public var states: JSON?
  /// An object with a patch, an array of operations, for each store that is written as a patch.
  public var patches: JSON?
  /// The features that the step removed.
  public var removed: [String] = []
  /// The reason why the step did not commit; `nil` if it committed.
  public var rejection: LogRejection?

  /// The value of ``from`` for an action that an observer or a middleware dispatched during a step.
  public static let observer = "observer"

  /// The payload of the action; `nil` if it has none.
  public var payload: JSON? { action["payload"] }

  /// The stores that the step writes, in the order of the line.
  public var changed: [String] {
    (states?.members.map(\.name) ?? []) + (patches?.members.map(\.name) ?? []) + removed
  }
}

/// The reason why a step did not commit.
public struct LogRejection: Sendable, Equatable {
  /// The kind of reason, in one word.
  public var reason: String
  /// The reason, for people.
  public var message: String
  /// The store that rejected the action; `nil` if no store did.
  public var store: String?

  /// Makes a rejection.
  public init(reason: String, message: String, store: String? = nil) {
    self.reason = reason
    self.message = message
    self.store = store
  }
}
