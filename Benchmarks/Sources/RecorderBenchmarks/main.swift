import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness

// What a recorder costs. `RecorderBenchmarks [cost|buffered|ahead|todos [STEPS]]`: all of them by default.
let arguments = CommandLine.arguments.dropFirst()
let steps = arguments.dropFirst().first.flatMap { Int($0) }
func isWanted(_ name: String) -> Bool { arguments.isEmpty || arguments.first == name }

let path = FileManager.default.temporaryDirectory
  .appending(path: "flux-recorder-\(UUID().uuidString).jsonl").path()
var bars: [Bar] = []

if isWanted("cost") {
  let buffered = try AddedCost(path: path, durability: .buffered).nanoseconds
  let ahead = try AddedCost(path: path, durability: .ahead).nanoseconds
  print("recording adds to a dispatch: buffered \(Int(buffered)) ns, ahead \(Int(ahead)) ns")
  bars.append(Bar("times within 250 ns, buffered", 250 / buffered, atLeast: 1))
  bars.append(Bar("times within 2.5 us, ahead", 2_500 / ahead, atLeast: 1))
}

// Two todos: a state of 271 bytes.
for durability in [LogWriter.Options.Durability.buffered, .ahead] where isWanted("\(durability)") {
  let run = try Throughput(
    todos: 2, steps: steps ?? 1_000_000, path: path, durability: durability)
  print(
    "small states, \(durability): \(Int(run.stepsPerSecond)) steps/s of "
      + "\(Int(run.bytesPerStep)) bytes")
  guard durability == .buffered else { continue }
  bars.append(Bar("small steps recorded per second", run.stepsPerSecond, atLeast: 250_000))
}

if isWanted("todos") {
  let recorded = try Throughput(
    todos: 1_000, steps: steps ?? 10_000, path: path, durability: .ahead)
  let initial = try LogEncoder().bytes(of: TodoStore(count: 1_000, seed: 1).initialState).count
  let byHand = try Throughput(
    handWritten: (steps ?? 10_000) / 30, todos: 1_000, path: path + ".hand")
  try FileManager.default.removeItem(atPath: path + ".hand")
  print(
    "1,000 todos (\(initial / 1_000) KB): \(Int(recorded.stepsPerSecond)) steps/s of "
      + "\(Int(recorded.bytesPerStep)) bytes; by hand \(Int(byHand.stepsPerSecond)) steps/s of "
      + "\(Int(byHand.bytesPerStep)) bytes")
  bars += [
    Bar("steps of 1,000 todos per second", recorded.stepsPerSecond, atLeast: 2_000),
    Bar("times within 300 bytes a step", 300 / recorded.bytesPerStep, atLeast: 1),
    Bar(
      "times the recorder written by hand", recorded.stepsPerSecond / byHand.stepsPerSecond,
      atLeast: 6),
  ]
}

try FileManager.default.removeItem(atPath: path)
for bar in bars { print(bar) }
exit(bars.allSatisfy(\.isMet) ? 0 : 1)
