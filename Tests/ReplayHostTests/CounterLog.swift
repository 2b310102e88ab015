import FluxLog
import Foundation
import TestFixtures

/// A log of a counter, written by hand.
struct CounterLog {
  private var lines: [String]
  private var count = 0

  /// Begins a log, which has an id or none.
  init(id: String? = nil) {
    let id = id.map { #""log":"\#($0)","# } ?? ""
    lines = [
      #"{"flux":"1.0",\#(id)"created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","#
        + #""first":1,"app":{"name":"Counter","version":"1.0"},"#
        + #""stores":{"counter":{"type":"Counter","initial":{"count":0}}}}"#
    ]
  }

  /// The steps so far.
  var stepCount: Int { lines.count - 1 }

  /// Records an addition and its state, or a different state.
  mutating func add(_ amount: Int, recorded: Int? = nil, cause: Int? = nil) {
    if count + amount < 0 {
      return append(
        #""counter/add","payload":{"amount":\#(amount)}},"#
          + #""rejected":{"reason":"refused","message":"below 0","store":"counter"}"#)
    }
    count = recorded ?? count + amount
    let cause = cause.map { #""cause":\#($0),"# } ?? ""
    append(
      #""counter/add","payload":{"amount":\#(amount)}},\#(cause)"states":{"counter":{"count":\#(count)}}"#
    )
  }

  /// Records an action that changed nothing.
  mutating func act(_ type: String) { append(#""\#(type)"}"#) }

  /// Records that the counter read something outside the log, and found a value.
  mutating func read(_ input: String, recorded: String) {
    append(
      #""counter/read","payload":{"input":"\#(input)"}},"#
        + #""states":{"counter":{"count":\#(count),"reading":\#(recorded)}}"#)
  }

  private mutating func append(_ rest: String) {
    let number = lines.count
    lines.append(#"{"n":\#(number),"t":\#(number).000000,"action":{"type":\#(rest)}"#)
  }

  /// The log as a file.
  func timeline(in folder: TemporaryFolder) throws -> Timeline {
    let end = #"{"end":{"steps":\#(stepCount),"ok":true}}"#
    let text = (lines + [end]).map { "\($0)\n" }.joined()
    return Timeline(try LogFile.open(try folder.write(text.utf8, to: "counter.jsonl")))
  }
}
