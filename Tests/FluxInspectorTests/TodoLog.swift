/// A small recording of a list of things to do: follow-ups, an effect, a feature, a rejected step.
enum TodoLog {
  static let header =
    #"{"flux":"1.0","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"app":{"name":"TodoMVC","version":"1.0"},"stores":{"todos":{"type":"Todos","initial":{"items":[]}},"search":{"type":"Search","feature":true}}}"#

  static let steps = [
    #"{"n":1,"t":0.500000,"action":{"type":"todo/add","payload":{"title":"milk"}},"patches":{"todos":[{"op":"add","path":"/items/0","value":{"done":false,"id":1,"title":"milk"}}]}}"#,
    #"{"n":2,"t":1.000000,"action":{"type":"todo/saved","payload":{"id":1}},"cause":1,"effect":"save","at":"Todos.swift:12"}"#,
    #"{"n":3,"t":1.250000,"action":{"type":"todo/add","payload":{"title":"eggs"}},"patches":{"todos":[{"op":"add","path":"/items/1","value":{"done":false,"id":2,"title":"eggs"}}]}}"#,
    #"{"n":4,"t":2.000000,"action":{"type":"todo/add","payload":{"title":""}},"rejected":{"reason":"invalid","message":"a title is needed","store":"todos"}}"#,
    #"{"n":5,"t":3.000000,"action":{"type":"todo/toggle","payload":{"id":2}},"patches":{"todos":[{"op":"replace","path":"/items/1/done","value":true}]}}"#,
    #"{"n":6,"t":4.500000,"action":{"type":"search/open"},"target":"search","states":{"search":{"query":""}}}"#,
    #"{"n":7,"t":4.750000,"action":{"type":"search/type","payload":"mi"},"cause":6,"states":{"search":{"query":"mi"}}}"#,
    #"{"n":8,"t":10.000000,"action":{"type":"todo/clear"},"states":{"todos":{"items":[]}},"removed":["search"]}"#,
  ]

  static let end = #"{"end":{"steps":8,"ok":true}}"#

  static let lines = [header] + steps + [end]

  /// Steps 3 and 4 are not there.
  static let withGap: [String] =
    [header] + steps[..<2] + [#"{"gap":{"from":3,"to":4,"why":"paused"}}"#]
    + [
      #"{"n":5,"t":3.000000,"action":{"type":"todo/toggle","payload":{"id":2}},"states":{"todos":{"items":[{"done":true,"id":1,"title":"milk"}]}}}"#
    ] + steps[5...] + [#"{"end":{"steps":6,"ok":true}}"#]

  /// The line of step 3 is damaged.
  static let withDamage: [String] =
    [header] + steps[..<2] + [#"{"n":3,"t":1.25,"#] + steps[3...] + [
      #"{"end":{"steps":7,"ok":true}}"#
    ]
}
