import FluxLog
import Foundation
import Harness

// `LogBenchmarks [STEPS]`: 20,000,000 steps make a log of 4 GB and take about two minutes.
let steps = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_000_000
let path = FileManager.default.temporaryDirectory.appending(path: "flux-benchmark.jsonl").path()
var bars: [Bar] = []

for durability in [LogWriter.Options.Durability.ahead, .buffered] {
  let count = durability == .buffered ? steps : min(steps, 1_000_000)
  let recording = try Recording(path: path, steps: count, durability: durability)
  let rate = Double(count) / recording.seconds
  print("write, \(durability): \(Int(rate)) steps/s")
  if durability == .buffered {
    bars.append(Bar("steps written per second", rate, atLeast: 250_000))
  }
}

// The cost for the app while the queue has room: bursts, with time to write in between.
let burst = try Recording(
  path: path + ".burst", steps: 4096, durability: .buffered, queueCapacity: 1 << 16)
print("hand over a step, buffered: \(Int(burst.handOver * 1e9)) ns")
let noted = try Recording(
  path: path + ".burst", steps: 4096, durability: .ahead, queueCapacity: 1 << 16)
print("note and hand over a step, ahead: \(Int(noted.handOver * 1e9)) ns")
try FileManager.default.removeItem(atPath: path + ".burst")

let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
var withoutSidecar = LogFile.Options()
withoutSidecar.usesSidecar = false
let indexed = try Measurement.measure("open and index, \(steps) steps", bytes: size, samples: 5) {
  let log = try LogFile.open(path, options: withoutSidecar)
  try log.waitForIndex()
  precondition(log.count == steps && log.findings.isEmpty)
}
print(indexed)
bars.append(
  Bar("million steps indexed per second", Double(steps) / indexed.median / 1e6, atLeast: 33.3))
print(
  try Measurement.measure("open, first step", samples: 9) {
    try LogFile.open(path, options: withoutSidecar).step(at: 0)
  })
guard try LogFile.open(path).saveIndex() else { preconditionFailure("no sidecar") }
let opened = try Measurement.measure("open with the sidecar, last step", samples: 9) {
  let log = try LogFile.open(path)
  return try log.step(at: log.count - 1)
}
print(opened)
bars.append(Bar("openings with the sidecar per 10 ms", 10e-3 / opened.median, atLeast: 1))

let log = try LogFile.open(path)
try log.waitForIndex()
let find = try Measurement.measure("find an action type") {
  try log.firstPosition(in: 0..<log.count) { $0 == "todo/undo" }
}
print(find)
bars.append(Bar("finds of a type per 5 ms", 5e-3 / find.median, atLeast: 1))
var generator = SeededGenerator(seed: 1)
print(
  try Measurement.measure("read a random step") {
    try log.step(at: Int.random(in: 0..<log.count, using: &generator))
  })
if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) {
  let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
  print("memory: \(peak), log: \(size >> 10) kB")
}
for bar in bars { print(bar) }
try FileManager.default.removeItem(atPath: path)
try FileManager.default.removeItem(atPath: path + ".idx")
