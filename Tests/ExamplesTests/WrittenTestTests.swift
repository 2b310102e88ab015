import FluxCommands
import FluxCore
import FluxInspector
import FluxJSON
import FluxLog
import FluxRecorder
import FluxTesting
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
    services.app = AppDefinition { [TodoStore(storage: MemoryStorage())] }
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

  /// The written test for the recording's end; `arguments` follow the name of the file.
  private func written(
    _ arguments: String, at position: String = "end", recording: String = Self.recording,
    stores: @escaping @Sendable () -> [any Store] = {
      [TodoStore(storage: MemoryStorage())]
    }
  ) throws -> (test: String, output: [String]) {
    let log = FileManager.default.temporaryDirectory.appending(path: "flux-\(UUID()).jsonl")
    try Data(recording.utf8).write(to: log)
    defer { remove(log) }
    let written = WrittenFiles()
    var services = Services()
    services.app = AppDefinition(stores: stores)
    services.files = written
    var console = Console(Session(try LogFile.open(log.path()), services: services))
    _ = console.run("goto \(position)")
    let output = console.run("test T.swift --import TodoMVCExample \(arguments)")
    let problems = (output?.notes ?? []) + [output?.error?.message].compactMap(\.self)
    let lines = (written.texts["T.swift"] ?? "").split(separator: "\n").map(String.init)
    let body = lines.drop { !$0.contains("func reproduces") }.dropFirst()
    return (body.map { $0 + "\n" }.joined(), problems)
  }

  @Test("It expects the value that was asked for, after the fewest actions that lead to it")
  func smallest() throws {
    let (test, problems) = try written("--expect length(todos.items) --smallest")
    #expect(problems == [])
    #expect(
      test == """
            let session = try TestSession(stores: makeStores)
            try session.dispatch(TodoAction.add(title: "milk"))
            try session.dispatch(TodoAction.add(title: "eggs"))
            let value = try session.value("length(todos.items)")
            #expect(value == 2)
          }
        }

        """)
  }

  @Test("Of an array from which the step removed an element, it expects which ones are left")
  func removed() throws {
    let log = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Recordings/todomvc.jsonl")
    let lines = try String(contentsOf: log, encoding: .utf8)
    let (test, problems) = try written("", at: "todo/remove#1", recording: lines)
    #expect(problems == [])
    #expect(test.contains(#""todos.items[*].id": JSON.parse("[1,2]"),"#), "\(test)")
    #expect(!test.contains("length(todos.items)"))
  }

  @Test("--because has the actions that a bug needs, and expects that it is gone")
  func bug() throws {
    let (test, problems) = try written("--because length(todos.items) > 1")
    #expect(problems == [])
    #expect(
      test == """
            let session = try TestSession(stores: makeStores)
            try session.dispatch(TodoAction.add(title: "milk"))
            try session.dispatch(TodoAction.add(title: "eggs"))
            #expect(try !session.holds("length(todos.items) > 1"))
          }
        }

        """)
  }

  @Test("By default it expects what the step changed, and --smallest keeps all that takes")
  func changed() throws {
    let (test, problems) = try written("--smallest", at: "2")
    #expect(
      problems == [
        "the expected values are those of the start, so the test passes whatever the actions do; "
          + "--because EXPR tests that a bug is gone"
      ])
    #expect(
      test == """
            let session = try TestSession(stores: makeStores)
            try session.dispatch(TodoAction.saved)
            let mismatches = try session.mismatches([
              "todos.saving.inProgress": nil,
              "todos.saving.saved": JSON.parse("{}"),
            ])
            #expect(mismatches == [])
          }
        }

        """)
  }

  @Test("It says if the app as it is now fails it, and a value that is not there is refused")
  func failing() throws {
    let other: @Sendable () -> [any Store] = { [ForgetfulStore()] }
    let (test, problems) = try written("--expect todos.items[1].done", stores: other)
    #expect(
      problems == [
        "with the app as it is now, the test fails: todos.items[1].done is false"
      ])
    #expect(
      test.contains(
        """
            let value = try session.value("todos.items[1].done")
            #expect(value == true)

        """))
    #expect(
      try written("--expect todos.items[7].done").output == [
        "todos.items[7].done has no value at step 5"
      ])
    #expect(
      try written("--smallest", stores: other).output == [
        "the 5 actions up to step 5, dispatched again, do not lead to the values here"
      ])
  }

  @Test("Its bad twin fails: without an action, the values differ")
  func badTwin() throws {
    let session = try TestSession(stores: { [TodoStore(storage: MemoryStorage())] })
    try session.dispatch(TodoAction.add(title: "milk"))
    try session.dispatch(TodoAction.add(title: "eggs"))
    #expect(
      try session.mismatches(["todos.items[1].done": true]) == [
        "todos.items[1].done is false, and not true"
      ])
  }

  private func remove(_ file: URL) {
    do {
      try FileManager.default.removeItem(at: file)
    } catch {
      Issue.record("\(file.path()) could not be removed: \(error)")
    }
  }
}

/// The todos of an app that ticks nothing off.
private struct ForgetfulStore: Store {
  private let todos = TodoStore(storage: MemoryStorage())

  var id: StoreID { todos.id }
  var initialState: TodoState { todos.initialState }

  func reduce(_ state: inout TodoState, _ action: TodoAction, _ step: inout Step) throws {
    if case .toggle = action { return }
    try todos.reduce(&state, action, &step)
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
