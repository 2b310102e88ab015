/// A recording of a list of notes: wide characters, emoji, text that must not be shown as it is, a follow-up, a rejection,
/// and a feature.
enum NotesLog {
  static let header =
    #"{"flux":"1.0","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"app":{"name":"Notes"},"stores":{"notes":{"type":"Notes","initial":{"items":[]}},"search":{"type":"Search","feature":true}}}"#

  static let steps = [
    #"{"n":1,"t":0.500000,"action":{"type":"note/add","payload":{"title":"milk"}},"patches":{"notes":[{"op":"add","path":"/items/0","value":{"done":false,"id":1,"title":"milk"}}]}}"#,
    #"{"n":2,"t":1.000000,"action":{"type":"note/saved","payload":{"id":1}},"cause":1,"effect":"save","at":"Notes.swift:12"}"#,
    #"{"n":3,"t":1.250000,"action":{"type":"note/add","payload":{"title":"日本語のタイトル 🎉"}},"patches":{"notes":[{"op":"add","path":"/items/1","value":{"done":false,"id":2,"title":"日本語のタイトル 🎉"}}]}}"#,
    #"{"n":4,"t":2.000000,"action":{"type":"note/add","payload":{"title":""}},"rejected":{"reason":"invalid","message":"a title is needed","store":"notes"}}"#,
    #"{"n":5,"t":3.000000,"action":{"type":"note/toggle","payload":{"id":2}},"patches":{"notes":[{"op":"replace","path":"/items/1/done","value":true}]}}"#,
    #"{"n":6,"t":4.500000,"action":{"type":"note/add","payload":{"title":"e\u0301\u202e\u001b[2J"}},"patches":{"notes":[{"op":"add","path":"/items/2","value":{"done":false,"id":3,"title":"é‮\u001b[2J"}}]}}"#,
    #"{"n":7,"t":5.000000,"action":{"type":"search/open"},"target":"search","states":{"search":{"query":""}}}"#,
    #"{"n":8,"t":10.000000,"action":{"type":"note/clear"},"states":{"notes":{"items":[]}},"removed":["search"]}"#,
  ]

  static let lines = [header] + steps + [#"{"end":{"steps":8,"ok":true}}"#]

  /// Steps that change nothing, and so many that no screen holds them.
  static func long(_ count: Int) -> [String] {
    [header]
      + (1...count).map { number in
        let type = number.isMultiple(of: 40) ? "tock" : "tick"
        return #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"\#(type)"}}"#
      } + [#"{"end":{"steps":\#(count),"ok":true}}"#]
  }
}
