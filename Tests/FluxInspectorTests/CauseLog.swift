/// Logs with causes that lead nowhere, and with marks.
enum CauseLog {
  static let steps = [
    #"{"n":1,"t":0,"action":{"type":"a"}}"#,
    #"{"n":2,"t":0,"action":{"type":"b"},"cause":0}"#,
    #"{"n":3,"t":0,"action":{"type":"c"},"cause":3}"#,
  ]

  static let withMarks = [
    #"{"flux":"1.0","first":1,"stores":{},"platform":{"os":"Linux","swift":"6.3"},"redacted":["/session/token"]}"#,
    #"{"mark":"begun","t":0}"#,
    #"{"n":1,"t":0,"action":{"type":"a"}}"#,
    #"{"mark":"done","t":1.5}"#,
  ]
}
