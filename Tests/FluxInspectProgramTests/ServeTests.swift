import Foundation
import TestFixtures
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite("What flux-inspect serve answers", .waiting)
struct ServeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(CounterLog.passing, "good.jsonl")
  }

  @Test("a request from elsewhere, without the token or with another method is refused")
  func refusals() throws {
    let server = try ServedLog("good.jsonl", in: folder)
    let host = "Host: 127.0.0.1:\(server.port)"
    let token = "X-Flux-Token: \(server.token)"
    let length = "Content-Length: 2"
    let table: [(String, [String], String, Int?)] = [
      ("GET /", [host], "", 200),
      ("HEAD /", [host], "", 200),
      ("GET /", ["Host: localhost:\(server.port)"], "", 200),
      ("GET /", [], "", 421),
      ("GET /", ["Host: evil.example"], "", 421),
      ("GET /", [host, "Host: evil.example"], "", 400),
      ("GET /", ["Host: evil.example", host], "", 400),
      ("GET /", [host, "Origin: http://evil.example"], "", 403),
      ("GET /", [host, "Origin: null"], "", 403),
      ("PUT /", [host], "", 405),
      ("GET /%2e%2e/%2e%2e/etc/passwd", [host], "", 404),
      ("POST /data/info", [host, token, length], "{}", 200),
      ("POST /data/info", [host, length], "{}", 403),
      ("POST /data/info", [host, "X-Flux-Token: 00", length], "{}", 403),
      ("POST /data/info", [host, token, "Origin: http://evil.example", length], "{}", 403),
      ("GET /data/info", [host, token], "", 405),
      ("POST /data/nothing", [host, token, length], "{}", 404),
      ("POST /data/info", [host, token, "Content-Length: 1"], "{", 400),
      ("POST /data/info", [host, token], "", 411),
      ("POST /data/info", [host, token], "{}", 411),
      ("GET /", [host, "X-Other: a\0b"], "", 400),
      (
        "POST /data/info", [host, token, "Transfer-Encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n", 411
      ),
      ("GET /", [host, "X-Long: \(String(repeating: "x", count: 2000))"], "", 200),
      ("GET /", [host, "X-Long: \(String(repeating: "x", count: 20_000))"], "", 431),
      // These bodies never come: the answer is known without them.
      ("POST /data/info", [host, "Content-Length: 64000000"], "", 403),
      ("POST /data/info", ["Host: evil.example", token, "Content-Length: 64000000"], "", 421),
      ("POST /", [host, "Content-Length: 64000000"], "", 405),
      ("POST /data/info", [host, token, "Content-Length: 64000000"], "", 413),
      ("GET /", [host, "Content-Length: 64000000"], "", 200),
    ]
    for (line, headers, body, status) in table {
      let response = try server.exchange(line, headers, body)
      #expect(response.status == status, "\(line) \(headers.map { $0.prefix(60) })")
    }
  }

  @Test("the page comes with a policy that runs no script of a log")
  func policy() throws {
    let server = try ServedLog("good.jsonl", in: folder)
    let response = try server.exchange("GET /", ["Host: 127.0.0.1:\(server.port)"])
    #expect(
      response.head.contains(
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
          + "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
          + "frame-ancestors 'none'"))
    #expect(response.body.hasPrefix("<!doctype html>"))
  }

  @Test("a line in the file becomes an event, and Ctrl-C ends the server")
  func events() throws {
    let start = """
      {"flux":"1.0","stores":{"counter":{"initial":{"count":0}}}}
      {"n":1,"t":0,"action":{"type":"a"},"states":{"counter":{"count":1}}}

      """
    try folder.write(start, to: "live.jsonl")
    let server = try ServedLog("live.jsonl", in: folder)
    let client = try server.events()
    let log = FileHandle(forWritingAtPath: folder.path("live.jsonl"))
    try log?.seekToEnd()
    try log?.write(
      contentsOf: Data(
        """
        {"n":2,"t":1,"action":{"type":"a"},"states":{"counter":{"count":2}}}

        """.utf8))
    #expect(try client.text(until: "\"steps\":2").contains("\"event\":\"rows\""))
    #expect(server.interrupt() == 0)
  }

  @Test("a connection takes several requests, and an integer at the edges does not end it")
  func keepAlive() throws {
    let server = try ServedLog("good.jsonl", in: folder)
    let client = try LoopbackClient(port: server.port)
    for (name, body) in [
      ("find", "{\"from\":\(Int.min)}"),
      ("find", "{\"next\":\(Int.max),\"direction\":\"backwards\"}"),
      ("steps", "{\"from\":\(Int.max)}"), ("effects", "{\"row\":1,\"next\":\(Int.min)}"),
      ("difference", "{\"b\":1,\"from\":\(Int.max)}"),
    ] {
      try client.send(
        """
        POST /data/\(name) HTTP/1.1\r
        Host: 127.0.0.1:\(server.port)\r
        X-Flux-Token: \(server.token)\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """)
      #expect(try client.text(until: "}").hasPrefix("HTTP/1.1 200 "), "\(name) \(body)")
    }
  }

  @Test("idle connections neither end the server nor keep its user out")
  func strangers() throws {
    let start = """
      {"flux":"1.0","stores":{"counter":{"initial":{"count":0}}}}
      {"n":1,"t":0,"action":{"type":"a"},"states":{"counter":{"count":1}}}

      """
    try folder.write(start, to: "live.jsonl")
    let server = try ServedLog("live.jsonl", in: folder, descriptors: 256)
    let events = try server.events()
    // Strangers beyond the limit push out the oldest of them.
    var idle: [LoopbackClient] = []
    for number in 0..<1100 {
      if idle.count == 150 { idle.removeFirst() }
      let client = try LoopbackClient(port: server.port)
      // Some begin a head that never ends.
      if number.isMultiple(of: 3) { try client.send("GET / HTTP/1.1\r\nHost: x") }
      idle.append(client)
    }
    let response = try server.exchange(
      "POST /data/info",
      [
        "Host: 127.0.0.1:\(server.port)", "X-Flux-Token: \(server.token)", "Content-Length: 2",
      ], "{}")
    #expect(response.status == 200)
    // A client with the token is not pushed out.
    try folder.append(
      #"{"n":2,"t":1,"action":{"type":"a"},"states":{"counter":{"count":2}}}"# + "\n",
      to: "live.jsonl")
    #expect(try events.text(until: "\"steps\":2").contains("\"event\":\"rows\""))
    #expect(server.interrupt() == 0)
    withExtendedLifetime(idle) {}
  }

  @Test("a folder stands for all logs in it")
  func logs() throws {
    try FileManager.default.createDirectory(
      at: folder.url("logs/old"), withIntermediateDirectories: true)
    try folder.log(CounterLog.passing, "logs/b.jsonl")
    try folder.log(CounterLog.diverged, "logs/old/a.jsonl")
    let server = try ServedLog("logs", in: folder)
    let response = try server.exchange(
      "POST /data/info",
      [
        "Host: 127.0.0.1:\(server.port)", "X-Flux-Token: \(server.token)", "Content-Length: 2",
      ], "{}")
    #expect(response.body.contains(#""logs":["b.jsonl","old/a.jsonl"]"#))
  }

  @Test("a log that cannot be opened keeps none of the others in its folder from being served")
  func unreadableLog() throws {
    try FileManager.default.createDirectory(
      at: folder.url("some"), withIntermediateDirectories: true)
    try folder.write("", to: "some/a.jsonl")
    try folder.log(CounterLog.passing, "some/b.jsonl")
    let server = try ServedLog("some", in: folder)
    func info(_ body: String) throws -> String {
      try server.exchange(
        "POST /data/info",
        [
          "Host: 127.0.0.1:\(server.port)", "X-Flux-Token: \(server.token)",
          "Content-Length: \(body.utf8.count)",
        ], body
      ).body
    }
    #expect(try info("{}").contains(#""file":"b.jsonl","logs":["a.jsonl","b.jsonl"]"#))
    #expect(try info(#"{"log":"a.jsonl"}"#).contains("the file is empty"))
    #expect(try info(#"{"log":"c.jsonl"}"#).contains("there is no log c.jsonl"))
  }

  @Test("what cannot be served is an error")
  func failures() throws {
    #expect(
      try ProgramRun(["serve", "missing.jsonl"], in: folder)
        == ProgramRun(
          4, errors: "error: missing.jsonl: cannot open: No such file or directory\n"))
    try FileManager.default.createDirectory(
      at: folder.url("empty"), withIntermediateDirectories: true)
    #expect(
      try ProgramRun(["serve", "empty"], in: folder)
        == ProgramRun(
          3,
          errors: """
            error: there is no log in empty
            hint: the names of logs end in .jsonl, .jsonl.gz or .jsonl.zst

            """))
    let server = try ServedLog("good.jsonl", in: folder)
    let second = try ProgramRun(["serve", "good.jsonl", "--port", "\(server.port)"], in: folder)
    #expect(second.code == 3)
    #expect(second.errors.hasPrefix("error: cannot listen on port \(server.port): "))
  }
}

