import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Other programs and full disks that meddle with the actions in flight.
@Suite struct RingFileTests {
  private let folder: TemporaryFolder
  private let reported = Monitor<[LogError]>([])
  private var path: String { folder.path(".a.jsonl.inflight") }

  init() throws { folder = try TemporaryFolder() }

  private func ring(_ access: LogWriter.Options.Ring) throws -> InFlightRing {
    try InFlightRing(
      path: path, byteCount: 4096, identity: 7, waits: false, access: access,
      report: { [reported] error in reported.withLock { $0.append(error) } })
  }

  private func note(_ number: UInt64, in ring: InFlightRing) {
    let action: JSON = ["type": "a", "payload": JSON(integerLiteral: Int64(number))]
    ring.note(
      number: number, time: LogTime(microseconds: number), action: Array(action.text.utf8))
    ring.commit(number: number)
  }

  private func noted() throws -> [UInt64] {
    InFlightRecord.actions(in: try folder.bytes(of: ".a.jsonl.inflight"), identity: 7)
      .filter(\.isCommitted).map(\.number)
  }

  /// Shortens the file as `copytruncate` of logrotate does; others than root change the mode first.
  private func cut(to size: off_t = 0) {
    #expect(unsafe chmod(path, 0o600) == 0)
    #expect(unsafe truncate(path, size) == 0)
  }

  private var reports: [LogError.Reason] { reported.withLock { $0.map(\.reason) } }

