public import FluxJSON
public import FluxLog

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

  /// Creates an action.
  public init(number: UInt64? = nil, time: LogTime, action: JSON, target: String? = nil) {
    self.number = number
    self.time = time
    self.action = action
    self.target = target
  }

  /// Creates the action of a recorded step.
  public init(_ step: LogStep) {
    self.init(number: step.number, time: step.time, action: step.action, target: step.target)
  }
}

extension ReplayAction {
  /// Writes the action as a message of the protocol: `{"n"?,"t","action","target"?}`.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("n", number)
    writer.member("t", time)
    writer.member("action", action)
    writer.member("target", target)
    writer.endObject()
  }

  /// Reads an action from a message of the protocol.
  ///
  /// - Throws: ``MalformedMessage``, which names the member.
  public init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "an action")
    self.init(
      number: try message.optionalInteger("n"), time: try message.time("t"),
      action: try message.object("action"), target: try message.optionalString("target"))
  }
}
