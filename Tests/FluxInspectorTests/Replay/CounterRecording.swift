import Counter

@testable import FluxInspector

/// A recording of the counter: a follow-up, a rejected step, and states that it comes to again.
enum CounterRecording {
  static let header =
    #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"app":{"name":"Counter","version":"1.0"},"stores":{"counter":{"type":"Counter","initial":{"count":0}}}}"#

  static let steps = [
    #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"counter":{"count":2}}}"#,
    #"{"n":2,"t":2.000000,"action":{"type":"counter/double"}}"#,
    #"{"n":3,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":2}},"target":"counter","cause":2,"states":{"counter":{"count":4}}}"#,
    #"{"n":4,"t":3.500000,"action":{"type":"counter/add","payload":{"amount":-9}},"rejected":{"reason":"refused","message":"below 0","store":"counter"}}"#,
    #"{"n":5,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":7}}}"#,
    #"{"n":6,"t":5.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":8}}}"#,
  ]

  static let lines = [header] + steps + [#"{"end":{"steps":6,"ok":true}}"#]

  /// Step 5 has a state that the counter does not come to.
  static let diverging =
    [header] + steps[..<4] + [
      #"{"n":5,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":70}}}"#
    ] + steps[5...] + [#"{"end":{"steps":6,"ok":true}}"#]
}

extension Inspection {
  /// A session on a recording of the counter, with the counter in this process.
  init(counter lines: [String]) throws {
    var services = Services()
    services.app = CounterApp()
    try self.init(lines, services: services)
  }

  /// The outputs of commands, each behind its line.
  mutating func transcript(_ lines: String...) throws -> String {
    try lines.map { try "> \($0)\n" + text($0) }.joined()
  }

  /// The same for programs.
  mutating func results(_ lines: String...) throws -> String {
    try lines.map { try json($0) }.joined()
  }
}
