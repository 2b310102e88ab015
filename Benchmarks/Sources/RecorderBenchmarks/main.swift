import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness

// What a recorder costs. `RecorderBenchmarks [cost|small|todos]`: all of them by default.
let wanted = CommandLine.arguments.dropFirst().first
let path = FileManager.default.temporaryDirectory
  .appending(path: "flux-recorder-\(UUID().uuidString).jsonl").path()
var bars: [Bar] = []

if wanted == nil || wanted == "cost" {
  let buffered = try AddedCost(path: path, durability: .buffered).nanoseconds
  let ahead = try AddedCost(path: path, durability: .ahead).nanoseconds
  print("recording adds to a dispatch: buffered \(Int(buffered)) ns, ahead \(Int(ahead)) ns")
  bars.append(Bar("share of 250 ns left, buffered", 250 / buffered, atLeast: 1))
  bars.append(Bar("share of 2.5 us left, ahead", 2_500 / ahead, atLeast: 1))
}

if wanted == nil || wanted == "small" {
  for durability in [LogWriter.Options.Durability.buffered, .ahead] {
    let run = try Throughput(lamps: 1_000_000, path: path, durability: durability)
    print("small states, \(durability): \(Int(run.stepsPerSecond)) steps/s")
    guard durability == .buffered else { continue }
    bars.append(Bar("small steps recorded per second", run.stepsPerSecond, atLeast: 250_000))
  }
}

if wanted == nil || wanted == "todos" {
  let recorded = try Throughput(todos: 10_000, path: path)
  let initial = try LogEncoder().bytes(of: TodoStore(count: 1_000, seed: 1).initialState).count
  let byHand = try Throughput(handWritten: 300, path: path + ".hand")
  try FileManager.default.removeItem(atPath: path + ".hand")
  print(
    "1,000 todos (\(initial / 1_000) KB): \(Int(recorded.stepsPerSecond)) steps/s of "
      + "\(Int(recorded.bytesPerStep)) bytes; by hand \(Int(byHand.stepsPerSecond)) steps/s of "
      + "\(Int(byHand.bytesPerStep)) bytes")
  bars += [
    Bar("steps of 1,000 todos per second", recorded.stepsPerSecond, atLeast: 2_000),
    Bar("share of 300 bytes a step left", 300 / recorded.bytesPerStep, atLeast: 1),
    Bar(
      "times the recorder written by hand", recorded.stepsPerSecond / byHand.stepsPerSecond,
      atLeast: 6),
  ]
}

try FileManager.default.removeItem(atPath: path)
for bar in bars { print(bar) }
exit(bars.allSatisfy(\.isMet) ? 0 : 1)
