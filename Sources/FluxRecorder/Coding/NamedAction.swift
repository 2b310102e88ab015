/// An action with an explicit type and payload, for a ``Recorder`` without a dispatcher.
///
/// Use it for actions that are not `Encodable`, and for names that should not depend on Swift
/// types:
/// ```swift
/// recorder.record(NamedAction("counter/add", payload: 5), states: states)
/// ```
public struct NamedAction: Sendable {
  /// The action's type in the log.
  public let type: String
  /// The action's payload; nil if it has none.
  public let payload: (any Encodable & Sendable)?

  /// Creates a named action.
  public init(_ type: String, payload: (any Encodable & Sendable)? = nil) {
    self.type = type
    self.payload = payload
  }
}

extension NamedAction: Encodable {
  private enum CodingKeys: CodingKey { case type, payload }

  /// Encodes an object with `type` and `payload`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .type)
    if let payload { try container.encode(payload, forKey: .payload) }
  }
}
