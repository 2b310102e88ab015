public import FluxJSON
import FluxSystem

/// An action whose step is not in the log: the recorder crashed before it wrote the line, or has
/// not written it yet.
///
/// See docs/log-format.md, "Life cycle".
public struct InFlightAction: Sendable, Equatable {
  /// The number of the step.
  public let number: UInt64
  /// When the action was dispatched.
  public let time: LogTime
  /// The type of the action; `nil` if it is unknown.
  public let type: String?
  /// The action; `nil` if it was too large to be kept completely.
  public let action: JSON?
  /// `true` if the step committed, so that replay can rebuild its states.
  ///
  /// Otherwise it was being reduced.
  public let isCommitted: Bool
  /// `true` if this step and all later ones were dropped, because there was no room for their actions.
  public internal(set) var isDropped = false
  /// The origin of the action.
  public internal(set) var origin = ActionOrigin()

  package init(
    number: UInt64, time: LogTime, type: String?, action: JSON?, isCommitted: Bool,
    isDropped: Bool = false, origin: ActionOrigin = ActionOrigin()
  ) {
    (self.number, self.time, self.type, self.action) = (number, time, type, action)
    (self.isCommitted, self.isDropped, self.origin) = (isCommitted, isDropped, origin)
  }
}

/// The origin of an action: empty if the app dispatched it without a target.
public struct ActionOrigin: Sendable, Equatable {
  /// The store that it was addressed to, if any.
  public var target: String?
  /// The earlier step that led to it.
  public var cause: UInt64?
  /// The name of the effect that dispatched it.
  public var effect: String?
  /// The dispatcher, if it was neither a follow-up nor an effect of the cause:
  /// ``LogStep/observer``.
  public var from: String?

  /// Makes an origin.
  public init(
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil, from: String? = nil
  ) {
    self.target = target
    self.cause = cause
    self.effect = effect
    self.from = from
  }
}

extension ActionOrigin {
  /// The origin in an in-flight record: an object with the members of a step's line, or no text.
  var text: [UInt8] {
    guard self != ActionOrigin() else { return [] }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("target", target)
    writer.member("cause", cause)
    writer.member("effect", effect)
    writer.member("from", from)
    writer.endObject()
    return writer.bytes
  }

  /// Reads the text of a record; empty if it is none.
  init(text: [UInt8]) {
    self.init()
    guard let json = JSON(ifValid: text) else { return }
    target = json["target"]?.string
    cause = json["cause"]?.number?.uint64
    effect = json["effect"]?.string
    from = json["from"]?.string
  }
}

/// A problem with the file of actions in flight, which does not end the recording.
///
/// Until the file is whole again, a crash can lose the actions whose lines are not written yet.
public enum InFlightProblem: Equatable, Sendable {
  /// Another program cut or overwrote the file. The recorder has allocated it again.
  case cut
  /// Another program removed the file. The recorder has created it again.
  case removed
  /// The disk has no room for the requested size, and the file is smaller.
  case smaller(byteCount: Int)
  /// The system denies a second name for the file; the value is `errno`. A crash still loses nothing.
  case notLinked(code: Int32)
  /// There is no file: the system call that failed, and `errno`.
  case unavailable(operation: String, code: Int32)

  /// The problem, its consequence and what to do.
  var message: String {
    switch self {
    case .cut:
      """
      another program cut the file of actions in flight, and the recorder allocated it again; \
      exclude the file from log rotation, because cutting it can end the app
      """
    case .removed:
      """
      another program removed the file of actions in flight, and the recorder created it again; \
      leave the file alone until the log is closed
      """
    case .smaller(let byteCount):
      """
      the disk has no room for the file of actions in flight, so it has only \(byteCount) bytes; \
      free some space
      """
    case .notLinked(let code):
      """
      cannot link the file of actions in flight beside the next segment: \(systemMessage(code)); nothing is \
      lost, but keep the last two segments together if the app crashes
      """
    case .unavailable(let operation, let code):
      """
      cannot \(operation) the file of actions in flight: \(systemMessage(code)); recording \
      continues, but a crash loses the actions whose lines are not written yet
      """
    }
  }
}
