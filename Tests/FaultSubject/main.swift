import FluxCore
import FluxLog
import FluxRecorder
import Foundation

// A recorded app to which faults happen; see Scripts/fault-run. It writes the number of each step as soon as its dispatch
// has returned, and at the end how the recording ended.
//
// usage: FaultSubject LOG ahead|buffered|synced SEGMENT-STEPS|0 STEPS PAUSE-EVERY mapped|written FORK-AFTER|0
//
// It pauses after every PAUSE-EVERY steps: it writes "paused", and waits for a line. After the step FORK-AFTER it forks a
// child that goes on without another program, and says how that ended.

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

/// Forks a child that dispatches actions of its own; returns its exit code, 0 if it logged nothing and said so.
///
/// The caller has flushed the recorder: locks of Swift's runtime that the writing thread held would stay locked in the child.
func runChild(_ dispatcher: Dispatcher, _ recorder: Recorder) -> Int32 {
  // Swift hides the function, because most programs must not use it.
  guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "fork") else { return -1 }
  let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
  let child = fork()
  // A child that hangs ends, which fails the run.
  if child == 0 { alarm(60) }
  guard child == 0 else {
    var status: Int32 = 0
    // The status is a local that outlives the call.
    guard child > 0, unsafe waitpid(child, &status, 0) == child else { return -1 }
    return status
  }
  for _ in 1...50 { dispatcher.dispatch(NoteAction.write("child")) }
  if case .forked = recorder.failure?.reason { _exit(0) }
  _exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count == 8, let segment = Int(arguments[3]), let steps = Int(arguments[4]),
  let pause = Int(arguments[5]), let fork = Int(arguments[7])
else {
  say(
    """
    usage: FaultSubject LOG ahead|buffered|synced SEGMENT-STEPS|0 STEPS PAUSE-EVERY mapped|written \
    FORK-AFTER|0
    """)
  exit(64)
}
var options = Recorder.Options()
options.log.durability =
  ["buffered": .buffered, "synced": .synced][arguments[2], default: .ahead]
options.log.ring = arguments[6] == "written" ? .written : .mapped
if segment > 0 { options.log.retention = .steps(segment * 4) }

let dispatcher = Dispatcher([NoteStore()])
let recorder = Recorder(to: URL(filePath: arguments[1]), options: options)
dispatcher.use(recorder)
for number in 1...max(1, steps) {
  let text = String(repeating: "note \(number) ", count: number % 7 + 1)
  let outcome = dispatcher.dispatch(NoteAction.write(text))
  say("\(outcome.step ?? 0)")
  if number == fork {
    do { try recorder.flush() } catch { say("flush: \(error)") }
    say("child: \(runChild(dispatcher, recorder))")
  }
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
