import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxAgent

/// The server on real streams: calls side by side, cancellation, the end.
@Suite struct ServerTests {
  /// An app whose sessions wait until their call is stopped.
  private struct StuckApp: ReplayApp {
    let began: Monitor<Bool>
    let isCancelled: @Sendable () -> Bool

    func describe() throws(ReplayFailure) -> AppDescription {
      began.withLock { $0 = true }
      began.signal()
      while !isCancelled() { began.waitUntil(milliseconds: 5, { _ in false }) { _ in } }
      throw ReplayFailure(.cancelled)
    }

    func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
      throw ReplayFailure(.cancelled)
    }
  }

  private let folder: TemporaryFolder
  private let socket: Descriptor
  private let began = Monitor(false)
  private let isOver = Monitor(false)
  private var lines = LineSplitter()

  init() throws {
    folder = try TemporaryFolder()
    let pair = try #require(makeStreamPair())
    socket = Descriptor(pair.writing)
    let other = Descriptor(pair.reading)
    var world = AgentClient.world(["\(AgentClient.recordings)/shop.jsonl"], folder)
    world.app = { [began] in StuckApp(began: began, isCancelled: $0) }
    let server = try AgentServer(world, reading: other, writing: other)
    Thread { [isOver] in
      server.run()
      isOver.withLock { $0 = true }
      isOver.signal()
    }.start()
  }

  private func send(_ line: String) {
    var rest = Array("\(line)\n".utf8)[...]
    while !rest.isEmpty, let count = socket.send(rest) { rest = rest.dropFirst(count) }
  }

  private func call(_ id: Int, _ tool: String, _ arguments: String) {
    send(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    )
  }

  private mutating func receive() throws -> JSON {
    while true {
      if let line = lines.next() { return try JSON.parse(line) }
      _ = Descriptor.wait(reading: [socket], writing: nil, milliseconds: 10_000)
      guard case .bytes(let bytes) = socket.receive() else { return .null }
      lines.append(bytes)
    }
  }

  @Test(
    "a fast call overtakes a slow one, a cancelled one is silent, and the end of input ends the server"
  )
  mutating func calls() throws {
    call(1, "verify", #"{"log":"shop"}"#)
    began.waitUntil({ $0 }) { _ in }
    call(2, "state", #"{"log":"shop","n":17,"path":"cart.total"}"#)
    #expect(try receive()["id"] == 2)
    send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
    // A request with the id of the cancelled one is a new request.
    call(1, "state", #"{"log":"shop","n":17,"path":"cart.total"}"#)
    let answer = try receive()
    #expect(answer["id"] == 1)
    #expect(answer["result"]?["structuredContent"]?["value"] == 0)
    // Two calls that would never end, and half of a message.
    call(3, "verify", #"{"log":"shop"}"#)
    call(4, "verify", #"{"log":"shop"}"#)
    var half = Array(#"{"jsonrpc":"2.0","id":5,"method":"#.utf8)[...]
    half = half.dropFirst(socket.send(half) ?? 0)
    shutdown(socket.number, Int32(SHUT_WR))
    #expect(isOver.waitUntil(milliseconds: 10_000, { $0 }) { $0 })
  }

  @Test("without a thread for a call, the client gets an error, and the next answer")
  func withoutThread() throws {
    let failure = SystemError("start a thread for", code: EAGAIN)
    let world = AgentClient.world(["\(AgentClient.recordings)/shop.jsonl"], folder)
    let pair = try #require(makeStreamPair())
    let (client, other) = (Descriptor(pair.writing), Descriptor(pair.reading))
    #expect(throws: failure) {
      try RefusedThreads.$failure.withValue(failure) {
        _ = try AgentServer(world, reading: other, writing: other)
      }
    }
    let server = try AgentServer(world, reading: other, writing: other)
    let lines = [
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"logs","arguments":{}}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
    ]
    for line in lines { _ = client.write(Array("\(line)\n".utf8)) }
    shutdown(client.number, Int32(SHUT_WR))
    RefusedThreads.$failure.withValue(failure) { server.run() }
    guard case .bytes(let bytes) = client.receive() else {
      Issue.record("there is no answer")
      return
    }
    let answers = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
    #expect(answers.map { $0["id"] } == [1, 2])
    #expect(answers.first?["error"]?["code"] == -32603)
    #expect(answers.first?["error"]?["message"]?.string == failure.text(about: "the call"))
  }

  @Test("a line that is longer than any call is refused, and the next one is answered")
  mutating func longLine() throws {
    send(String(repeating: "x", count: AgentConnection.longestLine + 10))
    #expect(try receive()["error"]?["message"] == "a message has at most 4194304 bytes")
    send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
    #expect(try receive() == ["jsonrpc": "2.0", "id": 1, "result": [:]])
  }
}
