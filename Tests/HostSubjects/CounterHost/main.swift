import Counter
import FluxRecorder

// An app that serves a counter. `--chatty` first prints a text that stays in the buffer.
if CommandLine.arguments.contains("--chatty") { print("good morning") }
ReplayHost.runIfRequested(CounterApp())
print("the counter is at 0")
