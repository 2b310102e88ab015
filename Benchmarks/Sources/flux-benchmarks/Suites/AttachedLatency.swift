import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// The slowest of 100 dispatches of an app with an attached inspector, as a share of the same without one.
///
/// The app dispatches as one with a user does: a few actions at a time, with pauses. Blocks with and without the inspector take
/// turns, so both see the same machine.
struct AttachedLatency {
  let url: URL
  let work: InspectingClient.Work

  private static let blocks = 8
  private static let bursts = 75
  private static let burst = 20
  private static let pause = 0.002

  /// Returns the share in percent.
  func percentage() throws -> Double {
    var options = Recorder.Options()
    options.log.existing = .replace
    let recorder = Recorder(to: url, options: options)
    let stores: @Sendable () -> [any Store] = { [TodoStore(count: 2, seed: 1)] }
    let dispatcher = Dispatcher(stores())
    dispatcher.use(recorder)
    let host = AppHost(recorder, app: AppDefinition(stores: stores), dispatcher: dispatcher)
    var (alone, inspected): ([Double], [Double]) = ([], [])
    for _ in 0..<Self.blocks {
      alone += times(of: dispatcher)
      let client = try InspectingClient(work)
      inspected += times(of: dispatcher)
      client.end()
    }
    host.stop()
    try recorder.close()
    return 100 * Self.slowest(inspected) / Self.slowest(alone)
  }

  private func times(of dispatcher: Dispatcher) -> [Double] {
    let clock = ContinuousClock()
    var times: [Double] = []
    times.reserveCapacity(Self.bursts * Self.burst)
    for _ in 0..<Self.bursts {
      for step in 0..<Self.burst {
        let begin = clock.now
        dispatcher.dispatch(TodoAction.toggle(id: step % 2))
        times.append((clock.now - begin) / .seconds(1))
      }
      Thread.sleep(forTimeInterval: Self.pause)
    }
    return times
  }

  /// The time that 99 of 100 dispatches stay below.
  private static func slowest(_ times: [Double]) -> Double {
    times.sorted()[times.count * 99 / 100]
  }

  static func figures(_ conditions: Conditions) -> [Figure] {
    let kinds: [(InspectingClient.Work, String, Double)] = [
      (.follows, "with an attached client that follows", 120),
      (.replays, "while a client replays", 200),
    ]
    return kinds.map { work, name, target in
      Figure(
        "p99 of a dispatch \(name), of that without", in: .percent, on: .all,
        target: .atMost(target)
      ) {
        let latency = AttachedLatency(url: conditions.scratch("\(work).jsonl"), work: work)
        return Contest(
          .counted {
            try (0..<conditions.scale(5, quick: 1)).map { _ in try latency.percentage() }
          }, on: "two todos")
      }
    }
  }
}
