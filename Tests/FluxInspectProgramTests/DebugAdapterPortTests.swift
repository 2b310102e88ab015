import Foundation
import TestFixtures
import Testing

@Suite("dap on a port")
struct DebugAdapterPortTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
  }

  /// Sends a request.
  private func send(_ text: String, to client: LoopbackClient) throws {
    try client.send("Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }

  @Test("serves several editors of this machine, each with its own session, and ends with the last")
  func serves() throws {
    let server = try ServedPort(in: folder)
    let (one, two) = (
      try LoopbackClient(port: server.port), try LoopbackClient(port: server.port)
    )
    for client in [one, two] {
      try send(
        #"{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"flux"}}"#,
        to: client)
      let answer = try client.text(until: "\"event\":\"initialized\"")
      #expect(answer.contains("\"supportsStepBack\":true"))
    }
    let log = folder.path("log.jsonl")
    for (client, position) in [(one, 2), (two, 4)] {
      try send(
        #"{"seq":2,"type":"request","command":"launch","arguments":{"program":"\#(log)","position":"\#(position)"}}"#,
        to: client)
      _ = try client.text(until: #""command":"launch"}"#)
      try send(#"{"seq":3,"type":"request","command":"configurationDone"}"#, to: client)
      _ = try client.text(until: "\"event\":\"stopped\"")
      try send(
        #"{"seq":4,"type":"request","command":"stackTrace","arguments":{"threadId":1}}"#,
        to: client)
    }
    #expect(try one.text(until: "totalFrames").contains("\"name\":\"2 todo/saved\""))
    #expect(try two.text(until: "totalFrames").contains("\"name\":\"4 todo/toggle\""))
    try send(#"{"seq":5,"type":"request","command":"disconnect"}"#, to: one)
    _ = try one.text(until: #""command":"disconnect"}"#)
    try send(
      #"{"seq":5,"type":"request","command":"stepBack","arguments":{"threadId":1}}"#, to: two)
    _ = try two.text(until: "\"event\":\"stopped\"")
    #expect(server.isRunning)
    try send(#"{"seq":6,"type":"request","command":"disconnect"}"#, to: two)
    #expect(try server.waitForEnd() == 0)
  }

  @Test("an editor that does not speak the protocol ends its session, and the exit code says so")
  func malformed() throws {
    let server = try ServedPort(in: folder)
    let client = try LoopbackClient(port: server.port)
    try client.send("hello\n")
    _ = try client.readAll()
    #expect(try server.waitForEnd() == 3)
  }

  @Test("a port that is taken is an error")
  func taken() throws {
    let server = try ServedPort(in: folder)
    let run = try ProgramRun(["dap", "--port", "\(server.port)"], in: folder)
    #expect(
      run
        == ProgramRun(
          3, errors: "error: cannot listen on port \(server.port): Address already in use\n"))
    let client = try LoopbackClient(port: server.port)
    try send(#"{"seq":1,"type":"request","command":"disconnect"}"#, to: client)
    #expect(try server.waitForEnd() == 0)
  }
}

/// `flux-inspect dap --port 0`, until the last reference to it.
private final class ServedPort {
  let port: UInt16
  private let process = Process()

  init(in folder: TemporaryFolder) throws {
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("flux-inspect"))
    process.arguments = ["dap", "--port", "0"]
    process.environment = folder.userFolders
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    var line = ""
    while !line.hasSuffix("\n"), let byte = try errors.fileHandleForReading.read(upToCount: 1) {
      line += String(decoding: byte, as: UTF8.self)
    }
    let match = try #require(line.wholeMatch(of: /listening on 127\.0\.0\.1:([0-9]+)\n/), "\(line)")
    port = try #require(UInt16(match.1))
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  var isRunning: Bool { process.isRunning }

  /// Waits for the end; returns the exit code.
  func waitForEnd() throws -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
