import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

#if canImport(Glibc)
  import Glibc

  /// A disk that is full: by a limit on the size of files, and by a file system of 64 KB.
  ///
  /// Linux only: the limit is that of the whole process, so the tests run a process of their own.
  @Suite(.serialized) struct DiskFailureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes steps of about a kilobyte each; returns what was reported, and what was thrown and not reported.
    private static func record(
      _ path: String, steps: UInt64, durability: LogWriter.Options.Durability
    ) -> [LogError] {
      let reported = Monitor<[LogError]>([])
      var options = LogWriter.Options()
      options.durability = durability
      options.inFlightByteCount = 4096
      options.onFailure = { error in
        reported.withLock { $0.append(error) }
        reported.signal()
      }
      var thrown: [LogError] = []
      do throws(LogError) {
        let writer = try LogWriter(
          path: path, header: LogHeader(stores: [.init(name: "a")]), options: options)
        let text = String(repeating: "x", count: 1000)
        for number in 1...steps {
          let time = LogTime(microseconds: number)
          let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
          let state = LogValue(json: JSON(stringLiteral: "\(number)\(text)\(number)"))
          writer.append(
            StepRecord(
              number: number, time: time, action: action,
              changes: [.init(store: "a", state: state)]))
          if number % 7 == 0 { try writer.flush() }
        }
        try writer.close()
      } catch {
        thrown.append(error)
      }
      // The writer may throw an error before it reports it.
      let all = reported.waitUntil(milliseconds: 10_000, { !$0.isEmpty || thrown.isEmpty }) { $0 }
      return all + thrown.filter { !all.contains($0) }
    }

    /// What was written before the disk was full is there, and nothing else.
    private func checkLog(_ path: String) throws {
      let log = try LogFile.opened(path)
      #expect(log.count > 5)
      #expect(log.findings.allSatisfy { !$0.problem.isDamage }, "\(log.findings)")
      let (steps, errors) = log.allSteps()
      #expect(errors == [])
      #expect(steps.map(\.number) == (1...UInt64(log.count)).map { $0 })
      #expect(log.end.map { !$0.isComplete && $0.steps == UInt64(log.count) } ?? true)
    }

    @Test("A limit on the size of files ends the recording, not the app, and loses nothing before")
    func fileSizeLimit() async throws {
      let path = folder.path("a.jsonl")
      await #expect(processExitsWith: .success) { [path = path as String] in
        limitFileSizes(to: 20_000)
        let reported = Self.record(path, steps: 100, durability: .ahead)
        let expected = LogError(path: path, reason: .system(operation: "write", code: EFBIG))
        exit(reported == [expected] ? EXIT_SUCCESS : 3)
      }
      try checkLog(path)
    }

    @Test("The copy of a log whose header does not fit leaves no file")
    func copyWithoutHeader() async throws {
      let path = folder.path("copy.jsonl")
      await #expect(processExitsWith: .success) { [path = path as String] in
        limitFileSizes(to: 10)
        let copy = try LogCopy(at: path)
        let source = copy.connect()
        try copy.begin(SegmentPlace(log: "x", first: 1), from: source)
        let full = LogError(path: path, reason: .system(operation: "write", code: EFBIG))
        #expect(throws: LogCopy.Failure.file(full)) {
          try copy.append(Array(#"{"flux":"1.2","log":"x"}"#.utf8), at: 0, from: source)
        }
        #expect(copy.paths == [])
      }
      #expect(try folder.names() == [])
    }

    private static let canMount =
      geteuid() == 0
      && !ProcessInfo.processInfo.environment.keys
        .contains("FLUX_NO_MOUNT")

    @Test(
      "A full file system ends the recording, not the app, and loses nothing before",
      .enabled(if: canMount, "mounting a file system takes root"),
      arguments: [LogWriter.Options.Durability.ahead, .buffered, .synced])
    func fullFileSystem(durability: LogWriter.Options.Durability) throws {
      let mount = folder.path("small")
      try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
      guard unsafe Glibc.mount("tmpfs", mount, "tmpfs", 0, "size=64k") == 0 else {
        // Containers may forbid it to root as well.
        return withKnownIssue("mounting is not permitted here", isIntermittent: true) {}
      }
      defer { #expect(unsafe umount2(mount, 2) == 0) }
      let path = mount + "/a.jsonl"
      let reported = Self.record(path, steps: 200, durability: durability)
      let expected = LogError(path: path, reason: .system(operation: "write", code: ENOSPC))
      #expect(reported == [expected])
      try checkLog(path)
    }
  }

  /// Limits the size of the files that a process writes, which must be that of an exit test.
  ///
  /// Ends the process with status 2 if the system does not allow that.
  func limitFileSizes(to byteCount: Int) {
    var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
  }
#endif
