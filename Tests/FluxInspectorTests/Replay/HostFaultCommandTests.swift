import FluxHost
import FluxReplay
import TestFixtures
import Testing

@testable import FluxInspector

@Suite(.waiting) struct HostFaultCommandTests {
  /// A log in whose step 3 the app does that.
  private func lines(_ fault: HostFault) -> [String] {
    [CounterRecording.header, CounterRecording.steps[0]] + [
      #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":0}}}"#,
      #"{"n":3,"t":3.000000,"action":\#(fault.action)}"#,
      #"{"n":4,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":3}}}"#,
      #"{"end":{"steps":4,"ok":true}}"#,
    ]
  }

  @Test(
    "An app that fails in the middle of a command costs that command, which says at which step and why",
    arguments: HostFault.all)
  func failing(_ fault: HostFault) throws {
    let world = RecordedWorld()
    var inspection = try HostSubject.inspection(lines(fault), services: world.services)
    #expect(try inspection.exitCode("set timeout 1") == 0)
    #expect(inspection.stops(["goto 4"]) == [4])
    let step: UInt64 = 3
    for line in ["verify", "redispatch 2..4", "shrink counter.count > 2"] {
      // The host verifies the log itself, so a store that it does not have is not in its answer.
      if line == "verify", fault.action.contains("till") { continue }
      let output = try inspection.text(line)
      #expect(output.hasPrefix("error: "), "\(line): \(output)")
      #expect(output.contains(": step \(step), \(fault.type): "), "\(line): \(output)")
      #expect(output.contains(fault.message(step: step)), "\(line): \(output)")
      #expect(inspection.session.stepNumber == 4)
    }
    #expect(try inspection.text("forks") == "no forks\n")
    // A test of it is worth having nevertheless.
    let test = try inspection.text("test CounterTests.swift")
    #expect(test.hasPrefix("a test of 4 actions written to CounterTests.swift\n"), "\(test)")
    #expect(test.contains(fault.message(step: 3)), "\(test)")
    #expect(world.files["CounterTests.swift"] != nil)
    // What needs no such action works, with a process of its own.
    #expect(try inspection.text("verify ..2") == "passed: LOG: 2 steps compared\n")
    #expect(try inspection.exitCode("fork 2") == 0)
    let failed = try inspection.text("dispatch \(fault.action)")
    #expect(failed.contains(": step 3, \(fault.type): "), "\(failed)")
    #expect(failed.contains(fault.message(step: 3)), "\(failed)")
    // The fork is unchanged, and continues in another process.
    let fork = inspection.folder.path("fork.jsonl")
    let addition = #"dispatch {"type":"counter/add","payload":{"amount":1}}"#
    #expect(
      try inspection.transcript(addition, "compare", "save \(fork)")
        .replacing(fork, with: "FORK") == """
          > \(addition)
          fork 1
          3 counter/add {"amount":1} +2s  counter
          ~ /counter/count: 2 -> 3
          > compare
          fork 1 first differs at step 3
          ~ /counter/count: 2 -> 3
          at the end, compared with step 3: the same differences
          > save FORK
          1 step saved to FORK

          """)
  }

  @Test("An app that fails while it takes on states says in which, and the session continues")
  func states() throws {
    let mischief =
      #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"number":{"mischief":"counter/exit"}}}"#
    let lines =
      [
        CounterRecording.header.replacing(#""counter":{"#, with: #""number":{"#),
        #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"number":2}}"#,
        mischief, #"{"end":{"steps":2,"ok":true}}"#,
      ]
    var inspection = try HostSubject.inspection(lines)
    let end = "error: HOST: the app exited with status 7; run it in a debugger to see why; it"
    let upcast = "\(end) happened while recorded states of number were upcast\n"
    #expect(
      try inspection.transcript("fork 2", "verify", "redispatch 2..2", "compare", "forks", "state")
        .replacing(#/[^ ]+CounterHost/#, with: "HOST") == """
          > fork 2
          \(end) happened while a session started in the states before step 3
          > verify
          \(upcast)> redispatch 2..2
          \(upcast)> compare
          \(upcast)> forks
          * fork 1 after step 1, 1 step
          > state
          {
            "counter": {
              "count": 3
            }
          }

          """)
  }

  @Test("The timeout that is set bounds the start of the app as well")
  func slowStart() throws {
    var services = Services()
    services.app = HostApp(executable: "/bin/sleep", arguments: ["60"])
    var inspection = try Inspection(CounterRecording.lines, services: services)
    #expect(try inspection.exitCode("set timeout 0.2") == 0)
    #expect(inspection.stops(["goto 2"]) == [2])
    for line in ["verify", "fork", "redispatch 1..2", "shrink counter.count > 0"] {
      let output = try inspection.text(line)
      #expect(
        output.hasPrefix(
          "error: /bin/sleep: the app cannot be replayed: it did not answer within 0.2 s"),
        "\(line): \(output)")
    }
  }

  @Test("An app that cannot be started is told with its path, at the first command that needs it")
  func missing() throws {
    var services = Services()
    services.app = HostApp(executable: "/nowhere/app")
    var inspection = try Inspection(CounterRecording.lines, services: services)
    #expect(
      try inspection.text("fork").hasPrefix("error: /nowhere/app: the app cannot be replayed: "))
    #expect(try inspection.exitCode("verify") == 5)
    #expect(try inspection.exitCode("state") == 0)
  }
}
