import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// A writer that finds a log at its path.
@Suite struct ExistingLogTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  private func writer(
    _ log: String, _ existing: LogWriter.Options.Existing = .number,
    keeping retention: LogWriter.Options.Retention? = nil
  ) throws(LogError) -> LogWriter {
    var options = LogWriter.Options()
    options.existing = existing
    options.retention = retention
    return try LogWriter(path: path, header: LogHeader(log: log), options: options)
  }

  private static func append(_ numbers: ClosedRange<UInt64>, to writer: LogWriter) {
    for number in numbers {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
      writer.append(StepRecord(number: number, time: time, action: action))
    }
  }

  /// The identity of each log in the folder, by file name.
  private func logs() throws -> [String: String] {
    let logs = try folder.names().map { name in
      (name, try LogFile.opened(folder.path(name)).header.log ?? "")
    }
    return Dictionary(uniqueKeysWithValues: logs)
  }

  /// Begins a log in a process of its own, which is killed with an action in flight.
  private static func crash(_ path: String, log: String) throws -> Never {
    let writer = try LogWriter(path: path, header: LogHeader(log: log))
    append(1...2, to: writer)
    try writer.flush()
    _ = writer.begin(
      step: 3, at: LogTime(microseconds: 3), action: LogValue(json: ["type": "crash"]))
    kill(getpid(), SIGKILL)
    while true { pause() }
  }

  private static let inFlight = InFlightAction(
    number: 3, time: LogTime(microseconds: 3), type: "crash", action: ["type": "crash"],
    isCommitted: false)

  // MARK: Numbers

  @Test("Ten runs at one path leave ten logs, the newest at the path")
  func tenRuns() throws {
    for run in 1...10 {
      let writer = try writer("run \(run)")
      #expect(writer.path == path)
      Self.append(1...UInt64(run), to: writer)
      try writer.close()
    }
    var expected = ["a.jsonl": "run 10"]
    for run in 1...9 { expected["a~\(run).jsonl"] = "run \(run)" }
    #expect(try logs() == expected)
    for run in 1...9 {
      #expect(try LogFile.opened(folder.path("a~\(run).jsonl")).count == run)
    }
  }

  @Test("A log is kept under the number above the largest, whatever is missing below")
  func largest() throws {
    for name in ["a~7.jsonl", "a~x.jsonl", "a~1234567890.jsonl", "b~9.jsonl", "a.0011.jsonl"] {
      try folder.write("{}", to: name)
    }
    try writer("first").close()
    try writer("second").close()
    #expect(try LogFile.opened(folder.path("a~8.jsonl")).header.log == "first")
    #expect(try LogFile.opened(path).header.log == "second")
    #expect(try folder.text(of: "a~7.jsonl") == "{}")
    #expect(try folder.names().count == 7)
  }

  @Test("The actions in flight of a run that crashed go along, and its index does not")
  func crashedRun() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try Self.crash(path, log: "crashed")
    }
    try folder.write("index", to: "a.jsonl.idx")
    try writer("next").close()
    #expect(try folder.names() == [".a~1.jsonl.inflight", "a.jsonl", "a~1.jsonl"])
    let kept = try LogFile.opened(folder.path("a~1.jsonl"))
    #expect(kept.header.log == "crashed" && kept.count == 2)
    #expect(try kept.inFlight() == [Self.inFlight])
    #expect(try LogFile.opened(path).header.log == "next")
    #expect(try LogFile.opened(path).inFlight() == [])
  }

  @Test("A log whose name has no room for that of the actions in flight makes room, too")
  func longName() throws {
    let stem = String(repeating: "a", count: 244)
    for log in ["first", "second"] {
      let path = folder.path("\(stem).jsonl")
      try LogWriter(path: path, header: LogHeader(log: log)).close()
      #expect(try LogFile.opened(path).inFlight() == [])
    }
    #expect(try folder.names().sorted() == ["\(stem).jsonl", "\(stem)~1.jsonl"])
  }

  @Test("A move that a kill interrupted is completed by the next run")
  func halfMoved() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try Self.crash(path, log: "crashed")
    }
    // The state between the two renames.
    try folder.write("", to: "a~1.jsonl")
    try FileManager.default.moveItem(
      atPath: folder.path(".a.jsonl.inflight"), toPath: folder.path(".a~1.jsonl.inflight"))
    try writer("next").close()
    #expect(try folder.names() == [".a~1.jsonl.inflight", "a.jsonl", "a~1.jsonl"])
    let kept = try LogFile.opened(folder.path("a~1.jsonl"))
    #expect(kept.header.log == "crashed")
    #expect(try kept.inFlight() == [Self.inFlight])
  }

  @Test("A log that is being written stays, and the new one gets the number")
  func liveLog() throws {
    let first = try writer("first")
    Self.append(1...1, to: first)
    let second = try writer("second")
    let third = try writer("third")
    #expect(first.path == path)
    #expect(second.path == folder.path("a~1.jsonl"))
    #expect(third.path == folder.path("a~2.jsonl"))
    Self.append(1...2, to: second)
    Self.append(2...3, to: first)
    try second.close()
    try first.close()
    try third.close()
    #expect(try logs() == ["a.jsonl": "first", "a~1.jsonl": "second", "a~2.jsonl": "third"])
    #expect(try LogFile.opened(path).count == 3)
    #expect(try LogFile.opened(second.path).count == 2)

    try writer("fourth").close()
    #expect(try LogFile.opened(path).header.log == "fourth")
    #expect(try LogFile.opened(folder.path("a~3.jsonl")).header.log == "first")
  }

  @Test("An empty file is no log, and is used")
  func emptyFile() throws {
    try folder.write("", to: "a.jsonl")
    try writer("first", .refuse).close()
    #expect(try logs() == ["a.jsonl": "first"])
  }

  @Test("Writers that open one path at the same time get a log each, and lose none")
  func race() throws {
    for round in 1...20 {
      let folder = try TemporaryFolder()
      let path = folder.path("a.jsonl")
      if round.isMultiple(of: 2) {
        try LogWriter(path: path, header: LogHeader(log: "old")).close()
      }
      let opened = Monitor<[(path: String, failure: LogError?)]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        do throws(LogError) {
          let writer = try LogWriter(path: path, header: LogHeader(log: "\(index)"))
          Self.append(1...3, to: writer)
          opened.withLock { $0.append((writer.path, nil)) }
          try writer.close()
        } catch {
          opened.withLock { $0.append((error.path, error)) }
        }
      }
      #expect(opened.withLock { $0.compactMap(\.failure) } == [])
      var identities: Set<String> = []
      for name in try folder.names() {
        let log = try LogFile.opened(folder.path(name))
        #expect(log.count == (log.header.log == "old" ? 0 : 3))
        #expect(log.end?.isComplete == true && log.findings == [])
        identities.insert(log.header.log ?? "")
      }
      let all = Set((0..<8).map(String.init))
      #expect(identities == (round.isMultiple(of: 2) ? all.union(["old"]) : all))
      #expect(try folder.names().count == identities.count)
    }
  }

  // MARK: Replace and refuse

  @Test("A log is replaced with everything beside it, and one that is being written is not")
  func replace() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try Self.crash(path, log: "crashed")
    }
    try folder.write("index", to: "a.jsonl.idx")
    let second = try writer("second", .replace)
    #expect(throws: LogError(path: path, reason: .locked)) { try writer("third", .replace) }
    try second.close()
    #expect(try logs() == ["a.jsonl": "second"])
  }

  @Test("A log stays where its writer may not touch it, and the message names the option")
  func refuse() throws {
    let first = try writer("first")
    #expect(throws: LogError(path: path, reason: .locked)) { try writer("second", .refuse) }
    try first.close()
    let error = #expect(throws: LogError.self) { try writer("third", .refuse) }
    #expect(
      error?.message == """
        \(path): a log already exists here, and the option `existing` is `.refuse`; move the log \
        away, or set `existing` to `.number`, which keeps both logs, or to `.replace`
        """)
    #expect(try logs() == ["a.jsonl": "first"])
  }

  @Test("A file that is no log's is left alone, and so is a missing folder")
  func unusable() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = #expect(throws: LogError.self) { try writer("first") }
    #expect(error?.message == "\(path): cannot open: Is a directory")

    let pipe = folder.path("pipe.jsonl")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(throws: LogError(path: pipe, reason: .notAFile)) {
      try LogWriter(path: pipe, header: LogHeader())
    }
    let lost = folder.path("missing/a.jsonl")
    let missing = #expect(throws: LogError.self) { try LogWriter(path: lost, header: LogHeader()) }
    #expect(missing?.message == "\(lost): the folder does not exist; create it first")
    #expect(try folder.names() == ["a.jsonl", "pipe.jsonl"])
  }

  #if canImport(Glibc)
    @Test("A header that cannot be written removes nothing", arguments: ["number", "replace"])
    func fullDisk(_ existing: String) async throws {
      try writer("first").close()
      let before = try folder.bytes(of: "a.jsonl")
      await #expect(processExitsWith: .success) {
        [path = path as String, existing = existing as String] in
        limitFileSizes(to: 10)
        var options = LogWriter.Options()
        options.existing = existing == "replace" ? .replace : .number
        let reason = LogError.Reason.system(operation: "write", code: EFBIG)
        #expect(throws: LogError(path: path, reason: reason)) {
          try LogWriter(path: path, header: LogHeader(log: "second"), options: options)
        }
      }
      #expect(try folder.names() == ["a.jsonl"])
      #expect(try folder.bytes(of: "a.jsonl") == before)
    }

    @Test("A header that cannot be written leaves an empty file where it was")
    func fullDiskAndEmptyFile() async throws {
      try folder.write("", to: "a.jsonl")
      let identity = try FileStatus(at: path)?.identity
      await #expect(processExitsWith: .success) { [path = path as String] in
        limitFileSizes(to: 10)
        let reason = LogError.Reason.system(operation: "write", code: EFBIG)
        #expect(throws: LogError(path: path, reason: reason)) {
          try LogWriter(path: path, header: LogHeader(log: "first"))
        }
      }
      #expect(try folder.names() == ["a.jsonl"])
      #expect(try FileStatus(at: path)?.identity == identity)
    }
  #endif

  // MARK: Segments

  @Test("A flight recorder begins after the segments that are there, and leaves them alone")
  func segments() throws {
    for run in 1...3 {
      let writer = try writer("run \(run)", keeping: .steps(8))
      Self.append(1...4, to: writer)
      try writer.close()
    }
    #expect(
      try logs() == [
        "a.0001.jsonl": "run 1", "a.0002.jsonl": "run 1", "a.0003.jsonl": "run 2",
        "a.0004.jsonl": "run 2", "a.0005.jsonl": "run 3", "a.0006.jsonl": "run 3",
      ])
  }

  @Test("A second flight recorder at one path is refused, whatever the option")
  func secondRecorder() throws {
    let first = try writer("first", keeping: .steps(8))
    for existing in [LogWriter.Options.Existing.number, .replace, .refuse] {
      #expect(throws: LogError(path: path, reason: .locked)) {
        try writer("second", existing, keeping: .steps(8))
      }
    }
    Self.append(1...5, to: first)
    try first.flush()
    #expect(first.path == folder.path("a.0003.jsonl"))
    #expect(throws: LogError(path: path, reason: .locked)) {
      try writer("second", keeping: .steps(8))
    }
    try first.close()
    try writer("third", keeping: .steps(8)).close()
    #expect(
      try logs() == [
        "a.0001.jsonl": "first", "a.0002.jsonl": "first", "a.0003.jsonl": "first",
        "a.0004.jsonl": "third",
      ])
  }

  @Test("The lock that a killed flight recorder left is taken over, and so is one that was removed")
  func leftLock() throws {
    try folder.write("", to: ".a.jsonl.lock")
    let first = try writer("first", keeping: .steps(8))
    try FileManager.default.removeItem(atPath: folder.path(".a.jsonl.lock"))
    let second = try writer("second", keeping: .steps(8))
    try first.close()
    #expect(throws: LogError(path: path, reason: .locked)) {
      try writer("third", keeping: .steps(8))
    }
    try second.close()
    #expect(try logs() == ["a.0001.jsonl": "first", "a.0002.jsonl": "second"])
  }

  @Test("All segments are replaced or refused")
  func otherSegments() throws {
    let first = try writer("first", keeping: .steps(8))
    Self.append(1...4, to: first)
    try first.flush()
    try first.close()
    let last = folder.path("a.0002.jsonl")
    #expect(throws: LogError(path: last, reason: .exists)) {
      try writer("second", .refuse, keeping: .steps(8))
    }
    #expect(try logs() == ["a.0001.jsonl": "first", "a.0002.jsonl": "first"])
    try folder.write("index", to: "a.0001.jsonl.idx")
    try writer("third", .replace, keeping: .steps(8)).close()
    #expect(try logs() == ["a.0003.jsonl": "third"])
  }
}
