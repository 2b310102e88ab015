import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// What a recorder adds to a dispatch while its queue has room: bursts, with time to write in between.
struct AddedCost {
  /// What is made of the dispatches of a run.
  enum Statistic: String {
    /// What half of them stay below, as each of them is timed.
    case median
    /// What they take in all, by their number, in the middle one of the bursts: with the dispatches that meet
    /// a fault of the memory, or a list that grows.
    case mean
  }

  let url: URL
  let durability: LogWriter.Options.Durability
  let statistic: Statistic
  /// `true` if the URL is that of a folder with a log for each launch.
  var isLaunch = false

  private static let burst = 400
  private static let bursts = 400

  /// Returns what a dispatch costs with a recorder less what it costs without one; reading the clock is in both.
  func lap() throws -> Lap {
    let plain = try cost(of: Dispatcher([TodoStore(count: 2, seed: 1)]), nil)
    var options = Recorder.Options()
    options.log.durability = durability
    options.log.existing = .replace
    let recorder =
      isLaunch
      ? Recorder(in: url, name: "todo", options: options) : Recorder(to: url, options: options)
    let dispatcher = Dispatcher([TodoStore(count: 2, seed: 1)])
    dispatcher.use(recorder)
    let recorded = try cost(of: dispatcher, recorder)
    try recorder.close()
    return Lap(
      seconds: recorded.seconds - plain.seconds, faults: recorded.faults - plain.faults)
  }

  private func cost(
    of dispatcher: Dispatcher, _ recorder: Recorder?
  ) throws -> (seconds: Double, faults: Double) {
    let clock = ContinuousClock()
    var times: [Double] = []
    var instants: [ContinuousClock.Instant] = []
    var faults = 0
    for _ in 0..<Self.bursts {
      instants.removeAll(keepingCapacity: true)
      faults -= Stopwatch.minorFaults()
      instants.append(clock.now)
      for step in 0..<Self.burst {
        dispatcher.dispatch(TodoAction.toggle(id: step % 2))
        if statistic == .median { instants.append(clock.now) }
      }
      if statistic == .mean { instants.append(clock.now) }
      faults += Stopwatch.minorFaults()
      try recorder?.flush()
      times += zip(instants, instants.dropFirst()).map { ($1 - $0) / .seconds(1) }
    }
    let median = Series(times).median
    return (
      statistic == .median ? median : median / Double(Self.burst),
      Double(faults) / Double(Self.bursts * Self.burst)
    )
  }
}
