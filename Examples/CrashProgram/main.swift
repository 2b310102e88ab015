import FluxCore
import FluxLog
import FluxRecorder
import Foundation

// A recorded app with a bug in its reducer. `crash-example trap LOG` triggers the bug. `crash-example load
// LOG` dispatches until it is killed, and prints the number of each step. `crash-example launch FOLDER` does the same, and
// records each launch in a separate file; all launches together keep at most 512 KB.
ReplayHost.runIfRequested(AppDefinition(name: "Crash", version: "1.0") { [BasketStore()] })

let arguments = CommandLine.arguments
guard arguments.count == 3, ["trap", "load", "launch"].contains(arguments[1]) else {
  print("usage: crash-example trap|load LOG, or crash-example launch FOLDER")
  exit(64)
}
let dispatcher = Dispatcher([BasketStore()])
let place = URL(filePath: arguments[2])
var options = Recorder.Options()
options.launchLimits = [.bytes(512 << 10)]
let recorder =
  arguments[1] == "launch"
  ? Recorder(in: place, name: "basket", options: options) : Recorder(to: place)
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
