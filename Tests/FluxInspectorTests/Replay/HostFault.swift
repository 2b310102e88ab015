import Testing

/// A fault of an app at an action, and the message about it.
struct HostFault: CustomTestStringConvertible {
  let action: String
  let type: String
  /// The message; `STEP` stands for the number of the step.
  let message: String

  init(_ type: String, _ payload: String? = nil, says message: String) {
    self.type = type
    action = #"{"type":"\#(type)"\#(payload.map { #","payload":\#($0)"# } ?? "")}"#
    self.message = message
  }

  func message(step: UInt64) -> String {
    message.replacing("STEP", with: "\(step)")
  }

  var testDescription: String { action }

  static let all = [
    HostFault("counter/trap", says: "the app was terminated by signal "),
    HostFault("counter/abort", says: "the app was terminated by signal 6 (SIGABRT)"),
    HostFault("counter/exit", says: "the app exited with status 7"),
    HostFault("counter/hang", says: "the app did not answer within 1.0 s and was stopped"),
    HostFault(
      "counter/fall-silent",
      says: "the app broke the protocol: the end of its standard output while it is still running"),
    HostFault(
      "counter/garble", #"{"line":"good morning"}"#,
      says: #"the app broke the protocol: the line "good morning""#),
    HostFault(
      "counter/garble", #"{"line":"{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}"}"#,
      says: "the app broke the protocol: an answer with the id 99"),
    HostFault(
      "counter/garble", #"{"line":"good morning","times":20000}"#,
      says: "the app broke the protocol: a message of more than 100000 bytes"),
    HostFault(
      "counter/lie", #"{"number":99}"#,
      says: "the app broke the protocol: step 99; expected step STEP"),
    HostFault(
      "counter/lie", #"{"store":"till"}"#,
      says: #"the app broke the protocol: a change of "till" at step STEP"#),
    HostFault(
      "counter/lie", #"{"steps":2}"#,
      says: "the app broke the protocol: more steps than actions, step STEP for one"),
    HostFault(
      "counter/lie", #"{"steps":0}"#, says: "the app broke the protocol: 0 steps; expected"),
  ]
}
