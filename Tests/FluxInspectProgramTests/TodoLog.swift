import TestFixtures

/// A small recording of a list of things to do.
enum TodoLog {
  static let header =
    #"{"flux":"1.0","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"app":{"name":"TodoMVC"},"stores":{"todos":{"type":"Todos","initial":{"items":[]}}}}"#

  static let steps = [
    #"{"n":1,"t":0.500000,"action":{"type":"todo/add","payload":{"title":"milk"}},"patches":{"todos":[{"op":"add","path":"/items/0","value":{"done":false,"title":"milk"}}]}}"#,
    #"{"n":2,"t":1.000000,"action":{"type":"todo/saved"},"cause":1,"effect":"save"}"#,
    #"{"n":3,"t":1.250000,"action":{"type":"todo/add","payload":{"title":"日本 🎉"}},"patches":{"todos":[{"op":"add","path":"/items/1","value":{"done":false,"title":"日本 🎉"}}]}}"#,
    #"{"n":4,"t":3.000000,"action":{"type":"todo/toggle","payload":{"id":2}},"patches":{"todos":[{"op":"replace","path":"/items/1/done","value":true}]}}"#,
    #"{"n":5,"t":10.000000,"action":{"type":"todo/clear"},"states":{"todos":{"items":[]}}}"#,
  ]

  static let end = #"{"end":{"steps":5,"ok":true}}"#

  static let lines = [header] + steps + [end]

  /// The line of step 3 is damaged.
  static let withDamage =
    [header] + steps[..<2] + [#"{"n":3,"t":1.25,"#] + steps[3...] + [
      #"{"end":{"steps":4,"ok":true}}"#
    ]

  /// Steps that change nothing, and so many that no screen holds them.
  static func long(_ count: Int) -> [String] {
    [header]
      + (1...count).map { number in
        #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"tick"}}"#
      } + [#"{"end":{"steps":\#(count),"ok":true}}"#]
  }
}

extension TemporaryFolder {
  /// Writes a log.
  func log(_ lines: [String], _ name: String = "log.jsonl") throws {
    try write(lines.map { $0 + "\n" }.joined(), to: name)
  }
}
