import FluxCore
import FluxRecorder
import Foundation

/// The state of an app without FluxCore stores.
struct Notes: Codable, Sendable {
  struct Note: Codable, Sendable {
    let id: UUID
    let created: Date
    var text: String
    var isDone = false
  }

  var notes: [Note] = []
}

enum NotesAction: Codable, Sendable {
  case add(String)
  case note(number: Int, NoteAction)
  case clear
}

enum NoteAction: Codable, Sendable { case toggle, rename(String) }

/// The reducer of the app, which takes the time and the UUIDs from its inputs.
func reduce(_ state: inout Notes, _ action: NotesAction, _ inputs: inout StepInputs) throws {
  switch action {
  case .add(let text):
    state.notes.append(Notes.Note(id: inputs.uuid(), created: inputs.now, text: text))
  case .note(let number, let action):
    guard state.notes.indices.contains(number - 1) else {
      throw Rejection("there is no note \(number)")
    }
    switch action {
    case .toggle: state.notes[number - 1].isDone.toggle()
    case .rename(let text): state.notes[number - 1].text = text
    }
  case .clear:
    state.notes.removeAll(where: \.isDone)
  }
}
