import FluxSystem
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

  @Test("leaves no host behind if a signal ends it", arguments: [SIGTERM, SIGHUP])
  func signal(_ number: Int32) throws {
    let folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
    let path: String = folder.path("hosts")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let hosts = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    // The host and its child have the pipe, ignore SIGTERM and the end of the input, and end the program that started them.
    try folder.writeExecutable(
      "#!/bin/sh\ntrap '' TERM HUP\nexec 8> hosts\nsleep 600 &\nkill -$SIGNAL $PPID\nwait\n",
      to: "app")
    let run = try ProgramRun(
      ["verify", "log.jsonl", "--app", "./app"], environment: ["SIGNAL": "\(number)"], in: folder)
    #expect(run.code == -1)
    #expect(Descriptor.wait(reading: [hosts], writing: nil, milliseconds: 20_000))
    #expect(hosts.hasHungUp)
  }
}
