/// One step of a log: an action, and what it changed.
///
/// The members of the line, their values not looked into. LOG-FORMAT, "Step".
public struct LogStep: Sendable, Equatable {
  /// The step's number, consecutive from the header's `first`.
  public var number: UInt64
  /// When the action was dispatched.
  public var time: LogTime
  /// The action: an object with a `type`, and mostly a `payload`.
  public var action: JSON
  /// The action's type: `todo/toggle`.
  public var type: String
  /// The store that the action was addressed to, where it was addressed to one.
  public var target: String?
  /// The earlier step that led to this one.
  public var cause: UInt64?
  /// The name of the effect that dispatched the action.
  public var effect: String?
  /// Who dispatched the action, where that was neither a follow-up nor an effect of the cause:
  /// ``observer``.
  ///
  /// The member `from` after `effect`; replay takes a step that has it for one from outside.
  public var from: String?
  /// Where in the app the action was dispatched: `File.swift:line`.
  public var source: String?
  /// Microseconds spent in reducers.
  public var took: UInt64?
  /// An object with the whole states of the stores that are written whole.
  public var states: JSON?
  /// An object with a patch, an array of operations, for each store that is written as one.
  public var patches: JSON?
  /// The features that the step removed.
  public var removed: [String] = []
  /// Why the step did not commit, where it did not.
  public var rejection: LogRejection?

  /// What ``from`` is for an action that an observer or a middleware dispatched inside a step.
  public static let observer = "observer"

  /// The action's payload, where it has one.
  public var payload: JSON? { action["payload"] }

  /// The stores that the step writes, in the order of the line.
  public var changed: [String] {
    (states?.members.map(\.name) ?? []) + (patches?.members.map(\.name) ?? []) + removed
  }
}

/// Why a step did not commit.
public struct LogRejection: Sendable, Equatable {
  /// The kind of reason, in one word.
  public var reason: String
  /// The reason for people.
  public var message: String
  /// The store that rejected the action, where one did.
  public var store: String?

  /// Makes a rejection.
  public init(reason: String, message: String, store: String? = nil) {
    self.reason = reason
    self.message = message
    self.store = store
  }
}
