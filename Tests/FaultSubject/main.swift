import FluxCore
import FluxLog
import FluxRecorder
import Foundation

// A recorded app to which faults happen; see Scripts/fault-run. It writes the number of each step as soon as its dispatch
// has returned, and at the end how the recording ended.
//
// usage: FaultSubject LOG ahead|buffered|synced SEGMENT-STEPS|0 STEPS PAUSE-EVERY
//
// It pauses after every PAUSE-EVERY steps: it writes "paused", and waits for a line.

struct Note: StateValue {
  var count = 0
  var text = ""
}

enum NoteAction: Action {
  case write(String)
}

struct NoteStore: Store {
  var initialState: Note { Note() }

  func reduce(_ note: inout Note, _ action: NoteAction, _ step: inout Step) {
    guard case .write(let text) = action else { return }
    note = Note(count: note.count + 1, text: text)
  }
}

func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

let arguments = CommandLine.arguments
guard arguments.count == 6, let segment = Int(arguments[3]), let steps = Int(arguments[4]),
  let pause = Int(arguments[5])
else {
  say("usage: FaultSubject LOG ahead|buffered|synced SEGMENT-STEPS|0 STEPS PAUSE-EVERY")
  exit(64)
}
var options = Recorder.Options()
options.log.durability =
  ["buffered": .buffered, "synced": .synced][arguments[2], default: .ahead]
if segment > 0 { options.log.retention = .steps(segment * 4) }

let dispatcher = Dispatcher([NoteStore()])
let recorder = Recorder(to: URL(filePath: arguments[1]), options: options)
dispatcher.use(recorder)
for number in 1...max(1, steps) {
  let text = String(repeating: "note \(number) ", count: number % 7 + 1)
  let outcome = dispatcher.dispatch(NoteAction.write(text))
  say("\(outcome.step ?? 0)")
  if pause > 0, number % pause == 0 {
    say("paused")
    guard readLine() != nil else { break }
  }
}
do {
  try recorder.close()
} catch {
  say("close: \(error)")
}
say(recorder.failure.map { "failure: \($0)" } ?? "recorded")
