public import FluxLog

/// An action on its way into a session.
public struct ReplayAction: Sendable, Equatable {
  /// The number that its step has in the log; nil in ``SessionStart/Mode/simulate``, where the
  /// session counts.
  public var number: UInt64?
  /// When it is dispatched.
  public var time: LogTime
  /// The action: an object with a `type`, and mostly a `payload`.
  public var action: JSON
  /// The store that it is addressed to, by its name in the log.
  public var target: String?

  /// Makes an action.
  public init(number: UInt64? = nil, time: LogTime, action: JSON, target: String? = nil) {
    self.number = number
    self.time = time
    self.action = action
    self.target = target
  }

  /// Makes the action of a recorded step.
  public init(_ step: LogStep) {
    self.init(number: step.number, time: step.time, action: step.action, target: step.target)
  }
}

extension ReplayAction {
  /// Writes the action as a message has it: `{"n"?,"t","action","target"?}`.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("n", number)
    writer.member("t", time)
    writer.member("action", action)
    writer.member("target", target)
    writer.endObject()
  }

  /// Reads an action from a message.
  ///
  /// - Throws: ``MalformedMessage`` that names the member.
  public init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "an action")
    self.init(
      number: try message.optionalInteger("n"), time: try message.time("t"),
      action: try message.object("action"), target: try message.optionalString("target"))
  }
}
