import FluxReplay
import Testing

@testable import FluxInspector

@Suite struct HostFaultCommandTests {
  /// Step 3 does what no reducer should.
  private func lines(_ type: String) -> [String] {
    [CounterRecording.header] + CounterRecording.steps[..<2] + [
      #"{"n":3,"t":3.000000,"action":{"type":"\#(type)"}}"#,
      #"{"n":4,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":3}}}"#,
      #"{"end":{"steps":4,"ok":true}}"#,
    ]
  }

  @Test(
    "An app that traps, leaves or hangs costs its command, which names step and action, and no more",
    arguments: [
      ("counter/trap", "was ended by signal"), ("counter/exit", "ended with status 7"),
      ("counter/hang", "did not answer within 0.3 s and was stopped"),
    ])
  func faults(type: String, end: String) throws {
    var inspection = try HostSubject.inspection(lines(type))
    #expect(inspection.exitCode("set timeout 0.3") == 0)
    #expect(inspection.stops(["goto 4"]) == [4])
    // On a branch, the follow-up of step 2 is dispatched as well, and counts.
    for (line, step) in [("verify", 3), ("redispatch 2..4", 4)] {
      let output = try inspection.text(line)
      #expect(output.contains("step \(step), \(type)"), "\(line): \(output)")
      #expect(output.contains(end), "\(line): \(output)")
      #expect(inspection.exitCode(line) == 5)
    }
    #expect(try inspection.text("forks") == "no forks\n")
    // What needs no such action works, with a process of its own.
    #expect(try inspection.text("verify ..2") == "passed: LOG: 2 steps compared\n")
    #expect(inspection.exitCode("fork 2") == 0)
    let failed = try inspection.text(#"dispatch {"type":"\#(type)"}"#)
    #expect(failed.contains(type) && failed.contains(end), "\(failed)")
    // The branch is as it was before.
    #expect(
      try inspection.text(#"dispatch {"type":"counter/add","payload":{"amount":1}}"#) == """
        fork 1
        3 counter/add {"amount":1} +2s  counter
        ~ /counter/count: 2 -> 3

        """)
  }

  @Test("An app that cannot be started is told with its path, at the first command that needs it")
  func missing() throws {
    var services = Services()
    services.app = HostApp(executable: "/nowhere/app")
    var inspection = try Inspection(CounterRecording.lines, services: services)
    #expect(
      try inspection.text("fork").hasPrefix("error: /nowhere/app: the app cannot be replayed: "))
    #expect(inspection.exitCode("verify") == 5)
    #expect(inspection.exitCode("state") == 0)
  }
}
