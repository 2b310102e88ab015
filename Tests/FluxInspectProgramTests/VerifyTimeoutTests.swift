import Foundation
import TestFixtures
import Testing

@Suite("flux-inspect verify, of an app that does not answer", .waiting)
struct VerifyTimeoutTests {
  @Test("waits no longer for its start than for any call")
  func start() throws {
    let folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
    try folder.writeExecutable("#!/bin/sh\nexec sleep 60\n", to: "app")
    let run = try ProgramRun(
      ["verify", "log.jsonl", "--app", "./app", "--timeout", "0.5"], in: folder)
    #expect(
      run
        == ProgramRun(
          5,
          """
          failed: log.jsonl: ./app: the app cannot be replayed: it did not answer within 0.5 s; the first statement of the app must be ReplayHost.runIfRequested, see docs/app-protocol.md

          """, errors: "1 log: 1 failed\n"))
  }
}
