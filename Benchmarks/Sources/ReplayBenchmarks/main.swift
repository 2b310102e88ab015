import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Harness

// `ReplayBenchmarks [STEPS] [ROUNDS]`: verifying a log of a small state, in this process.
let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let steps = numbers.first ?? 200_000
let rounds = numbers.dropFirst().first ?? 7
let seed: UInt64 = 20_261_121
print("seed \(seed), \(steps) steps")

let url = FileManager.default.temporaryDirectory.appending(path: "flux-replay.jsonl")
try recordCounters(to: url, steps: steps, seed: seed)
let log = try LogFile.open(url.path)
try log.waitForIndex()
let byteCount = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
print("a log of \(byteCount / steps) bytes a step")

let app = DispatcherApp(stores: makeStores)
let clock = ContinuousClock()
var rates: [Double] = []
for _ in 0..<rounds {
  let start = clock.now
  let report = try Verification(of: Timeline(log), in: app).run()
  let seconds = (clock.now - start) / .seconds(1)
  guard report.verdict == .passed, report.steps == steps else { preconditionFailure(report.text) }
  rates.append(Double(steps) / seconds)
}
rates.sort()
print("steps/s: median \(Int(rates[rates.count / 2])), best \(Int(rates[rates.count - 1]))")
print(Bar("verified steps per second", rates[rates.count - 1], atLeast: 150_000))
try FileManager.default.removeItem(at: url)
