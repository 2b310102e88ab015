import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness

/// What a recorder adds to a dispatch while its queue has room: bursts, with time to write in between.
struct AddedCost {
  /// Nanoseconds that recording adds to a dispatch at the median.
  let nanoseconds: Double

  private static let burst = 400
  private static let rounds = 400

  /// The least of several medians: whatever else the machine does only ever adds.
  init(path: String, durability: LogWriter.Options.Durability) throws {
    var least = Double.infinity
    for _ in 0..<5 {
      let plain = try Self.median(of: Dispatcher([TodoStore(count: 2, seed: 1)]), nil)
      var options = Recorder.Options()
      options.log.durability = durability
      options.log.replacesExisting = true
      let recorder = Recorder(to: URL(filePath: path), options: options)
      let dispatcher = Dispatcher([TodoStore(count: 2, seed: 1)])
      dispatcher.use(recorder)
      let recorded = try Self.median(of: dispatcher, recorder)
      try recorder.close()
      least = min(least, recorded - plain)
    }
    nanoseconds = least
  }

  private static func median(of dispatcher: Dispatcher, _ recorder: Recorder?) throws -> Double {
    let clock = ContinuousClock()
    var costs: [Double] = []
    for _ in 0..<rounds {
      let start = clock.now
      for step in 0..<burst { dispatcher.dispatch(TodoAction.toggle(id: step % 2)) }
      costs.append((clock.now - start) / .nanoseconds(1) / Double(burst))
      try recorder?.flush()
    }
    return costs.sorted()[rounds / 2]
  }
}
