import Counter
import FluxReplay
import Foundation

// An app that serves a counter. `--chatty` first prints a text that stays in the buffer.
if CommandLine.arguments.contains("--chatty") { print("good morning") }
guard SpawnedHost.isRequested else {
  print("the counter is at 0")
  exit(0)
}
SpawnedHost.serve(CounterApp())
