import FluxLog
import Foundation
import Harness

// `TimelineBenchmarks [STEPS]`: moves in a log of a state of 142 KB.
let steps = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
let seed: UInt64 = 20_261_120
var random = SeededGenerator(seed: seed)
let path = FileManager.default.temporaryDirectory.appending(path: "flux-timeline.jsonl").path()
print("seed \(seed)")

let todos = try TodoLog(path: path, steps: steps, random: &random)
print("\(steps) steps, state of \(todos.stateByteCount) bytes, log of \(todos.byteCount) bytes")

func timed(_ work: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try work()
  return (clock.now - start) / .seconds(1)
}

/// Prints the median of the times, and returns it as a bar.
func report(_ name: String, _ seconds: [Double], most: Double) -> Bar {
  let sorted = seconds.sorted()
  let median = sorted[sorted.count / 2]
  let late = sorted[sorted.count * 95 / 100]
  let readable = Measurement.rounded(median * 1e6)
  print("\(name): median \(readable) us, 95 % within \(Measurement.rounded(late * 1e6)) us")
  return Bar("\(name), in \(Int(most * 1e6)) us", most / median, atLeast: 1)
}

let log = try LogFile.open(path)
try log.waitForIndex()

// Nothing kept: the whole state and, on average, half of the patches to the next are read.
let cold = report(
  "seek to a random step, nothing cached",
  try (0..<100).map { _ in
    let timeline = Timeline(log)
    let position = Int.random(in: 0..<log.count, using: &random)
    return try timed { _ = try timeline.state(of: "todos", at: position) }
  }, most: 300e-6)

// One timeline from its first seek on.
let timeline = Timeline(log)
let seek = report(
  "seek to a random step",
  try (0..<1000).map { _ in
    let position = Int.random(in: 0..<log.count, using: &random)
    return try timed { _ = try timeline.state(of: "todos", at: position) }
  }, most: 300e-6)

let walked = Timeline(log)
let next = report(
  "next, with the whole state",
  try (0..<min(3000, log.count)).map { position in
    try timed { _ = try walked.state(of: "todos", at: position) }
  }, most: 50e-6)
let previous = report(
  "previous, with the whole state",
  try (0..<min(3000, log.count)).reversed().map { position in
    try timed { _ = try walked.state(of: "todos", at: position) }
  }, most: 50e-6)
let pointer = try Pointer("/items/500/title")
let oneValue = report(
  "next, one value",
  try (0..<min(3000, log.count)).map { position in
    try timed { _ = try walked.value(pointer, of: "todos", at: position) }
  }, most: 50e-6)

for bar in [seek, next, previous, cold, oneValue] { print(bar) }
try FileManager.default.removeItem(atPath: path)
