import Testing

@testable import FluxInspector

/// Actions that the app cannot read, in the middle of many.
@Suite struct UnreadableActionTests {
  /// A log whose step 2 has such an action.
  private static let lines =
    [CounterRecording.header, CounterRecording.steps[0]] + [
      #"{"n":2,"t":2.000000,"action":{"type":"counter/add"}}"#,
      #"{"n":3,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":3}}}"#,
      #"{"end":{"steps":3,"ok":true}}"#,
    ]

  @Test("The step and the action are named, and it is the same for an app in a process of its own")
  func errors() throws {
    for var inspection in [
      try Inspection(counter: Self.lines), try HostSubject.inspection(Self.lines),
    ] {
      #expect(
        try inspection.transcript(
          #"dispatch {"type":"counter/add"}"#, "redispatch ..",
          #"redispatch .. --replace 1={"type":"counter/add"} --skip 2"#, "goto 3",
          "shrink counter.count > 2", "forks") == #"""
            > dispatch {"type":"counter/add"}
            error: at counter/add: the app cannot decode the action: no amount
            > redispatch ..
            error: step 2, counter/add: the app cannot decode the action: no amount
            > redispatch .. --replace 1={"type":"counter/add"} --skip 2
            error: step 1, counter/add: the app cannot decode the action: no amount
            > goto 3
            3 counter/add {"amount":1} +3s
              changed: counter
            > shrink counter.count > 2
            error: step 2, counter/add: the app cannot decode the action: no amount
            > forks
            no forks

            """#)
      #expect(try inspection.exitCode("redispatch ..") == 3)
      #expect(try inspection.exitCode("shrink counter.count > 2") == 3)
    }
  }
}
