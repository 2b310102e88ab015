import FluxCore
import FluxRecorder
import Foundation

// A recorded app with a bug in its reducer. `crash-example trap LOG` triggers the bug. `crash-example load
// LOG` dispatches until it is killed, and prints the number of each step.
ReplayHost.runIfRequested(name: "Crash", version: "1.0") { [BasketStore()] }

let arguments = CommandLine.arguments
guard arguments.count == 3, ["trap", "load"].contains(arguments[1]) else {
  print("usage: crash-example trap|load LOG")
  exit(64)
}
let dispatcher = Dispatcher([BasketStore()])
let recorder = Recorder(to: URL(filePath: arguments[2]))
dispatcher.use(recorder)

if arguments[1] == "trap" {
  dispatcher.dispatch(BasketAction.add("tea", price: 300))
  dispatcher.dispatch(BasketAction.add("cup", price: 700))
  dispatcher.dispatch(BasketAction.split(people: 2))
  dispatcher.dispatch(BasketAction.split(people: 0))
} else {
  while let step = dispatcher.dispatch(BasketAction.add("tea", price: 300)).step {
    FileHandle.standardOutput.write(Data("\(step)\n".utf8))
  }
}
try recorder.close()
