import FluxJSON
import FluxLog
import FluxReplay
import Testing

/// A member that only one side has: a structure changed, unless the log shows an enum or a dictionary there.
@Suite struct MemberEvidenceTests {
  @Test(
    "a new or missing member is the reason only if all values in the log have the same names",
    arguments: [
      // A structure with one more member, and with one less.
      (
        [#"{"x":1,"y":1}"#, #"{"x":2,"y":1}"#, #"{"x":3,"y":1}"#, #"{"x":4,"y":1}"#],
        #"{"x":4,"y":1,"z":0}"#,
        #"only the replay has the member "z": it is new, or was omitted before"#
      ),
      (
        [#"{"x":1,"y":1}"#, #"{"x":2,"y":1}"#, #"{"x":3,"y":1}"#, #"{"x":4,"y":1}"#],
        #"{"x":4}"#, #"only the recording has the member "y": it was removed, or is omitted now"#
      ),
      // A dictionary.
      (
        [#"{"x":1}"#, #"{"x":1,"y":1}"#, #"{"y":1}"#, #"{"x":4,"y":1}"#],
        #"{"x":4,"y":1,"z":0}"#, nil
      ),
      // The cases of an enum.
      (
        [#"{"idle":{}}"#, #"{"loading":{}}"#, #"{"idle":{}}"#, #"{"idle":{}}"#],
        #"{"failed":{}}"#, nil
      ),
      // Too few values to know.
      (
        [#"{"x":1,"y":1}"#, #"{"x":1,"y":1}"#, #"{"x":1,"y":1}"#, #"{"x":2,"y":1}"#],
        #"{"x":2}"#, nil
      ),
    ] as [([String], String, String?)])
  func evidence(_ recorded: [String], _ replayed: String, _ reason: String?) throws {
    let last = recorded.count
    let lines = recorded.enumerated().map { index, state in
      #"{"n":\#(index + 1),"t":0.\#(index + 1),"action":{"type":"count/set"},"states":{"count":{"at":\#(state)}}}"#
    }
    let end = #"{"end":{"steps":\#(last),"ok":true}}"#
    let states = try (recorded.dropLast() + [replayed]).map { try JSON.parse($0) }
    let app = ScriptedApp { actions in
      actions.map { action in
        let number = action.number ?? 0
        return ReplayedStep(
          number: number, time: action.time,
          changes: [.init(store: "count", state: ["at": states[Int(number) - 1]])])
      }
    }
    let report = try app.verifyHere(WrittenLog(lines + [end]).open())
    #expect(report.divergences.map(\.step) == [UInt64(last)])
    #expect(report.divergences.map(\.reason) == [reason])
  }
}
