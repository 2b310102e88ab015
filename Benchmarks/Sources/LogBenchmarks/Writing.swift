import FluxLog
import Foundation
import Harness

/// Measures what recording costs, for the app and until the steps are in the file.
func writing(_ folder: URL) throws -> [Bar] {
  let path = folder.appending(path: "written.jsonl").path()
  var bars: [Bar] = []
  for durability in [LogWriter.Options.Durability.ahead, .buffered] {
    let rates = try (0..<5).map { _ in
      let recording = try Recording(
        of: Items.self, path: path, steps: 400_000, durability: durability)
      return Double(recording.steps) / recording.seconds
    }.sorted()
    print("write, \(durability): \(Int(rates[2])) steps/s, the best of five \(Int(rates[4]))")
    if durability == .buffered {
      bars.append(Bar("steps written per second", rates[2], atLeast: 250_000))
    }
  }
  // The cost for the app while the queue has room: bursts, with time to write in between.
  for durability in [LogWriter.Options.Durability.ahead, .buffered] {
    let costs = try (0..<25).map { _ in
      try Recording(
        of: Items.self, path: path, steps: 4096, durability: durability, queueCapacity: 1 << 16
      ).handOver * 1e9
    }.sorted()
    print("hand over a step, \(durability): \(Int(costs[12])) ns, the best of 25 \(Int(costs[0]))")
    if durability == .buffered {
      bars.append(Bar("steps handed over in 250 ns", 250 / costs[12], atLeast: 1))
    }
  }
  return bars
}
