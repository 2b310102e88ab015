import FluxInspector
import FluxLog
import FluxRecorder
import Foundation
import Synchronization
import Testing
import TodoMVCExample

@Suite struct WrittenTestTests {
  /// Milk and eggs are added, and the eggs are ticked off.
  private static let recording = #"""
    {"flux":"1.0","log":"d0","created":"2026-11-21T07:30:35.202564Z","seed":"0931da33e8b4a1c5","first":1,"app":{"name":"TodoMVC","version":"1.0"},"stores":{"todos":{"type":"TodoState","initial":{"filter":"all","items":[],"nextID":1,"redo":[],"saving":{"saved":{}},"undo":[]}}}}
    {"n":1,"t":0.011086,"action":{"type":"todo/add","payload":{"title":"milk"}},"states":{"todos":{"filter":"all","items":[{"done":false,"id":1,"title":"milk"}],"nextID":2,"redo":[],"saving":{"inProgress":{}},"undo":[{"edits":[{"remove":{"at":0}}]}]}}}
    {"n":2,"t":0.019031,"action":{"type":"todo/saved"},"cause":1,"effect":"save","patches":{"todos":[{"op":"replace","path":"/saving","value":{"saved":{}}}]}}
    {"n":3,"t":0.019432,"action":{"type":"todo/add","payload":{"title":"eggs"}},"states":{"todos":{"filter":"all","items":[{"done":false,"id":1,"title":"milk"},{"done":false,"id":2,"title":"eggs"}],"nextID":3,"redo":[],"saving":{"inProgress":{}},"undo":[{"edits":[{"remove":{"at":0}}]},{"edits":[{"remove":{"at":1}}]}]}}}
    {"n":4,"t":0.019712,"action":{"type":"todo/saved"},"cause":3,"effect":"save","patches":{"todos":[{"op":"replace","path":"/saving","value":{"saved":{}}}]}}
    {"n":5,"t":0.019828,"action":{"type":"todo/toggle","payload":{"id":2}},"states":{"todos":{"filter":"all","items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}],"nextID":3,"redo":[],"saving":{"inProgress":{}},"undo":[{"edits":[{"remove":{"at":0}}]},{"edits":[{"remove":{"at":1}}]},{"edits":[{"replace":{"at":1,"with":{"done":false,"id":2,"title":"eggs"}}}]}]}}}

    """#

  /// That it compiles and passes, the other tests show.
  ///
  /// `FLUX_UPDATE=1` writes it anew.
  @Test("TodoMVCStep5Tests.swift is what the inspector's test command writes of a recording")
  func isCurrent() throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "flux-\(UUID()).jsonl")
    try Data(Self.recording.utf8).write(to: log)
    defer { remove(log) }
    let written = WrittenFiles()
    var services = Services()
    services.app = DispatcherApp { [TodoStore(storage: MemoryStorage())] }
    services.files = written
    var console = Console(Session(try LogFile.open(log.path()), services: services))
    for line in [
      "goto end",
      "test TodoMVCStep5Tests.swift --import TodoMVCExample "
        + "--stores '{ [TodoStore(storage: MemoryStorage())] }'",
    ] {
      let output = console.run(line)
      #expect(output?.exitCode == 0 && output?.notes == [], "\(line): \(output?.notes ?? [])")
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "TodoMVCStep5Tests.swift")
    let text = try #require(written.texts["TodoMVCStep5Tests.swift"])
    if ProcessInfo.processInfo.environment["FLUX_UPDATE"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == text)
  }

  private func remove(_ file: URL) {
    do {
      try FileManager.default.removeItem(at: file)
    } catch {
      Issue.record("\(file.path()) could not be removed: \(error)")
    }
  }
}

/// Files that are only remembered.
private final class WrittenFiles: FileService {
  private let files = Mutex<[String: String]>([:])

  var texts: [String: String] { files.withLock { $0 } }

  func read(_ path: String) throws(CommandError) -> String {
    throw CommandError(.file, "cannot open \(path): there are no files here")
  }

  func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try body { [self] bytes in
      files.withLock { $0[path, default: ""] += String(decoding: bytes, as: UTF8.self) }
    }
  }

  func exists(_ path: String) -> Bool { false }

  func isSameFile(_ path: String, _ other: String) -> Bool { path == other }

  func completions(of prefix: String) -> [String] { [] }
}
