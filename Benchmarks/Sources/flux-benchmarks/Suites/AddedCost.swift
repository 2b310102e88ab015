import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// What a recorder adds to a dispatch while its queue has room: bursts, with time to write in between.
struct AddedCost {
  let url: URL
  let durability: LogWriter.Options.Durability

  private static let burst = 400
  private static let bursts = 400

  /// Returns, for each round, the median with a recorder less the median without one.
  func seconds(rounds: Int) throws -> [Double] {
    try (0..<rounds).map { _ in
      let plain = try median(of: Dispatcher([TodoStore(count: 2, seed: 1)]), nil)
      var options = Recorder.Options()
      options.log.durability = durability
      options.log.replacesExisting = true
      let recorder = Recorder(to: url, options: options)
      let dispatcher = Dispatcher([TodoStore(count: 2, seed: 1)])
      dispatcher.use(recorder)
      let recorded = try median(of: dispatcher, recorder)
      try recorder.close()
      return recorded - plain
    }
  }

  private func median(of dispatcher: Dispatcher, _ recorder: Recorder?) throws -> Double {
    Series(
      try (0..<Self.bursts).map { _ in
        let seconds = Stopwatch.seconds {
          for step in 0..<Self.burst { dispatcher.dispatch(TodoAction.toggle(id: step % 2)) }
        }
        try recorder?.flush()
        return seconds / Double(Self.burst)
      }
    ).median
  }
}
