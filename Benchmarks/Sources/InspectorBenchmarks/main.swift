import FluxInspector
import FluxLog
import Foundation
import Harness

// `InspectorBenchmarks [STEPS]`: a session on a log of many small steps, from its first command on.
let steps = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_000_000
let path = FileManager.default.temporaryDirectory.appending(path: "flux-inspector.jsonl").path()
try CounterLog.write(to: path, steps: steps)
let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
print("\(steps) steps, \(size) bytes")

/// The seconds that a command takes until its output is written, and the output.
func timed(_ line: String, in session: inout Session) throws -> (seconds: Double, text: String) {
  var text = ""
  let clock = ContinuousClock()
  let start = clock.now
  if let output = session.run(line) {
    try OutputFormatName.ndjson.format().write(
      output, to: ByteSink { text += String(decoding: $0.prefix(200), as: UTF8.self) },
      diagnostics: ByteSink { _ in })
  }
  return ((clock.now - start) / .seconds(1), text)
}

let clock = ContinuousClock()
let start = clock.now
var options = LogFile.Options()
options.usesSidecar = false
var session = Session(try LogFile.open(path, options: options))
let first = try timed("step", in: &session)
let opened = (clock.now - start) / .seconds(1)
print("open and first step: \(Measurement.rounded(opened * 1e3)) ms")
let indexed = try timed("end", in: &session)
print("end, with the index of all: \(Measurement.rounded(indexed.seconds * 1e3)) ms")

let middle = steps / 2
let moves = [
  "goto \(middle)", "step", "back", "next", "prev", "step 1000", "back 1000", "goto 75%", "undo",
  "goto @\(steps / 40_000)", "goto counter/add#100", "goto rare/event#1",
  "goto counter/add#\(steps / 2)", "last rare",
  "break rare/event", "continue", "reverse-continue", "bisect counter.value > \(middle)", "start",
  "watch rare", "continue", "end", "state", "action", "print counter.value",
]
var slowest = 0.0
for line in moves {
  let (seconds, text) = try timed(line, in: &session)
  slowest = max(slowest, seconds)
  print("\(line): \(Measurement.rounded(seconds * 1e3)) ms: \(text.prefix(100))")
}
// Those that rebuild a state for each step take as long as so many seeks.
var searches = ["start", "until $.n > \(steps + 1)"]
if steps <= 500_000 {
  searches += ["start", "until counter.value < 0", "end", "until -r counter.value < 0"]
}
for line in searches {
  let (seconds, _) = try timed(line, in: &session)
  print("\(line): \(Measurement.rounded(seconds * 1e3)) ms")
}
print(Bar("open and first step, in 500 ms", 0.5 / opened, atLeast: 1))
print(Bar("slowest move, in 50 ms", 0.05 / slowest, atLeast: 1))
try FileManager.default.removeItem(atPath: path)
