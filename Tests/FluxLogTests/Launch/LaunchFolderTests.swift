import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LaunchFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func launches(_ locking: LogWriter.Options.Locking = .automatic) -> LaunchFolder {
    LaunchFolder(path: folder.path("logs"), name: "app", locking: locking)
  }

  /// Begins a launch that many minutes after noon.
  private func begin(
    _ minute: Int, _ limits: [LaunchLimit], locking: LogWriter.Options.Locking = .automatic,
    _ problems: Problems = Problems()
  ) throws -> LogWriter {
    let digits = minute < 10 ? "0\(minute)" : "\(minute)"
    let header = LogHeader(
      log: "\(minute)", created: LogInstant("2026-11-20T12:\(digits):00Z"),
      stores: [.init(name: "a", initial: 0)])
    var options = LogWriter.Options()
    // The loop is faster than the disk, and the test needs every step.
    options.overflow = .block
    return try launches(locking).begin(header, limits: limits, options: options) {
      problems.add($0)
    }.writer
  }

  private final class Problems: @unchecked Sendable {
    // Sendable: guarded by `lock`.
    private let lock = NSLock()
    private var errors: [LogError] = []

    var messages: [String] { lock.withLock { errors.map(\.message) } }

    func add(_ error: LogError) { lock.withLock { errors.append(error) } }
  }

  private func write(_ steps: ClosedRange<UInt64>, to writer: LogWriter) {
    for number in steps {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
      writer.append(StepRecord(number: number, time: time, action: action))
    }
  }

  /// The minutes of the launches that have a log, oldest first.
  private func minutes() throws -> [String] {
    try launches().launches().filter { !$0.logs.isEmpty }.map {
      String($0.name.start.description.dropFirst(14).prefix(2))
    }
  }

  @Test("The newest launches are kept, with all their files and no others")
  func count() throws {
    for minute in 1...5 {
      let writer = try begin(minute, [.launches(3)])
      write(1...3, to: writer)
      try writer.close()
    }
    #expect(try minutes() == ["03", "04", "05"])
    #expect(try folder.names().count == 1 + 3)
  }

  @Test("A launch that is being recorded is not deleted, and nothing is deleted in its place")
  func inUse() throws {
    let first = try begin(1, [.launches(2)])
    for minute in 2...4 { try begin(minute, [.launches(2)]).close() }
    #expect(try minutes() == ["01", "04"])
    let listed = try launches().logs()
    #expect(listed.map(\.isRecorded) == [false, true])
    try first.close()
    #expect(try launches().logs().map(\.isRecorded) == [false, false])
    try begin(5, [.launches(2)]).close()
    #expect(try minutes() == ["04", "05"])
  }

  @Test("All launches together stay within the bytes, and a long one keeps its newest steps")
  func bytes() throws {
    let limit = 64 << 10
    for minute in 1...6 {
      let writer = try begin(minute, [.bytes(limit)])
      for start in stride(from: UInt64(1), to: 2000, by: 100) {
        write(start...(start + 99), to: writer)
        try writer.flush()
        let sizes = try folder.files().values.map(\.count)
        #expect(sizes.reduce(0, +) <= limit, "\(sizes)")
      }
      try writer.close()
      let files = try #require(try launches().launches().last)
      let last = try LogFile.opened(try #require(files.logs.last).path)
      #expect(last.number(at: last.count - 1) == 2000)
      // The segments of a launch are consecutive, and take less than half of the limit.
      let first = try files.logs.map { try LogFile.opened($0.path).header.first }
      #expect(first == first.sorted() && first.count >= 4)
      #expect(files.byteCount <= limit / 2)
    }
    #expect(try minutes() == ["05", "06"])
  }

  @Test("Files that were last written before a limit of age are deleted")
  func age() throws {
    for minute in 1...3 { try begin(minute, []).close() }
    let names = try folder.names().filter { $0.hasSuffix(".jsonl") }
    for (name, age) in zip(names, [7200.0, 1800, 0]) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.path(name))
    }
    try begin(4, [.age(.seconds(3600))]).close()
    #expect(try minutes() == ["02", "03", "04"])
  }

  @Test(
    "An age is exact to a nanosecond, and at most what a date can be",
    arguments: [
      (Duration.milliseconds(1500), Int64(1_500_000_000)), (.nanoseconds(1), 1), (.seconds(-1), 0),
      (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.max) + .nanoseconds(1), .max),
      (.seconds(Int64.max), .max),
    ])
  func exactAge(limit: Duration, nanoseconds: Int64) {
    #expect(LaunchLimits([.age(limit)]).age == nanoseconds)
  }

  @Test("Without locks, files that changed within an hour are kept")
  func withoutLocks() throws {
    for minute in 1...3 { try begin(minute, [], locking: .released).close() }
    let names = try folder.names().filter { $0.hasSuffix(".jsonl") }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: folder.path(names[1]))
    let open = try begin(4, [.launches(1)], locking: .released)
    #expect(try minutes() == ["01", "03", "04"])
    // The locks are free while it records.
    #expect(try launches().logs().map(\.isRecorded) == [false, false, false])
    #expect(try launches(.released).logs().map(\.isRecorded) == [true, true, true])
    try open.close()
  }

  @Test("What killed processes left of a launch is deleted with its last log")
  func leftovers() throws {
    try begin(1, []).close()
    let stem = "logs/app-20261120T110000Z-0123abcd"
    for name in [
      "logs/.app-20261120T110000Z-0123abcd.0001.jsonl.inflight",
      "logs/.app-20261120T110000Z-0123abcd.jsonl.lock", "\(stem).0002.jsonl",
      "\(stem).0001.jsonl.idx", "\(stem).jsonl.0123456789abcdef.unfinished",
    ] {
      try folder.write("", to: name)
    }
    try folder.write("x", to: "logs/other-20261120T110000Z-0123abcd.jsonl")
    try begin(2, [.launches(9)]).close()
    #expect(try minutes() == ["01", "02"])
    #expect(
      try folder.names().filter { $0.contains("0123abcd") } == [
        "logs/other-20261120T110000Z-0123abcd.jsonl"
      ])
  }

  @Test("A log that cannot be deleted is reported, and recording continues")
  func undeletable() throws {
    try begin(1, []).close()
    let name = "logs/app-20261120T110000Z-0123abcd.jsonl"
    try FileManager.default.createDirectory(
      at: folder.url(name), withIntermediateDirectories: false)
    try folder.write("x", to: name + "/x")
    let problems = Problems()
    let writer = try begin(2, [.launches(1)], problems)
    write(1...1, to: writer)
    try writer.close()
    #expect(try minutes().suffix(1) == ["02"])
    #expect(
      problems.messages == [
        """
        \(folder.path(name)): this is a folder, a pipe or a device; this log of an earlier launch \
        stays; delete it, or make it and its folder writable
        """
      ])
  }

  @Test("A folder that cannot be listed is an error that says why; a missing one has no launches")
  func unreadable() throws {
    #expect(try launches().launches().isEmpty)
    try folder.write("x", to: "logs")
    #expect(
      throws: LogError(
        path: folder.path("logs"), reason: .system(operation: "list the folder", code: ENOTDIR))
    ) { try launches().launches() }
  }

  @Test("A name that cannot begin a file's name is refused")
  func name() throws {
    let bad = LaunchFolder(path: folder.path("logs"), name: "a/b")
    #expect(throws: LogError.self) {
      try bad.begin(LogHeader(), limits: [], options: LogWriter.Options()) { _ in }
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("The folder is created for its owner alone")
  func folderMode() throws {
    try begin(1, []).close()
    #expect(try folder.permissions(of: "logs") == 0o700)
  }

  @Test("A launch is deleted with all its files, unless it is being recorded")
  func delete() throws {
    let writer = try begin(1, [.bytes(1 << 16)])
    let launch = try #require(try launches().launches().first)
    let path = try #require(launch.logs.first).path
    #expect(throws: LogError(path: path, reason: .locked)) {
      try launches().delete(launch.name)
    }
    try writer.close()
    try launches().delete(launch.name)
    #expect(try folder.names() == ["logs"])
    // It is gone already.
    try launches().delete(launch.name)
  }
}
