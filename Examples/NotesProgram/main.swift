import FluxCore
import FluxRecorder
import Foundation

let app = AppDefinition(
  name: "Notes", version: "1.0", store: "notes", initial: Notes(), reduce: reduce)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

guard CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--record" else {
  FileHandle.standardError.write(
    Data("usage: notes-example --record FILE   (commands are read from standard input)\n".utf8))
  exit(2)
}

var state = Notes()
let recorder = Recorder(
  to: URL(filePath: CommandLine.arguments[2]), options: Recorder.Options(for: app))
recorder.start(states: ["notes": state])

/// Runs the reducer as a recorded step.
@MainActor func send(_ action: NotesAction) {
  let step = recorder.begin(action)
  var inputs = step.inputs
  var next = state
  do {
    try reduce(&next, action, &inputs)
    state = next
    step.commit(states: ["notes": state])
  } catch {
    print((error as? Rejection)?.message ?? "\(error)")
    step.reject(error)
  }
}

/// Reads a command: `add TEXT`, `toggle NUMBER`, `rename NUMBER TEXT`, `clear`.
func notesAction(_ line: String) -> NotesAction? {
  let words = line.split(separator: " ", maxSplits: 1).map(String.init)
  let rest = words.count > 1 ? words[1].split(separator: " ", maxSplits: 1).map(String.init) : []
  switch (words.first, rest.first.flatMap { Int($0) }) {
  case ("add", _) where words.count > 1: return .add(words[1])
  case ("toggle", let number?): return .note(number: number, .toggle)
  case ("rename", let number?) where rest.count > 1: return .note(number: number, .rename(rest[1]))
  case ("clear", _): return .clear
  default: return nil
  }
}

while let line = readLine() {
  guard let action = notesAction(line) else {
    print("usage: add TEXT, toggle NUMBER, rename NUMBER TEXT, clear")
    continue
  }
  send(action)
}
try recorder.close()
if let failure = recorder.failure {
  FileHandle.standardError.write(Data("\(failure)\n".utf8))
  exit(1)
}
