import FluxCore
import FluxRecorder
import FluxRecordings
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Folders and logs whose names a terminal or a CI service would obey.
@Suite struct ShownPathTests {
  private let folder: TemporaryFolder
  private let name = "red\u{1b}[31m\n::error::"
  private let shown = #"red\u{1b}[31m\n::error::"#

  init() throws { folder = try TemporaryFolder() }

  private func problems(
    in name: String, listing: [String]? = nil, _ stores: @escaping @Sendable () -> [any Store],
    updates: Bool = false, _ said: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> [String] {
    let settings = TestSettings(environment: [:], say: said)
    let found = Said()
    try await RecordingAssertion(in: #filePath, settings: settings, report: found.add).replay(
      folder.url(name).path, listing: listing, in: AppDefinition(stores: stores),
      Verification.Options(), updates: updates)
    return found.texts
  }

  @Test("a folder without recordings, and missing and obsolete ones, show escapes")
  func folders() async throws {
    try FileManager.default.createDirectory(
      at: folder.url(name), withIntermediateDirectories: false)
    let path = folder.url.path + "/" + shown
    let hint = "record the app, and put its logs (*.jsonl) there"
    #expect(
      try await problems(in: name, makeStores) == ["\(path): there is nothing to replay; \(hint)"])
    #expect(
      try await problems(in: name, listing: ["\u{1b}.jsonl"], makeStores) == [
        """
        \(path)/\\u{1b}.jsonl: the recording is missing; record it, or take it off the test's list
        """
      ])
    let unreadable = try await problems(in: "missing\u{1b}", makeStores)
    #expect(unreadable.count == 1)
    #expect(unreadable.allSatisfy { !$0.contains("\u{1b}") })
  }

  @Test("a diverging recording, and one that is updated, show escapes")
  func recordings() async throws {
    let url = folder.url("logs/\(name).jsonl")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: false)
    try recordSample(to: url)
    let found = try await problems(in: "logs", makeOtherStores)
    #expect(found.count == 1)
    #expect(found.allSatisfy { !$0.contains("\u{1b}") && !$0.contains("\n::error::") })
    let said = Said()
    #expect(
      try await problems(in: "logs", makeOtherStores, updates: true) { said.add($0) } == [])
    #expect(said.texts == ["updated \(folder.url.path)/logs/\(shown).jsonl"])
  }

  @Test("a kept log shows escapes, and the command that opens it still does")
  func kept() throws {
    let test = RecordedTest(name: "T", in: folder.url(name))
    let dispatcher = Dispatcher(makeStores())
    dispatcher.use(try test.recorder(named: nil, options: Recorder.Options()))
    let messages = test.end(failed: true).messages
    #expect(messages.count == 1)
    let lines = messages.first?.split(separator: "\n") ?? []
    let path = "\(folder.url.path)/\(shown)/T/1.jsonl"
    #expect(lines.first == "kept the log of the test T: \(path)")
    #expect(lines.count == 3)
    #expect(lines.last?.contains("$'") == true)
    #expect(lines.allSatisfy { !$0.contains("\u{1b}") })
  }

  private final class Said: @unchecked Sendable {
    // Sendable: guarded by `lock`.
    private let lock = Lock()
    private var list: [String] = []

    func add(_ text: String) { lock.withLock { list.append(text) } }
    var texts: [String] { lock.withLock { list } }
  }
}
