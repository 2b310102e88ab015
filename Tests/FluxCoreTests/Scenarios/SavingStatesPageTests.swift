import FluxCore
import Foundation
import TestFixtures
import Testing

/// The code of the page about states that survive the end of the app.
@Suite struct SavingStatesPageTests {
  struct Note: StateValue, Identifiable {
    let id: UUID
    var text: String
  }

  enum NoteAction: Action { case add(String), remove(UUID) }

  struct NotesStore: Store {
    var initialState: Keyed<Note> = []

    func reduce(_ notes: inout Keyed<Note>, _ action: NoteAction, _ step: inout Step) {
      switch action {
      case .add(let text): notes.append(Note(id: step.uuid(), text: text))
      case .remove(let id): notes.remove(id: id)
      }
    }
  }

  struct NotesFile: Sendable {
    let url: URL

    func load() throws -> Keyed<Note> {
      guard FileManager.default.fileExists(atPath: url.path) else { return [] }
      return try JSONDecoder().decode(Keyed<Note>.self, from: Data(contentsOf: url))
    }

    func save(_ notes: Keyed<Note>) throws {
      try JSONEncoder().encode(notes).write(to: url, options: .atomic)
    }
  }

  struct NotesApp {
    let file: NotesFile
    let dispatcher: Dispatcher

    init(_ url: URL) throws {
      file = NotesFile(url: url)
      var notes: Keyed<Note> = []
      do {
        notes = try file.load()
      } catch {
        let other = url.appendingPathExtension("\(UUID()).unreadable")
        try FileManager.default.moveItem(at: url, to: other)
      }
      dispatcher = Dispatcher([NotesStore(initialState: notes)])
    }
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
  let app: NotesApp

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    app = try NotesApp(folder.appending(path: "notes.json"))
  }

  @Test("the next launch begins with the states that the last one saved", .hangLimit)
  func launches() async throws {
    #expect(app.dispatcher[NotesStore.self].isEmpty)
    let states = app.dispatcher.store(NotesStore.self).states(buffering: .bufferingNewest(1))
    app.dispatcher.dispatch(NoteAction.add("milk"))
    app.dispatcher.dispatch(NoteAction.add("bread"))
    for await state in states {
      try app.file.save(state)
      break
    }
    let second = try NotesApp(app.file.url)
    #expect(second.dispatcher[NotesStore.self].map(\.text) == ["milk", "bread"])
    try FileManager.default.removeItem(at: folder)
  }

  @Test("the task that saves the states ends with the dispatcher", .hangLimit)
  func ending() async throws {
    func begin() throws -> Task<Void, any Error> {
      let app = try NotesApp(folder.appending(path: "notes.json"))
      let states = app.dispatcher.store(NotesStore.self).states(buffering: .bufferingNewest(1))
      return Task { [file = app.file] in
        for await state in states { try file.save(state) }
      }
    }
    try await begin().value
    try FileManager.default.removeItem(at: folder)
  }

  @Test("files that cannot be read are kept under other names")
  func unreadable() throws {
    let url = app.file.url
    for _ in 1...2 {
      try Data("[{".utf8).write(to: url)
      let app = try NotesApp(url)
      #expect(app.dispatcher[NotesStore.self].isEmpty)
      try app.file.save(app.dispatcher[NotesStore.self])
      #expect(try Data(contentsOf: url) == Data("[]".utf8))
    }
    let kept = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "unreadable" }
    #expect(try kept.map { try Data(contentsOf: $0) } == [Data("[{".utf8), Data("[{".utf8)])
    try FileManager.default.removeItem(at: folder)
  }
}
