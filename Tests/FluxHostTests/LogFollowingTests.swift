import FluxJSON
import FluxLog
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxHost
@testable import FluxReplay

/// The part `log` and its client, over connections in memory.
@Suite("log following") struct LogFollowingTests {
  private static let connections =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 50 : 3_000
  /// A client that follows one log after the other, each in a copy of its own.
  private struct Copies {
    let folder: TemporaryFolder
    var all: [LogCopy] = []

    init() throws {
      folder = try TemporaryFolder()
      try add()
    }

    var last: LogCopy { all[all.count - 1] }

    mutating func add() throws { all.append(try LogCopy(at: path(all.count))) }

    private func path(_ index: Int) -> String { folder.path("copy-\(index).jsonl") }

    /// Continues the last copy as a new process does whose predecessor was killed while it wrote.
    mutating func restart(losing byteCount: Int) throws {
      let path = path(all.count - 1)
      if let newest = last.paths.last {
        let file = try FileHandle(forWritingTo: URL(filePath: newest))
        let size = try file.seekToEnd()
        try file.truncate(atOffset: size - min(size, UInt64(byteCount)))
        try file.close()
      }
      all.removeLast()
      // The thread that read the connection still has the locks of the files for a moment.
      while true {
        do throws(LogError) {
          return all.append(try LogCopy(at: path))
        } catch {
          guard error.reason == .locked else { throw error }
          sched_yield()
        }
      }
    }

    /// Follows the current log over a connection that may break at any byte.
    mutating func follow(over follower: LogFollower) throws {
      guard try !follower.follow(into: last) else { return }
      _ = try follower.conclude(last)
      try add()
      _ = try follower.follow(into: last)
    }
  }

  /// The bytes of a file up to its last newline.
  private static func lines(_ path: String) throws -> Data {
    let data = try Data(contentsOf: URL(filePath: path))
    return data.lastIndex(of: 0x0A).map { data[...$0] } ?? Data()
  }

