import FluxSystem
import Foundation
import TestFixtures
import Testing

/// A connection to an adapter that listens.
private protocol EditorConnection {
  func send(_ text: String) throws
  func text(until end: String) throws -> String
}

extension LoopbackClient: EditorConnection {}

extension EditorConnection {
  /// Sends a request.
  func request(_ text: String) throws {
    try send("Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }

  /// Sends a request, and returns its answer.
  func ask(_ seq: Int, _ command: String, _ arguments: String = "{}") throws -> String {
    try request(
      #"{"seq":\#(seq),"type":"request","command":"\#(command)","arguments":\#(arguments)}"#)
    return try text(until: #""command":"\#(command)""#)
  }
}

@Suite("dap on a port or a socket", .waiting)
struct DebugAdapterPortTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
  }

  /// The arguments of a launch of the log.
  private func launch(_ position: Int, _ token: String?) -> String {
    let shown = token.map { #","token":"\#($0)""# } ?? ""
    return #"{"program":"\#(folder.path("log.jsonl"))","position":"\#(position)"\#(shown)}"#
  }

  /// Opens the log in a client that has begun.
  private func open(_ client: some EditorConnection, at position: Int, _ token: String?) throws {
    try client.request(
      #"{"seq":2,"type":"request","command":"launch","arguments":\#(launch(position, token))}"#)
    _ = try client.text(until: #""command":"launch"}"#)
    try client.request(#"{"seq":3,"type":"request","command":"configurationDone"}"#)
    _ = try client.text(until: "\"event\":\"stopped\"")
  }

  @Test("serves several editors of this machine, each with its own session, and ends with the last")
  func serves() throws {
    let server = try ServedPort(["--port", "0"], in: folder)
    let (one, two) = (
      try LoopbackClient(port: server.port), try LoopbackClient(port: server.port)
    )
    for (client, position) in [(one, 2), (two, 4)] {
      #expect(try client.ask(1, "initialize").contains("\"supportsStepBack\":true"))
      try open(client, at: position, server.token)
      try client.request(
        #"{"seq":4,"type":"request","command":"stackTrace","arguments":{"threadId":1}}"#)
    }
    #expect(try one.text(until: "totalFrames").contains("\"name\":\"2 todo/saved\""))
    #expect(try two.text(until: "totalFrames").contains("\"name\":\"4 todo/toggle\""))
    _ = try one.ask(5, "disconnect")
    try two.request(
      #"{"seq":5,"type":"request","command":"stepBack","arguments":{"threadId":1}}"#)
    _ = try two.text(until: "\"event\":\"stopped\"")
    #expect(server.isRunning)
    _ = try two.ask(6, "disconnect")
    #expect(try server.waitForEnd() == 0)
  }

  @Test("a launch with a folder of logs names the folder once")
  func folderOfLogs() throws {
    let logs = folder.path("logs")
    try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: false)
    for name in ["a", "b"] { try folder.log(TodoLog.lines, "logs/\(name).jsonl") }
    let server = try ServedPort(["--port", "0"], in: folder)
    let client = try LoopbackClient(port: server.port)
    _ = try client.ask(1, "initialize")
    let arguments = #"{"program":"\#(logs)","token":"\#(server.token)"}"#
    try client.request(
      #"{"seq":2,"type":"request","command":"launch","arguments":\#(arguments)}"#)
    let answer = try client.text(until: "showUser")
    let message =
      #""message":"\#(logs) is a folder with 2 logs, and this takes one log\nname one of them: "#
      + #"\#(logs)/a.jsonl, \#(logs)/b.jsonl""#
    #expect(answer.contains(message), "\(answer)")
  }

  @Test("before the token, a port answers initialize and disconnect alone")
  func token() throws {
    let server = try ServedPort(["--port", "0"], in: folder)
    let client = try LoopbackClient(port: server.port)
    #expect(try client.ask(1, "initialize").contains("\"success\":true"))
    for command in ["evaluate", "setBreakpoints", "threads", "pause", "cancel", "terminate"] {
      let answer = try client.ask(2, command)
      #expect(answer.contains("\"\(command): launch or attach with the token first\""), "\(answer)")
    }
    let missing = try client.ask(3, "launch", launch(1, nil))
    #expect(missing.contains("launch: the token is missing"), "\(missing)")
    let wrong = try client.ask(4, "attach", launch(1, String(repeating: "0", count: 32)))
    #expect(wrong.contains("attach: the token is not that of this adapter"), "\(wrong)")
    #expect(!wrong.contains("\"event\":\"initialized\""))
    try client.request(
      #"{"seq":5,"type":"request","command":"launch","arguments":\#(launch(1, server.token))}"#)
    #expect(try client.text(until: #""command":"launch"}"#).contains("\"event\":\"initialized\""))
    _ = try client.ask(6, "disconnect")
    #expect(try server.waitForEnd() == 0)
  }

  @Test("connections that open no log end without the adapter")
  func strays() throws {
    let server = try ServedPort(["--port", "0"], in: folder)
    for text in [
      "hello\n", "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}",
      "POST http://127.0.0.1/ HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
      "Content-Length: 100000\r\n\r\n", "",
    ] {
      let client = try LoopbackClient(port: server.port)
      try client.send(text)
      if text.isEmpty { continue }
      #expect(try client.readAll() == "", "\(text)")
    }
    let stray = try LoopbackClient(port: server.port)
    _ = try stray.ask(1, "disconnect")
    // More than the adapter serves at a time.
    let idle = try (0..<40).map { _ in try LoopbackClient(port: server.port) }
    let client = try LoopbackClient(port: server.port)
    _ = try client.ask(1, "initialize")
    try open(client, at: 1, server.token)
    _ = try client.ask(4, "disconnect")
    #expect(try server.waitForEnd() == 0)
    withExtendedLifetime(idle) {}
    let note = "note: a client does not speak the protocol: expected Content-Length or Content-Type"
    #expect(
      try server.rest() == """
        \(note), found "hello"
        \(note), found "POST / HTTP/1.1"
        \(note), found "POST http://127.0.0.1/ HTTP/1.1"
        note: a client does not speak the protocol: a message has 100000 bytes; no request here has more than 65536

        """)
  }

  @Test("a launch that fails does not end the adapter")
  func failedLaunch() throws {
    let server = try ServedPort(["--socket", folder.path("dap.sock")], in: folder)
    let mistaken = try LocalClient(folder.path("dap.sock"))
    _ = try mistaken.ask(1, "initialize")
    let answer = try mistaken.ask(2, "launch", #"{"program":"\#(folder.path("none.jsonl"))"}"#)
    #expect(answer.contains("none.jsonl: no such file"), "\(answer)")
    let input = try mistaken.ask(3, "launch", #"{"program":"-"}"#)
    #expect(input.contains("dap reads no log from standard input"), "\(input)")
    _ = try mistaken.ask(4, "disconnect")
    // The adapter closes the connection after it has counted the session.
    #expect(throws: (any Error).self) { try mistaken.text(until: "nothing more") }
    let client = try LocalClient(folder.path("dap.sock"))
    _ = try client.ask(1, "initialize")
    try open(client, at: 1, nil)
    _ = try client.ask(4, "disconnect")
    #expect(try server.waitForEnd() == 0)
  }

  @Test("a session whose editor stops speaking the protocol ends, and the exit code says so")
  func malformed() throws {
    let server = try ServedPort(["--port", "0"], in: folder)
    let client = try LoopbackClient(port: server.port)
    _ = try client.ask(1, "initialize")
    try open(client, at: 1, server.token)
    try client.send("hello\n")
    _ = try client.readAll()
    #expect(try server.waitForEnd() == 3)
  }

  @Test("a port that is taken is an error")
  func taken() throws {
    let server = try ServedPort(["--port", "0"], in: folder)
    let run = try ProgramRun(["dap", "--port", "\(server.port)"], in: folder)
    #expect(
      run
        == ProgramRun(
          3, errors: "error: cannot listen on port \(server.port): Address already in use\n"))
  }

  @Test("a file keeps the token for the next start, and belongs to the user alone")
  func tokenFile() throws {
    let path = folder.path("token")
    let first = try ServedPort(["--port", "0", "--token-file", path], in: folder)
    #expect(first.token.isEmpty)
    let text = try folder.text(of: "token")
    #expect(text.wholeMatch(of: /[0-9a-f]{32}\n/) != nil, "\(text)")
    #expect(try folder.permissions(of: "token") == 0o600)
    let second = try ServedPort(["--port", "0", "--token-file", path], in: folder)
    #expect(try folder.text(of: "token") == text)
    let client = try LoopbackClient(port: second.port)
    _ = try client.ask(1, "initialize")
    try open(client, at: 1, String(text.dropLast()))
    _ = try client.ask(4, "disconnect")
    #expect(try second.waitForEnd() == 0)

    if !ProgramRun.isSanitized {
      let full = try ProgramRun(
        ["dap", "--port", "0", "--token-file", "full"],
        through: ["/bin/sh", "-c", "{ (ulimit -f 0; exec \"$0\" \"$@\"); echo $?; } 2>&1 | cat"],
        in: folder)
      #expect(full.output == "error: cannot write full: File too large\n3\n")
      #expect(try !folder.names().contains("full"))
    }

    try folder.write("0123\n".utf8, to: "short")
    #expect(unsafe chmod(folder.path("short"), 0o600) == 0)
    try folder.write(text.utf8, to: "open")
    #expect(unsafe chmod(folder.path("open"), 0o644) == 0)
    for (name, errors) in [
      (
        "short",
        """
        error: \(folder.path("short")) does not contain a token: expected 32 hexadecimal digits
        hint: name another file, which is then written

        """
      ),
      (
        "open",
        """
        error: \(folder.path("open")) is not a file that only you can read
        hint: remove it, or protect it with chmod 600

        """
      ),
    ] {
      let run = try ProgramRun(
        ["dap", "--port", "0", "--token-file", folder.path(name)], in: folder)
      #expect(run == ProgramRun(3, errors: errors))
    }
  }

  @Test("a socket serves the user's own editors without a token, and ends with them")
  func socket() throws {
    let path = folder.path("dap.sock")
    // The socket of an adapter that was killed.
    do { _ = try LocalListener(path: path) }
    let server = try ServedPort(["--socket", path], in: folder)
    #expect(try folder.permissions(of: "dap.sock") == 0o600)
    _ = try LocalClient(path)
    let client = try LocalClient(path)
    #expect(try client.ask(1, "initialize").contains("\"supportsStepBack\":true"))
    try open(client, at: 2, nil)
    let other = try ProgramRun(["dap", "--socket", path], in: folder)
    #expect(
      other == ProgramRun(3, errors: "error: cannot listen at \(path): Address already in use\n"))
    _ = try client.ask(4, "disconnect")
    #expect(try server.waitForEnd() == 0)
    #expect(try folder.names().contains("dap.sock") == false)
    let log = folder.path("log.jsonl")
    #expect(
      try ProgramRun(["dap", "--socket", log], in: folder)
        == ProgramRun(3, errors: "error: cannot listen at \(log): File exists\n"))
  }
}

/// A connection to a Unix socket.
private final class LocalClient: EditorConnection {
  private struct Failure: Error { let call: String }

  private let socket: Descriptor

  init(_ path: String) throws { socket = try .connecting(toLocal: path) }

  func send(_ text: String) throws {
    guard socket.write(Array(text.utf8)).failure == nil else { throw Failure(call: "write") }
  }

  func text(until end: String) throws -> String {
    var text = ""
    while !text.contains(end) {
      guard Descriptor.wait(reading: [socket], writing: nil, milliseconds: 60_000),
        case .bytes(let more) = socket.receive()
      else { throw Failure(call: "read: \(text)") }
      text += String(decoding: more, as: UTF8.self)
    }
    return text
  }
}

/// `flux-inspect dap` that listens, until the last reference to it.
private final class ServedPort {
  private(set) var port: UInt16 = 0
  /// The token that it printed; empty if it printed none.
  private(set) var token = ""
  private let process = Process()
  private let errors = Pipe()

  init(_ arguments: [String], in folder: TemporaryFolder) throws {
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("flux-inspect"))
    process.arguments = ["dap"] + arguments
    process.environment = folder.userFolders
    process.standardError = errors
    try process.run()
    let line = try nextLine()
    guard arguments.contains("--port") else {
      #expect(line.hasPrefix("listening at "), "\(line)")
      return
    }
    let match = try #require(
      line.wholeMatch(of: /listening on 127\.0\.0\.1:([0-9]+)\n/), "\(line)")
    port = try #require(UInt16(match.1))
    guard !arguments.contains("--token-file") else { return }
    let second = try nextLine()
    let found = try #require(second.wholeMatch(of: /token: ([0-9a-f]{32})\n/), "\(second)")
    token = String(found.1)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  private func nextLine() throws -> String {
    var line = ""
    while !line.hasSuffix("\n"), let byte = try errors.fileHandleForReading.read(upToCount: 1) {
      line += String(decoding: byte, as: UTF8.self)
    }
    return line
  }

  var isRunning: Bool { process.isRunning }

  /// Waits for the end; returns the exit code.
  func waitForEnd() throws -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// The lines on standard error after the token, once the adapter has ended.
  func rest() throws -> String {
    String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }
}
