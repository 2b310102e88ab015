import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Links that somebody planted in a shared folder, under the names that a recorder or a tool is about to use.
@Suite struct PlantedLinkTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.jsonl") }

  /// Creates a folder like `/tmp`, with a file that none of the tests may change.
  init() throws {
    folder = try TemporaryFolder()
    try #require(unsafe chmod(folder.path(""), 0o1777) == 0)
    try folder.write("precious", to: "victim")
    try #require(unsafe chmod(folder.path("victim"), 0o666) == 0)
  }

  /// Plants a link; one of another user, if the tests have the rights for that.
  private func plant(_ name: String, to target: String = "victim") throws {
    try #require(unsafe symlink(target, folder.path(name)) == 0)
    if geteuid() == 0 { try #require(unsafe lchown(folder.path(name), 65534, 65534) == 0) }
  }

  private func record(
    _ existing: LogWriter.Options.Existing = .number,
    keeping retention: LogWriter.Options.Retention? = nil
  ) throws {
    var options = LogWriter.Options()
    options.existing = existing
    options.retention = retention
    let writer = try LogWriter(path: path, header: LogHeader(log: "new"), options: options)
    for number in UInt64(1)...4 {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
      writer.append(StepRecord(number: number, time: time, action: action))
    }
    try writer.close()
  }

  /// Checks that the victim is as it was, and that nothing was created at the end of a link.
  private func expectUntouched(_ names: [String]) throws {
    #expect(try folder.text(of: "victim") == "precious")
    #expect(try folder.permissions(of: "victim") == 0o666)
    #expect(try folder.names() == names + ["victim"])
  }

  private func isLink(_ name: String) throws -> Bool {
    try FileStatus(path: folder.path(name), followsLinks: false)?.isSymbolicLink == true
  }

  // MARK: Recording

  @Test("A link at the log's path makes room under a number", arguments: ["victim", "nothing"])
  func log(_ target: String) throws {
    try plant("a.jsonl", to: target)
    try record()
    try expectUntouched(["a.jsonl", "a~1.jsonl"])
    #expect(try isLink("a~1.jsonl"))
    #expect(try LogFile.opened(path).count == 4)
    #expect(try folder.permissions(of: "a.jsonl") == 0o600)
  }

  @Test("A link to an empty file reserves no place for the log")
  func emptyTarget() throws {
    try folder.write("", to: "empty")
    try plant("a.jsonl", to: "empty")
    try record()
    try expectUntouched(["a.jsonl", "a~1.jsonl", "empty"])
    #expect(try folder.text(of: "empty") == "")
  }

  @Test("A link to a folder or a device stays, and no log is recorded there")
  func otherTargets() throws {
    let refusal = LogError(path: path, reason: .notAFile)
    for target in ["/dev/null", folder.path("")] {
      try plant("a.jsonl", to: target)
      for existing: LogWriter.Options.Existing in [.number, .replace] {
        #expect(throws: refusal) { try record(existing) }
      }
      #expect(throws: refusal) {
        try CompleteLog(LogHeader(log: "saved"), to: path, replacesExisting: true)
      }
      #expect(try isLink("a.jsonl"))
      try expectUntouched(["a.jsonl"])
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(
    "Another user's link to a folder gets no logs",
    .enabled(if: geteuid() == 0, "needs a second user"))
  func folderOfLogs() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("secret"), withIntermediateDirectories: false)
    try plant("logs", to: "secret")
    let reason = LogError.Reason.system(
      operation: "follow the link of another user at", code: EACCES)
    for path in ["logs", "logs/deep"].map(folder.path) {
      #expect(throws: LogError(path: path, reason: reason)) {
        _ = try LaunchFolder(path: path, name: "app")
          .begin(LogHeader(log: "new"), limits: [], options: LogWriter.Options()) { _ in }
      }
    }
    let log = folder.path("logs/a.jsonl")
    #expect(throws: LogError(path: log, reason: reason)) {
      try LogWriter(path: log, header: LogHeader(log: "new"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("secret")) == [])
  }

  @Test("A link is replaced or refused like a log")
  func existing() throws {
    try plant("a.jsonl")
    #expect(throws: LogError(path: path, reason: .exists)) { try record(.refuse) }
    try expectUntouched(["a.jsonl"])
    try record(.replace)
    try expectUntouched(["a.jsonl"])
    #expect(try LogFile.opened(path).count == 4)
  }

  @Test(
    "A link that cannot be moved stays, and the log takes a number",
    .enabled(if: geteuid() == 0, "needs a second user"))
  func sticky() async throws {
    for name in ["a.jsonl", "a~1.jsonl", ".a.jsonl.lock"] {
      try #require(unsafe symlink("victim", folder.path(name)) == 0)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      guard setuid(65534) == 0 else { exit(2) }
      let writer = try LogWriter(path: path, header: LogHeader(log: "new"))
      #expect(writer.path == path.replacing("a.jsonl", with: "a~2.jsonl"))
      try writer.close()
    }
    try expectUntouched([".a.jsonl.lock", "a.jsonl", "a~1.jsonl", "a~2.jsonl"])
    #expect(try LogFile.opened(folder.path("a~2.jsonl")).header.log == "new")
  }

  @Test("Links at the names of segments and of their lock are passed or removed")
  func segments() throws {
    for name in ["a.0001.jsonl", "a.0003.jsonl", ".a.jsonl.lock"] { try plant(name) }
    try record(keeping: .steps(8))
    try expectUntouched(["a.0001.jsonl", "a.0003.jsonl", "a.0004.jsonl", "a.0005.jsonl"])
    #expect(try folder.permissions(of: "a.0004.jsonl") == 0o600)
    #expect(try folder.permissions(of: "a.0005.jsonl") == 0o600)
    try record(.replace, keeping: .steps(8))
    try expectUntouched(["a.0006.jsonl", "a.0007.jsonl"])
  }

  @Test("Links at the names of the actions in flight are removed")
  func ring() throws {
    for name in [".a.jsonl.inflight", "a.jsonl.inflight"] { try plant(name) }
    try record()
    try expectUntouched(["a.jsonl"])
  }

  @Test("A saved log replaces a link at its path, and is for its owner alone")
  func savedLog() throws {
    try plant("a.jsonl")
    func save(replacesExisting: Bool) throws(LogError) {
      try CompleteLog(LogHeader(log: "saved"), to: path, replacesExisting: replacesExisting)
        .commit()
    }
    #expect(throws: LogError(path: path, reason: .exists)) { try save(replacesExisting: false) }
    try expectUntouched(["a.jsonl"])
    try save(replacesExisting: true)
    try expectUntouched(["a.jsonl"])
    #expect(try LogFile.opened(path).header.log == "saved")
    #expect(try folder.permissions(of: "a.jsonl") == 0o600)
  }

  // MARK: Reading

  @Test("Actions in flight are not read through a link")
  func inFlight() throws {
    try folder.write(SampleLog.text, to: "a.jsonl")
    try plant(".a.jsonl.inflight")
    let reason = LogError.Reason.system(operation: "open", code: ELOOP)
    #expect(throws: LogError(path: folder.path(".a.jsonl.inflight"), reason: reason)) {
      try LogFile.opened(path).inFlight()
    }
  }

  // MARK: Rewriting

  @Test("A repaired log takes no link's place", arguments: ["victim", "nothing"])
  func repaired(_ target: String) throws {
    try folder.write(SampleLog.text, to: "a.jsonl")
    try plant("copy.jsonl", to: target)
    let copy = folder.path("copy.jsonl")
    let reason = LogError.Reason.system(operation: "open", code: EEXIST)
    #expect(throws: LogError(path: copy, reason: reason)) {
      try Timeline(LogFile.opened(path)).repair(to: copy)
    }
    try expectUntouched(["a.jsonl", "copy.jsonl"])
  }

  @Test(
    "An updated log does not take the place of what another user's link leads to",
    .enabled(if: geteuid() == 0, "needs a second user"))
  func updated() throws {
    try folder.write(SampleLog.text, to: "a.jsonl")
    try plant("copy.jsonl")
    let copy = folder.path("copy.jsonl")
    let reason = LogError.Reason.system(
      operation: "follow the link of another user at", code: EACCES)
    #expect(throws: LogError(path: copy, reason: reason)) {
      try LogRewriter(
        LogFile.opened(path), to: copy, stores: [], redacted: [], writesWholeStates: false)
    }
    try expectUntouched(["a.jsonl", "copy.jsonl"])
  }
}
