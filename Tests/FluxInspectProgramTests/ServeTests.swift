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

@Suite("What flux-inspect serve answers")
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
      // Of two names the last one counts, for FlyingFox and for this check alike.
      ("GET /", [host, "Host: evil.example"], "", 421),
      ("GET /", ["Host: evil.example", host], "", 200),
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
      // Without a length there is no body.
      ("POST /data/info", [host, token], "", 200),
      // FlyingFox does not limit headers, which nobody reads.
      ("GET /", [host, "X-Long: \(String(repeating: "x", count: 2000))"], "", 200),
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
    let client = try LoopbackClient(port: server.port)
    let body = #"{"since":0}"#
    try client.send(
      """
      POST /data/events HTTP/1.1\r
      Host: 127.0.0.1:\(server.port)\r
      X-Flux-Token: \(server.token)\r
      X-Flux-Session: tab\r
      Content-Length: \(body.utf8.count)\r
      \r
      \(body)
      """)
    #expect(try client.text(until: "\"steps\":1").contains("Transfer-Encoding: chunked"))
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

  init(
    _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:]
  ) throws {
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("flux-inspect"))
    process.arguments = ["serve"] + arguments
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