  @Test("A written ring and a mapped one have the same bytes")
  func sameBytes() throws {
    var bytes: [[UInt8]] = []
    for access in [LogWriter.Options.Ring.mapped, .written] {
      let ring = try ring(access)
      for number in UInt64(1)...20 { note(number, in: ring) }
      bytes.append(try folder.bytes(of: ".a.jsonl.inflight"))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(bytes[0] == bytes[1])
    #expect(bytes[0].count == 4096)
  }

  @Test("Nobody can open a ring to write it, and a name that is taken is left alone")
  func protection() throws {
    let ring = try ring(.automatic)
    #expect(try folder.permissions(of: ".a.jsonl.inflight") == 0o400)
    note(1, in: ring)
    #expect(throws: LogError(path: path, reason: .system(operation: "open", code: EEXIST))) {
      try self.ring(.automatic)
    }
    #expect(try noted() == [1])
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("target"))
    #expect(throws: LogError.self) { try self.ring(.automatic) }
    #expect(try folder.names() == [".a.jsonl.inflight"])
  }

  @Test(
    "A ring that another program has cut is allocated again, and that is told",
    arguments: [LogWriter.Options.Ring.mapped, .written], [off_t(0), 10, 4095])
  func cut(_ access: LogWriter.Options.Ring, _ size: off_t) throws {
    let ring = try ring(access)
    note(1, in: ring)
    cut(to: size)
    ring.examine()
    note(2, in: ring)
    ring.examine()
    #expect(try noted() == [2])
    #expect(try folder.bytes(of: ".a.jsonl.inflight").count == 4096)
    #expect(reports == [.inFlight(.cut)])
    #expect(
      reported.withLock { $0.first?.message } == """
        \(path): another program cut the file of actions in flight, and the recorder allocated it \
        again; exclude the file from log rotation, because cutting it can end the app
        """)
  }

  @Test("The first action after a pause finds a cut by itself")
  func cutInAPause() throws {
    let ring = try ring(.mapped)
    note(1, in: ring)
    ring.leaveUnwatched()
    cut()
    note(2, in: ring)
    note(3, in: ring)
    #expect(try noted() == [2, 3])
    #expect(reports == [.inFlight(.cut)])
  }

  @Test("A written ring survives a cut at any moment")
  func cutWhileWritten() throws {
    let ring = try ring(.written)
    for number in UInt64(1)...100 {
      note(number, in: ring)
      cut()
      note(number + 100, in: ring)
    }
    ring.examine()
    note(300, in: ring)
    #expect(try noted() == [300])
  }

  @Test("A ring that is overwritten is begun again, without the actions of a stranger")
  func overwritten() throws {
    let ring = try ring(.mapped)
    note(1, in: ring)
    #expect(unsafe chmod(path, 0o600) == 0)
    let file = try FileHandle(forWritingTo: folder.url(".a.jsonl.inflight"))
    try file.write(contentsOf: Data(InFlightRecord.ringHeader(identity: 8)))
    try file.close()
    ring.examine()
    note(2, in: ring)
    #expect(try noted() == [2])
    #expect(reports == [.inFlight(.cut)])
  }

  @Test(
    "A ring that is removed is created again with its actions, and that is told",
    arguments: [LogWriter.Options.Ring.mapped, .written])
  func removed(_ access: LogWriter.Options.Ring) throws {
    let ring = try ring(access)
    note(1, in: ring)
    try FileManager.default.removeItem(atPath: path)
    ring.examine()
    note(2, in: ring)
    #expect(try noted() == [1, 2])
    #expect(reports == [.inFlight(.removed)])
  }

  @Test("Without a place for another ring, actions are noted no more, and that is told once")
  func folderRemoved() throws {
    let ring = try ring(.mapped)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    ring.examine()
    note(1, in: ring)
    ring.examine()
    #expect(reports == [.inFlight(.unavailable(operation: "open", code: EEXIST))])
  }

  // MARK: Logs

  @Test("A log whose ring is cut goes on, and so do the steps after a pause")
  func log() throws {
    var options = LogWriter.Options()
    options.onFailure = { [reported] error in
      reported.withLock { $0.append(error) }
      reported.signal()
    }
    let writer = try LogWriter(path: folder.path("a.jsonl"), header: LogHeader(), options: options)
    for number in UInt64(1)...3 {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
      writer.append(StepRecord(number: number, time: time, action: action))
      try writer.flush()
      cut()
      // Wakes the writing thread, which examines the ring.
      try writer.flush()
      reported.waitUntil({ $0.count == Int(number) }) { _ in }
    }
    #expect(reports == [.inFlight(.cut), .inFlight(.cut), .inFlight(.cut)])
    try writer.close()
    #expect(try LogFile.opened(folder.path("a.jsonl")).end == LogEnd(steps: 3, isComplete: true))
    #expect(try folder.names() == ["a.jsonl"])
  }

  @Test("The actions in flight of earlier recorders are found, and removed or moved with their log")
  func olderName() throws {
    let recordings = URL(filePath: #filePath).appending(path: "../../../../Recordings").standardized
    for ending in ["", ".inflight"] {
      try FileManager.default.copyItem(
        at: recordings.appending(path: "crash.jsonl\(ending)"), to: folder.url("a.jsonl\(ending)"))
    }
    #expect(try LogFile.opened(folder.path("a.jsonl")).inFlight().map(\.number) == [4])
    try LogWriter(path: folder.path("a.jsonl"), header: LogHeader()).close()
    #expect(try folder.names() == ["a.jsonl", "a~1.jsonl", "a~1.jsonl.inflight"])
    #expect(try LogFile.opened(folder.path("a~1.jsonl")).inFlight().map(\.number) == [4])
    try folder.write("ring", to: "a.jsonl.inflight")
    var options = LogWriter.Options()
    options.existing = .replace
    try LogWriter(path: folder.path("a.jsonl"), header: LogHeader(), options: options).close()
    #expect(try folder.names() == ["a.jsonl", "a~1.jsonl", "a~1.jsonl.inflight"])
  }

  #if canImport(Glibc)
    @Test(
      "A ring that has no room is smaller or missing, and nothing of it stays",
      arguments: [(20_000, 16_384), (5_000, 4096), (3_000, 0)])
    func noRoom(_ limit: Int, _ size: Int) async throws {
      await #expect(processExitsWith: .success) {
        [folder = folder.path("") as String, limit = limit as Int, size = size as Int] in
        let reported = Monitor<[LogError]>([])
        var options = LogWriter.Options()
        options.onFailure = { error in reported.withLock { $0.append(error) } }
        limitFileSizes(to: limit)
        let writer = try LogWriter(
          path: folder + "/a.jsonl", header: LogHeader(), options: options)
        let ring = folder + "/.a.jsonl.inflight"
        #expect(try FileStatus(path: ring)?.size == (size > 0 ? size : nil))
        let problem =
          size > 0
          ? InFlightProblem.smaller(byteCount: size)
          : .unavailable(operation: "allocate", code: EFBIG)
        #expect(
          reported.withLock { $0 } == [LogError(path: ring, reason: .inFlight(problem))])
        try writer.close()
      }
      #expect(try folder.names() == ["a.jsonl"])
    }
  #endif
}
