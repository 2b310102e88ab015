import FluxJSON
import FluxLog
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxHost
@testable import FluxReplay

/// A recorder at one path: launches one after the other, with random steps, which crash or are closed.
final class RandomRecorder: Sendable {
  private struct State {
    var random: SeededGenerator
    var writer: LogWriter?
    var launches = 0
    var next: UInt64 = 1
    /// The number of the first step of each launch's log, by its id.
    var expected: [String: UInt64] = [:]
  }

  let folder: TemporaryFolder
  let path: String
  private let options: LogWriter.Options
  private let state: Monitor<State>

  init(seed: UInt64, retention: LogWriter.Options.Retention? = nil) throws {
    folder = try TemporaryFolder()
    path = folder.path("todo.jsonl")
    var options = LogWriter.Options()
    options.retention = retention
    self.options = options
    state = Monitor(State(random: SeededGenerator(seed: seed)))
  }

  var logs: RecordedLogs { RecordedLogs(at: path) }
  var currentPath: String? { state.withLock { $0.writer?.path } }

  /// The ids of all launches, oldest first, with the number after the last step that was written.
  var written: [(log: String, next: UInt64)] {
    state.withLock { state in
      (1...state.launches).map { ("log-\($0)", state.expected["log-\($0)"] ?? 1) }
    }
  }

  /// Ends the launch so far, as a crash with an action in flight does, and begins the next one.
  func launch() throws {
    try state.withLock { state in
      if let writer = state.writer {
        try writer.flush()
        _ = writer.begin(
          step: state.next, at: LogTime(microseconds: state.next),
          action: LogValue(json: ["type": "todo/crash", "payload": [1, 2, 3]]))
        let crashed = writer.path
        state.writer = nil
        // The line that was being written.
        let torn = try FileHandle(forWritingTo: URL(filePath: crashed))
        try torn.seekToEnd()
        try torn.write(contentsOf: Data(#"{"n":7,"t":0.0000"#.utf8))
        try torn.close()
      }
      state.launches += 1
      state.next = 1
      let header = LogHeader(
        log: "log-\(state.launches)",
        created: LogInstant(microseconds: Int64(state.launches) * 1_000_000), seed: 7,
        recordsEffects: true, stores: [.init(name: "a", initial: ["text": ""])])
      state.writer = try write(header)
      state.expected["log-\(state.launches)"] = 1
    }
  }

  /// Begins a log, as soon as the thread of the one before has released its lock.
  private func write(_ header: LogHeader) throws -> LogWriter {
    while true {
      do throws(LogError) {
        return try LogWriter(path: path, header: header, options: options)
      } catch {
        guard error.reason == .locked else { throw error }
        sched_yield()
      }
    }
  }

  /// Records steps; one in sixteen has a line of up to 40 KB, and texts have characters of all lengths.
  func record(_ count: Int) throws {
    try state.withLock { state in
      guard let writer = state.writer else { return }
      for _ in 0..<count {
        let time = LogTime(microseconds: state.next)
        let length = Int.random(in: 0..<10, using: &state.random) == 0 ? 10_000 : 20
        let scalars: [Unicode.Scalar] = ["a", "é", "水", "😀", "\u{0}", "\"", "\\"]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &state.random) {
          text.append(scalars.randomElement(using: &state.random) ?? "a")
        }
        let json = JSON(stringLiteral: String(text))
        let action = writer.begin(
          step: state.next, at: time,
          action: LogValue(json: ["type": "todo/edit", "payload": json]))
        writer.append(
          StepRecord(
            number: state.next, time: time, action: action,
            changes: [.init(store: "a", state: LogValue(json: ["text": json]))]))
        state.next += 1
      }
      try writer.flush()
      state.expected["log-\(state.launches)"] = state.next
    }
  }

  func close() throws { try state.withLock { try $0.writer?.close() } }
}

/// A server whose bytes reach the client through memory, until the connection is cut after a number of them.
final class CutConnection: AppStreams {
  private struct State {
    var bytes: [UInt8] = []
    var left: Int
    var isCut = false
    var isStalled = false
    var isRead = true
    var requestCount = 0
    var splitter = LineSplitter()
  }

  private let state: Monitor<State>
  private let server: AppServer
  let client: AppClient

  init(_ part: any AppPart, cutAfter count: Int = .max, isStalled: Bool = false) {
    let state = Monitor(State(left: count, isStalled: isStalled))
    self.state = state
    server = AppServer([part]) {
      Welcome(AppDescription(name: "Todo"), process: 1, parts: [.log], log: nil)
    }
    client = AppClient { bytes in
      let taken: Int? = state.withLock { state in
        if state.isCut { return nil }
        if state.isStalled { return 0 }
        let count = min(bytes.count, state.left)
        state.bytes += bytes.prefix(count)
        state.left -= count
        state.isCut = state.left == 0
        return count
      }
      state.signal()
      return taken
    }
  }

  var hasEnded: Bool { false }

  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    let lines: [[UInt8]]? = state.withLock { state in
      if state.isCut { return nil }
      state.splitter.append(Array(bytes))
      var lines: [[UInt8]] = []
      while let line = state.splitter.next() { lines.append(line) }
      state.requestCount += lines.count
      return lines
    }
    guard let lines else { return nil }
    for line in lines { server.handle(line, of: client) }
    return bytes.count
  }

  func receive() -> Descriptor.Received {
    state.withLock { state in
      guard state.bytes.isEmpty else {
        defer { state.bytes = [] }
        return .bytes(state.bytes)
      }
      return state.isCut ? .end(nil) : .nothing
    }
  }

  func wait(toWrite writes: Bool, milliseconds: Int32) {
    state.waitUntil(
      milliseconds: milliseconds < 0 ? nil : Int(milliseconds), { !$0.bytes.isEmpty || $0.isCut }
    ) { _ in }
  }

  /// The number of lines that the client has sent.
  var requestCount: Int { state.withLock { $0.requestCount } }

  /// Reads nothing for a while.
  func stall() { state.withLock { $0.isStalled = true } }

  /// Reads on after a stall.
  func readOn() {
    state.withLock { $0.isStalled = false }
    client.flush()
  }

  /// Ends the connection, and the server's part in it; what has arrived is read.
  func cut() {
    state.withLock { $0.isCut = true }
    state.signal()
    server.leave(client)
    state.waitUntil(\.isRead) { _ in }
  }

  /// Connects, and begins to read in a thread.
  func connect() throws -> (link: AppConnection, receiver: LogReceiver, follower: LogFollower) {
    let receiver = LogReceiver()
    let link = AppConnection(
      self, messageByteCount: 1 << 20, isCancelled: { false }
    ) { name, params throws(MalformedMessage) in try receiver.take(name, params) }
    _ = try link.ask(.initialize, Greeting(), limit: 60)
    state.withLock { $0.isRead = false }
    Thread { [state] in
      link.read()
      state.withLock { $0.isRead = true }
      state.signal()
    }.start()
    var limits = LiveConnection.Limits()
    limits.answer = 60
    return (link, receiver, LogFollower(link, receiver, limits))
  }
}
