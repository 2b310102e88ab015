/// One step, as a recorder hands it to a ``LogWriter``.
public struct StepRecord: Sendable {
  /// One store that the step changed.
  public struct Change: Sendable {
    /// The store.
    public var store: String
    /// Its state after the step; nil where the step removed the feature.
    public var state: LogValue?

    /// Makes a change.
    public init(store: String, state: LogValue?) {
      self.store = store
      self.state = state
    }
  }

  /// The step's number: one more than that of the step before it.
  public var number: UInt64
  /// When the action was dispatched; not before the step before it.
  public var time: LogTime
  /// The action, as ``LogWriter/begin(step:at:action:origin:)`` gave it.
  public var action: PreparedAction
  /// The store that the action was addressed to, where it was addressed to one.
  public var target: String?
  /// The earlier step that led to this one.
  public var cause: UInt64?
  /// The name of the effect that dispatched the action.
  public var effect: String?
  /// Who dispatched the action, where that was neither a follow-up nor an effect of the cause:
  /// ``LogStep/observer``.
  public var from: String?
  /// Where in the app the action was dispatched: `File.swift:line`.
  public var source: String?
  /// Microseconds spent in reducers.
  public var took: UInt64?
  /// The stores that the step changed.
  public var changes: [Change]
  /// Why the step did not commit, where it did not; then there are no changes.
  public var rejection: LogRejection?

  /// Makes a record.
  public init(
    number: UInt64, time: LogTime, action: PreparedAction, target: String? = nil,
    cause: UInt64? = nil, effect: String? = nil, from: String? = nil, source: String? = nil,
    took: UInt64? = nil,
    changes: [Change] = [], rejection: LogRejection? = nil
  ) {
    self.number = number
    self.time = time
    self.action = action
    self.target = target
    self.cause = cause
    self.effect = effect
    self.from = from
    self.source = source
    self.took = took
    self.changes = changes
    self.rejection = rejection
  }
}

extension StepRecord {
  /// Whether the step stands in the log because of one shortly before it, which it follows up or was observed in.
  ///
  /// An effect may dispatch hours later, and begins a chain of its own.
  var isInChain: Bool { cause != nil && effect == nil }
}

/// An action that a ``LogWriter`` has seen, encoded or still to be encoded.
public struct PreparedAction: Sendable {
  enum Content: Sendable {
    /// Its text.
    case encoded([UInt8])
    case deferred(LogValue)
    case failed(EncodingFailure)
  }

  let content: Content

  init(_ content: Content) {
    self.content = content
  }

  /// Takes an action that need not be noted before its step, as when a log is converted.
  public init(_ action: LogValue) {
    content = .deferred(action)
  }
}

/// Steps that are not written, and what has to be known of them all the same.
struct SkipRecord: Sendable {
  var gap: LogGap
  /// The stores that those steps changed, each with its newest state.
  var changes: [StepRecord.Change]
  /// The action of a single step: what is to be kept out of later lines may stand in it.
  var action: LogValue?
}