  /// Compares a copy with the segments of its log, and looks for missing steps.
  private func check(_ copy: LogCopy, _ recorder: RandomRecorder, through next: UInt64) throws {
    let log = try #require(copy.log)
    let copied = try copy.paths.map { try #require(RecordedLogs(at: $0).segment(at: $0)) }
    for segment in try recorder.logs.segments(of: log) {
      let own = try #require(copied.first { $0.first == segment.first }, "\(segment.path)")
      #expect(try Self.lines(own.path) == Self.lines(segment.path), "\(segment.path)")
    }
    // What rotation deleted before the client came is no part of the copy.
    var expected = try #require(copied.first).first
    for segment in copied {
      if let deleted = copy.deleted.first(where: { $0.lowerBound == expected }) {
        expected = deleted.upperBound + 1
      }
      let file = try LogFile.open(segment.path)
      try file.waitForIndex()
      for position in 0..<file.count {
        #expect(try file.step(at: position).number == expected)
        expected += 1
      }
    }
    #expect(expected == next, "\(log)")
  }

  @Test(
    "after breaks at any byte, crashes and restarts, the copy has the bytes of the log",
    arguments: [nil, LogWriter.Options.Retention.bytes(1 << 18)])
  func breaks(_ retention: LogWriter.Options.Retention?) throws {
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed &+ (retention == nil ? 0 : 1))
    let recorder = try RandomRecorder(seed: seed, retention: retention)
    try recorder.launch()
    var copies = try Copies()
    let logs = recorder.logs
    for _ in 0..<Self.connections {
      if Int.random(in: 0..<10, using: &random) == 0 { try recorder.launch() }
      if Int.random(in: 0..<10, using: &random) == 0 {
        try copies.restart(losing: Int.random(in: 0..<3000, using: &random))
      }
      try recorder.record(Int.random(in: 0..<20, using: &random))
      let largest = Bool.random(using: &random) ? 3000 : 300_000
      let connection = CutConnection(
        LogPart(logs) { recorder.currentPath },
        cutAfter: Int.random(in: 1...largest, using: &random))
      defer { connection.cut() }
      do {
        let follower = try connection.connect().follower
        try copies.follow(over: follower)
        try recorder.record(Int.random(in: 0..<20, using: &random))
      } catch AppConnection.Failure.ended {
      } catch LiveFailure.gone {
      }
    }
    let connection = CutConnection(LogPart(logs) { recorder.currentPath })
    try copies.follow(over: try connection.connect().follower)
    connection.cut()
    let written = Dictionary(
      uniqueKeysWithValues: recorder.written.map { ($0.log, $0.next) })
    #expect(copies.all.count > 3)
    if retention == nil { #expect(copies.all.allSatisfy { $0.deleted.isEmpty }) }
    for copy in copies.all.dropLast() where copy.log != nil {
      let log = copy.log ?? ""
      try check(copy, recorder, through: written[log] ?? 0)
      let path = try #require(copy.newestPath)
      let copied = try LogFile.open(path)
      try copied.waitForIndex()
      let last = try LogFile.open(try #require(try recorder.logs.segments(of: log).last).path)
      try last.waitForIndex()
      #expect(try copied.inFlight() == last.inFlight(), "\(log)")
      #expect(try copied.inFlight().map(\.type) == ["todo/crash"], "\(log)")
    }
    try check(copies.last, recorder, through: try #require(recorder.written.last).next)
  }

  @Test("a client that reads nothing costs the app a bounded number of bytes, and loses none")
  func slowReader() throws {
    let recorder = try RandomRecorder(seed: 3)
    try recorder.launch()
    let connection = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    let copies = try Copies()
    let copy = copies.last
    let client = try connection.connect()
    #expect(try client.follower.follow(into: copy))
    let stalled = CutConnection(LogPart(recorder.logs) { recorder.currentPath }, isStalled: true)
    for line in [
      RPCLine.request(1, .initialize, Greeting()), RPCLine.request(2, .follow, LogRequest()),
    ] { _ = stalled.send(line[...]) }
    try recorder.record(2000)
    let end = try #require(
      try SegmentPlace(
        inAnswer: client.link.ask(.follow, LogRequest(place: copy.place()), limit: 60).result))
    #expect(copy.wait(for: end, milliseconds: 60_000))
    #expect(stalled.client.waitingByteCount < 256 << 10)
    stalled.readOn()
    connection.cut()
    stalled.cut()
  }

  @Test("a place of another log, of a deleted segment, and with other lines before it")
  func places() throws {
    let recorder = try RandomRecorder(seed: 5, retention: .steps(40))
    try recorder.launch()
    try recorder.record(200)
    let segments = try recorder.logs.segments(of: "log-1")
    let oldest = try #require(segments.first)
    #expect(oldest.first > 1)
    let connection = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    let link = try connection.connect().link
    func answer(_ place: SegmentPlace) throws -> SegmentPlace {
      try LogFollowed(link.ask(.follow, LogRequest(place: place), limit: 60).result).place
    }
    #expect(
      try answer(SegmentPlace(log: "log-1", first: 1, offset: 77, crc: 5))
        == SegmentPlace(log: "log-1", first: oldest.first))
    let header = try Self.lines(oldest.path)
    let end = try #require(header.firstIndex(of: 0x0A)) + 1
    var reader = try #require(try SegmentReader(oldest))
    let last = try reader.lastPlace()
    #expect(try answer(last) == last)
    func failure(_ place: SegmentPlace) -> RPCError? {
      let error = #expect(throws: AppConnection.Failure.self) { try answer(place) }
      if case .refused(let refusal) = error { return refusal }
      return nil
    }
    #expect(
      failure(SegmentPlace(log: "other", first: 1))
        == .log(.otherLog, "the app records the log log-1, not other"))
    for (offset, crc) in [(end, 1), (end - 1, 0), (last.offset + 1, 0)] as [(Int, UInt32)] {
      #expect(
        failure(SegmentPlace(log: "log-1", first: oldest.first, offset: offset, crc: crc))
          == .log(
            .otherLines,
            "the log has other lines before byte \(offset) of the segment from step \(oldest.first)"
          ))
    }
    #expect(
      failure(SegmentPlace(log: "log-1", first: 9999))
        == .log(.otherLines, "the log has no segment that begins with step 9999 or later"))
    let missing = #expect(throws: AppConnection.Failure.self) {
      try link.ask(.launch, LogRequest(log: "other"), limit: 60)
    }
    #expect(missing == .refused(.log(.unknownLog, "the app no longer has the log other")))
    connection.cut()
  }

  @Test("an app that does not have the log of a copy leaves the copy to the app that sends it")
  func otherApp() throws {
    let (recorder, other) = (try RandomRecorder(seed: 5), try RandomRecorder(seed: 6))
    try recorder.launch()
    try other.launch()
    try other.launch()
    let connection = CutConnection(LogPart(other.logs) { other.currentPath })
    let copies = try Copies()
    let client = try connection.connect()
    #expect(try client.follower.follow(into: copies.last))
    let stranger = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    #expect(try stranger.connect().follower.conclude(copies.last) == nil)
    try other.record(3)
    let place = try SegmentReader(try #require(other.logs.segments(of: "log-2").last))
    var reader = try #require(place)
    #expect(copies.last.wait(for: try reader.lastPlace(), milliseconds: 60_000))
    connection.cut()
    stranger.cut()
  }

  /// A part that promises text, and sends none.
  private struct SilentPart: AppPart {
    let name = AppProtocol.Part.log
    let queue = JobQueue("silent")

    func join(_ client: AppClient) {}

    func answer(_ request: AppRequest) -> any Encodable {
      let place = SegmentPlace(log: "log-1", first: 1)
      var end = place
      end.offset = 500
      return LogFollowed(place: place, end: end)
    }

    func leave(_ client: AppClient) {}
  }

  @Test("an app that stops to send its log is given up after the time for an answer")
  func silence() throws {
    let connection = CutConnection(SilentPart())
    let client = try connection.connect()
    var limits = LiveConnection.Limits()
    limits.answer = 0.1
    let follower = LogFollower(client.link, client.receiver, limits)
    let copies = try Copies()
    #expect(throws: LiveFailure.timedOut(seconds: 0.1)) { try follower.follow(into: copies.last) }
    connection.cut()
  }

  @Test("after a break, the log is asked for until the app answers; a refusal is kept")
  func goOn() throws {
    let recorder = try RandomRecorder(seed: 5)
    try recorder.launch()
    try recorder.record(100)
    let copies = try Copies()
    let connection = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    let client = try connection.connect()
    connection.stall()
    var limits = LiveConnection.Limits()
    limits.answer = 0.1
    let follower = LogFollower(client.link, client.receiver, limits)
    let copy = copies.last
    Thread { follower.goOn(with: copy) }.start()
    while connection.requestCount < 8 { sched_yield() }
    connection.readOn()
    let segment = try #require(recorder.logs.segments(of: "log-1").last)
    var reader = try #require(try SegmentReader(segment))
    #expect(copy.wait(for: try reader.lastPlace(), milliseconds: 60_000))
    #expect(copy.failure == nil)
    connection.cut()
    try recorder.launch()
    let next = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    try next.connect().follower.goOn(with: copy)
    #expect(copy.failure == .refused("it now records another log"))
    next.cut()
  }

  @Test("a log whose file is renamed is sent on, and one that cannot be read fails its copy")
  func renamed() throws {
    let recorder = try RandomRecorder(seed: 5)
    try recorder.launch()
    let connection = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    let copies = try Copies()
    let client = try connection.connect()
    #expect(try client.follower.follow(into: copies.last))
    let path = try #require(recorder.currentPath)
    let segment = try #require(RecordedLogs(at: path).segment(at: path))
    var reader = try #require(try SegmentReader(segment))
    let isRenamed = unsafe rename(path, path + ".away") == 0
    #expect(isRenamed)
    try recorder.record(3)
    #expect(copies.last.wait(for: try reader.lastPlace(), milliseconds: 60_000))
    #expect(copies.last.isClosed == nil)
    let isShortened = unsafe truncate(path + ".away", 1) == 0
    #expect(isShortened)
    while copies.last.failure == nil { _ = copies.last.waitForEnd(milliseconds: 100) }
    let failure = "\(try #require(copies.last.failure))"
    #expect(failure.hasPrefix("the app does not send the rest of its log: \(path): "))
    // The app has told the client before it takes note.
    connection.client.waitForEndOfLog(until: .now + .seconds(60))
    #expect(!connection.client.follows)
    connection.cut()
  }

  @Test("an app that closes its log waits for the clients that follow it, and no longer than asked")
  func finishing() throws {
    let recorder = try RandomRecorder(seed: 5)
    try recorder.launch()
    try recorder.record(3)
    let part = LogPart(recorder.logs) { recorder.currentPath }
    let connection = CutConnection(part)
    let copies = try Copies()
    #expect(try connection.connect().follower.follow(into: copies.last))
    connection.stall()
    try recorder.close()
    let begin = ContinuousClock.now
    part.finish(milliseconds: 100)
    #expect(begin.duration(to: .now) >= .milliseconds(90))
    #expect(copies.last.isClosed == nil)
    Thread { connection.readOn() }.start()
    part.finish(milliseconds: 60_000)
    #expect(!connection.client.isWaiting && !connection.client.follows)
    #expect(copies.last.waitForEnd(milliseconds: 60_000))
    #expect(copies.last.isClosed == true)
    // A client that is gone is not waited for.
    connection.cut()
    let end = ContinuousClock.now
    part.finish(milliseconds: 600_000)
    #expect(end.duration(to: .now) < .seconds(300))
  }

  @Test("the app's own log, and a copy that another session writes, are no copies to continue")
  func taken() throws {
    let recorder = try RandomRecorder(seed: 5)
    try recorder.launch()
    try recorder.record(3)
    let path = try #require(recorder.currentPath)
    #expect(throws: LogError(path: path, reason: .locked)) { try LogCopy(at: path) }
    let unlocked = recorder.folder.path("unlocked.jsonl")
    try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: unlocked))
    #expect(throws: LogError(path: unlocked, reason: .locked)) {
      try LogCopy(at: unlocked, of: unlocked)
    }
    let connection = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    let copies = try Copies()
    #expect(try connection.connect().follower.follow(into: copies.last))
    let copied = copies.last.path
    #expect(throws: LogError(path: copied, reason: .locked)) { try LogCopy(at: copied) }
    #expect(LogCopy.nextPath(beside: copied) == copies.folder.path("copy-0~1.jsonl"))
    connection.cut()
  }

  @Test("launches are listed with their bytes, the one that is recorded last")
  func launches() throws {
    let recorder = try RandomRecorder(seed: 5)
    try recorder.launch()
    try recorder.record(3)
    try recorder.launch()
    let connection = CutConnection(LogPart(recorder.logs) { recorder.currentPath })
    let link = try connection.connect().link
    let answer = try link.ask(.launches, LogRequest(), limit: 60).result
    let sizes = try recorder.logs.segments().map { UInt64(try Self.lines($0.path).count) }
    #expect(
      try answer["launches"]?.elements.map(LogLaunch.init) == [
        .init(
          log: "log-1", created: "1970-01-01T00:00:01.000000Z", first: 1, bytes: sizes[0],
          recording: nil),
        .init(
          log: "log-2", created: "1970-01-01T00:00:02.000000Z", first: 1, bytes: sizes[1],
          recording: true),
      ])
    connection.cut()
  }
}

