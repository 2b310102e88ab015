import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import FluxTesting
import Foundation
import TestFixtures
import Testing

struct Note: Codable, Sendable {
  let id: UUID
  var text: String
  var row = Row.plain
}
enum Row: Codable, Sendable { case plain, done }
enum NotesAction: Codable, Sendable {
  case add(String)
  case note(number: Int, NoteAction)
}
enum NoteAction: Codable, Sendable { case finish, rename(String) }

func reduce(_ notes: inout [Note], _ action: NotesAction, _ inputs: inout StepInputs) throws {
  switch action {
  case .add(let text): notes.append(Note(id: inputs.uuid(), text: text))
  case .note(let number, _) where !notes.indices.contains(number):
    throw Rejection("there is no note \(number)")
  case .note(let number, .finish): notes[number].row = .done
  case .note(let number, .rename(let text)): notes[number].text = text
  }
}
let notesApp = AppDefinition(name: "Notes", store: "notes", initial: [Note](), reduce: reduce)

/// The code of the page about recording any reducer, which must also do what the page says.
@Suite struct ReducerPageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ actions: [NotesAction]) throws -> LogFile {
    let url = folder.url("notes.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["notes": [Note]()])
    var notes: [Note] = []
    for action in actions {
      let step = recorder.begin(action)
      var inputs = step.inputs
      var next = notes
      do {
        try reduce(&next, action, &inputs)
        notes = next
        step.commit(states: ["notes": notes])
      } catch {
        step.reject("\(error)")
      }
    }
    try recorder.close()
    return try LogFile.open(url.path)
  }

  private static let actions: [NotesAction] = [
    .add("tea"), .note(number: 0, .rename("milk")), .note(number: 3, .finish),
    .note(number: 0, .finish),
  ]

  @Test("its log replays, with the same UUIDs, nested actions and rejections")
  func replays() async throws {
    let log = try record(Self.actions)
    let types = try (0..<log.count).map { try log.step(at: $0).type }
    #expect(
      types == ["notes/add", "notes/note/rename", "notes/note/finish", "notes/note/finish"])
    try await expectReplay(of: folder.url.path, in: notesApp)
  }

  @Test("a reducer that does something else diverges at its first step")
  func diverges() throws {
    let other = AppDefinition(name: "Notes", store: "notes", initial: [Note]()) {
      (notes, action: NotesAction, inputs) in
      try reduce(&notes, action, &inputs)
      if case .note(let number, .rename) = action { notes[number].text += "!" }
    }
    let report = try other.verify(Timeline(record(Self.actions)))
    #expect(report.verdict == .diverged)
    #expect(report.divergences.map(\.step) == [2])
  }

  static func serve() {
    ReplayHost.runIfRequested(notesApp)
  }

  static func expect() async throws {
    try await expectReplay(of: "Recordings", in: notesApp)
  }
}
