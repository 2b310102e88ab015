import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// What an attached client that watches adds to a recorded dispatch; without a client, a host adds nothing.
struct AttachedCost {
  let url: URL

  private static let burst = 400
  private static let bursts = 400

  /// Returns the mean cost of a dispatch with a client less what it costs without one.
  func lap() throws -> Lap {
    var options = Recorder.Options()
    options.log.durability = .buffered
    options.log.existing = .replace
    let recorder = Recorder(to: url, options: options)
    let dispatcher = Dispatcher([TodoStore(count: 2, seed: 1)])
    dispatcher.use(recorder)
    let plain = try cost(of: dispatcher, recorder)
    let host = AppHost(recorder, dispatcher: dispatcher)
    let client = try InspectingClient(.watches)
    let watched = try cost(of: dispatcher, recorder)
    client.end()
    host.stop()
    try recorder.close()
    return Lap(seconds: watched - plain)
  }

  private func cost(of dispatcher: Dispatcher, _ recorder: Recorder) throws -> Double {
    var times: [Double] = []
    for _ in 0..<Self.bursts {
      let lap = Stopwatch.lap {
        for step in 0..<Self.burst { dispatcher.dispatch(TodoAction.toggle(id: step % 2)) }
      }
      try recorder.flush()
      times.append(lap.seconds)
    }
    return Series(times).median / Double(Self.burst)
  }
}

/// The cost of a running app that somebody watches.
func attachedFigures(_ conditions: Conditions) -> [Figure] {
  [
    Figure(
      "added to a dispatch, with an attached client, mean", in: .nanoseconds, on: .all,
      target: .atMost(820, .multiplication)
    ) {
      let cost = AttachedCost(url: conditions.scratch("attached.jsonl"))
      return Contest(
        .timed(rounds: conditions.scale(5, quick: 3)) { [try cost.lap()] }, on: "two todos")
    }
  ] + AttachedLatency.figures(conditions)
}