/// A client whose app sends something else than the bytes of its log.
@Suite struct HostileLogTests {
  private static let segment = ("log/segment", #"{"log":"../../x","first":1,"offset":0,"crc":0}"#)
  private static let header = #"{\"flux\":\"1.1\",\"log\":\"../../x\",\"first\":1,\"stores\":{}}\n"#

  private static func text(_ text: String, at offset: Int) -> (String, String) {
    ("log/text", #"{"at":\#(offset),"text":"\#(text)"}"#)
  }

  private static let cases: [[(name: String, params: String)]] = [
    [text("a", at: 0)],
    [segment, text("a", at: 1)],
    [segment, text("a", at: 0), text("b", at: 0)],
    [segment, text("not a header\\n", at: 0)],
    [segment, text(#"{\"flux\":\"1.1\",\"log\":\"y\",\"first\":1,\"stores\":{}}\n"#, at: 0)],
    [segment, ("log/segment", #"{"log":"y","first":2,"offset":0,"crc":0}"#)],
    [segment, ("log/segment", #"{"log":"../../x","first":2,"offset":0,"crc":0}"#)],
    [
      segment, text(header, at: 0),
      ("log/segment", #"{"log":"../../x","first":0,"offset":0,"crc":0}"#),
    ],
    [
      segment, text(header, at: 0),
      ("log/segment", #"{"log":"../../x","first":1,"offset":999,"crc":0}"#),
    ],
    [("log/segment", #"{"log":"../../x","first":1,"offset":5,"crc":0}"#)],
    [("log/segment", #"{"log":"x","first":1,"offset":0,"crc":4294967296}"#)],
    [segment, ("log/text", #"{"at":0,"base64":"?"}"#)],
    [segment, ("log/text", #"{"at":0}"#)],
    [segment, ("log/text", #"{"at":0,"text":""}"#)],
    [segment, ("log/text", #"{"at":0,"base64":"\#(String(repeating: "A", count: 400_000))"}"#)],
    [segment, text(String(repeating: "a", count: 262_145), at: 0)],
  ]

  @Test(
    "the connection ends, and nothing is written outside the copy", arguments: cases.indices)
  func invalid(_ index: Int) throws {
    let messages = Self.cases[index]
    let folder = try TemporaryFolder()
    let receiver = LogReceiver()
    let copy = try LogCopy(at: folder.path("copy.jsonl"))
    receiver.receive(into: copy)
    #expect(throws: MalformedMessage.self) {
      for message in messages {
        let name = try #require(AppProtocol.Notification(rawValue: message.name))
        try receiver.take(name, JSON.parse(message.params))
      }
    }
    #expect(Set(try folder.names()).isSubset(of: ["copy.jsonl"]))
  }

  @Test("the reason names the member that is wrong")
  func members() throws {
    let folder = try TemporaryFolder()
    let receiver = LogReceiver()
    receiver.receive(into: try LogCopy(at: folder.path("copy.jsonl")))
    try receiver.take(.logSegment, JSON.parse(Self.segment.1))
    let failure = #expect(throws: MalformedMessage.self) {
      try receiver.take(.logText, JSON.parse(#"{"at":0}"#))
    }
    #expect(
      failure?.description == "\"base64\" of the text of a log is missing; expected a string")
  }

  @Test("a text that no segment precedes, and one at another place, are named in the reason")
  func places() throws {
    let folder = try TemporaryFolder()
    let copy = try LogCopy(at: folder.path("copy.jsonl"))
    let source = copy.connect()
    let early = #expect(throws: LogCopy.Failure.self) {
      try copy.append([0x61], at: 0, from: source)
    }
    #expect(early?.description == "the app sent text before log/segment, which names its place")
    let other = try LogCopy(at: folder.path("other.jsonl"))
    let place = try SegmentPlace(
      Message(JSON.parse(Self.segment.1), called: "the segment"))
    let second = other.connect()
    try other.begin(place, from: second)
    let wrong = #expect(throws: LogCopy.Failure.self) {
      try other.append([0x61], at: 7, from: second)
    }
    #expect(wrong?.description == "the app sent text at byte 7 instead of 0")
  }

  @Test("text without an end, and segments without an end, stop at the limit")
  func endless() throws {
    let folder = try TemporaryFolder()
    let line = try LogCopy(at: folder.path("line.jsonl"), limit: 100_000)
    try line.begin(SegmentPlace(log: "x", first: 1), from: 0)
    let bytes = [UInt8](repeating: 0x20, count: 1000)
    var offset = 0
    #expect(throws: LogCopy.Failure.tooLarge(byteCount: 100_000)) {
      while true {
        try line.append(bytes, at: offset, from: 0)
        offset += 1000
      }
    }
    #expect(offset == 100_000)
    let many = try LogCopy(at: folder.path("many.jsonl"), limit: 100_000)
    for first in 1...100 as ClosedRange<UInt64> {
      try many.begin(SegmentPlace(log: "x", first: first), from: 0)
      let header = #"{"flux":"1.1","log":"x","first":\#(first),"stores":{}}"# + "\n"
      try many.append(Array(header.utf8), at: 0, from: 0)
    }
    #expect(many.paths.count == 24)
    #expect(try folder.names().count == 25)
  }

  @Test("a copy of any number of segments has one file open, which keeps other sessions away")
  func openFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("copy.jsonl")
    func fill(_ copy: LogCopy, _ steps: ClosedRange<UInt64>) throws {
      for first in steps {
        try copy.begin(SegmentPlace(log: "x", first: first), from: 0)
        let header = #"{"flux":"1.1","log":"x","first":\#(first),"stores":{}}"# + "\n"
        try copy.append(Array(header.utf8), at: 0, from: 0)
        try expectOneLock(of: copy)
        #expect(throws: LogError.self) { try LogCopy(at: path) }
      }
    }
    try fill(try LogCopy(at: path), 1...5)
    let continued = try LogCopy(at: path)
    try expectOneLock(of: continued)
    try fill(continued, 6...7)
    // After a break in a segment without a header, the one before it continues.
    try continued.begin(SegmentPlace(log: "x", first: 8), from: 0)
    let place = try #require(try continued.place())
    let source = continued.connect()
    try continued.begin(place, from: source)
    try continued.append(Array("{}\n".utf8), at: place.offset, from: source)
    #expect(continued.paths.count == 7)
  }

  /// Of the files of a copy, only the newest is locked.
  private func expectOneLock(of copy: LogCopy) throws {
    var locked = try lockedPaths(of: copy)
    // A process that another test starts has all open files until it runs its program.
    let end = ContinuousClock.now + .seconds(10)
    while locked.count > 1, ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.01)
      locked = try lockedPaths(of: copy)
    }
    #expect(locked == Array(copy.paths.suffix(1)))
  }

  /// The files of a copy that another process could not lock.
  private func lockedPaths(of copy: LogCopy) throws -> [String] {
    try copy.paths.filter { path in
      let file = try FileHandle(forUpdating: URL(filePath: path))
      defer { try? file.close() }
      return flock(file.fileDescriptor, LOCK_EX | LOCK_NB) != 0
    }
  }

  @Test("a file that is no copy is not touched")
  func otherFile() throws {
    let folder = try TemporaryFolder()
    for text in ["notes\n", "notes", #"{"flux":"1.1"}"# + "\n"] {
      let path = try folder.write(text, to: "notes-\(text.count).txt")
      #expect(throws: LogError(path: path, reason: .exists)) { try LogCopy(at: path) }
      #expect(try folder.text(of: "notes-\(text.count).txt") == text)
    }
  }
}