/// A run of `flux-inspect serve`, which ends with its last reference.
final class ServedLog {
  private let process = Process()
  let port: UInt16
  let token: String

  /// Starts the server, with a limit for its open files and connections if `descriptors` has one.
  init(
    _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:],
    descriptors: Int? = nil
  ) throws {
    let program = BuiltProduct.path("flux-inspect")
    let limit = descriptors.map { "ulimit -n \($0) && " } ?? ""
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\(limit)exec \"$0\" serve \"$@\"", program] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path(""))
    process.environment = folder.userFolders.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = ""
    while !line.hasSuffix("\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
      line += String(decoding: byte, as: UTF8.self)
    }
    let match = try #require(
      line.wholeMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\/#token=([0-9a-f]{64})\n/), "\(line)")
    port = try #require(UInt16(match.1))
    token = String(match.2)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Connects to the events of the log, and waits for the first one.
  func events() throws -> LoopbackClient {
    let client = try LoopbackClient(port: port)
    let body = #"{"since":0}"#
    try client.send(
      """
      POST /data/events HTTP/1.1\r
      Host: 127.0.0.1:\(port)\r
      X-Flux-Token: \(token)\r
      X-Flux-Session: tab\r
      Content-Length: \(body.utf8.count)\r
      \r
      \(body)
      """)
    #expect(try client.text(until: "\"steps\":1").contains("Transfer-Encoding: chunked"))
    return client
  }

  /// Ends the server as Ctrl-C does; returns its exit code.
  func interrupt() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Sends one request on a connection of its own.
  func exchange(_ line: String, _ headers: [String], _ body: String = "") throws -> HTTPExchange {
    let client = try LoopbackClient(port: port)
    let head = (["\(line) HTTP/1.1"] + headers + ["Connection: close", "", ""])
    try client.send(head.joined(separator: "\r\n") + body)
    return HTTPExchange(try client.readAll())
  }
}

/// A response, taken apart.
struct HTTPExchange {
  let status: Int?
  let head: String
  let body: String

  init(_ text: String) {
    status = Int(text.split(separator: " ").dropFirst().first ?? "")
    let end = text.range(of: "\r\n\r\n")
    head = end.map { String(text[..<$0.lowerBound]) } ?? text
    body = end.map { String(text[$0.upperBound...]) } ?? ""
  }
}
